"""A trace as a Mermaid sequence diagram.

A message is drawn where it arrives, with the time that it took; a lost one where it is lost, with
a cross. Phases and what the server holds are notes. Late messages have an open arrow and say so.
"""

import re
from collections.abc import Iterator, Sequence

from sim.contract.messages import attempt_label
from sim.trace.records import Rec, Record, surrogate
from sim.trace.words import body, duration

_ANSWERS = ("ack", "status_answer", "read_answer")
_SERVER = "server"


def mermaid(records: Sequence[Record]) -> str:
    """Return the diagram's text, ending in a line feed; it needs no more than the trace."""
    lanes = _lanes(records)
    lines = ["sequenceDiagram", "    autonumber"]
    lines += [f"    participant {lane} as {_safe(name)}" for name, lane in lanes.items()]
    lines.append(f"    participant {_SERVER}")
    lines += [f"    {line}" for line in _Drawing(records, lanes).lines()]
    return "\n".join(lines) + "\n"


def _lanes(records: Sequence[Record]) -> dict[str, str]:
    """Return each client's lane, in the order in which the trace first names them."""
    names = dict.fromkeys(record.client for record in records if record.client)
    return {name: f"c{number}" for number, name in enumerate(names, start=1)}


class _Drawing:
    """Knows how long messages usually take and what each screen showed last."""

    def __init__(self, records: Sequence[Record], lanes: dict[str, str]) -> None:
        self._records = records
        self._lanes = lanes
        self._shown: dict[tuple[str, str], object] = {}
        self._bodies: dict[tuple[str, int, int], str] = {}
        self._messages: dict[int, str] = {}
        self._usual_us: dict[str, int] = {}
        self._look_ahead()

    def _look_ahead(self) -> None:
        took: dict[str, list[int]] = {}
        for record in self._records:
            if record.kind is Rec.SENT:
                self._messages[_int(record, "msg")] = str(record.data.get("message"))
            elif record.kind in (Rec.ARRIVED, Rec.ANSWER):
                took.setdefault(self._message(record), []).append(_took_us(record))
        self._usual_us = {key: sorted(times)[(len(times) - 1) // 2] for key, times in took.items()}

    def _message(self, record: Record) -> str:
        if record.data.get("why") == "gateway gave up":
            return "ack"  # The trace names the request whose answer nobody relays.
        return self._messages.get(_int(record, "msg"), "request")

    def lines(self) -> Iterator[str]:
        for record in self._records:
            yield from self._lines(record)

    def _lines(self, record: Record) -> Iterator[str]:
        match record.kind:
            case Rec.LAUNCH | Rec.RAW:
                key = (record.client, record.op, record.attempt)
                self._bodies[key] = body(record.data.get("body"), 40)
            case Rec.ARRIVED | Rec.ANSWER:
                yield self._arrived(record)
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

    def _arrived(self, record: Record) -> str:
        took_us = _took_us(record)
        late_us = took_us - self._usual_us.get(self._message(record), took_us)
        is_late = late_us > 0 and took_us > 2 * (took_us - late_us)
        said = self._label(record)
        said += f" at {duration(record.at_us)}"
        said += f", {duration(late_us)} late" if is_late else ""
        return f"{self._arrow(record, '-)' if is_late else '->>')}: {_safe(said)}"

    def _lost(self, record: Record) -> str:
        why = record.data.get("why")
        said = f"{self._label(record)} lost" + (f" ({why})" if why else "")
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
        said = record.data.get("verdict", "")
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


def _took_us(record: Record) -> int:
    return record.at_us - _int(record, "sent_us") if "sent_us" in record.data else 0


_WORD_END = re.compile(r"\bend\b", re.IGNORECASE)


def _safe(text: str) -> str:
    """Return text that Mermaid shows as it is: ``#``, ``;`` and the word *end* mean something."""
    shown = " ".join(text.split()).replace("#", "\0").replace(";", "#59;").replace("\0", "#35;")
    shown = shown.replace("<", "#lt;").replace(">", "#gt;").replace("%", "#37;")
    return _WORD_END.sub(lambda found: f"#{ord(found[0][0])};{found[0][1:]}", shown)
