"""Verdicts made by hand: one that passes, one that fails, one that proves nothing."""

from dataclasses import replace

from sim.judge.verdict import Belief, Check, Diagnosis, Verdict, Violation
from sim.report.outcome import Outcome
from sim.scenario.model import Expect, Scenario
from tests.report.hand_made import WORLD, lost_ack

TWICE = Violation(
    invariant="one-effect-per-intent",
    seq=19,
    at_us=2_540_000,
    client="client",
    resource="markdown",
    op=2,
    what="the intent of op-1 has 2 effects",
)
ROW = Diagnosis(
    mistake="no-registry",
    symptom="duplicate effects",
    cause="every delivery is executed",
    check="count the effects behind one operation id",
    remedy="keep a registry with a unique key",
    invariants=("one-effect-per-intent",),
    switched_on=True,
)
HOLDS = Check(what="phase", expected="acknowledged", found="acknowledged", holds=True)
BREAKS = Check(what="effects", expected="1", found="2", holds=False)
BELIEFS = (Belief(belief="acknowledged", effects=1, count=3),)

PASSED = Verdict(
    world=WORLD,
    checks=(HOLDS,),
    beliefs=BELIEFS,
    digest="d" * 64,
    records=tuple(lost_ack()),
)
SHOWN = replace(
    PASSED,
    world=replace(WORLD, variant="no-registry", expect=Expect(violates=("one-effect-per-intent",))),
    violations=(TWICE, replace(TWICE, seq=30)),
    diagnoses=(ROW,),
    beliefs=(Belief(belief="acknowledged", effects=2, count=1),),
)
FAILED = replace(
    PASSED,
    world=replace(WORLD, variant="bad", expect=Expect(violates=("draft-kept",))),
    checks=(HOLDS, BREAKS),
    violations=(TWICE,),
    diagnoses=(replace(ROW, switched_on=False),),
)
UNCLEAR = replace(
    PASSED, world=replace(WORLD, variant="missed"), unmatched=("drop ack, attempt 9",)
)


def outcome(*verdicts: Verdict, **changes: object) -> Outcome:
    """Return an outcome of the lost-ack scenario."""
    scenario = Scenario(
        name="lost-ack",
        title="The acknowledgement was lost",
        about="Asked again, the registry answers.",
        path="scenarios/recovery/lost-ack.yaml",
        digest="s" * 64,
    )
    return Outcome(scenario=replace(scenario, **changes), verdicts=verdicts)
