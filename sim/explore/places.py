"""Where a run could have gone another way: the choices that its trace offers.

Every message that was sent can be lost, late or duplicated; every execution can crash, answer
with an error, or be slow; every tie can be turned. A choice is addressed to what its record
names and bears its place, so that a schedule is extended only by what comes after its last
choice: each combination is then made once, and nothing is permuted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sim.contract.client.rows import Row
from sim.contract.server.state import Step
from sim.explore import menu
from sim.explore.acts import act_choices
from sim.explore.bounds import Bounds
from sim.explore.choice import Choice, Kind
from sim.explore.inert import at_rest_from
from sim.explore.ties import overtaken, tie_choices
from sim.network.faults import Crash, MessageKind, ServerAction, ServerClause, Target
from sim.scenario.model import World
from sim.trace.records import Rec, Record

_TIMED_OUT = (Row.TIMED_OUT.value, Row.ASSUMED_FAILED.value)
_REPLIES = (
    Step.SESSION.value,
    Step.FORM.value,
    Step.REPLAY.value,
    Step.MISMATCH.value,
    Step.IN_FLIGHT.value,
    Step.EXPIRED.value,
    Step.VERSION.value,
    Step.VERSION_AGAIN.value,
)
"""Steps whose answer an ``error`` clause can replace."""
_AT_SERVER = ("error", "slow")
_ORDER = {kind: rank for rank, kind in enumerate(Kind)}


class Places(NamedTuple):
    """What a run offers.

    ``unaddressed`` are its messages that no clause can name alone; ``inert`` counts what was left
    out because it cannot matter.
    """

    choices: tuple[Choice, ...]
    unaddressed: int
    inert: int


def places(world: World, own: int, records: Sequence[Record], after: int, left: Bounds) -> Places:
    """Return what can go otherwise in a run, in the order of places.

    Args:
        world: The world that was run, its schedule included.
        own: How many of its fault clauses are the scenario's own.
        records: The whole trace.
        after: Only places later than this record count.
        left: What may still be added.
    """
    found: list[Choice] = []
    at_rest = {} if left.plain or left.also else at_rest_from(world, records)
    walk = _Walk(world, own, records, after, at_rest)
    if left.kinds:
        found += [choice for choice in walk.walk() if choice.kind in left.kinds]
        if Kind.ORDER in left.kinds:
            found += tie_choices(records)
    if left.also:
        found += act_choices(world, records, left.also)
    found.sort(key=lambda choice: (choice.place, _ORDER[choice.kind]))
    kept = tuple(choice for choice in found if choice.place > after)
    return Places(kept, walk.unaddressed, walk.inert)


class _Walk:
    """Reads a trace once and offers a choice wherever one can be addressed."""

    def __init__(
        self,
        world: World,
        own: int,
        records: Sequence[Record],
        after: int,
        at_rest: Mapping[str, int],
    ) -> None:
        self._world = world
        self._after = after
        self._at_rest = at_rest
        self._own = own
        self._records = records
        self._clients = {client.name: client for client in world.clients}
        self._ordinals: dict[str, dict[int, int]] = {}
        self._launched: dict[tuple[str, int], int] = {}
        self._timed_out: dict[tuple[str, int], int] = {}
        self._taken: dict[int, bool] = {}
        """Messages whose way a clause, or a cut, has decided -> whether by one of the file's."""
        self._served: dict[int, str] = {}
        """Delivery -> the fault that strikes the server at it."""
        self._seen: dict[Target, int] = {}
        self._targets: dict[int, Target] = {}
        """Requests by number; only those that a server clause can address."""
        self._uses: dict[int, int] = {}
        """Server clause -> how often it has struck so far in the trace."""
        self._overtaken = overtaken(records)
        self.unaddressed = 0
        self.inert = 0

    def walk(self) -> Iterator[Choice]:
        self._note_faults()
        for record in self._records:
            match record.kind:
                case Rec.LAUNCH:
                    self._launched[record.client, record.op] = record.attempt
                case Rec.TIMER if record.rule in _TIMED_OUT:
                    self._timed_out[record.client, record.op] = record.attempt
                case Rec.SENT:
                    yield from self._sent(record)
                case Rec.ARRIVED:
                    yield from self._at_server(record, menu.at_arrival())
                case Rec.DECIDED if record.rule == Step.CLAIM:
                    client = self._clients[record.client]
                    yield from self._at_server(
                        record, menu.at_claim(self._world, client, record.attempt)
                    )
                case Rec.DECIDED if record.rule in _REPLIES:
                    yield from self._at_server(record, menu.at_reply())
                case Rec.FAULT if record.data["action"] in _AT_SERVER:
                    self._count_use(record)
                case Rec.COMMIT:
                    yield from self._at_server(record, menu.at_commit(self._world))
                case _:
                    pass

    def _note_faults(self) -> None:
        for record in self._records:
            if record.kind is Rec.FAULT:
                action, clause = str(record.data["action"]), record.data["clause"]
                assert isinstance(clause, int)
                if action in _AT_SERVER:
                    self._served[_number(record)] = action
                else:
                    self._taken[_number(record)] = clause <= self._own
            elif record.kind is Rec.CRASH:
                self._served[_number(record)] = "crash"
            elif record.kind is Rec.LOST and str(record.data["why"]).startswith("cut"):
                self._taken[_number(record)] = True

    def _count_use(self, record: Record) -> None:
        clause = record.data["clause"]
        assert isinstance(clause, int)
        self._uses[clause] = self._uses.get(clause, 0) + 1

    def _sent(self, record: Record) -> Iterator[Choice]:
        number, target = _number(record), self._target(record)
        nth = self._seen.get(target, 0) + 1
        if target.message is MessageKind.REQUEST and nth == 1:
            self._targets[number] = target
        taken_by_own = self._taken.get(number)
        if not taken_by_own:
            self._seen[target] = nth
        if taken_by_own is not None:
            return
        if nth > 1 and target.message is not MessageKind.ACK:
            self.unaddressed += 1
            return
        key = (record.client, record.op)
        latest = self._launched.get(key, 0)
        moment = menu.Moment(
            client=self._clients[record.client],
            latest=latest,
            waits=latest > 0 and self._timed_out.get(key, 0) < latest,
        )
        tied = number in self._overtaken
        offered = list(menu.at_message(self._world, target, moment, tied=tied))
        if target.message.is_answer and self._is_at_rest(record):
            self.inert += len(offered) if record.seq > self._after else 0
            return
        for kind, clause in offered:
            yield Choice(kind=kind, place=record.seq, clause=clause, nth=nth)

    def _is_at_rest(self, record: Record) -> bool:
        """Whether nothing that is sent to the client now can move it any more."""
        since = self._at_rest.get(record.client)
        return since is not None and record.seq > since

    def _target(self, record: Record) -> Target:
        """Return the exact address of the message that was sent."""
        known = self._ordinals.setdefault(record.client, {})
        nth = known.setdefault(record.op, len(known) + 1) if record.op else None
        copy = record.data["copy"]
        assert isinstance(copy, int)
        return Target(
            message=MessageKind(str(record.data["message"])),
            client=record.client,
            operation=nth,
            attempt=record.attempt,
            copy=copy,
        )

    def _at_server(
        self, record: Record, actions: Iterable[tuple[Kind, ServerAction]]
    ) -> Iterator[Choice]:
        """Offer a server fault; a delivery has one, but for what strikes after slow work."""
        number = _number(record)
        target = self._targets.get(number)
        struck = self._served.get(number)
        after_slow_work = struck == "slow" and record.kind is Rec.COMMIT
        if target is None or (struck is not None and not after_slow_work):
            return
        shadowed = any(_covers(clause.target, target) for clause in self._unused())
        for kind, action in actions:
            if shadowed and kind is not Kind.CRASH:
                continue
            clause = ServerClause(target=target, action=action)
            yield Choice(kind=kind, place=record.seq, clause=clause)

    def _unused(self) -> Iterator[ServerClause]:
        """Yield the file's own errors and slowness that are still to strike: they come first."""
        for place, clause in enumerate(self._world.faults[: self._own]):
            if isinstance(clause, ServerClause) and not isinstance(clause.action, Crash):
                uses = self._uses.get(place + 1, 0)
                if clause.times is None or uses < clause.times:
                    yield clause


def _covers(target: Target, address: Target) -> bool:
    """Whether a clause with ``target`` applies to the message that ``address`` names exactly."""
    return (
        target.client in (None, address.client)
        and target.operation in (None, address.operation)
        and target.attempt in (None, address.attempt)
        and target.copy in (None, address.copy)
    )


def _number(record: Record) -> int:
    number = record.data["msg"]
    assert isinstance(number, int)
    return number
