"""Each mistake of a client is shown by a shipped scenario, and is what breaks it."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from sim.contract.mistakes import MISTAKES, Mistake, Side
from sim.contract.rules import ClientRules, ServerRules
from sim.engine.world import simulate
from sim.judge.judge import Judge
from sim.judge.verdict import Verdict
from sim.report.claims import CLAIMS, Claim
from sim.scenario.model import AckRule, Scenario, World

Judged = tuple[Scenario, tuple[Verdict, ...]]
CLIENT_MISTAKES = [mistake for mistake in MISTAKES if mistake.side is Side.CLIENT]

each_mistake = pytest.mark.parametrize(
    "mistake", CLIENT_MISTAKES, ids=[mistake.name for mistake in CLIENT_MISTAKES]
)


def mistakes_of(world: World) -> set[str]:
    of_clients = {name for client in world.clients for name in client.mistakes}
    return of_clients | set(world.server.mistakes)


def showing(shipped: list[Judged], mistake: Mistake) -> Iterator[Verdict]:
    """Yield the verdicts on the variants in which that mistake is made, and no other."""
    for _, verdicts in shipped:
        for verdict in verdicts:
            if mistakes_of(verdict.world) == {mistake.name}:
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


@each_mistake
def test_each_mistake_is_shown_alone_and_breaks_something(
    mistake: Mistake, shipped: list[Judged]
) -> None:
    shown = list(showing(shipped, mistake))

    assert shown
    assert all(verdict.broken for verdict in shown)


@each_mistake
def test_the_table_names_what_each_mistake_breaks(mistake: Mistake, shipped: list[Judged]) -> None:
    broken = {name for verdict in showing(shipped, mistake) for name in verdict.broken}

    assert broken & set(mistake.breaks)


@each_mistake
def test_the_diagnosis_names_the_mistake_that_was_made(
    mistake: Mistake, shipped: list[Judged]
) -> None:
    diagnosed = [
        {diagnosis.mistake for diagnosis in verdict.diagnoses if diagnosis.switched_on}
        for verdict in showing(shipped, mistake)
    ]

    assert diagnosed
    assert all(names == {mistake.name} for names in diagnosed)


@each_mistake
def test_the_same_scenario_without_the_mistake_breaks_nothing(
    mistake: Mistake, shipped: list[Judged]
) -> None:
    shown = list(showing(shipped, mistake))

    assert [broken_by(corrected(verdict.world)) for verdict in shown] == [set()] * len(shown)


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.tag for claim in CLAIMS])
def test_each_claim_is_shown_by_a_run_without_mistakes(claim: Claim, shipped: list[Judged]) -> None:
    lawful = [
        verdict
        for scenario, verdicts in shipped
        if claim.tag in scenario.tags
        for verdict in verdicts
        if not mistakes_of(verdict.world)
    ]

    assert lawful
    assert all(verdict.holds for verdict in lawful)


OTHER = {AckRule.ATTEMPT: AckRule.OPERATION, AckRule.OPERATION: AckRule.ATTEMPT}


def test_the_other_setting_of_rule_2_breaks_nothing_either(judged: Judged) -> None:
    lawful = [verdict.world for verdict in judged[1] if not mistakes_of(verdict.world)]

    for world in lawful:
        clients = tuple(replace(c, ack_rule=OTHER[c.ack_rule]) for c in world.clients)
        assert broken_by(replace(world, clients=clients)) == set(), world.variant


def test_rule_2_decides_whether_an_old_answer_settles(judge: Callable[[str], Judged]) -> None:
    scenario, verdicts = judge("stale-acks/only-the-old-ack-arrives.yaml")
    ends = {v.world.variant: v.world.expect.whole.phase for v in verdicts}

    assert scenario.tags
    assert ends["ack-rule-attempt-without-status"] == "recovery-required"
    assert ends["ack-rule-operation-without-status"] == "acknowledged"
