"""Lets ``python -m sim`` do what ``lostack`` does."""

import sys

from sim.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
