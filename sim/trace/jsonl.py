"""Traces as canonical JSON Lines, and their digest.

A trace is a header line and then one line for each record. A file holds one trace after another::

    {"lostack_trace":1,"run":0,"scenario":"lost-ack","scenario_digest":"…","seed":1,"variant":""}
    {"at_us":0,"client":"alice","data":{"draft_version":2},"kind":"edit","resource":"note","seq":2}

*Canonical* means that equal traces are equal bytes: keys are sorted, nothing is spaced, empty
fields are left out, text is UTF-8, every line ends in one line feed. Operations and attempts are
written as people read them (``op-1``, ``attempt-02``).
"""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from sim.contract.messages import attempt_label
from sim.trace.records import VERSION, Rec, Record, surrogate


class Header(NamedTuple):
    """What the trace is of. ``run`` is a measured run's number (0: the scripted run)."""

    scenario: str
    variant: str = ""
    seed: int = 1
    run: int = 0
    scenario_digest: str = ""


class Trace(NamedTuple):
    """One run's trace."""

    header: Header
    records: tuple[Record, ...]


class TraceError(Exception):
    """A trace file cannot be read; whoever made or edited the file is at fault.

    All arguments go to ``super().__init__`` in order, so that pickle can rebuild the exception.
    """

    def __init__(self, source: str, line: int, problem: str, fix: str) -> None:
        super().__init__(source, line, problem, fix)
        self.source, self.line, self.problem, self.fix = source, line, problem, fix

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:1: {self.problem}\n  fix: {self.fix}"


def _dump(value: object) -> bytes:
    """Return one canonical line.

    A lone surrogate has no UTF-8; ``backslashreplace`` writes it as the very escape that JSON has.
    """
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode("utf-8", "backslashreplace") + b"\n"


def record_line(record: Record) -> bytes:
    """Return the line of one record, its line feed included."""
    line: dict[str, object] = {"seq": record.seq, "at_us": record.at_us, "kind": record.kind}
    if record.client:
        line["client"] = record.client
    if record.resource:
        line["resource"] = record.resource
    if record.op:
        line["op"] = surrogate(record.op)
    if record.attempt:
        line["attempt"] = attempt_label(record.attempt)
    if record.rule:
        line["rule"] = record.rule
    if record.data:
        line["data"] = record.data
    return _dump(line)


def header_line(header: Header) -> bytes:
    """Return the first line of a trace, its line feed included."""
    return _dump({"lostack_trace": VERSION, **header._asdict()})


def digest(records: Iterable[Record]) -> str:
    """Return the SHA-256, in hexadecimal, of the record lines; the header is not part of it."""
    whole = sha256()
    for record in records:
        whole.update(record_line(record))
    return whole.hexdigest()


def lines(traces: Iterable[Trace]) -> Iterator[bytes]:
    """Yield every line of a file that holds ``traces``."""
    for trace in traces:
        yield header_line(trace.header)
        yield from map(record_line, trace.records)


