"""Local minimality: with any single part removed or weakened the counterexample passes."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from sim.contract.body import Json
from sim.contract.mistakes import MISTAKES, Side
from sim.explore.bounds import Bounds
from sim.explore.choice import applied
from sim.explore.counterexample import Counterexample, counterexamples
from sim.explore.run import run_schedule
from sim.explore.search import explore
from sim.explore.shrink import Shrunk, shrink
from sim.explore.simpler import candidates
from sim.network.faults import (
    AnswerError,
    DelayBy,
    Drop,
    Duplicate,
    Happening,
    HappeningKind,
    HoldUntil,
    MessageClause,
    MessageKind,
    ServerClause,
    Target,
)
from sim.scenario.dump import dump, world_document
from sim.scenario.errors import ScenarioError
from sim.scenario.load import load_text
from sim.scenario.model import World
from tests.explore.worlds import load, one_save, with_mistakes

BUSY = """
title: Much that does not matter
server:
  resources: {note: {kind: post, version: 7, body: {text: old}}, other: {version: 2}}
  mistakes: [no-registry, first-attempt-echoed]
  retention: 12h
clients:
  phone: {timeout: 3s, retry: {max_attempts: 3, delay: {exponential: 700ms, cap: 5s}}}
  desk: {sees: detailed}
user:
  - {at: 0s, client: desk, edit: other}
  - {at: 0s, client: phone, edit: note, body: {text: new}}
  - {at: 1s, client: phone, save: note}
  - {at: 1s, client: desk, save: other}
  - {at: 20s, client: phone, edit: note}
  - {at: 30s, client: phone, save: note}
faults:
  - {drop: ack, client: phone, operation: 2, attempt: 1}
  - {delay: ack, client: desk, by: 1s}
"""


def _breaks(world: World, invariant: str) -> bool:
    ran = run_schedule(world)
    return not ran.unmatched and not ran.still_held and invariant in ran.broken


def _shrunk(world: World, invariant: str) -> Shrunk:
    found = shrink(world, invariant)
    assert found is not None
    return found


def test_what_does_not_matter_is_gone() -> None:
    world = _shrunk(load(BUSY), "one-effect-per-intent").world

    assert [client.name for client in world.clients] == ["client"]
    assert [resource.name for resource in world.server.resources] == ["note"]
    assert world.server.mistakes == ("no-registry",)
    assert len(world.user) == 2
    target = Target(message=MessageKind.ACK, client="client")
    assert world.faults == (MessageClause(target=target, action=Drop()),)


def test_every_setting_that_does_not_matter_is_at_its_default() -> None:
    world = _shrunk(load(BUSY), "one-effect-per-intent").world

    expected = load(
        "title: x\nserver: {resources: {note: {kind: post}}, mistakes: [no-registry]}\n"
        "user: [{at: 0s, edit: note}, {at: 1s, save: note}]\n"
    )
    assert world.clients == expected.clients
    assert world.server == expected.server


@pytest.mark.parametrize("name", ["no-registry", "first-attempt-echoed"])
def test_nothing_more_can_be_left_out(name: str) -> None:
    world = with_mistakes(load(BUSY), server=[name])
    for invariant in run_schedule(world).broken:
        smallest = _shrunk(world, invariant).world
        others = [one for one in candidates(smallest) if one.world != smallest]

        assert [one.what for one in others if _breaks(one.world, invariant)] == []


# What can go from the text although it is no part of the story: who reads it needs the title, and
# a crash without 'restart' takes the server away for longer, which is more and not less.
NO_PARTS = ("title", "restart")

WORDY = {
    "refusal-drops-draft": """
title: Values that nobody needs
server: {resources: {note: {version: 7, body: {a: 1, b: [2, 3]}, accepts: {a: [1, 2], b: [[]]}}}}
client: {owner: ann, mistakes: [refusal-drops-draft]}
user:
  - {at: 0s, edit: note, body: {a: 9, b: []}}
  - {at: 1s, save: note}
