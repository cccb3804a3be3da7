"""Exit statuses: public, and decided here alone."""

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, assert_never

if TYPE_CHECKING:
    from sim.judge.verdict import Status


class Exit(IntEnum):
    """How the command ended, for whoever called it."""

    OK = 0
    """Everything is as expected."""
    FAILED = 1
    """An expectation or an invariant is not as expected."""
    BAD_INPUT = 2
    """Bad input or usage, or an output that cannot be written."""
    INCONCLUSIVE = 3
    """Something proves nothing: a fault never matched, a limit was reached."""
    OUR_BUG = 4
    """A bug of lostack itself, a run that does not repeat included."""
    INTERRUPTED = 130
    """Stopped by Ctrl-C; what was finished is kept."""
    READER_GONE = 141
    """Nobody reads standard output any more (``| head``): no bad input, and no result either. It
    is what a shell reports of other tools that write to a closed pipe; nothing else applies."""


PRECEDENCE = (
    Exit.OUR_BUG,
    Exit.INTERRUPTED,
    Exit.BAD_INPUT,
    Exit.FAILED,
    Exit.INCONCLUSIVE,
    Exit.OK,
)


def worst(found: Iterable[Exit]) -> Exit:
    """Return the status that wins where several apply; OK where none does."""
    return min(found, key=PRECEDENCE.index, default=Exit.OK)


def of_status(status: "Status") -> Exit:
    """Return the exit status of one judged run."""
    from sim.judge.verdict import Status  # noqa: PLC0415 - help must not wait for the model

    match status:
        case Status.PASSED:
            return Exit.OK
        case Status.FAILED:
            return Exit.FAILED
        case Status.INCONCLUSIVE:
            return Exit.INCONCLUSIVE
        case _:
            assert_never(status)
