"""The answer to "is it safe to retry this?" as JSON.

::

    {"lostack_safety": 1,                the version of this form; keys may be added within one
     "worlds": [{
       "name", "title", "path": text, "verdict": text, "means": text,
       "faults": number, "assumes": [text], "doubts": [text],
       "by_kind": [{"kind": text, "verdict": text, "witness": {…}}], "witness": {…},
       "lifts": [{"change": text, "verdict": text}], "candidates": [mistakes]}]}

A witness is ``{"schedules": number, "left": number, "resent": truth, "invariant": text, "what":
text, "faults": [clauses]}``; without an invariant it is the number of schedules in which nothing
showed less, with how many of them left the outcome unknown.
"""

import json
from collections.abc import Sequence

from sim.explore.safety import SafetyVerdict, Witness
from sim.report.safety import assumptions, meaning
from sim.scenario.clause_text import clause_text
from sim.scenario.model import Scenario, World

VERSION = 1


def render(found: Sequence[tuple[Scenario, SafetyVerdict]]) -> str:
    """Return the verdicts as one JSON value, indented, in the order of searching."""
    value = {"lostack_safety": VERSION, "worlds": [_world(*one) for one in found]}
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _world(scenario: Scenario, found: SafetyVerdict) -> dict[str, object]:
    world = found.world
    return {
        "name": f"{scenario.name}/{world.variant}" if world.variant else scenario.name,
        "title": scenario.title,
        "path": scenario.path,
        "verdict": found.whole.safety.value,
        "means": meaning(found),
        "faults": found.bounds.faults,
        "assumes": list(assumptions(found)),
        "notes": list(found.notes),
        "doubts": list(found.doubts),
        "by_kind": [
            {
                "kind": judged.kinds[0].value,
                "verdict": judged.safety.value,
                "witness": _witness(judged.witness, world),
            }
            for judged in found.by_kind
        ],
        "witness": _witness(found.whole.witness, world),
        "lifts": [{"change": lift.change, "verdict": lift.safety.value} for lift in found.lifts],
        "candidates": list(found.candidates),
    }


def _witness(found: Witness, world: World) -> dict[str, object]:
    only = world.clients[0].name if len(world.clients) == 1 else None
    return {
        "schedules": found.schedules,
        "left": found.left,
        "resent": found.resent,
        "invariant": found.invariant,
        "what": found.what,
        "faults": [clause_text(clause, only) for clause in found.faults],
    }
