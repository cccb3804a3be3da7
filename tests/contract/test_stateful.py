"""Client and server against simple models, in every order that Hypothesis can think of.

Everything under way is held in one bag: a rule delivers any message of it, delivers it twice or
loses it, lets a timer ring, reloads the page, writes under another owner's name. The models know
nothing of phases or rows: a registry is a dict, and a client may claim only what that dict says.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sim.contract.body import Body, freeze
from sim.contract.client.events import (
    Answered,
    PersonChecks,
    PersonDiscards,
    PersonMerges,
    PersonRetries,
    ReadAnswered,
    Reloaded,
    StatusAnswered,
    TimerFired,
)
from sim.contract.client.state import SendRead, SendStatus, SendWrite, Step
from sim.contract.messages import (
    Ack,
    ReadQuery,
    Refusal,
    RefusalKind,
    Request,
    Snapshot,
    StatusQuery,
)
from sim.contract.phases import Phase, Reason
from sim.contract.server.state import Committed, Reply, Work
from tests.contract.drive import Hand
from tests.contract.serve import NOTE, Desk, snapshot

WAITING = (Phase.AWAITING_ACK, Phase.UNKNOWN_OUTCOME, Phase.RECOVERY_REQUIRED)


class RegistryModel(RuleBasedStateMachine):
    """The server's registry and versions against a dict."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk()
        self.version = 4
        self.results: dict[tuple[str, str], tuple[Snapshot, int]] = {}

    @rule(
        name=st.sampled_from("abc"),
        text=st.sampled_from("xy"),
        behind=st.integers(0, 2),
        attempt=st.integers(1, 3),
        owner=st.sampled_from(["ann", "bob"]),
    )
    def write(self, name: str, text: str, behind: int, attempt: int, owner: str) -> None:
        sent = snapshot(
            name, body=freeze(text), expected_version=self.version - behind, owner=owner
        )
        known = self.results.get((owner, sent.operation_id))
        if known is not None and behind:
            sent = known[0]
        answer = self.desk.write(sent, attempt)

        assert answer.attempt == attempt
        if known is not None and known[0] == sent:
            assert isinstance(answer, Ack)
            assert answer.replayed
            assert (answer.resource_version, answer.body) == (known[1], sent.body)
        elif known is not None:
            assert isinstance(answer, Refusal)
            assert answer.kind is RefusalKind.MISMATCH
        elif sent.expected_version != self.version:
            assert isinstance(answer, Refusal)
            assert answer.kind is RefusalKind.CONFLICT
        else:
            self.version += 1
            self.results[owner, sent.operation_id] = (sent, self.version)
            assert isinstance(answer, Ack)
            assert (answer.replayed, answer.resource_version) == (False, self.version)

    @rule(name=st.sampled_from("abc"), owner=st.sampled_from(["ann", "bob"]))
    def ask(self, name: str, owner: str) -> None:
        asked = snapshot(name, owner=owner)
        known = (owner, asked.operation_id) in self.results

        assert self.desk.status(asked).value == ("completed" if known else "not-found")

    @rule()
    def crash(self) -> None:
        self.desk.crash()

    @invariant()
    def versions_and_effects_agree(self) -> None:
        assert self.desk.version() == self.version
        assert self.desk.commits == len(self.results) == self.version - 4


