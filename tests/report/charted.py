"""Small measurements to draw: a sweep of two paths, a population with an outage, variants."""

import hashlib
from functools import cache

from sim.measure.plan import make_plan
from sim.measure.results import CellResult
from sim.measure.running import count_runs
from sim.report.charts import sheets
from sim.report.charts.sheet import FORMATS, draw
from sim.scenario.load import load_text

SWEPT = """\
title: How long to wait
server: {resources: {note: {}}}
client: {retry: {max_attempts: 2, delay: 100ms}}
network: {ack: {loss: 0.3, latency: {exponential: {mean: 300ms}}}}
user: [{at: 0s, edit: note}, {at: 0s, save: note}]
sweep: {client.timeout: [250ms, 1s, 4s], network.ack.loss: [0.1, 0.4]}
"""
CROWD = """\
title: A crowd and an outage
server: {resources: {note: {}}, capacity: {workers: 1, queue: 1, time: 100ms}}
clients: {desk: {count: 5, resource: own, retry: {max_attempts: 3, delay: 2s}}}
user: [{at: 1s, edit: note, client: all}, {at: 2s, save: note, client: all}]
faults: [{cut: server, from: 1s, to: 3s}]
variants: {in-step: {}, patient: {clients: {desk: {timeout: 9s}}}}
"""
WAITS = "100ms, 200ms, 300ms, 400ms, 600ms, 800ms, 1s, 2s, 3s, 4s, 8s, 9s"
WIDE = SWEPT.replace("250ms, 1s, 4s", WAITS)
WIDER = WIDE.replace(WAITS, ", ".join(f"{200 + 150 * wait}ms" for wait in range(24)))
TEXTS = {"swept": SWEPT, "crowd": CROWD, "wide": WIDE, "wider": WIDER}


@cache
def measured(name: str, runs: int = 30) -> tuple[CellResult, ...]:
    """Return the results of a small measurement, each run made once for all tests."""
    plan = make_plan([load_text(TEXTS[name], name, f"{name}.yaml")], runs=runs)
    return tuple(CellResult(cell, count_runs(cell.world, 0, runs)) for cell in plan.cells)


CHOSEN = ("crowd--load", "crowd--outcomes")
"""Charts of each kind of drawing: lines and areas over time, and bars."""


def digests() -> list[str]:
    """Return a digest for each picture of the chosen charts."""
    made = {one.name: draw(one) for one in sheets(measured("crowd")) if one.name in CHOSEN}
    return [hashlib.sha256(made[name][ending]).hexdigest() for name in CHOSEN for ending in FORMATS]
