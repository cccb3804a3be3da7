"""The judge: reads a trace record by record and says which invariants broke, and where.

It can listen while a run is made or read a finished trace; it is the same code. It keeps its own
books (``book.py``) and trusts nothing that a client says of itself except what it shows.
"""

from collections.abc import Callable
from typing import Final

from sim.judge.book import OperationBook, Screen
from sim.judge.servers import ServerChecks
from sim.judge.verdict import Violation
from sim.scenario.model import World
from sim.trace.records import Rec, Record
from sim.trace.telling import tell


class Judge(ServerChecks):
    """Checks every invariant of the contract on one run.

    Each layer of checks below it hears what it is about; all of them share one ledger.

    Args:
        world: What was run: policies, retention and contract settings are read from it.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.ledger = self._ledger

    @property
    def seq(self) -> int:
        """The number of the record judged last."""
        return self.ledger.seq

    def feed(self, record: Record) -> None:
        """Take the next record of a finished trace."""
        self.ledger.seq = record.seq - 1
        tell(record, self)

    def note(self, record: Record, /) -> None:
        """Hear a record that has no method of its own."""
        self.ledger.seq = record.seq
        handler = _HANDLERS.get(record.kind)
        if handler is not None:
            handler(self, record)

    def arm(
        self,
        _at_us: int,
        _client: str,
        _resource: str,
        _op: int,
        _timer: str,
        _number: int,
        _delay_us: int,
        /,
    ) -> None:
        """Hear that a timer is armed: nothing to judge."""
        self.ledger.seq += 1

    def timer(
        self,
        _at_us: int,
        _client: str,
        _resource: str,
        _op: int,
        _attempt: int,
        _rule: str,
        _timer: str,
        _number: int,
        _live: bool,
        /,
    ) -> None:
        """Hear that a timer rings: what comes of it is judged."""
        self.ledger.seq += 1

    @property
    def violations(self) -> tuple[Violation, ...]:
        """What broke, in the order in which it broke."""
        return tuple(self.ledger.violations)

    @property
    def operations(self) -> list[OperationBook]:
        """Every operation, in the order in which they were launched."""
        return list(self.ledger.operations.values())

    @property
    def screens(self) -> list[Screen]:
        """Every form, as it is shown in the end."""
        return list(self.ledger.screens.values())


# Not kept by each judge: it would hold itself by its own methods, and only the collector of
# cycles, which takes its time, could free it.
_HANDLERS: Final[dict[Rec, Callable[[Judge, Record], None]]] = {
    Rec.START: Judge.start,
    Rec.MERGE: Judge.merge,
    Rec.DISCARD: Judge.discard,
    Rec.SIGN_IN: Judge.sign_in,
    Rec.RELOAD: Judge.opened,
    Rec.OPEN: Judge.opened,
    Rec.START_WORKER: Judge.opened,
    Rec.CLOSE: Judge.closed,
    Rec.STOP_WORKER: Judge.worker_stopped,
    Rec.ASK: Judge.ask,
    Rec.BROKEN: Judge.broken,
    Rec.ANSWER: Judge.told,
    Rec.LOST: Judge.lost,
    Rec.HELD: Judge.trouble,
    Rec.FAULT: Judge.trouble,
    Rec.EXPIRE: Judge.trouble,
    Rec.DECIDED: Judge.asked,
    Rec.CRASH: Judge.crash,
    Rec.RESTART: Judge.trouble,
    Rec.END: Judge.end,
}
