"""Baselines to compare: made of small scenarios, as the command makes them."""

from dataclasses import replace
from time import perf_counter

from sim.engine.world import simulate
from sim.measure.baseline import Baseline, Change, decisive_versions
from sim.measure.baseline_diff import Checked, Exactly, Tolerance, check
from sim.measure.baseline_make import Made, make, wanted
from sim.scenario.load import load_text
from sim.scenario.model import Scenario

EXACTLY = Exactly()
SCRIPTED = """\
title: The acknowledgement is lost
server: {resources: {note: {version: 4}}}
client: {retry: {max_attempts: 2, delay: 500ms}}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 0s, save: note}
variants:
  calm: {}
  lost: {faults: [{drop: ack, attempt: 1}]}
"""
MEASURED = """\
title: Losses by chance
runs: 40
server: {resources: {note: {version: 4}}}
network: {ack: {loss: 0.3}}
user:
  - {at: 0s, edit: note}
  - {at: 0s, save: note}
sweep: {client.timeout: [1s, 2s]}
"""


def scenario(text: str, name: str = "story") -> Scenario:
    return load_text(text, name, f"{name}.yaml")


def made(one: Scenario, runs: int | None = None) -> Made:
    found = make([wanted(one, runs, None)], perf_counter)
    assert found is not None
    return found[0]


def baseline(one: Scenario, runs: int | None = None) -> Baseline:
    now, versions = made(one, runs), decisive_versions()
    return Baseline(
        scenario=one.name,
        path=f"../{one.name}.yaml",
        digest=one.digest,
        versions=versions,
        traces=now.traces,
        cells=now.cells,
        history=(Change(reason="it is right", versions=versions, moved=("a: b → c",)),),
    )


def checked(one: Scenario, held: Baseline | None, tolerance: Tolerance = EXACTLY) -> Checked:
    runs = held.runs if held is not None else None
    return check(
        one,
        held,
        made(one, runs),
        decisive_versions(),
        records_of=lambda world: simulate(world).records,
        tolerance=tolerance,
    )


def with_count(held: Baseline, measure: str, by: int) -> Baseline:
    """Return the baseline as if a measure of its first cell had had another count."""
    cell = held.cells[0]
    old = cell.counts[measure]
    counts = {**cell.counts, measure: replace(old, count=old.count + by)}
    return replace(held, cells=(replace(cell, counts=counts), *held.cells[1:]))