class ClientModel(RuleBasedStateMachine):
    """One client and one server with a bag of messages between them: what may be claimed?"""

    irreversible = False

    def __init__(self) -> None:
        super().__init__()
        self.hand = Hand(irreversible=self.irreversible)
        self.desk = Desk()
        self.bag: list[object] = []
        self.effects: dict[str, list[Snapshot]] = {}
        self.failed: set[str] = set()
        self.texts = 0
        self.edited: Body | None = None
        """What the person wrote last; what the form held before is the server's to replace."""
        self.foreign = 0

    # --- plumbing -----------------------------------------------------------------------------

    def _done(self, step: Step) -> None:
        for effect in step.effects:
            match effect:
                case SendWrite():
                    self.bag.append(Request(effect.snapshot, effect.attempt, "ann/1"))
                case SendStatus():
                    name = effect.operation_id
                    self.bag.append(StatusQuery(effect.owner, name, effect.query, "ann/1"))
                case SendRead():
                    self.bag.append(ReadQuery(NOTE, effect.number))

    def _arrive(self, message: object) -> None:
        match message:
            case Request():
                self._execute(message)
            case StatusQuery():
                self.bag.append(StatusAnswered(self.desk.server.status(message, 0)))
            case ReadQuery():
                self.bag.append(ReadAnswered(self.desk.server.read(message)))
            case _:
                self._done(self.hand.feed(message))

    def _execute(self, request: Request) -> None:
        effects = self.desk.receive(request.snapshot, request.attempt)
        for effect in effects:
            if isinstance(effect, Work):
                effects = self.desk.finish(effect.claim)
        for effect in effects:
            if isinstance(effect, Committed):
                name = request.snapshot.operation_id
                self.effects.setdefault(name, []).append(request.snapshot)
            if isinstance(effect, Reply):
                self.bag.append(Answered(effect.answer))

    # --- what can happen ------------------------------------------------------------------------

    @rule()
    def edit(self) -> None:
        self.texts += 1
        self.edited = freeze(f"text {self.texts}")
        self._done(self.hand.edit(f"text {self.texts}"))

    @rule()
    def save(self) -> None:
        self._done(self.hand.save())

    @precondition(lambda self: self.bag)
    @rule(data=st.data(), fate=st.sampled_from(["once", "once", "twice", "lost"]))
    def message(self, data: st.DataObject, fate: str) -> None:
        at = data.draw(st.integers(0, len(self.bag) - 1))
        message = self.bag[at] if fate == "twice" else self.bag.pop(at)
        if fate != "lost":
            self._arrive(message)

    @precondition(lambda self: self.hand.state.operation and self.hand.state.operation.due)
    @rule()
    def ring(self) -> None:
        self._done(self.hand.ring())

    @precondition(lambda self: self.hand.state.reading)
    @rule()
    def read_times_out(self) -> None:
        assert self.hand.state.reading is not None
        self._done(self.hand.feed(TimerFired(self.hand.state.reading.due, 0)))

    @rule()
    def reload(self) -> None:
        self._done(self.hand.feed(Reloaded()))

    @rule(act=st.sampled_from([PersonRetries(), PersonChecks(), PersonDiscards()]))
    def decide(self, act: PersonRetries | PersonChecks | PersonDiscards) -> None:
        self._done(self.hand.feed(act))

    @precondition(lambda self: self.hand.state.read)
    @rule()
    def merge(self) -> None:
        self.hand.feed(PersonMerges(None))

    @rule()
    def somebody_else_writes(self) -> None:
        self.foreign += 1
        at = self.desk.version()
        self.desk.acked(snapshot(f"foreign {self.foreign}", owner="bob", expected_version=at))

    @rule()
    def server_restarts(self) -> None:
        self.desk.crash()

    # --- what must hold at every instant --------------------------------------------------------

    @invariant()
    def no_operation_has_two_effects(self) -> None:
        assert all(len(made) == 1 for made in self.effects.values())

    @invariant()
    def what_is_shown_as_saved_is_committed(self) -> None:
        hand = self.hand
        if hand.phase not in (Phase.ACKNOWLEDGED, Phase.ACKNOWLEDGED_NEWER):
            return
        last = hand.sent[-1].snapshot
        assert last.operation_id in self.effects
        if hand.phase is Phase.ACKNOWLEDGED:
            assert last.body == hand.body

    @invariant()
    def what_is_shown_as_not_saved_never_is(self) -> None:
        hand = self.hand
        if hand.phase is Phase.REFUSED or hand.reason is Reason.NOT_SENT:
            self.failed.add(hand.sent[-1].snapshot.operation_id)
        assert not self.failed & self.effects.keys()

    @invariant()
    def the_person_s_text_is_in_the_draft(self) -> None:
        if self.edited is not None and self.edited != self.hand.body:
            saved = [made[0].body for made in self.effects.values()]
            assert self.edited in saved
            assert not self.hand.state.draft.is_dirty

    @invariant()
    def a_pending_operation_is_shown_as_such(self) -> None:
        assert (self.hand.state.operation is not None) == (self.hand.phase in WAITING)

    @invariant()
    def attempts_count_up_and_stay_within_the_policy(self) -> None:
        attempts: dict[str, list[int]] = {}
        for send in self.hand.sent:
            attempts.setdefault(send.snapshot.operation_id, []).append(send.attempt)
        for numbers in attempts.values():
            assert numbers == list(range(1, len(numbers) + 1))
            assert len(numbers) <= (1 if self.irreversible else 3)

    @invariant()
    def every_attempt_sends_the_frozen_snapshot(self) -> None:
        frozen: dict[str, Snapshot] = {}
        for send in self.hand.sent:
            first = frozen.setdefault(send.snapshot.operation_id, send.snapshot)
            assert send.snapshot == first


class IrreversibleModel(ClientModel):
    """The same with an irreversible action: after an unknown outcome nothing is sent again."""

    irreversible = True


TestRegistry = RegistryModel.TestCase
TestRegistry.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestClient = ClientModel.TestCase
TestClient.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)
TestIrreversible = IrreversibleModel.TestCase
TestIrreversible.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
