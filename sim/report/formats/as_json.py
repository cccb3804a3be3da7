"""Outcomes as JSON.

::

    {"lostack_report": 1,                the version of this form; keys may be added within one
     "status": "passed",                 passed, failed or inconclusive: the worst of all runs
     "scenarios": [{
       "name", "title", "about", "source", "path", "digest": text, "tags": [text],
       "status": as above,
       "runs": [{
         "variant": text ("" without variants), "cell": {sweep path: value}, "seed", "run": number,
         "status": as above,
         "trace_digest": SHA-256 of the record lines, "records": how many,
         "open_operations": number,
         "checks": [{"what", "expected", "found": text, "holds": true or false}],
         "violates": [names expected to break],
         "violations": [{"invariant", "what": text, "record": its seq, "at_us": number,
                         "client", "resource": text, "operation": "op-1" or ""}],
         "faults_unmatched": [clauses as in the file], "inconclusive": [sentences],
         "diagnoses": [{"mistake", "symptom", "cause", "check", "remedy": text,
                        "invariants": [names], "switched_on": true or false}],
         "beliefs": [{"belief": text, "effects": number, "count": number}]}]}]}

Every key is always there. Times are whole simulated microseconds.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict

from sim.judge.verdict import Status, Verdict, Violation
from sim.report.outcome import Outcome
from sim.trace.records import surrogate

VERSION = 1


def render(outcomes: Sequence[Outcome]) -> str:
    """Return the outcomes as one JSON value, indented, in the order in which they were run."""
    value = {
        "lostack_report": VERSION,
        "status": worst(outcomes),
        "scenarios": [_scenario(outcome) for outcome in outcomes],
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def worst(outcomes: Sequence[Outcome]) -> Status:
    """Return failed if anything failed, else inconclusive if anything was, else passed."""
    found = {outcome.status for outcome in outcomes}
    for status in (Status.FAILED, Status.INCONCLUSIVE):
        if status in found:
            return status
    return Status.PASSED


def _scenario(outcome: Outcome) -> dict[str, object]:
    scenario = outcome.scenario
    return {
        "name": scenario.name,
        "title": scenario.title,
        "about": scenario.about,
        "source": scenario.source,
        "path": scenario.path,
        "digest": scenario.digest,
        "tags": list(scenario.tags),
        "status": outcome.status,
        "runs": [_run(verdict) for verdict in outcome.verdicts],
    }


def _run(verdict: Verdict) -> dict[str, object]:
    return {
        "variant": verdict.world.variant,
        "cell": dict(verdict.world.cell),
        "seed": verdict.world.seed,
        "run": verdict.world.run,
        "status": verdict.status,
        "trace_digest": verdict.digest,
        "records": len(verdict.records),
        "open_operations": verdict.open_operations,
        "checks": [asdict(check) for check in verdict.checks],
        "violates": list(verdict.world.expect.violates),
        "violations": [_violation(violation) for violation in verdict.violations],
        "faults_unmatched": list(verdict.unmatched),
        "inconclusive": list(verdict.inconclusive),
        "diagnoses": [asdict(diagnosis) for diagnosis in verdict.diagnoses],
        "beliefs": [asdict(belief) for belief in verdict.beliefs],
    }


def _violation(violation: Violation) -> dict[str, object]:
    return {
        "invariant": violation.invariant,
        "what": violation.what,
        "record": violation.seq,
        "at_us": violation.at_us,
        "client": violation.client,
        "resource": violation.resource,
        "operation": surrogate(violation.op) if violation.op else "",
    }
