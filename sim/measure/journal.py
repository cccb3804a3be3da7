"""The journal: every finished chunk as one line, so that a killed measurement can go on.

A line is written, flushed and synced when its chunk is finished. A process that is killed leaves
at most one torn line, the last, which is passed over. The first line says which plan it belongs to.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TextIO

from sim.measure.histogram import Histogram
from sim.measure.intervals import Sums
from sim.measure.plan import Chunk, Plan
from sim.measure.tally import RATIOS, CellTally

VERSION = 1


class JournalError(Exception):
    """A journal cannot be used: it belongs to another plan, or is no journal."""

    def __init__(self, path: str, problem: str, fix: str) -> None:
        super().__init__(path, problem, fix)
        self.path, self.problem, self.fix = path, problem, fix

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}\n  fix: {self.fix}"


@dataclass(frozen=True, slots=True)
class Finished:
    """A chunk and what was counted in it."""

    chunk: Chunk
    tally: CellTally


class Journal:
    """Appends finished chunks to a file.

    Args:
        path: The file; made anew unless ``resume``.
        plan: What is measured.
        resume: Whether to go on from what the file holds.

    Raises:
        JournalError: The file belongs to another plan, or is no journal.
        OSError: It cannot be read or written.
    """

    def __init__(self, path: Path, plan: Plan, *, resume: bool) -> None:
        self.finished: list[Finished] = []
        if resume and path.exists():
            self.finished = list(_read(path, plan))
        self._file: TextIO = path.open("w", encoding="utf-8")
        self._line({"lostack_journal": VERSION, "plan": plan.digest})
        for each in self.finished:
            self._line(_as_json(each))
        self._sync()

    def add(self, finished: Finished) -> None:
        """Write one finished chunk; when this returns, it survives a kill."""
        self._line(_as_json(finished))
        self._sync()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _line(self, value: dict[str, Any]) -> None:
        self._file.write(json.dumps(value, separators=(",", ":")) + "\n")

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())


def _read(path: Path, plan: Plan) -> Iterator[Finished]:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    header = _parsed(lines[0]) if lines else None
    if header is None or header.get("lostack_journal") != VERSION:
        raise JournalError(str(path), "this is no journal of a measurement", "measure anew")
    if header.get("plan") != plan.digest:
        raise JournalError(
            str(path),
            "the journal belongs to another measurement: other scenarios, runs or seed",
            "give the same paths and options as before, or leave out --resume",
        )
    taken: dict[tuple[int, int, int], bool] = {}
    for line in lines[1:]:
        value = _parsed(line)
        if value is None:
            continue  # The line that a kill tore.
        finished = _from_json(value)
        chunk = finished.chunk
        key = (chunk.cell, chunk.first, chunk.stop)
        if key not in taken:
            taken[key] = True
            yield finished


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _as_json(finished: Finished) -> dict[str, Any]:
    chunk, tally = finished.chunk, finished.tally
    return {
        "chunk": [chunk.cell, chunk.first, chunk.stop],
        "runs": tally.runs,
        "operations": tally.operations,
        "operations_in_a_run_max": tally.operations_in_a_run_max,
        "sums": [tally.sums[name].as_list() for name in RATIOS],
        "certainty": tally.certainty.as_pairs(),
        "certainty_max_us": tally.certainty.maximum_us,
        "beliefs": [[belief, effects, n] for (belief, effects), n in tally.beliefs.items()],
        "attempts_max": tally.attempts_max,
        "deliveries_max": tally.deliveries_max,
        "arrivals": [[second, n] for second, n in tally.arrivals.items()],
        "violations": tally.violations,
        "broken_run": tally.broken_run,
        "matched": [[place, n] for place, n in tally.matched.items()],
        "cut_short": tally.cut_short,
    }


def _from_json(value: dict[str, Any]) -> Finished:
    tally = CellTally(
        runs=value["runs"],
        operations=value["operations"],
        operations_in_a_run_max=value["operations_in_a_run_max"],
        sums={name: Sums(*sums) for name, sums in zip(RATIOS, value["sums"], strict=True)},
        certainty=Histogram.from_pairs(value["certainty"], value["certainty_max_us"]),
        beliefs={(belief, effects): n for belief, effects, n in value["beliefs"]},
        attempts_max=value["attempts_max"],
        deliveries_max=value["deliveries_max"],
        arrivals=dict(value["arrivals"]),
        violations=value["violations"],
        broken_run=value["broken_run"],
        matched=dict(value["matched"]),
        cut_short=value["cut_short"],
    )
    return Finished(Chunk(*value["chunk"]), tally)
