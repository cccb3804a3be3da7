"""The judge: reads a trace record by record and says which invariants broke, and where.

It can listen while a run is made or read a finished trace; it is the same code. It keeps its own
books (``book.py``) and trusts nothing that a client says of itself except what it shows.
"""

from sim.judge.answers import AnswerChecks
from sim.judge.book import OperationBook, Screen
from sim.judge.clients import ClientChecks
from sim.judge.ledger import Ledger
from sim.judge.servers import ServerChecks
from sim.judge.verdict import Violation
from sim.scenario.model import World
from sim.trace.records import Rec, Record


class Judge:
    """Checks every invariant of the contract on one run.

    Args:
        world: What was run: policies, retention and contract settings are read from it.
    """

    def __init__(self, world: World) -> None:
        self.ledger = Ledger(world)
        clients = ClientChecks(self.ledger)
        answers = AnswerChecks(self.ledger)
        servers = ServerChecks(self.ledger)
        self._handlers = {
            Rec.START: clients.start,
            Rec.EDIT: clients.edit,
            Rec.SAVE: clients.save,
            Rec.MERGE: clients.merge,
            Rec.DISCARD: clients.discard,
            Rec.RELOAD: clients.opened,
            Rec.OPEN: clients.opened,
            Rec.START_WORKER: clients.opened,
            Rec.CLOSE: clients.closed,
            Rec.STOP_WORKER: clients.worker_stopped,
            Rec.SHOW: clients.show,
            Rec.LAUNCH: clients.launch,
            Rec.ASK: clients.ask,
            Rec.BROKEN: clients.broken,
            Rec.ANSWER: answers.answer,
            Rec.SENT: servers.sent,
            Rec.LOST: servers.lost,
            Rec.HELD: servers.trouble,
            Rec.FAULT: servers.trouble,
            Rec.EXPIRE: servers.trouble,
            Rec.ARRIVED: servers.arrived,
            Rec.DECIDED: servers.decided,
            Rec.COMMIT: servers.commit,
            Rec.RECORDED: servers.recorded,
            Rec.CRASH: servers.crash,
            Rec.RESTART: servers.trouble,
            Rec.END: servers.end,
        }

    def feed(self, record: Record) -> None:
        """Take the next record."""
        handler = self._handlers.get(record.kind)
        if handler is not None:
            handler(record)

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
