"""Each mistake of a server is shown by a shipped scenario; the grammar's faults are all used."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.contract.messages import NEVER_SENT
from sim.contract.mistakes import MISTAKES, Mistake, Side
from sim.contract.rules import ClientRules, ServerRules
from sim.engine.world import simulate
from sim.judge.judge import Judge
from sim.judge.verdict import Verdict
from sim.network.faults import (
    AnswerError,
    Clause,
    Crash,
    CrashPoint,
    Cut,
    CutWhat,
    Duplicate,
    Fail,
    HappeningKind,
    HoldUntil,
    MessageClause,
    MessageKind,
    Order,
    ServerClause,
)
from sim.scenario.grammar.faults import ACTIONS, ErrorPart
from sim.scenario.grammar.user import VERBS
from sim.scenario.load import load_path
from sim.scenario.model import DAY, HOUR, Scenario, World
from sim.trace.records import Rec

SCENARIOS = Path(__file__).parents[2] / "scenarios"

Judged = tuple[Scenario, tuple[Verdict, ...]]
SERVER_MISTAKES = [mistake for mistake in MISTAKES if mistake.side is Side.SERVER]

each_mistake = pytest.mark.parametrize(
    "mistake", SERVER_MISTAKES, ids=[mistake.name for mistake in SERVER_MISTAKES]
)


def mistakes_of(world: World) -> set[str]:
    of_clients = {name for client in world.clients for name in client.mistakes}
    return of_clients | set(world.server.mistakes)


def showing(shipped: list[Judged], mistake: Mistake) -> Iterator[Verdict]:
    """Yield the verdicts on the variants in which that mistake is made."""
    for _, verdicts in shipped:
        for verdict in verdicts:
            if mistake.name in mistakes_of(verdict.world):
                yield verdict


def corrected(world: World) -> World:
    """Return the same people, weather and faults without any mistake."""
    clients = tuple(replace(c, rules=ClientRules(), mistakes=()) for c in world.clients)
    server = replace(world.server, rules=ServerRules(), mistakes=())
    return replace(world, clients=clients, server=server)


def broken_by(world: World) -> set[str]:
    judge = Judge(world)
    simulate(world, keep=False, listeners=(judge.feed,))
    return {violation.invariant for violation in judge.violations}


# --- mistakes -------------------------------------------------------------------------------------


def test_the_contract_names_fourteen_mistakes_of_servers() -> None:
    assert len(SERVER_MISTAKES) == 14


@each_mistake
def test_each_mistake_breaks_exactly_what_its_scenarios_say(
    mistake: Mistake, shipped: list[Judged]
) -> None:
    shown = list(showing(shipped, mistake))

    assert [v.world.scenario for v in shown if set(v.broken) != set(v.world.expect.violates)] == []
    assert any(v.broken for v in shown)


@each_mistake
def test_each_mistake_alone_breaks_something(mistake: Mistake, shipped: list[Judged]) -> None:
    alone = [v for v in showing(shipped, mistake) if mistakes_of(v.world) == {mistake.name}]

    assert any(verdict.broken for verdict in alone)


@each_mistake
def test_the_same_scenario_without_the_mistake_breaks_nothing(
    mistake: Mistake, shipped: list[Judged]
) -> None:
    shown = list(showing(shipped, mistake))

    assert [broken_by(corrected(verdict.world)) for verdict in shown] == [set()] * len(shown)


@each_mistake
def test_the_diagnosis_names_the_mistake_that_alone_broke_something(
    mistake: Mistake, shipped: list[Judged]
) -> None:
    alone = [v for v in showing(shipped, mistake) if mistakes_of(v.world) == {mistake.name}]

    assert all([d.mistake for d in v.diagnoses] == [mistake.name] for v in alone if v.broken)


def test_a_server_that_forgets_expired_ids_is_still_stopped_by_the_version(
    judge: Callable[[str], Judged],
) -> None:
    _, verdicts = judge("retention/late-copy-of-a-put.yaml")
    by_variant = {verdict.world.variant: verdict for verdict in verdicts}

    assert by_variant["expired-executes"].broken == ()
    assert "no-blind-overwrite" in by_variant["expired-overwrites"].broken


# --- the boundary of the retention ----------------------------------------------------------------


@cache
def boundary() -> World:
    return load_path(str(SCENARIOS / "retention" / "boundary.yaml")).worlds[0]


def late_copy(world: World, after_us: int) -> list[str]:
    """Return what the server decides about a request and about its copy ``after_us`` later.

    Both take the same time, and the first commits as it arrives: the copy arrives that much later.
    """
    (clause,) = world.faults
    assert isinstance(clause, MessageClause)
    later = replace(clause, action=Duplicate(after_us))
    records = simulate(replace(world, faults=(later,))).records
    return [
        str(record.data["decision"])
        for record in records
        if record.kind is Rec.DECIDED and record.data["decision"] != "claimed"
    ]


@settings(max_examples=30, deadline=None)
@given(
    retention_us=st.integers(min_value=1 * HOUR, max_value=6 * DAY),
    past_us=st.integers(min_value=-3, max_value=3),
)
def test_a_result_is_kept_for_exactly_its_retention(retention_us: int, past_us: int) -> None:
    world = boundary()
    world = replace(world, server=replace(world.server, retention_us=retention_us))

    told = late_copy(world, retention_us + past_us)

    assert told == ["committed", "replay" if past_us <= 0 else "expired"]


@pytest.mark.parametrize(
    ("variant", "decision"),
    [
        ("one-microsecond-before", "replay"),
        ("at-24h", "replay"),
        ("one-microsecond-after", "expired"),
    ],
)
def test_the_three_copies_around_24_hours_are_decided_as_the_contract_says(
    variant: str, decision: str, judge: Callable[[str], Judged]
) -> None:
    verdict = next(v for v in judge("retention/boundary.yaml")[1] if v.world.variant == variant)

    commit = next(record for record in verdict.records if record.kind is Rec.COMMIT)
    last = [record for record in verdict.records if record.kind is Rec.DECIDED][-1]

    assert abs(last.at_us - commit.at_us - 24 * HOUR) <= 1
    assert last.data["decision"] == decision


def test_a_claim_outlives_the_retention(judge: Callable[[str], Judged]) -> None:
    """A running entry ends with its execution, never by the retention's clock."""
    world = judge("capacity/in-flight.yaml")[0].worlds[0]
    forgetful = replace(world, server=replace(world.server, retention_us=1))

    records = simulate(forgetful).records
    told = [r.data["decision"] for r in records if r.kind is Rec.DECIDED and r.attempt in (2, 3, 4)]

    assert told == ["in-flight"] * 3


