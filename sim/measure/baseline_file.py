"""Baselines as JSON files that a reviewer can read: one for each scenario.

Whatever fits on a line stands on one, so that a change shows as few lines.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sim.measure.baseline import VERSION, Baseline, CellBaseline, Change, Count, TraceBaseline

_WIDTH = 96
_HASHES_A_LINE = 10


class BaselineError(Exception):
    """A file is no baseline of this version; whoever made or edited it is at fault.

    All arguments go to ``super().__init__`` in order, so that pickle can rebuild the exception.
    """

    def __init__(self, path: str, problem: str, fix: str) -> None:
        super().__init__(path, problem, fix)
        self.path, self.problem, self.fix = path, problem, fix

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}\n  fix: {self.fix}"


def dump(baseline: Baseline) -> str:
    """Return the text of a baseline's file."""
    value: dict[str, Any] = {
        "lostack_baseline": VERSION,
        "scenario": baseline.scenario,
        "path": baseline.path,
        "digest": baseline.digest,
        "versions": dict(baseline.versions),
    }
    if baseline.traces:
        value["traces"] = [_trace(each) for each in baseline.traces]
    if baseline.cells:
        value["cells"] = [_cell(each) for each in baseline.cells]
    value["history"] = [
        {"reason": each.reason, "versions": dict(each.versions), "moved": list(each.moved)}
        for each in baseline.history
    ]
    return _text(value, "") + "\n"


def _trace(trace: TraceBaseline) -> dict[str, Any]:
    lines = [
        " ".join(trace.hashes[first : first + _HASHES_A_LINE])
        for first in range(0, len(trace.hashes), _HASHES_A_LINE)
    ]
    return {
        "variant": trace.variant,
        "seed": trace.seed,
        "records": trace.records,
        "digest": trace.digest,
        "failures": list(trace.failures),
        "every": trace.every,
        "hashes": lines,
    }


def _cell(cell: CellBaseline) -> dict[str, Any]:
    return {
        "variant": cell.variant,
        "cell": dict(cell.cell),
        "seed": cell.seed,
        "runs": cell.runs,
        "failures": list(cell.failures),
        "counts": {name: _count(count) for name, count in cell.counts.items()},
    }


def _count(count: Count) -> dict[str, Any]:
    value: dict[str, Any] = {"count": count.count, "of": count.denominator}
    if count.value_us is not None:
        value["value_us"] = count.value_us
    if count.low is not None:
        value |= {"low": count.low, "high": count.high}
    return value


def _text(value: Any, indent: str) -> str:
    short = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(short) <= _WIDTH or not value or not isinstance(value, dict | list):
        return short
    inner = f"{indent}  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_text(value[key], inner)}" for key in value]
    else:
        parts = [_text(item, inner) for item in value]
    body = ",\n".join(f"{inner}{part}" for part in parts)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{body}\n{indent}{closing}"


def parse(text: str, path: str) -> Baseline:
    """Return the baseline that a file's text holds.

    Args:
        text: The whole file.
        path: What an error calls it.

    Raises:
        BaselineError: It is no baseline of this version.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BaselineError(path, "this is no JSON", _FIX) from None
    version = value.get("lostack_baseline") if isinstance(value, dict) else None
    if version is None:
        raise BaselineError(path, "this is no baseline", _FIX)
    if version != VERSION:
        raise BaselineError(
            path,
            f"a baseline of version '{str(version)[:20]}'; this lostack reads '{VERSION}'",
            "use the lostack that wrote it, or make the baselines anew",
        )
    try:
        return _baseline(value)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        said = f"'{error.args[0]}'" if isinstance(error, KeyError) else str(error)
        raise BaselineError(path, f"this baseline is damaged: {said[:80]}", _FIX) from None


_FIX = "restore the file, or delete it and run 'lostack baseline update'"


def _baseline(value: Mapping[str, Any]) -> Baseline:
    return Baseline(
        scenario=str(value["scenario"]),
        path=str(value["path"]),
        digest=str(value["digest"]),
        versions=dict(value["versions"]),
        traces=tuple(_read_trace(each) for each in value.get("traces", ())),
        cells=tuple(_read_cell(each) for each in value.get("cells", ())),
        history=tuple(
            Change(
                reason=str(each["reason"]),
                versions=dict(each["versions"]),
                moved=_texts(each["moved"]),
            )
            for each in value["history"]
        ),
    )


def _read_trace(value: Mapping[str, Any]) -> TraceBaseline:
    return TraceBaseline(
        variant=str(value["variant"]),
        seed=int(value["seed"]),
        records=int(value["records"]),
        digest=str(value["digest"]),
        every=max(1, int(value["every"])),
        hashes=tuple(each for line in value["hashes"] for each in line.split()),
        failures=_texts(value["failures"]),
    )


def _read_cell(value: Mapping[str, Any]) -> CellBaseline:
    return CellBaseline(
        variant=str(value["variant"]),
        cell=tuple((str(path), str(at)) for path, at in value["cell"].items()),
        seed=int(value["seed"]),
        runs=int(value["runs"]),
        counts={str(name): _read_count(each) for name, each in value["counts"].items()},
        failures=_texts(value["failures"]),
    )


def _read_count(value: Mapping[str, Any]) -> Count:
    low, high, value_us = value.get("low"), value.get("high"), value.get("value_us")
    return Count(
        count=int(value["count"]),
        denominator=int(value["of"]),
        value_us=None if value_us is None else int(value_us),
        low=None if low is None else float(low),
        high=None if high is None else float(high),
    )


def _texts(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple(str(each) for each in values)
