"""From records to the rows of a story: who says what beside which arrow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sim.network.faults import MessageKind
from sim.report import phrases
from sim.report.lateness import Lateness
from sim.report.phrases import number, text
from sim.report.story import Arrow, Row, Span, Stage, Tone, spans
from sim.scenario.model import World
from sim.trace.records import Rec, Record
from sim.trace.words import duration, plain

_LABELS = {
    MessageKind.REQUEST: "request",
    MessageKind.ACK: "answer",
    MessageKind.STATUS: "status?",
    MessageKind.STATUS_ANSWER: "status",
    MessageKind.READ: "read?",
    MessageKind.READ_ANSWER: "read",
}

_SERVER = frozenset({Rec.CRASH, Rec.RESTART, Rec.EXPIRE, Rec.RECORDED})


def rows(world: World, records: Sequence[Record]) -> tuple[Row, ...]:
    """Return the story of a run, in the order in which it happened."""
    return tuple(_Teller(world, records).tell())


class _Teller:
    """Holds what one record needs to know about others; each record is told exactly once."""

    def __init__(self, world: World, records: Sequence[Record]) -> None:
        self._world = world
        self._records = records
        self._lateness = Lateness(world, records)
        self._at: dict[tuple[Rec, int, int], Record] = {}
        self._faults: dict[int, str] = {}
        self._told: set[int] = set()
        self._shown: dict[tuple[str, str], tuple[str, str]] = {}
        for record in records:
            msg = number(record.data.get("msg"))
            if record.kind is Rec.FAULT and msg:
                self._faults[msg] = self._fault(record)
            elif msg:
                self._at.setdefault((record.kind, msg, record.at_us), record)

    def tell(self) -> Iterator[Row]:
        for position, record in enumerate(self._records):
            if record.seq in self._told:
                continue
            row = self._row(position, record)
            if row is not None:
                yield row

    def _row(self, position: int, record: Record) -> Row | None:
        match record.kind:
            case Rec.LAUNCH | Rec.ASK:
                return self._launched(position, record)
            case Rec.SENT:
                return self._sent(record, ())
            case Rec.ARRIVED:
                return self._arrived(record)
            case Rec.LOST:
                return self._lost(record)
            case Rec.SHOW:
                return self._show(record)
            case Rec.COMMIT:
                return _at(record, right=phrases.commit(record))
            case Rec.DECIDED:
                return _at(record, right=phrases.decision(record))
            case Rec.ANSWER:
                return _at(record, left=phrases.answer(record))
            case _ if record.kind in _SERVER:
                return _at(record, right=phrases.server_event(record))
            case _:
                return _at(record, left=phrases.event(record))

    def _launched(self, position: int, record: Record) -> Row | None:
        """Return one row for an attempt and for its message leaving."""
        words = phrases.launch(record) if record.kind is Rec.LAUNCH else phrases.ask(record)
        for sent in self._records[position + 1 : position + 12]:
            if sent.at_us != record.at_us:
                break
            if sent.kind is Rec.SENT and (sent.client, sent.op) == (record.client, record.op):
                self._told.add(sent.seq)
                return self._sent(sent, words)
        return _at(record, left=words)

    def _sent(self, record: Record, words: tuple[Span, ...]) -> Row | None:
        msg = number(record.data.get("msg"))
        arrow = self._arrow(record, Stage.SENT)
        lost = self._take(Rec.LOST, msg, record.at_us)
        held = self._take(Rec.HELD, msg, record.at_us)
        note: tuple[Span, ...] = ()
        if lost is not None:
            arrow, note = replace(arrow, stage=Stage.LOST_AT_ONCE), self._why_lost(lost)
        elif held is not None:
            arrow, note = replace(arrow, stage=Stage.HELD), self._why_held(held)
        elif msg in self._faults:
            note = (Span(self._faults[msg], Tone.DOUBT),)
        left, right = (words, note) if arrow.to_server else (note, words)
        return _at(record, left=left, arrow=arrow, right=right)

    def _arrived(self, record: Record) -> Row | None:
        msg = number(record.data.get("msg"))
        arrow = replace(self._arrow(record, Stage.ARRIVED), late_us=self._lateness.of(record))
        decided = self._take(Rec.DECIDED, msg, record.at_us) if arrow.to_server else None
        judged = None if arrow.to_server else self._take(Rec.ANSWER, msg, record.at_us)
        said = phrases.decision(decided) if decided else phrases.answer(judged) if judged else ()
        if arrow.late_us:
            said = (Span(f"{duration(arrow.late_us)} late", Tone.DOUBT), *_behind(said))
        left, right = ((), said) if arrow.to_server else (said, ())
        return _at(record, left=left, arrow=arrow, right=right)

    def _lost(self, record: Record) -> Row | None:
        arrow = self._arrow(record, Stage.LOST_LATER)
        why = self._why_lost(record)
        left, right = ((), why) if arrow.to_server else (why, ())
        return _at(record, left=left, arrow=arrow, right=right)

    def _show(self, record: Record) -> Row | None:
        form = (record.client, record.resource)
        now = (text(record.data.get("phase")), text(record.data.get("says")))
        if self._shown.get(form, ("idle", "Ready.")) == now:
            return None
        self._shown[form] = now
        return _at(record, left=phrases.show(record))

    def _arrow(self, record: Record, stage: Stage) -> Arrow:
        message = MessageKind(text(record.data.get("message")))
        copy = number(record.data.get("copy"))
        label = f"{_LABELS[message]} {record.attempt:02}" if record.attempt else _LABELS[message]
        label += f" copy {copy}" if copy > 1 else ""
        return Arrow(to_server=not message.is_answer, stage=stage, label=label, is_copy=copy > 1)

    def _take(self, kind: Rec, msg: int, at_us: int) -> Record | None:
        record = self._at.get((kind, msg, at_us))
        if record is None or record.seq in self._told:
            return None
        self._told.add(record.seq)
        return record

    def _fault(self, record: Record) -> str:
        clause = record.data.get("clause")
        lines = self._world.fault_lines
        if isinstance(clause, int) and 0 < clause <= len(lines):
            return f"fault {clause}: {plain(lines[clause - 1])}"
        return f"fault: {text(clause)}"

    def _why_lost(self, record: Record) -> tuple[Span, ...]:
        why = self._faults.get(number(record.data.get("msg"))) or text(record.data.get("why"))
        return (Span(f"lost ({why})" if why else "lost", Tone.BAD),)

    def _why_held(self, record: Record) -> tuple[Span, ...]:
        until = text(record.data.get("until")).replace("_", " ")
        fault = self._faults.get(number(record.data.get("msg")), "")
        why = f" ({fault})" if fault else ""
        return (Span(f"held until {until}{why}" if until else f"held{why}", Tone.DOUBT),)


def _behind(said: tuple[Span, ...]) -> tuple[Span, ...]:
    return (Span(": "), *said) if said else ()


def _at(
    record: Record,
    *,
    left: tuple[Span, ...] = (),
    arrow: Arrow | None = None,
    right: tuple[Span, ...] = (),
) -> Row | None:
    if not (left or arrow or right):
        return None
    return Row(
        seq=record.seq,
        at_us=record.at_us,
        client=record.client,
        left=spans(left),
        arrow=arrow,
        right=spans(right),
    )
