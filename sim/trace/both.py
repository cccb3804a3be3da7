"""Two listeners that hear one run."""

from collections.abc import Callable

from sim.trace.listener import Listener


class Both:
    """Hears what two listeners hear; their records have the same numbers.

    Args:
        first: Hears everything first, and knows the number of the last record.
        second: Hears the same after it.
    """

    def __init__(self, first: Listener, second: Listener) -> None:
        self._first = first
        self.note = _both(first.note, second.note)
        self.edit = _both(first.edit, second.edit)
        self.save = _both(first.save, second.save)
        self.launch = _both(first.launch, second.launch)
        self.arm = _both(first.arm, second.arm)
        self.timer = _both(first.timer, second.timer)
        self.show = _both(first.show, second.show)
        self.answer = _both(first.answer, second.answer)
        self.sent = _both(first.sent, second.sent)
        self.arrived = _both(first.arrived, second.arrived)
        self.claimed = _both(first.claimed, second.claimed)
        self.decided = _both(first.decided, second.decided)
        self.commit = _both(first.commit, second.commit)
        self.recorded = _both(first.recorded, second.recorded)

    @property
    def seq(self) -> int:
        """The number of the record heard last."""
        return self._first.seq


def _both(first: Callable[..., None], second: Callable[..., None]) -> Callable[..., None]:
    def hear(*facts: object) -> None:
        first(*facts)
        second(*facts)

    return hear
