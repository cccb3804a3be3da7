"""Lets ``python -m sim`` do what ``lostack`` does, and is what ``lostack`` starts.

It imports nothing before it can say that it was interrupted: loading the rest takes long enough
for somebody to press Ctrl-C.
"""

import sys

INTERRUPTED = 130


def main() -> int:
    """Run ``lostack`` with the process's arguments and return its exit status."""
    try:
        from sim.cli.main import main as run  # noqa: PLC0415 - see above

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
