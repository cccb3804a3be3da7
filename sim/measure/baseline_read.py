"""Reading baselines from their files: whatever is not as lostack writes it is refused.

A file may have been edited or merged by hand. What is wrong in it must neither be taken for
something that moved nor make a check run without end.
"""

import re
from json import JSONDecodeError
from typing import Any

from sim.contract.names import INVARIANT_NAMES
from sim.measure.baseline import (
    HASH_DIGITS,
    RUNS_MAX,
    VERSION,
    Baseline,
    CellBaseline,
    Change,
    Count,
    TraceBaseline,
)
from sim.measure.baseline_diff import unit_of
from sim.measure.baseline_file import BaselineError
from sim.measure.baseline_make import BREAKS
from sim.measure.baseline_part import DamagedError, Keys, Part, load, position
from sim.measure.definitions import BY_NAME, CERTAINTY, Unit

_FIX = "restore the file, or delete it and run 'lostack baseline update'"
_DIGEST_DIGITS = 64
_SEED_MAX = 10**12
_RECORDS_MAX = 10**12
_SUM_MAX = 10**24
"""More than any sum over runs that can be made; a float still holds it."""
_HASHES = re.compile(f"[0-9a-f]{{{HASH_DIGITS}}}( [0-9a-f]{{{HASH_DIGITS}}})*")
_BREAKS = frozenset(BREAKS + name for name in INVARIANT_NAMES)
_QUANTILES = frozenset(measure.name for measure in CERTAINTY)
_LONGEST = "time_to_certainty.max"


def parse(text: str, path: str, name: str | None = None) -> Baseline:
    """Return the baseline that a file's text holds.

    Args:
        text: The whole file.
        path: What an error calls it.
        name: Of the scenario that it must be the baseline of; None: of any.

    Raises:
        BaselineError: It is no baseline of this version, or damaged.
    """
    value = _loaded(text, path)
    version = value.get("lostack_baseline") if isinstance(value, Keys) else None
    if version is None:
        raise BaselineError(path, "this is no baseline", _FIX)
    root = Part(value)
    if type(version) is not int or version != VERSION:
        shown = Part(version).shown
        raise BaselineError(
            path,
            f"a baseline of version '{shown}'; this lostack reads '{VERSION}'",
            "use the lostack that wrote it, or make the baselines anew",
        )
    try:
        return _baseline(root, name)
    except DamagedError as error:
        line, column = position(text, error.at)
        said = f"this baseline is damaged: {error}"
        raise BaselineError(f"{path}:{line}:{column}", said, _FIX) from None


def _loaded(text: str, path: str) -> Any:
    try:
        return load(text)
    except JSONDecodeError as error:
        where = f"{path}:{error.lineno}:{error.colno}"
        raise BaselineError(where, "this is no JSON", _FIX) from None
    except RecursionError:
        raise BaselineError(path, "this is nested too deeply for a baseline", _FIX) from None


def _baseline(part: Part, name: str | None) -> Baseline:
    needed = ("lostack_baseline", "scenario", "path", "digest", "versions", "history")
    fields = part.fields(needed, ("traces", "cells"))
    scenario = fields["scenario"].text()
    if name is not None and scenario != name:
        said = f"'{fields['scenario'].shown}' is not '{name}', as the file's name says"
        raise fields["scenario"].damaged(said)
    if ("traces" in fields) == ("cells" in fields):
        raise part.damaged("there must be either 'traces' or 'cells'")
    return Baseline(
        scenario=scenario,
        path=fields["path"].text(),
        digest=fields["digest"].hexadecimal(_DIGEST_DIGITS),
        versions=dict(fields["versions"].named()),
        traces=_traces(fields["traces"]) if "traces" in fields else (),
        cells=_cells(fields["cells"]) if "cells" in fields else (),
        history=tuple(_change(each) for each in fields["history"].items()),
    )


def _change(part: Part) -> Change:
    fields = part.fields(("reason", "versions", "moved"))
    return Change(
        reason=fields["reason"].text(),
        versions=dict(fields["versions"].named()),
        moved=fields["moved"].texts(),
    )


def _some(part: Part) -> list[Part]:
    """Return the items of a list that must have one."""
    found = part.items()
    if not found:
        raise part.damaged("there is nothing in it")
    return found


