"""The books of one run, shared by the checks, and the list of what broke."""

from sim.contract.phases import Phase
from sim.judge.book import (
    EffectBook,
    IntentBook,
    OperationBook,
    Screen,
    SentSnapshot,
    Tally,
)
from sim.judge.verdict import Violation
from sim.scenario.model import AckRule, World
from sim.trace.records import Record, surrogate

BUSY = (Phase.AWAITING_ACK, Phase.UNKNOWN_OUTCOME)


class Ledger:
    """Everything that the checks know."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.violations: list[Violation] = []
        self._noted: dict[tuple[str, str, str, int], bool] = {}
        self.screens: dict[tuple[str, str], Screen] = {}
        self.operations: dict[tuple[str, int], OperationBook] = {}
        self.by_number: dict[int, OperationBook] = {}
        """An operation id's number -> the first operation that was launched under it."""
        self.intents: dict[tuple[str, int], IntentBook] = {}
        self.owners_of: dict[str, dict[str, bool]] = {}
        """An operation's name -> the owners under whom it has an effect."""
        self.effects: dict[tuple[str, str], EffectBook] = {}
        """(owner, operation name) -> the first effect under that key."""
        self.arrived: dict[int, SentSnapshot] = {}
        """A delivery's message number -> what it carried."""
        self.given_up: dict[int, bool] = {}
        """Deliveries whose client the gateway has told 504: their own answer is not relayed."""
        self.must_settle: dict[int, bool] = {}
        """A request's message number whose answer has to settle its operation."""
        self.clean_answers: dict[int, bool] = {}
        """A request's message number -> whether a server at peace answered it."""
        self.claimed: dict[int, OperationBook] = {}
        """A delivery's message number -> the operation that it executes."""
        self.running: dict[tuple[str, int], bool] = {}
        self.resources: dict[str, tuple[int, str]] = {}
        self.trouble_seq = 0
        """The last record of a fault, a loss or a crash."""
        self._ordinals: dict[str, int] = {}
        self.tally = Tally()
        self.of_client: dict[str, Tally] = {}
        self.end_us = 0
        self.ended = ""
        server = world.server
        windows = [client.recovery_window_us for client in world.clients]
        self.retention_us = server.retention_us
        self.repeat_us = max([server.retention_us, *windows])
        self.policies = {client.name: client for client in world.clients}
        self.any_attempt = {
            client.name: client.ack_rule is AckRule.OPERATION for client in world.clients
        }

    def violated(
        self, invariant: str, record: Record, what: str, op: OperationBook | None = None
    ) -> None:
        """Note that an invariant broke at a record, once for each operation."""
        about = (invariant, record.client, record.resource, op.number if op else record.op)
        if about in self._noted:
            return
        self._noted[about] = True
        self.violations.append(
            Violation(
                invariant=invariant,
                seq=record.seq,
                at_us=record.at_us,
                client=op.client if op else record.client,
                resource=op.resource if op else record.resource,
                op=op.number if op else record.op,
                what=what,
            )
        )

    def settle(
        self, screen: Screen, op: OperationBook, at_us: int, *, acknowledged: bool = False
    ) -> None:
        """Operation ``op`` is settled, by what really happened."""
        op.is_settled = True
        op.settled_us = at_us
        screen.unsettled.pop(op.number, None)
        if screen.pending is op:
            screen.pending = None
        if acknowledged:
            op.is_acknowledged = True
            if op.effects:
                screen.acknowledged_bodies[op.body] = True

    def next_ordinal(self, client: str) -> int:
        """Return how many-th operation of its client the next one is."""
        nth = self._ordinals[client] = self._ordinals.get(client, 0) + 1
        return nth

    def tally_of(self, client: str) -> Tally:
        """Return the counts of one client."""
        found = self.of_client.get(client)
        if found is None:
            found = self.of_client[client] = Tally()
        return found


def name(op: OperationBook) -> str:
    """Return what people read: ``op-1``."""
    return surrogate(op.number)
