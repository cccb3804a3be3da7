"""The second process of ``--twice``: reads what to run, writes digests or traces.

Not a command for people: ``python -m sim.cli.again`` takes one JSON map on standard input.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from sim.cli.cells import only_cell
from sim.cli.choose import choose, only_variant, rerun, seeded
from sim.cli.perform import perform, traces
from sim.trace import jsonl


def answer(request: dict[str, Any]) -> Iterator[bytes]:
    """Yield the lines that are asked for: of every run its digest, or its trace.

    Args:
        request: ``files``, ``cell``, ``variant``, ``seed``, ``run`` as the command line has them;
            ``trace``: whether traces are wanted.
    """
    scenarios = choose(request["files"]).scenarios
    if request["cell"] is not None:
        scenarios = only_cell(scenarios, request["cell"])
    if request["variant"] is not None:
        scenarios = only_variant(scenarios, request["variant"])
    if request["seed"] is not None:
        scenarios = seeded(scenarios, request["seed"])
    if request["run"] is not None:
        scenarios = rerun(scenarios, request["run"])
    for scenario in scenarios:
        outcome = perform(scenario)
        if request["trace"]:
            yield from jsonl.lines(traces(outcome))
            continue
        for verdict in outcome.verdicts:
            key = json.dumps([scenario.path, verdict.world.variant])
            yield f"{key}\t{verdict.digest}\n".encode()


if __name__ == "__main__":
    try:
        sys.stdout.buffer.writelines(answer(json.load(sys.stdin)))
    except KeyboardInterrupt:
        sys.exit(130)
