"""A measurement as JSON.

::

    {"lostack_measured": 1,              the version of this form; keys may be added within one
     "status": "passed",                 passed, failed or inconclusive: the worst of all cells
     "whole": true or false, "runs", "runs_planned": number,
     "scenarios": [{
       "name", "title", "about", "path", "digest": text, "status": as above,
       "cells": [{
         "variant": text, "cell": {sweep path: value}, "seed": number, "status": as above,
         "whole": true or false, "runs", "runs_planned": number,
         "operations", "operations_in_a_run_max": number,
         "measures": [{"measure", "unit", "count", "denominator", "value", "low", "high"}],
         "rates": [{"measure": text, "min", "max": number or null, "on": point or interval,
                    "holds": true, false or null where it cannot be told}],
         "broken": [{"invariant": text, "runs", "run": number, "expected": true or false,
                     "see": the command that tells the story of that run}],
         "never_broke": [names], "never_matched": [clauses], "given_up": number,
         "beliefs": [{"belief": text, "effects", "count": number}]}]}]}

Every key is always there. Shares are parts of one, times microseconds; what has no value is null.
"""

import json
from collections.abc import Sequence
from itertools import groupby

from sim.judge.court import BELIEFS, EFFECTS_MANY
from sim.judge.verdict import Status
from sim.measure.checks import Findings, RateCheck, findings
from sim.measure.results import CellResult, Row, rows
from sim.report.measured_words import look

VERSION = 1


def render(results: Sequence[CellResult]) -> str:
    """Return the results as one JSON value, indented, in the order of the plan."""
    scenarios = [
        _scenario(list(group))
        for _, group in groupby(results, key=lambda result: result.cell.scenario.path)
    ]
    value = {
        "lostack_measured": VERSION,
        "status": _worst([str(scenario["status"]) for scenario in scenarios]),
        "whole": all(result.is_whole for result in results),
        "runs": sum(result.tally.runs for result in results),
        "runs_planned": sum(result.cell.runs for result in results),
        "scenarios": scenarios,
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _worst(statuses: Sequence[str]) -> str:
    order = (Status.FAILED, Status.INCONCLUSIVE)
    return next((str(status) for status in order if status in statuses), str(Status.PASSED))


def _scenario(results: Sequence[CellResult]) -> dict[str, object]:
    scenario = results[0].cell.scenario
    cells = [_cell(result) for result in results]
    return {
        "name": scenario.name,
        "title": scenario.title,
        "about": scenario.about,
        "path": scenario.path,
        "digest": scenario.digest,
        "status": _worst([str(cell["status"]) for cell in cells]),
        "cells": cells,
    }


def _cell(result: CellResult) -> dict[str, object]:
    cell, tally, found = result.cell, result.tally, findings(result)
    return {
        "variant": cell.world.variant,
        "cell": dict(cell.world.cell),
        "seed": cell.world.seed,
        "status": found.status,
        "whole": result.is_whole,
        "runs": tally.runs,
        "runs_planned": cell.runs,
        "operations": tally.operations,
        "operations_in_a_run_max": tally.operations_in_a_run_max,
        "measures": [_measure(row) for row in rows(result)],
        "rates": [_rate(check) for check in found.rates],
        "broken": _broken(found, result),
        "never_broke": list(found.never_broke),
        "never_matched": list(found.never_matched),
        "given_up": found.given_up,
        "beliefs": [
            {"belief": belief, "effects": effects, "count": tally.beliefs[belief, effects]}
            for belief in BELIEFS
            for effects in range(EFFECTS_MANY + 1)
            if (belief, effects) in tally.beliefs
        ],
    }


def _measure(row: Row) -> dict[str, object]:
    names = ("measure", "unit", "count", "denominator", "value", "low", "high")
    return {name: getattr(row, name) for name in names}


def _rate(check: RateCheck) -> dict[str, object]:
    asked = check.asked
    return {
        "measure": check.row.measure,
        "min": asked.min,
        "max": asked.max,
        "on": "interval" if asked.on_interval else "point",
        "holds": check.holds,
    }


def _broken(found: Findings, result: CellResult) -> list[dict[str, object]]:
    return [
        {
            "invariant": broken.invariant,
            "runs": broken.runs,
            "run": broken.run,
            "expected": broken.is_expected,
            "see": look(broken, result),
        }
        for broken in found.broken
    ]
