"""The books of one run, shared by the checks, and the list of what broke."""

from collections import defaultdict
from typing import Final, NamedTuple

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

BUSY: Final = (Phase.AWAITING_ACK, Phase.UNKNOWN_OUTCOME)


class Spot(NamedTuple):
    """When, and to which form and operation, something happened; a record says the same."""

    at_us: int
    client: str
    resource: str
    op: int


class Ledger:
    """Everything that the checks know."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.seq = 0
        """The number of the record that is being judged."""
        self.violations: list[Violation] = []
        self._noted: dict[tuple[str, str, str, int], bool] = {}
        self.screens: dict[tuple[str, str], Screen] = {}
        self.operations: dict[tuple[str, int], OperationBook] = {}
        self.by_number: dict[int, OperationBook] = {}
        """An operation id's number -> the first operation that was launched under it."""
        self.intents: dict[tuple[str, int], IntentBook] = {}
        self.owners_of: dict[int, tuple[str, ...]] = {}
        """An operation id's number -> the owners under whom it has an effect or a result."""
        self.effects: dict[tuple[str, int], EffectBook] = {}
        """(owner, operation id's number) -> the first effect under that key."""
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
        self.of_client: defaultdict[str, Tally] = defaultdict(Tally)
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
        self, invariant: str, at: Spot | Record, what: str, op: OperationBook | None = None
    ) -> None:
        """Note that an invariant broke just now, once for each operation."""
        about = (invariant, at.client, at.resource, op.number if op else at.op)
        if about in self._noted:
            return
        self._noted[about] = True
        self.violations.append(
            Violation(
                invariant=invariant,
                seq=self.seq,
                at_us=at.at_us,
                client=op.client if op else at.client,
                resource=op.resource if op else at.resource,
                op=op.number if op else at.op,
                what=what,
            )
        )

    def violated_on(
        self,
        invariant: str,
        at_us: int,
        screen: Screen,
        what: str,
        op: OperationBook | None = None,
    ) -> None:
        """Note that an invariant broke just now on one screen, once for each operation."""
        self.violated(invariant, Spot(at_us, screen.client, screen.resource, 0), what, op)

    def settle(
        self, screen: Screen, op: OperationBook, at_us: int, *, acknowledged: bool = False
    ) -> None:
        """Operation ``op`` is settled, by what really happened."""
        op.is_settled = True
        op.settled_us = at_us
        if op.number in screen.unsettled:
            del screen.unsettled[op.number]
        if screen.pending is op:
            screen.pending = None
        if acknowledged and op.effects:
            screen.acknowledged_bodies[op.body] = True

    def operation(self, client: str, number: int) -> OperationBook | None:
        """Return a client's operation; by its number alone, where that is not another one's too."""
        op = self.by_number.get(number)
        if op is None or op.client == client:
            return op
        return self.operations.get((client, number))

    def next_ordinal(self, client: str) -> int:
        """Return how many-th operation of its client the next one is."""
        nth = self._ordinals[client] = self._ordinals.get(client, 0) + 1
        return nth

    @property
    def tally(self) -> Tally:
        """The counts of all clients together."""
        return Tally.of(self.of_client.values())

    def tally_of(self, client: str) -> Tally:
        """Return the counts of one client."""
        return self.of_client[client]


def name(op: OperationBook) -> str:
    """Return what people read: ``op-1``."""
    return surrogate(op.number)
