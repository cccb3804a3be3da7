"""The versions that a measurement depends on: where they differ, its numbers may."""

import platform
from importlib.metadata import PackageNotFoundError, version

from sim import __version__


def versions() -> dict[str, str]:
    """Return name -> version of lostack, Python and the libraries that make the numbers."""
    found = {"lostack": __version__, "python": platform.python_version()}
    for name in ("numpy", "simpy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found
