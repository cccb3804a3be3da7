"""Baselines as JSON files that a reviewer can read: one for each scenario.

Whatever fits on a line stands on one, so that a change shows as few lines.
"""

import json
from typing import Any

from sim.measure.baseline import VERSION, Baseline, CellBaseline, Count, TraceBaseline

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
