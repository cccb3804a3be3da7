"""The journal: every finished chunk as one line, so that a killed measurement can go on.

A line is written and synced when its chunk is finished. A process that is killed leaves at most
one torn line, the last, which is cut off. The first line says which plan the journal belongs to,
which versions made it, and whether it may write over what else lies there; each other line begins
with a checksum. Before the results are written, a line notes their digests, so that they are known
for this measurement's even where it is killed between two files. Whoever writes a journal holds a
lock on it.
"""

import fcntl
import hashlib
import json
import os
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

from sim.measure.histogram import Histogram
from sim.measure.intervals import Sums
from sim.measure.measuring import Finished
from sim.measure.plan import Chunk, Plan
from sim.measure.tally import NAMES, CellTally
from sim.measure.together import Together
from sim.measure.versions import versions

NAME = "journal.jsonl"
VERSION = 2
_CHECKED = 8
"""Digits of a line's checksum."""
_WRITES = b'{"writes":'
_BEGINNING = b'{"lostack_journal":'
_ANEW = "measure anew over it (--replace)"
_FIX_OTHER = f"name another folder, or {_ANEW}"


class JournalError(Exception):
    """A journal cannot be used: it belongs to another measurement, or is no journal."""

    def __init__(self, path: str, problem: str, fix: str) -> None:
        super().__init__(path, problem, fix)
        self.path, self.problem, self.fix = path, problem, fix

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}\n  fix: {self.fix}"


