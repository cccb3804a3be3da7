"""The verdict on one run: what broke, what was expected, why, and what clients believe."""

from collections.abc import Sequence
from typing import Final

from sim.judge.diagnosis import diagnose
from sim.judge.expectations import checks
from sim.judge.judge import Judge
from sim.judge.servers import open_operations
from sim.judge.verdict import Belief, Verdict
from sim.scenario.model import World
from sim.trace.jsonl import digest
from sim.trace.records import Record

BELIEFS: Final = ("acknowledged", "not saved", "unknown", "awaiting", "given up", "forgotten")
"""What a client can believe of what its person wanted, in the order of the matrix's rows."""
EFFECTS_MANY: Final = 2

NOBODY_ACTS = "nobody acts: there is nothing under 'user', so nothing was put to the test"


def judge_records(
    world: World,
    records: Sequence[Record],
    *,
    unmatched: Sequence[int] = (),
    still_held: Sequence[int] = (),
    ended: str = "quiet",
) -> Verdict:
    """Judge a finished trace.

    Args:
        world: What was run.
        records: The whole trace, in order.
        unmatched: Places of fault clauses that never matched.
        still_held: Places of ``hold`` clauses whose message was never let go.
        ended: How the run ended: ``quiet``, ``horizon`` or ``limit``.
    """
    judge = Judge(world)
    for record in records:
        judge.feed(record)
    reasons = [
        f"fault {place + 1} held its message to the end: what it waited for never happened"
        for place in still_held
    ]
    if not world.user:
        reasons.append(NOBODY_ACTS)
    if ended == "limit":
        reasons.append("the run was given up after too many records")
    return Verdict(
        world=world,
        violations=judge.violations,
        checks=checks(judge, world),
        unmatched=tuple(_clause(world, place) for place in unmatched),
        inconclusive=tuple(reasons),
        diagnoses=diagnose(world, judge.violations),
        beliefs=beliefs(judge),
        open_operations=open_operations(judge.ledger),
        digest=digest(records),
        records=tuple(records),
    )


def beliefs(judge: Judge) -> tuple[Belief, ...]:
    """Return the belief x truth matrix over intents: cells that are not empty, in fixed order."""
    counts: dict[tuple[str, int], int] = {}
    for intent in judge.ledger.intents.values():
        belief = intent.operations[-1].belief
        cell = (belief, min(intent.effects, EFFECTS_MANY))
        counts[cell] = counts.get(cell, 0) + 1
    return tuple(
        Belief(belief=belief, effects=effects, count=counts[belief, effects])
        for belief in BELIEFS
        for effects in range(EFFECTS_MANY + 1)
        if (belief, effects) in counts
    )


def _clause(world: World, place: int) -> str:
    if place < len(world.fault_lines):
        return world.fault_lines[place]
    return f"fault {place + 1}"
