"""``--as-scenario``: one run, written as a scenario that tells the same story wherever it is run.

What the weather did to each message is read off the trace and becomes a clause that is addressed
to that message; the links become certain. So do times as far as they can (``timed``); of what is
still drawn the file names the run, and says so. What the run showed is what the file expects.

A clause does one thing to a message. Where chance did two things to one message (delayed it *and*
copied it), no file can say so, and none is written: every file is loaded and run before it counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sim.cli.timed import drawn, timed
from sim.contract.body import Json
from sim.engine.world import Simulated, simulate
from sim.judge.judge import Judge
from sim.judge.shown import shown
from sim.network.faults import (
    Clause,
    Corrupt,
    DelayBy,
    Drop,
    Duplicate,
    HoldUntil,
    MessageAction,
    MessageClause,
    MessageKind,
    Target,
)
from sim.network.weather import Direction, Latency, Link
from sim.scenario.dump import dump_world
from sim.scenario.load import load_text
from sim.scenario.model import ClientSpec, Expect, World
from sim.trace.records import Rec, Record

_PASSING = (Rec.ARRIVED, Rec.ANSWER, Rec.LOST)


def script(world: World, records: Sequence[Record], title: str) -> str | None:
    """Return a run as the text of a scenario that replays to the same outcome.

    Args:
        world: What was run, with the number of the run.
        records: Its whole trace.
        title: The scenario's title.

    Returns:
        The text; None where clauses cannot say what chance did.
    """
    wanted = _outcome(records)
    bare = replace(world, variant="", cell=(), expect=Expect(), fault_lines=())
    for scheduled in timed(bare, records):
        for slack_us in (0, 1):
            certain = _certain(scheduled, records, slack_us)
            replayed = _replay(certain, title)
            fewer = _striking(certain, replayed.unmatched)
            if fewer != certain:
                replayed = _replay(fewer, title)
            if _outcome(replayed.records) == wanted:
                kept = replace(fewer, expect=_found(replayed))
                return dump_world(kept, title, _about(world, kept, certain, records))
    return None


def _replay(world: World, title: str) -> Simulated:
    """Return what a world does once it is written and loaded again."""
    text = dump_world(world, title, "")
    return simulate(load_text(text, world.scenario, "scripted.yaml").worlds[0])


def _striking(world: World, unmatched: Sequence[int]) -> World:
    """Return the world without clauses that strike nothing: they would leave it inconclusive."""
    struck = (clause for place, clause in enumerate(world.faults) if place not in unmatched)
    return replace(world, faults=tuple(struck))


def _found(replayed: Simulated) -> Expect:
    judge = Judge(replayed.world)
    for record in replayed.records:
        judge.feed(record)
    return shown(judge, replayed.world)


def _about(world: World, kept: World, certain: World, records: Sequence[Record]) -> str:
    """Return what a reader has to know: what is scripted, and what is not."""
    said = [f"Written from run {world.run} of seed {world.seed}."]
    if certain.faults != world.faults:
        said.append("What chance did to messages is done by faults, each addressed to one of them.")
    left = " and ".join(drawn(kept, records))
    draws = f"Still drawn, from seed {kept.seed} and run {kept.run}: {left}."
    said.append(draws if left else "Nothing in it is drawn.")
    if len(kept.faults) < len(certain.faults):
        said.append("Faults that struck nothing in that run are left out.")
    return " ".join(said)


def _outcome(records: Sequence[Record]) -> list[object]:
    """Return what a trace tells, without the names of the causes: those are what is rewritten."""
    return [
        (*record[1:-1], {key: value for key, value in record.data.items() if key != "why"})
        for record in records
        if record.kind not in (Rec.FAULT, Rec.HELD)
    ]


def _certain(world: World, records: Sequence[Record], slack_us: int) -> World:
    """Return the world without weather.

    Args:
        world: What was run.
        records: Its trace.
        slack_us: How much shorter than the shortest latency the certain one is made, so that
            every message gets a clause of its own: then clauses of one address are used in order.
    """
    if all(one.link.request.is_certain and one.link.ack.is_certain for one in world.clients):
        return world
    clients = tuple(replace(one, link=_certain_link(one.link, slack_us)) for one in world.clients)
    kept = tuple(clause for clause in world.faults if not isinstance(clause, MessageClause))
    made = tuple(_clauses(world, {one.name: one for one in clients}, records))
    return replace(world, clients=clients, faults=(*kept, *made))


def _certain_link(link: Link, slack_us: int) -> Link:
    return Link(
        request=_certain_direction(link.request, slack_us),
        ack=_certain_direction(link.ack, slack_us),
    )


def _certain_direction(direction: Direction, slack_us: int) -> Direction:
    least_us = max(direction.latency.values_us[0] - slack_us, 0)
    return Direction(latency=Latency.constant(least_us))


@dataclass(slots=True)
class _Fate:
    """What became of one message."""

    sent: Record
    kind: MessageKind
    nth: int
    action: MessageAction | None = None
    why: str | None = None
    took_us: int | None = None
    answer: Mapping[str, Json] = field(default_factory=dict)


def _clauses(
    world: World, clients: Mapping[str, ClientSpec], records: Sequence[Record]
) -> Iterator[Clause]:
    """Yield a clause for every message that did not simply arrive, in the order of sending."""
    fates = _fates(world, records)
    copies = [
        (fate.sent.client, fate.kind, fate.nth, fate.sent.attempt, fate.sent.at_us)
        for fate in fates
        if fate.sent.data["copy"] != 1
    ]
    for fate in fates:
        link = clients[fate.sent.client].link
        usual_us = (link.ack if fate.kind.is_answer else link.request).latency.values_us[0]
        action = _action(fate, usual_us, copies)
        if action is None:
            continue
        is_read = fate.kind in (MessageKind.READ, MessageKind.READ_ANSWER)
        target = Target(
            message=fate.kind,
            client=fate.sent.client,
            operation=None if is_read else fate.nth,
            attempt=fate.sent.attempt,
            copy=_whole(fate.sent.data["copy"]),
        )
        yield MessageClause(target=target, action=action)


def _fates(world: World, records: Sequence[Record]) -> list[_Fate]:
    """Return what became of each message, in the order of sending."""
    fates: dict[int, _Fate] = {}
    ordinals: dict[str, dict[int, int]] = {}
    for record in records:
        number = _whole(record.data.get("msg", 0))
        if record.kind is Rec.SENT:
            known = ordinals.setdefault(record.client, {})
            nth = known.setdefault(record.op, len(known) + 1) if record.op else 0
            fates[number] = _Fate(record, MessageKind(str(record.data["message"])), nth)
        elif record.kind is Rec.FAULT and number in fates:
            clause = world.faults[_whole(record.data["clause"]) - 1]
            if isinstance(clause, MessageClause):
                fates[number].action = clause.action
        elif record.kind in _PASSING and number in fates and fates[number].took_us is None:
            fate = fates[number]
            fate.took_us = record.at_us - fate.sent.at_us
            if record.kind is Rec.LOST:
                fate.why = str(record.data.get("why"))
            if record.kind is Rec.ANSWER:
                fate.answer = record.data
    return list(fates.values())


_COPY_AFTER_US = 10_000
"""When the weather's copies leave; ``sim.engine.link`` makes them."""


