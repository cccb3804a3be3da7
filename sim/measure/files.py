"""The files of a measurement, as bytes: the same ones for the same plan, whoever counted it.

They hold no date, no duration and no name of a place.
"""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields

from sim.judge.court import BELIEFS, EFFECTS_MANY
from sim.measure.checks import findings
from sim.measure.histogram import bounds_of
from sim.measure.load import watches_load
from sim.measure.plan import Plan
from sim.measure.results import CellResult, Row, all_rows
from sim.measure.versions import versions

MANIFEST = "manifest.json"
RESULTS = "results.csv"
PARQUET = "results.parquet"
HISTOGRAMS = "histograms.csv"
BELIEFS_FILE = "beliefs.csv"
LOAD = "load.csv"
NAMES = (RESULTS, PARQUET, HISTOGRAMS, BELIEFS_FILE, LOAD, MANIFEST)
"""Every file that a measurement may leave; the manifest is written last."""

VERSION = 1
_CELL = ("scenario", "variant", "cell")
_COLUMNS = tuple(field.name for field in fields(Row))


def files(plan: Plan, results: Sequence[CellResult]) -> dict[str, bytes]:
    """Return name -> content, in the order in which they should be written."""
    rows = ([getattr(row, name) for name in _COLUMNS] for row in all_rows(results))
    made = {
        RESULTS: _csv(_COLUMNS, rows),
        HISTOGRAMS: _csv((*_CELL, "from_us", "below_us", "operations"), _histograms(results)),
        BELIEFS_FILE: _csv((*_CELL, "belief", "effects", "intents"), _beliefs(results)),
    }
    parquet = _parquet(made[RESULTS])
    if parquet is not None:
        made[PARQUET] = parquet
    watched = [result for result in results if watches_load(result.cell.world)]
    if watched:
        made[LOAD] = _csv((*_CELL, "second", "arrivals", "runs"), _load(watched))
    made[MANIFEST] = _manifest(plan, results, made)
    return made


def _csv(head: Sequence[str], lines: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(lines)
    return text.getvalue().encode("utf-8", "backslashreplace")


def _cell(result: CellResult) -> list[object]:
    cell = result.cell
    return [cell.scenario.name, cell.world.variant, cell.where]


def _histograms(results: Iterable[CellResult]) -> Iterable[list[object]]:
    return (
        [*_cell(result), *bounds_of(bucket), many]
        for result in results
        for bucket, many in result.tally.certainty.as_pairs()
    )


def _beliefs(results: Iterable[CellResult]) -> Iterable[list[object]]:
    return (
        [*_cell(result), belief, effects, result.tally.beliefs[belief, effects]]
        for result in results
        for belief in BELIEFS
        for effects in range(EFFECTS_MANY + 1)
        if (belief, effects) in result.tally.beliefs
    )


def _load(results: Iterable[CellResult]) -> Iterable[list[object]]:
    """Every second from the first arrival to the last, quiet ones included."""
    for result in results:
        arrivals = result.tally.arrivals
        for second in range(min(arrivals, default=0), max(arrivals, default=-1) + 1):
            yield [*_cell(result), second, arrivals.get(second, 0), result.tally.runs]


def _parquet(rows_csv: bytes) -> bytes | None:
    """Return the rows as Parquet; None where the extra ``data`` is not installed.

    They are read from the CSV: from Python's own lists pyarrow would import pandas, a second's
    work, to see whether they are its.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - heavy, and optional
        from pyarrow import csv as arrow_csv  # noqa: PLC0415
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        return None
    kinds: dict[object, pa.DataType] = {str: pa.string(), int: pa.int64()}
    schema = pa.schema([(field.name, kinds.get(field.type, pa.float64())) for field in fields(Row)])
    table = arrow_csv.read_csv(
        io.BytesIO(rows_csv),
        read_options=arrow_csv.ReadOptions(use_threads=False),
        parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
        convert_options=arrow_csv.ConvertOptions(column_types=schema),
    )
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    return sink.getvalue()


def _manifest(plan: Plan, results: Sequence[CellResult], made: dict[str, bytes]) -> bytes:
    value = {
        "lostack_measurement": VERSION,
        "whole": all(result.is_whole for result in results),
        "runs": sum(result.tally.runs for result in results),
        "runs_planned": plan.runs,
        "plan": plan.digest,
        "versions": versions(),
        "scenarios": _scenarios(plan),
        "cells": [_cell_entry(result) for result in results],
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in made.items()},
    }
    return (json.dumps(value, indent=2, ensure_ascii=True) + "\n").encode()


def _scenarios(plan: Plan) -> list[dict[str, object]]:
    found = {cell.scenario.path: cell.scenario for cell in plan.cells}
    return [
        {"name": scenario.name, "title": scenario.title, "digest": scenario.digest}
        for scenario in found.values()
    ]


def _cell_entry(result: CellResult) -> dict[str, object]:
    cell, tally, found = result.cell, result.tally, findings(result)
    return {
        "scenario": cell.scenario.name,
        "variant": cell.world.variant,
        "cell": dict(cell.world.cell),
        "seed": cell.world.seed,
        "runs": tally.runs,
        "runs_planned": cell.runs,
        "operations": tally.operations,
        "operations_in_a_run_max": tally.operations_in_a_run_max,
        "status": found.status.value,
        "broken": {each.invariant: {"runs": each.runs, "run": each.run} for each in found.broken},
        "never_broke": list(found.never_broke),
        "never_matched": list(found.never_matched),
        "given_up": found.given_up,
    }