def _traces(part: Part) -> tuple[TraceBaseline, ...]:
    parts = _some(part)
    traces = tuple(_trace(each) for each in parts)
    seen: dict[str, None] = {}
    for each, trace in zip(parts, traces, strict=True):
        if trace.variant in seen:
            raise each.damaged(f"a trace of variant '{trace.variant}' stands there twice")
        seen[trace.variant] = None
    return traces


def _trace(part: Part) -> TraceBaseline:
    fields = part.fields(("variant", "seed", "records", "digest", "failures", "every", "hashes"))
    records = fields["records"].whole(0, _RECORDS_MAX)
    every = fields["every"].whole(1, max(1, records))
    hashes = tuple(each for line in fields["hashes"].items() for each in _hashes(line))
    blocks = -(-records // every)
    if len(hashes) != blocks:
        raise fields["hashes"].damaged(
            f"'{len(hashes):,}' hashes, and {records:,} records in blocks of {every:,} have "
            f"{blocks:,}"
        )
    return TraceBaseline(
        variant=fields["variant"].text(),
        seed=fields["seed"].whole(0, _SEED_MAX),
        records=records,
        digest=fields["digest"].hexadecimal(_DIGEST_DIGITS),
        every=every,
        hashes=hashes,
        failures=fields["failures"].texts(),
    )


def _hashes(part: Part) -> list[str]:
    line = part.text()
    if not _HASHES.fullmatch(line):
        raise part.damaged(
            f"'{part.shown}' is no line of hashes of {HASH_DIGITS} hexadecimal digits"
        )
    return line.split()


def _cells(part: Part) -> tuple[CellBaseline, ...]:
    parts = _some(part)
    cells = tuple(_cell(each) for each in parts)
    runs, seen = cells[0].runs, dict[object, None]()
    for each, cell in zip(parts, cells, strict=True):
        if (cell.variant, cell.cell) in seen:
            raise each.damaged("a cell of this variant and these values stands there twice")
        if cell.runs != runs:
            found = Part(cell.runs, (*each.at, "runs"))
            raise found.damaged(f"'{found.shown}' is not {runs:,}, the runs of the first cell")
        seen[cell.variant, cell.cell] = None
    return cells


def _cell(part: Part) -> CellBaseline:
    fields = part.fields(("variant", "cell", "seed", "runs", "failures", "counts"))
    return CellBaseline(
        variant=fields["variant"].text(),
        cell=fields["cell"].named(),
        seed=fields["seed"].whole(0, _SEED_MAX),
        runs=fields["runs"].whole(1, RUNS_MAX),
        counts={name: _count(each, name) for name, each in fields["counts"].entries()},
        failures=fields["failures"].texts(),
    )


def _count(part: Part, measure: str) -> Count:
    """Return one count, with what a measure of its kind has: a time, an interval, or neither."""
    if measure not in BY_NAME and measure not in _BREAKS:
        raise part.damaged("there is no measure of this name")
    unit, is_quantile = unit_of(measure), measure in _QUANTILES
    has_interval = unit is not Unit.COUNT and measure != _LONGEST
    fields = part.fields(
        ("count", "of"),
        (*(("value_us",) if is_quantile else ()), *(("low", "high") if has_interval else ())),
    )
    denominator = fields["of"].whole(1, _SUM_MAX)
    is_part = unit is Unit.SHARE or is_quantile
    count = fields["count"].whole(0, denominator if is_part else _SUM_MAX)
    if is_quantile and (count > 0) != ("value_us" in fields):
        raise part.damaged("'value_us' must be there where 'count' is above 0, and only there")
    low, high = _interval(part, fields, unit, is_open=is_quantile)
    return Count(
        count=count,
        denominator=denominator,
        value_us=fields["value_us"].whole(0, _SUM_MAX) if "value_us" in fields else None,
        low=low,
        high=high,
    )


def _interval(
    part: Part, fields: dict[str, Part], unit: Unit, *, is_open: bool
) -> tuple[float | None, float | None]:
    """Return the bounds of a count; ``is_open``: it may be unbounded above."""
    if "low" not in fields and "high" not in fields:
        return None, None
    for key in ("low", "high"):
        if key not in fields:
            raise part.damaged(f"'{key}' is missing: an interval has two bounds")
    most = 1 if unit is Unit.SHARE else _SUM_MAX
    low = fields["low"].number(0, most)
    if is_open and fields["high"].value is None:
        return low, None
    return low, fields["high"].number(low, most)
