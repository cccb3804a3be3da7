"""What holds for all tests: steady properties, and a package that is compiled once.

Properties are tried on the same examples every time: a run of the suite never differs by luck.
``make pytest ARGS=--hypothesis-profile=search`` looks for new ones.
"""

import compileall
import gc
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", max_examples=1_000, deadline=None)
settings.load_profile("steady")

PACKAGE = Path(__file__).parents[1] / "sim"


def pytest_configure(config: pytest.Config) -> None:
    """Hear signals, and compile the package where Python is told not to.

    What a suite in the background (``&``, ``nohup``) does not hear, processes that tests interrupt
    would not hear either. Uncompiled, some sixty processes would compile it, each anew.
    """
    for unheard in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(unheard) is signal.SIG_IGN:
            signal.signal(unheard, signal.SIG_DFL)
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        compileall.compile_dir(PACKAGE, quiet=2)


def pytest_collection_finish() -> None:
    """What was collected stays to the end: nobody has to look through it for garbage."""
    gc.collect()
    gc.freeze()
