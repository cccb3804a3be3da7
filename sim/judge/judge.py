"""The judge: reads a trace record by record and says which invariants broke, and where.

It can listen while a run is made or read a finished trace; it is the same code. It keeps its own
books (``book.py``) and trusts nothing that a client says of itself except what it shows.
"""

from collections.abc import Callable

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
        self._handlers: dict[Rec, Callable[[Record], None]] = {
            Rec.START: self.start,
            Rec.MERGE: self.merge,
            Rec.DISCARD: self.discard,
            Rec.SIGN_IN: self.sign_in,
            Rec.RELOAD: self.opened,
            Rec.OPEN: self.opened,
            Rec.START_WORKER: self.opened,
            Rec.CLOSE: self.closed,
            Rec.STOP_WORKER: self.worker_stopped,
            Rec.ASK: self.ask,
            Rec.BROKEN: self.broken,
            Rec.ANSWER: self.told,
            Rec.LOST: self.lost,
            Rec.HELD: self.trouble,
            Rec.FAULT: self.trouble,
            Rec.EXPIRE: self.trouble,
            Rec.DECIDED: self.asked,
            Rec.CRASH: self.crash,
            Rec.RESTART: self.trouble,
            Rec.END: self.end,
        }

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
        handler = self._handlers.get(record.kind)
        if handler is not None:
            handler(record)

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