def write(path: Path, traces: Sequence[Trace]) -> None:
    """Write a trace file: whole, or not at all.

    Something that is no ordinary file (a pipe, ``/dev/stdout``) cannot be replaced in one step
    and is written to directly.

    Raises:
        OSError: The file cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as out:
            out.writelines(lines(traces))
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.writelines(lines(traces))
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def read(path: Path) -> tuple[Trace, ...]:
    """Return the traces of a file.

    Raises:
        OSError: The file cannot be read.
        TraceError: The file is not a trace file of this version.
    """
    with path.open("rb") as file:
        return parse(file, source=str(path))


_RERUN: Final = "write the trace anew with 'lostack run --trace'"


def parse(raw_lines: Iterable[bytes], source: str = "trace") -> tuple[Trace, ...]:
    """Return the traces that the lines hold.

    Args:
        raw_lines: The lines of a trace file.
        source: What an error calls the file.

    Raises:
        TraceError: A line is not what a trace of this version holds.
    """
    traces: list[tuple[Header, list[Record]]] = []
    number = 0
    for number, raw in enumerate(raw_lines, start=1):
        try:
            value = _map(raw)
            if "lostack_trace" in value:
                traces.append((_header(value), []))
            else:
                _current(traces).append(_record(value))
        except _BadLineError as error:
            raise TraceError(source, number, error.problem, error.fix) from None
    if not traces:
        raise TraceError(source, max(number, 1), "no trace in this file", _RERUN)
    return tuple(Trace(header, tuple(records)) for header, records in traces)


class _BadLineError(Exception):
    def __init__(self, problem: str, fix: str = _RERUN) -> None:
        super().__init__(problem, fix)
        self.problem, self.fix = problem, fix


def _map(raw: bytes) -> Mapping[str, object]:
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise _BadLineError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _BadLineError(f"not a map: {_shown(value)}")
    return value


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _current(traces: Sequence[tuple[Header, list[Record]]]) -> list[Record]:
    if not traces:
        raise _BadLineError("the first line is no trace header")
    return traces[-1][1]


def _shown(value: object) -> str:
    text = json.dumps(value)
    return f"'{text if len(text) <= 40 else text[:39] + '…'}'"


def _header(value: Mapping[str, object]) -> Header:
    version = value["lostack_trace"]
    if version != VERSION or isinstance(version, bool):
        raise _BadLineError(
            f"trace version {_shown(version)}; this lostack reads version '{VERSION}'",
            "read it with the lostack that wrote it, or write it anew with 'lostack run --trace'",
        )
    _only(value, ("lostack_trace", *Header._fields))
    return Header(
        scenario=_text(value, "scenario", required=True),
        variant=_text(value, "variant"),
        seed=_whole(value, "seed"),
        run=_whole(value, "run"),
        scenario_digest=_text(value, "scenario_digest"),
    )


def _record(value: Mapping[str, object]) -> Record:
    _only(value, Record._fields)
    kind = _text(value, "kind", required=True)
    if kind not in _KINDS:
        raise _BadLineError(f"unknown kind of record '{kind}'")
    data = value.get("data", {})
    if not isinstance(data, dict):
        raise _BadLineError(f"'data' is not a map: {_shown(data)}")
    return Record(
        seq=_whole(value, "seq", required=True),
        at_us=_whole(value, "at_us", required=True),
        kind=_KINDS[kind],
        client=_text(value, "client"),
        resource=_text(value, "resource"),
        op=_numbered(value, "op", "op-"),
        attempt=_numbered(value, "attempt", "attempt-"),
        rule=_text(value, "rule"),
        data=data,
    )


_KINDS: Final = {str(kind): kind for kind in Rec}


def _only(value: Mapping[str, object], known: Iterable[str]) -> None:
    names = tuple(known)
    for key in value:
        if key not in names:
            raise _BadLineError(f"unknown key '{key}' (known: {', '.join(names)})")


def _text(value: Mapping[str, object], key: str, *, required: bool = False) -> str:
    if required and key not in value:
        raise _BadLineError(f"'{key}' is missing")
    found = value.get(key, "")
    if not isinstance(found, str):
        raise _BadLineError(f"'{key}' is not text: {_shown(found)}")
    return found


def _whole(value: Mapping[str, object], key: str, *, required: bool = False) -> int:
    if required and key not in value:
        raise _BadLineError(f"'{key}' is missing")
    found = value.get(key, 0)
    if not isinstance(found, int) or isinstance(found, bool):
        raise _BadLineError(f"'{key}' is not a whole number: {_shown(found)}")
    return found


def _numbered(value: Mapping[str, object], key: str, prefix: str) -> int:
    if key not in value:
        return 0
    label = _text(value, key)
    digits = label.removeprefix(prefix)
    if digits == label or not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise _BadLineError(f"'{key}' is not '{prefix}' and a number: '{label}'")
    return int(digits)
