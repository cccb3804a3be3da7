"""The judge: reads a trace record by record and says which invariants broke, and where.

It can listen while a run is made or read a finished trace; it is the same code. It keeps its own
books (``book.py``) and trusts nothing that a client says of itself except what it shows.
"""

from sim.judge.answers import AnswerChecks
from sim.judge.book import OperationBook, Screen
from sim.judge.clients import ClientChecks
from sim.judge.ledger import Ledger
from sim.judge.screens import ScreenChecks
from sim.judge.servers import ServerChecks
from sim.judge.verdict import Violation
from sim.scenario.model import World
from sim.trace.records import Rec, Record
from sim.trace.telling import tell


class Judge:
    """Checks every invariant of the contract on one run.

    Args:
        world: What was run: policies, retention and contract settings are read from it.
    """

    def __init__(self, world: World) -> None:
        self.ledger = Ledger(world)
        screens = ScreenChecks(self.ledger)
        clients = ClientChecks(self.ledger, screens)
        answers = AnswerChecks(self.ledger)
        servers = ServerChecks(self.ledger)
        self.edit = clients.edit
        self.save = clients.save
        self.launch = clients.launch
        self.show = screens.show
        self.answer = answers.answer
        self.sent = servers.sent
        self.arrived = servers.arrived
        self.claimed = servers.claimed
        self.decided = servers.decided
        self.commit = servers.commit
        self.recorded = servers.recorded
        self._handlers = {
            Rec.START: clients.start,
            Rec.MERGE: clients.merge,
            Rec.DISCARD: clients.discard,
            Rec.SIGN_IN: clients.sign_in,
            Rec.RELOAD: clients.opened,
            Rec.OPEN: clients.opened,
            Rec.START_WORKER: clients.opened,
            Rec.CLOSE: clients.closed,
            Rec.STOP_WORKER: clients.worker_stopped,
            Rec.ASK: clients.ask,
            Rec.BROKEN: clients.broken,
            Rec.ANSWER: answers.told,
            Rec.LOST: servers.lost,
            Rec.HELD: servers.trouble,
            Rec.FAULT: servers.trouble,
            Rec.EXPIRE: servers.trouble,
            Rec.DECIDED: servers.asked,
            Rec.CRASH: servers.crash,
            Rec.RESTART: servers.trouble,
            Rec.END: servers.end,
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

    def arm(self, *_: object) -> None:
        """Hear that a timer is armed: nothing to judge."""
        self.ledger.seq += 1

    def timer(self, *_: object) -> None:
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