class Journal:
    """Appends finished chunks to a file.

    Args:
        path: The file; made if there is none.
        plan: What is measured.
        resume: Whether to go on from what the file holds.
        replace: Whether to throw away what it holds. Without either, there must be nothing in it.

    Raises:
        JournalError: The file belongs to another measurement or is no journal, another process
            writes it, or it holds finished work that was not asked for.
        OSError: It cannot be read or written.
    """

    def __init__(
        self, path: Path, plan: Plan, *, resume: bool = False, replace: bool = False
    ) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            self._lock()
            self._plan = plan
            self._end = self._held = 0 if replace else self._whole_lines(resume=resume)
            os.ftruncate(self._file, self._end)
            if not self._end:
                self._append(_line(_header(plan, may_replace=replace)))
        except BaseException:
            os.close(self._file)
            raise

    @property
    def finished(self) -> Iterator[Finished]:
        """What the file held when it was opened, one after another: all of it may be a lot."""
        with self._path.open("rb") as file:
            yield from _chunks(_lines(file, self._held), self._plan)

    def add(self, finished: Finished) -> None:
        """Write one finished chunk; when this returns, it survives a kill.

        Raises:
            OSError: It cannot be written; what was written before is whole.
        """
        self._append(_checked(_as_json(finished)))

    def note(self, digests: Mapping[str, str]) -> None:
        """Note the files that are about to be written: name -> SHA-256.

        Raises:
            OSError: It cannot be written; what was written before is whole.
        """
        self._append(_checked({"writes": dict(digests)}))

    def remove(self) -> None:
        """Delete the file: everything that it holds is written elsewhere."""
        self._path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file, and let others have it."""
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(
                str(self._path),
                "another measurement is writing here",
                "wait for it, or name another folder",
            ) from None

    def _append(self, line: bytes) -> None:
        try:
            _write_all(self._file, line, self._end)
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, self._end)
            raise
        self._end += len(line)

    def _whole_lines(self, *, resume: bool) -> int:
        """Return where the last whole line ends; 0 where no chunk is finished."""
        with self._path.open("rb") as file:
            head, end, lines = b"", 0, 0
            for line in file:
                head = head or line
                if not line.endswith(b"\n"):
                    break
                end, lines = end + len(line), lines + 1
        if lines < 2:
            self._check_ours(head)
            return 0
        if not resume:
            raise JournalError(
                str(self._path),
                "an unfinished measurement lies here",
                f"go on with it (--resume), or {_ANEW}",
            )
        self._check_header(_parsed(head), self._plan)
        return end

    def _check_ours(self, head: bytes) -> None:
        """Refuse to write over a file that does not begin as a journal, torn lines included."""
        if not (head.startswith(_BEGINNING) or _BEGINNING.startswith(head)):
            raise JournalError(str(self._path), "this is no journal of a measurement", _FIX_OTHER)

    def _check_header(self, found: dict[str, Any] | None, plan: Plan) -> None:
        if found is None or found.get("lostack_journal") != VERSION:
            raise JournalError(str(self._path), "this is no journal of a measurement", _FIX_OTHER)
        if found.get("plan") != plan.digest:
            problem = "the journal belongs to another measurement: other scenarios, runs or seed"
            fix = f"give the same paths and options as before, or {_FIX_OTHER}"
            raise JournalError(str(self._path), problem, fix)
        here, there = versions(), found.get("versions")
        if there != here:
            raise JournalError(
                str(self._path),
                f"the journal was made by other versions: {_listed(there)}; here are "
                f"{_listed(here)}",
                f"go on with those, or {_ANEW}",
            )


@dataclass(frozen=True, slots=True)
class Begun:
    """What a journal says of its folder.

    ``may_replace`` tells whether whatever lies there may be written over; ``writes`` names the
    files that were about to be written, with their digests.
    """

    may_replace: bool
    writes: tuple[tuple[str, str], ...]


def begun(path: Path, plan: Plan) -> Begun | None:
    """Return what the journal of this plan says; None if there is none, or nothing is finished."""
    try:
        with path.open("rb") as file:
            head = _parsed(file.readline())
            lines, noted = 0, []
            for line in file:
                lines += line.endswith(b"\n")
                # Chunks may be many and long: they are not read here.
                value = _unchecked(line) if _WRITES in line[: 2 * len(_WRITES)] else None
                noted += [value["writes"]] if value is not None else []
    except FileNotFoundError:
        return None
    if not lines or head is None or head.get("plan") != plan.digest:
        return None
    writes = tuple((name, digest) for files in noted for name, digest in files.items())
    return Begun(head.get("may_replace") is True, writes)


def _listed(found: object) -> str:
    if not isinstance(found, dict):
        return "unknown ones"
    return ", ".join(f"{name} {version}" for name, version in found.items())


def _write_all(file: int, data: bytes, at: int) -> None:
    while data:
        written = os.pwrite(file, data, at)
        data, at = data[written:], at + written


def _header(plan: Plan, *, may_replace: bool) -> dict[str, Any]:
    return {
        "lostack_journal": VERSION,
        "plan": plan.digest,
        "versions": versions(),
        "may_replace": may_replace,
    }


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _checked(value: dict[str, Any]) -> bytes:
    line = _line(value)
    return _checksum(line) + b" " + line


def _checksum(line: bytes) -> bytes:
    return hashlib.sha256(line).hexdigest()[:_CHECKED].encode()


def _unchecked(line: bytes) -> dict[str, Any] | None:
    """Return what a line holds; None where its checksum is not its."""
    checksum, rest = line[:_CHECKED], line[_CHECKED + 1 :]
    return _parsed(rest) if checksum == _checksum(rest) else None


def _lines(file: BinaryIO, end: int) -> Iterator[bytes]:
    """Yield the lines up to a place in the file, without the first."""
    at = len(file.readline())
    while at < end:
        line = file.readline()
        at += len(line)
        yield line


def _chunks(lines: Iterable[bytes], plan: Plan) -> Iterator[Finished]:
    """Yield the finished chunks; a line that is none is passed over, its runs are made again."""
    taken: dict[int, list[tuple[int, int]]] = {}
    for line in lines:
        value = _unchecked(line)
        finished = None if value is None else _from_json(value, plan)
        if finished is None:
            continue
        chunk = finished.chunk
        others = taken.setdefault(chunk.cell, [])
        place = bisect(others, (chunk.first, chunk.stop))
        is_after = not place or others[place - 1][1] <= chunk.first
        if is_after and (place == len(others) or chunk.stop <= others[place][0]):
            others.insert(place, (chunk.first, chunk.stop))
            yield finished


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _as_json(finished: Finished) -> dict[str, Any]:
    chunk, tally = finished.chunk, finished.tally
    return {
        "chunk": [chunk.cell, chunk.first, chunk.stop],
        "runs": tally.runs,
        "operations": tally.operations,
        "operations_in_a_run_max": tally.operations_in_a_run_max,
        "sums": [tally.sums[name].as_list() for name in NAMES],
        "certainty": tally.certainty.as_pairs(),
        "certainty_max_us": tally.certainty.maximum_us,
        "together": tally.together.as_lists(),
        "beliefs": [[belief, effects, n] for (belief, effects), n in tally.beliefs.items()],
        "attempts_max": tally.attempts_max,
        "deliveries_max": tally.deliveries_max,
        "arrivals": [[second, n] for second, n in tally.arrivals.items()],
        "violations": tally.violations,
        "broken_run": tally.broken_run,
        "matched": [[place, n] for place, n in tally.matched.items()],
        "cut_short": tally.cut_short,
    }


def _from_json(value: dict[str, Any], plan: Plan) -> Finished | None:
    """Return what a line holds; None if it holds no chunk of the plan."""
    try:
        chunk = Chunk(*value["chunk"])
        tally = _tally(value)
    except (KeyError, TypeError, ValueError):
        return None
    in_plan = 0 <= chunk.cell < len(plan.cells)
    if not in_plan or not 0 <= chunk.first < chunk.stop <= plan.cells[chunk.cell].runs:
        return None
    return Finished(chunk, tally) if tally.runs == chunk.stop - chunk.first else None


def _tally(value: dict[str, Any]) -> CellTally:
    return CellTally(
        runs=value["runs"],
        operations=value["operations"],
        operations_in_a_run_max=value["operations_in_a_run_max"],
        sums={name: Sums(*sums) for name, sums in zip(NAMES, value["sums"], strict=True)},
        certainty=Histogram.from_pairs(value["certainty"], value["certainty_max_us"]),
        together=Together.from_lists(*value["together"]),
        beliefs={(belief, effects): n for belief, effects, n in value["beliefs"]},
        attempts_max=value["attempts_max"],
        deliveries_max=value["deliveries_max"],
        arrivals=dict(value["arrivals"]),
        violations=value["violations"],
        broken_run=value["broken_run"],
        matched=dict(value["matched"]),
        cut_short=value["cut_short"],
    )
