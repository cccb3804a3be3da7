"""A trace as a Mermaid sequence diagram.

A message is drawn where it arrives; a lost one where it is lost, with a cross. A late one has an
open arrow on a coloured ground and says how late it is; a corrupted one says so. Phases, what the
server holds and what breaks are notes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sim.contract.messages import attempt_label
from sim.trace.records import Rec, Record, surrogate
from sim.trace.words import body, duration

_ANSWERS: Final = ("ack", "status_answer", "read_answer")
_SERVER: Final = "server"
_LATE: Final = "rect rgba(255, 170, 0, 0.2)"


class Mark(NamedTuple):
    """A note across the lanes of a client and the server, behind one record."""

    seq: int
    client: str
    """Empty: the server alone."""
    text: str


def mermaid(
    records: Sequence[Record], late_us: Mapping[int, int] | None = None, marks: Iterable[Mark] = ()
) -> str:
    """Return the diagram's text, ending in a line feed.

    Args:
        records: The trace.
        late_us: The number of an arrival's record -> how late it is; none of them are 0.
        marks: What else is to be seen.
    """
    lanes = _lanes(records)
    lines = ["sequenceDiagram", "    autonumber"]
    lines += [f"    participant {lane} as {_safe(name)}" for name, lane in lanes.items()]
    lines.append(f"    participant {_SERVER}")
    lines += [f"    {line}" for line in _Drawing(records, lanes, late_us or {}, marks).lines()]
    return "\n".join(lines) + "\n"


def _lanes(records: Sequence[Record]) -> dict[str, str]:
    """Return each client's lane, in the order in which the trace first names them."""
    names = dict.fromkeys(record.client for record in records if record.client)
    return {name: f"c{number}" for number, name in enumerate(names, start=1)}


class _Drawing:
    """Knows what was sent, what is late, and what each screen showed last."""

    def __init__(
        self,
        records: Sequence[Record],
        lanes: dict[str, str],
        late_us: Mapping[int, int],
        marks: Iterable[Mark],
    ) -> None:
        self._records = records
        self._lanes = lanes
        self._late_us = late_us
        self._marks: dict[int, list[Mark]] = {}
        for mark in marks:
            self._marks.setdefault(mark.seq, []).append(mark)
        self._shown: dict[tuple[str, str], object] = {}
        self._bodies: dict[tuple[str, int, int], str] = {}
        self._messages = {
            _int(record, "msg"): str(record.data.get("message"))
            for record in records
            if record.kind is Rec.SENT
        }

    def _message(self, record: Record) -> str:
        if record.data.get("why") == "gateway gave up":
            return "ack"  # The trace names the request whose answer nobody relays.
        return self._messages.get(_int(record, "msg"), "request")

    def lines(self) -> Iterator[str]:
        for record in self._records:
            yield from self._lines(record)
            yield from (self._mark(mark) for mark in self._marks.get(record.seq, ()))

    def _mark(self, mark: Mark) -> str:
        lane = self._lanes.get(mark.client)
        return _note("over", f"{lane},{_SERVER}" if lane else _SERVER, mark.text)

    def _lines(self, record: Record) -> Iterator[str]:
        match record.kind:
            case Rec.LAUNCH | Rec.RAW:
                key = (record.client, record.op, record.attempt)
                self._bodies[key] = body(record.data.get("body"), 40)
            case Rec.ARRIVED | Rec.ANSWER:
                yield from self._arrived(record)
            case Rec.LOST:
                yield self._lost(record)
            case Rec.SHOW:
                yield from self._show(record)
            case Rec.COMMIT:
                held = f"{record.resource} v{_int(record, 'version')}"
                yield _note("right of", _SERVER, f"{held} {body(record.data.get('body'), 40)}")
            case Rec.CRASH:
                yield _note("right of", _SERVER, "the server crashes")
            case Rec.RESTART:
                yield _note("right of", _SERVER, "the server is back")
            case _:
                return

    def _arrived(self, record: Record) -> Iterator[str]:
        said = f"{self._label(record)} at {duration(record.at_us)}"
        late_us = self._late_us.get(record.seq, 0)
        if not late_us:
            yield f"{self._arrow(record, '->>')}: {_safe(said)}"
            return
        yield _LATE
        late = f"{said}, {duration(late_us)} late"
        yield f"    {self._arrow(record, '-)')}: {_safe(late)}"
        yield "end"

    def _lost(self, record: Record) -> str:
        why = record.data.get("why")
        said = f"{self._label(record)} lost at {duration(record.at_us)}"
        said += f" ({why})" if why else ""
        return f"{self._arrow(record, '-x')}: {_safe(said)}"

    def _arrow(self, record: Record, head: str) -> str:
        client = self._lanes.get(record.client, "c1")
        if self._message(record) in _ANSWERS:
            return f"{_SERVER}-{head}{client}"
        return f"{client}{head}{_SERVER}"

    def _label(self, record: Record) -> str:
        message = self._message(record)
        copy = _int(record, "copy")
        again = f" copy {copy}" if copy > 1 else ""
        which = f" {surrogate(record.op)}" if record.op else ""
        if message in ("request", "ack"):
            which += f" {attempt_label(record.attempt)}"
        sent = self._bodies.get((record.client, record.op, record.attempt), "")
        said = _judged(record)
        tail = f" {sent}" if message == "request" and sent else f" {said}" if said else ""
        return f"{message.replace('_', ' ')}{which}{again}{tail}"

    def _show(self, record: Record) -> Iterator[str]:
        form = (record.client, record.resource)
        now = (record.data.get("phase"), record.data.get("says"))
        if self._shown.get(form, ("idle", "Ready.")) == now:
            return
        self._shown[form] = now
        phase, says = now
        quoted = f" “{says}”" if says else ""
        yield _note("left of", self._lanes.get(record.client, "c1"), f"{phase}{quoted}")


def _note(where: str, lane: str, said: str) -> str:
    return f"Note {where} {lane}: {_safe(said)}"


def _int(record: Record, key: str) -> int:
    value = record.data.get(key)
    return value if isinstance(value, int) else 0


def _judged(record: Record) -> str:
    """Return what the client made of an answer; a refusal and an error by their own names."""
    verdict = str(record.data.get("verdict", ""))
    named = verdict in ("refusal", "error", "status")
    said = str(record.data.get("answer", verdict)) if named else verdict
    return f"{said} (corrupted)" if record.data.get("corrupted") else said


_WORD_END: Final = re.compile(r"\bend\b", re.IGNORECASE)


def _safe(text: str) -> str:
    """Return text that Mermaid shows as it is: ``#``, ``;`` and the word *end* mean something."""
    shown = " ".join(text.split()).replace("#", "\0").replace(";", "#59;").replace("\0", "#35;")
    shown = shown.replace("<", "#lt;").replace(">", "#gt;").replace("%", "#37;")
    return _WORD_END.sub(lambda found: f"#{ord(found[0][0])};{found[0][1:]}", shown)
