"""An exploration as JSON.

::

    {"lostack_explored": 1,              the version of this form; keys may be added within one
     "status": "passed",                 passed, failed or inconclusive: the worst of all worlds
     "worlds": [{
       "name", "title", "path": text, "status": as above,
       "faults", "acts": number, "kinds", "also": [names],
       "schedules": number, "by_size": [number of schedules with 0, 1, 2 … choices],
       "runs": number,                   made; other schedules come to the state of one of these
       "states": number,                 distinct ones that were gone on from
       "merged": number,                 schedules that came to one of them again
       "redundant": {why: number}, "left_out": number, "notes": [text], "doubts": [text],
       "endings": [{"ending": text, "schedules": number}],
       "holds": [invariants],            empty where the search is inconclusive
       "broken": [{"invariant": text, "schedules": number, "faults", "acts": number,
                   "declared": true or false}],
       "counterexamples": [{"invariants": [names], "scenario", "what": text, "at_us": number,
                            "faults": [clauses], "broken": [invariants], "yaml": text}]}]}

Every key is always there.
"""

import json
from collections.abc import Sequence

from sim.explore.counterexample import Counterexample
from sim.explore.result import Result
from sim.judge.verdict import Status
from sim.report.explored_words import endings

VERSION = 1


def render(found: Sequence[Result]) -> str:
    """Return the results as one JSON value, indented, in the order of exploring."""
    statuses = [status(result) for result in found]
    order = (Status.FAILED, Status.INCONCLUSIVE)
    worst = next((one for one in order if one in statuses), Status.PASSED)
    value = {
        "lostack_explored": VERSION,
        "status": str(worst),
        "worlds": [_world(result) for result in found],
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def render_examples(examples: Sequence[Counterexample]) -> str:
    """Return counterexamples alone as one JSON value: ``{"counterexamples": [as above]}``."""
    value = {"lostack_explored": VERSION, "counterexamples": _counterexamples(examples)}
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def status(result: Result) -> Status:
    """Return how a world's search ended."""
    if result.explored.undeclared:
        return Status.FAILED
    return Status.INCONCLUSIVE if result.doubts else Status.PASSED


def _world(result: Result) -> dict[str, object]:
    found = result.explored
    tried = found.tally.tried
    return {
        "name": result.name,
        "title": result.scenario.title,
        "path": result.scenario.path,
        "status": str(status(result)),
        "faults": found.bounds.faults,
        "acts": found.bounds.acts,
        "kinds": [kind.value for kind in found.bounds.kinds],
        "also": [do.value for do in found.bounds.also],
        "schedules": found.tally.schedules,
        "by_size": [tried.get(size, 0) for size in range(max(tried) + 1)],
        "runs": found.tally.runs,
        "states": found.tally.states,
        "merged": found.tally.merged,
        "redundant": {why.value: many for why, many in sorted(found.tally.redundant.items())},
        "left_out": found.tally.inert,
        "notes": list(result.notes),
        "doubts": list(result.doubts),
        "endings": [{"ending": said, "schedules": many} for said, many in endings(result)],
        "holds": [] if result.doubts else list(result.held),
        "broken": _broken(result),
        "counterexamples": _counterexamples(result.counterexamples),
    }


def _broken(result: Result) -> list[dict[str, object]]:
    declared = result.world.expect.violates
    return [
        {
            "invariant": name,
            "schedules": breakage.times,
            "faults": breakage.example.size[0],
            "acts": breakage.example.size[1],
            "declared": name in declared,
        }
        for name, breakage in result.broken.items()
    ]


def _counterexamples(examples: Sequence[Counterexample]) -> list[dict[str, object]]:
    return [
        {
            "invariants": list(example.invariants),
            "scenario": example.scenario.name,
            "what": example.violation.what,
            "at_us": example.violation.at_us,
            "faults": list(example.faults),
            "broken": list(example.verdict.broken),
            "yaml": example.text,
        }
        for example in examples
    ]