# --- the grammar ----------------------------------------------------------------------------------


def clauses(shipped: list[Judged]) -> list[Clause]:
    return [c for _, verdicts in shipped for v in verdicts for c in v.world.faults]


def actions(shipped: list[Judged]) -> list[object]:
    """Return what clauses do to messages and to the server."""
    addressed = (MessageClause, ServerClause)
    return [c.action for c in clauses(shipped) if isinstance(c, addressed)]


@pytest.mark.parametrize("action", ACTIONS)
def test_each_fault_of_the_grammar_is_used(action: str, shipped: list[Judged]) -> None:
    written = [line for _, vs in shipped for v in vs for line in v.world.fault_lines]

    assert any(line.startswith(f"{action}: ") for line in written)


@pytest.mark.parametrize("verb", VERBS)
def test_each_act_of_the_grammar_is_done(verb: str, shipped: list[Judged]) -> None:
    done = {act.do.value for _, verdicts in shipped for v in verdicts for act in v.world.user}

    assert verb in done


@pytest.mark.parametrize("event", HappeningKind)
def test_each_event_is_waited_for(event: HappeningKind, shipped: list[Judged]) -> None:
    held = [action for action in actions(shipped) if isinstance(action, HoldUntil)]

    assert event in {action.until.event for action in held}


@pytest.mark.parametrize("message", MessageKind)
def test_each_kind_of_message_is_hit(message: MessageKind, shipped: list[Judged]) -> None:
    hit = {c.target.message for c in clauses(shipped) if isinstance(c, MessageClause)}

    assert message in hit


@pytest.mark.parametrize("point", CrashPoint)
def test_the_server_dies_at_each_point(point: CrashPoint, shipped: list[Judged]) -> None:
    assert point in {action.at for action in actions(shipped) if isinstance(action, Crash)}


@pytest.mark.parametrize("code", get_args(ErrorPart.model_fields["error"].annotation))
def test_the_server_answers_each_error(code: int, shipped: list[Judged]) -> None:
    assert code in {a.code for a in actions(shipped) if isinstance(a, AnswerError)}


@pytest.mark.parametrize("error", sorted(NEVER_SENT))
def test_an_attempt_fails_to_leave_in_each_way(error: str, shipped: list[Judged]) -> None:
    assert error in {action.error for action in actions(shipped) if isinstance(action, Fail)}


@pytest.mark.parametrize("what", CutWhat)
def test_each_kind_of_partition_is_shown(what: CutWhat, shipped: list[Judged]) -> None:
    assert what in {clause.what for clause in clauses(shipped) if isinstance(clause, Cut)}


def test_a_tie_is_turned_round_somewhere(shipped: list[Judged]) -> None:
    assert any(isinstance(clause, Order) for clause in clauses(shipped))