def _action(
    fate: _Fate, usual_us: int, copies: Sequence[tuple[object, ...]]
) -> MessageAction | None:
    """Return the one thing that a clause has to do to a message; None: nothing."""
    if fate.action is not None and not isinstance(fate.action, DelayBy | HoldUntil):
        return fate.action
    if fate.why == "loss":
        return Drop()
    if fate.why is not None and fate.why.startswith("cut"):
        return None
    changed = _corrupted(fate)
    if changed is not None:
        return Corrupt((changed,))
    sent = fate.sent
    copy_sent = (sent.client, fate.kind, fate.nth, sent.attempt, sent.at_us + _COPY_AFTER_US)
    if sent.data["copy"] == 1 and copy_sent in copies:
        return Duplicate(_COPY_AFTER_US)
    late_us = 0 if fate.took_us is None else fate.took_us - usual_us
    return DelayBy(late_us) if late_us > 0 else None


def _corrupted(fate: _Fate) -> tuple[str, Json] | None:
    """Return the field that the weather changed in an answer, and to what."""
    body = str(fate.answer.get("body", ""))
    if "corrupted " in body:
        return "body", f"corrupted {_whole(fate.sent.data['msg'])}"
    if fate.answer.get("accepted_version") == 0:
        return "accepted_version", 0
    if fate.answer.get("names") == "unknown":
        return "operation_id", f"corrupted {_whole(fate.sent.data['msg'])}"
    return None


def _whole(value: Json) -> int:
    return value if isinstance(value, int) else 0