""",
    "check-then-act": """
title: Copies that need not be so late
server:
  resources: {note: {kind: post}}
  capacity: {time: 300ms}
  mistakes: [check-then-act]
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 1s, save: note}
faults:
  - {resend: request, attempt: 1, after: 50ms}
""",
    "snapshot-not-compared": """
title: A raw send that says too much
server: {resources: {note: {version: 3}}, mistakes: [snapshot-not-compared]}
clients: {phone: {owner: ann, sees: detailed, timeout: 3s}}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 1s, save: note}
  - {at: 5s, send: note, id: op-1, body: {a: 1, b: 2}, expected_version: 4, owner: ann}
""",
    "server-error-means-failure": """
title: An error that need not be so late
server: {resources: {note: {version: 3}}}
client: {mistakes: [server-error-means-failure]}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 1s, save: note}
  - {at: 9s, save: note}
faults:
  - {error: 500, at: after_commit, attempt: any, times: all}
""",
    "record-before-commit": """
title: A crash that lasts too long
server: {resources: {note: {kind: post, version: 3}}, mistakes: [record-before-commit]}
clients: {phone: {}, desk: {}}
user:
  - {at: 0s, client: phone, edit: note, body: {text: new}}
  - {at: 1s, client: phone, save: note}
  - {at: 2s, client: desk, edit: note}
faults:
  - {crash: server, at: between, client: phone, attempt: 1, restart: 5s}
""",
}


def _without_one(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Yield plain data without one key or item, at any depth, and where that was."""
    if isinstance(value, dict):
        for key in value:
            yield f"{path}/{key}", {name: value[name] for name in value if name != key}
            for where, part in _without_one(value[key], f"{path}/{key}"):
                yield where, {**value, key: part}
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield f"{path}/{place}", [*value[:place], *value[place + 1 :]]
            for where, part in _without_one(item, f"{path}/{place}"):
                yield where, [*value[:place], part, *value[place + 1 :]]


def _loaded(document: Json) -> World | None:
    assert isinstance(document, dict)
    try:
        return replace(load(dump(document)), fault_lines=())
    except ScenarioError:
        return None


@pytest.mark.parametrize("mistake", WORDY)
def test_no_key_and_no_item_of_the_file_can_be_deleted(mistake: str) -> None:
    start = load(WORDY[mistake])
    broken = run_schedule(start).broken
    assert broken
    for invariant in broken:
        world = _shrunk(start, invariant).world
        fewer = [
            (where, _loaded(document))
            for where, document in _without_one(world_document(world, "title", ""))
            if where.rpartition("/")[2] not in NO_PARTS
        ]
        others = [(where, one) for where, one in fewer if one is not None and one != world]

        assert [where for where, one in others if _breaks(one, invariant)] == []


def test_the_number_of_a_run_that_draws_nothing_is_left_out() -> None:
    start = load("run: 7\n" + next(iter(WORDY.values())))

    assert _shrunk(start, run_schedule(start).broken[0]).world.run == 0


def test_of_values_that_do_as_well_the_first_stays() -> None:
    text = WORDY["refusal-drops-draft"].replace("{a: 9, b: []}", "{a: 1, b: 9}")

    world = _shrunk(load(text), "draft-kept").world

    assert world.server.resources[0].accepts == (("a", ()),)


def test_a_copy_leaves_at_once_and_an_error_comes_before_the_commit() -> None:
    copies = _shrunk(load(WORDY["check-then-act"]), "one-effect-per-intent").world.faults
    errors = _shrunk(load(WORDY["server-error-means-failure"]), "ids-unique").world.faults

    assert [one.action for one in copies if isinstance(one, MessageClause)] == [Duplicate(0)]
    assert [one.action for one in errors if isinstance(one, ServerClause)] == [
        AnswerError(500, after_commit=False)
    ]


