"""Small scenarios to measure, and how to measure them in this process."""

from collections.abc import Iterable

from sim.measure.measuring import Finished, Progress, alone
from sim.measure.plan import Plan, make_plan
from sim.measure.tally import CellTally
from sim.measure.work import Work
from sim.scenario.load import load_text
from sim.scenario.model import Scenario

LOSSY = """\
title: A lossy link
server: {resources: {note: {version: 1, body: {text: old}}}, status: no}
client: {timeout: 2s, retry: {max_attempts: 3, delay: 500ms}}
network: {request: {latency: {uniform: [10ms, 90ms]}, loss: 0.1}, ack: {latency: 40ms, loss: 0.2}}
user:
  - {at: 0s, edit: note}
  - {at: 0s, save: note}
"""
VARIANTS = f"""{LOSSY}
variants:
  right: {{}}
  wrong: {{client: {{mistakes: [timeout-means-failure]}}}}
"""
SWEPT = f"{LOSSY}\nsweep: {{client.timeout: [1s, 2s], network.ack.loss: [0.1, 0.4]}}\n"
CROWD = """\
title: Ten clients and an outage
server: {resources: {note: {version: 1, body: {text: old}}}}
client: {count: 10, resource: own, timeout: 1s, retry: {max_attempts: 5, delay: 500ms}}
network: {request: {latency: 40ms, loss: 0.05}, ack: {latency: 40ms}}
user:
  - {every: {fixed: 2s}, until: 20s, edit: note}
  - {every: {fixed: 2s}, until: 20s, save: note}
faults:
  - {cut: server, from: 10s, to: 15s}
"""


def scenario(text: str, name: str = "sample") -> Scenario:
    return load_text(text, name, f"{name}.yaml")


def plan_of(*texts: str, runs: int) -> Plan:
    return make_plan([scenario(text, f"s{n}") for n, text in enumerate(texts)], runs=runs)


def no_clock() -> float:
    return 0.0


def never() -> bool:
    return False


def counted(
    plan: Plan, *, runs_in_a_chunk: int | None = None, before: Iterable[Finished] = ()
) -> Progress:
    """Count a plan in this process, on top of what was finished before."""
    progress = Progress(plan)
    done = list(before)
    for finished in done:
        progress.take(finished)
    work = Work(plan, [each.chunk for each in done], runs_in_a_chunk=runs_in_a_chunk)
    for finished in alone(plan, work, never, no_clock):
        progress.take(finished)
    return progress


def tally_of(text: str, runs: int) -> CellTally:
    """Count the only cell of a scenario."""
    (tally,) = counted(plan_of(text, runs=runs), runs_in_a_chunk=runs).tallies
    return tally