def test_no_single_fault_or_line_can_be_taken_out_by_hand() -> None:
    world = _shrunk(load(BUSY), "one-effect-per-intent").world
    fewer = [
        replace(world, faults=(*world.faults[:place], *world.faults[place + 1 :]))
        for place in range(len(world.faults))
    ]
    fewer += [
        replace(world, user=(*world.user[:line], *world.user[line + 1 :]))
        for line in range(len(world.user))
    ]

    assert [one for one in fewer if _breaks(one, "one-effect-per-intent")] == []


def test_a_delay_becomes_what_the_message_has_to_wait_for() -> None:
    world = with_mistakes(one_save(), client=["stale-ack-becomes-phase"])
    late = MessageClause(
        target=Target(message=MessageKind.ACK, client="client"), action=DelayBy(2_450_000)
    )

    smallest = _shrunk(replace(world, faults=(late,)), "stale-ack-inert").world

    (clause,) = smallest.faults
    until = Happening(event=HappeningKind.SENT, client="client", attempt=2)
    assert clause == replace(late, action=HoldUntil(until))


def test_a_fault_that_strikes_nobody_any_more_is_dropped_first() -> None:
    idle = load(BUSY.replace("operation: 2, attempt: 1", "operation: 2, attempt: 3"))
    world = with_mistakes(idle, server=["no-registry"])
    lost = MessageClause(target=Target(message=MessageKind.ACK, client="phone"), action=Drop())

    smallest = _shrunk(replace(world, faults=(*world.faults, lost)), "one-effect-per-intent").world

    target = replace(lost.target, client="client")
    assert smallest.faults == (replace(lost, target=target),)


def test_what_does_not_break_is_not_shrunk() -> None:
    assert shrink(one_save(), "settles") is None


def _counterexamples(
    mistake: str, had: tuple[str, ...] | None = None
) -> tuple[Counterexample, ...]:
    side = {row.name: row.side for row in MISTAKES}[mistake]
    is_client = side is Side.CLIENT
    world = with_mistakes(
        one_save(), client=[mistake] if is_client else [], server=[] if is_client else [mistake]
    )
    found = explore(world, Bounds(faults=2)).tally.broken
    smallest = [_shrunk(applied(world, one.example.schedule), name) for name, one in found.items()]
    return counterexamples(smallest, world, "lostack explore it", had=had)


@pytest.mark.parametrize("mistake", ["version-before-registry", "timeout-means-failure"])
def test_a_counterexample_is_a_scenario_that_replays_to_the_same_violation(mistake: str) -> None:
    for example in _counterexamples(mistake):
        world = load_text(example.text, "again", "again.yaml").worlds[0]

        again = run_schedule(world)

        assert sorted(again.broken) == sorted(world.expect.violates)
        assert set(example.invariants) <= set(again.broken)
        assert again.violations == example.verdict.violations


def test_invariants_that_break_in_one_story_share_it() -> None:
    (example,) = _counterexamples("first-attempt-echoed")

    assert example.invariants == ("answer-confirms", "clean-attempt-settles")


def test_what_breaks_in_the_story_and_did_not_in_its_run_is_named() -> None:
    (example,) = _counterexamples("first-attempt-echoed", had=("answer-confirms",))

    assert example.besides == ("clean-attempt-settles",)


def test_a_counterexample_of_a_search_has_no_run_to_differ_from() -> None:
    assert [one.besides for one in _counterexamples("first-attempt-echoed")] == [()]


def test_its_file_says_in_comments_what_breaks_why_and_what_to_do() -> None:
    (example,) = _counterexamples("unbounded-retry")

    comments = [line for line in example.text.splitlines() if line.startswith("# ")]
    said = " ".join(line.removeprefix("# ") for line in comments)
    assert "bounded-attempts breaks at" in said
    assert "The mistake: unbounded-retry." in said
    assert "remedy: Set a limit" in said
