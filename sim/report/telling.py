"""From records to the rows of a story: who says what beside which arrow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sim.network.faults import MessageKind
from sim.report import phrases, server_phrases
from sim.report.lateness import Lateness, messages
from sim.report.phrases import number, text
from sim.report.restraint import Restraint
from sim.report.story import Arrow, Row, Span, Stage, Tone, glued, spans
from sim.scenario.model import World
from sim.trace.records import Rec, Record, surrogate
from sim.trace.words import duration, plain

_LABELS = {
    MessageKind.REQUEST: "request",
    MessageKind.ACK: "answer",
    MessageKind.STATUS: "status?",
    MessageKind.STATUS_ANSWER: "status",
    MessageKind.READ: "read?",
    MessageKind.READ_ANSWER: "read",
}

_UNSENT = ("cut server", "cut dns")
GAVE_UP = "gateway gave up"
"""Why an answer is lost that nobody relays; the trace names the request that it answers."""
_NOT_BY_CLAUSE = ("loss", GAVE_UP, "too old", "page gone")
"""Losses that no clause makes, even where one did something else to the message."""

_AT_FIRST = ("idle", "Ready.")
"""What a screen shows before anything has happened."""

_OF_PAGE = frozenset(
    {
        Rec.RELOAD,
        Rec.CLOSE,
        Rec.OPEN,
        Rec.SIGN_IN,
        Rec.SIGN_OUT,
        Rec.HINT,
        Rec.STOP_WORKER,
        Rec.START_WORKER,
    }
)


def rows(world: World, records: Sequence[Record]) -> tuple[Row, ...]:
    """Return the story of a run, in the order in which it happened."""
    return tuple(_Teller(world, records).tell())


class _Teller:
    """Holds what one record needs to know about others; each record is told exactly once."""

    def __init__(self, world: World, records: Sequence[Record]) -> None:
        self._world = world
        self._records = records
        self._messages = messages(records)
        self._restraint = Restraint(world)
        self._lateness = Lateness(world, records, self._messages)
        self._at: dict[tuple[Rec, int, int], Record] = {}
        self._faults: dict[int, str] = {}
        self._told: set[int] = set()
        self._unsent: set[int] = set()
        self._many = len({record.op for record in records if record.op}) > 1
        self._pages: set[tuple[Rec, str, int]] = set()
        self._committed: set[tuple[int, int]] = set()
        self._attempts: dict[tuple[str, str], int] = {}
        self._launches: dict[tuple[str, int, int], Record] = {}
        self._shown: dict[tuple[str, str], tuple[str, str]] = {}
        self._posts = {record.resource for record in records if record.data.get("kind") == "post"}
        for record in records:
            msg = number(record.data.get("msg"))
            if record.kind is Rec.FAULT and msg:
                self._faults[msg] = self._fault(record)
                if record.data.get("action") == "fail":
                    self._unsent.add(msg)
            elif msg:
                self._at.setdefault((record.kind, msg, record.at_us), record)
            if record.kind is Rec.COMMIT:
                self._committed.add((record.at_us, record.op))

    def _op(self, record: Record) -> tuple[Span, ...]:
        """Return the operation's name where a story has several; one alone needs no telling."""
        return (Span(f"{surrogate(record.op)} ", Tone.QUIET),) if self._many and record.op else ()

    def tell(self) -> Iterator[Row]:
        for position, record in enumerate(self._records):
            if record.seq in self._told:
                continue
            row = self._row(position, record)
            if row is not None:
                yield row

    def _row(self, position: int, record: Record) -> Row | None:
        match record.kind:
            case Rec.LAUNCH | Rec.RAW | Rec.ASK:
                return self._launched(position, record)
            case Rec.SENT:
                return self._sent(record, (), record.seq)
            case Rec.ARRIVED:
                return self._arrived(record, *self._what_server_did(record))
            case Rec.ANSWER:
                said = (*phrases.answer(record), *self._corruption(record))
                return self._arrived(record, Rec.ANSWER, (*self._op(record), *said))
            case Rec.LOST:
                return self._lost(record)
            case Rec.SHOW:
                return self._show(position, record)
            case Rec.RETRY:
                return self._retry(record)
            case Rec.TIMER:
                return self._timer(position, record)
            case Rec.EDIT:
                return _at(record, left=phrases.event(self._with_version(position, record)))
            case Rec.COMMIT:
                return _at(record, right=(*self._op(record), *server_phrases.commit(record)))
            case Rec.DECIDED:
                return self._decided(position, record)
            case Rec.RECORDED:
                return self._recorded(record)
            case Rec.CRASH:
                fault = Span(f": {self._fault(record)}", Tone.BAD)
                return _at(record, right=(*server_phrases.server_event(record), fault))
            case Rec.RESTART | Rec.EXPIRE:
                return _at(record, right=server_phrases.server_event(record))
            case _ if record.kind in _OF_PAGE:
                return self._of_page(record)
            case _:
                return _at(record, left=phrases.event(record))

    def _launched(self, position: int, record: Record) -> Row | None:
        """Return one row for an attempt and for its message leaving."""
        if record.kind is Rec.LAUNCH:
            self._attempts[(record.client, record.resource)] = record.attempt
            self._launches[(record.client, record.op, record.attempt)] = record
        if record.kind is Rec.ASK:
            words = phrases.ask(record)
        else:
            words = phrases.launch(record, compares=record.resource not in self._posts)
        for sent in self._records[position + 1 : position + 12]:
            if sent.at_us != record.at_us:
                break
            if sent.kind is Rec.SENT and (sent.client, sent.op) == (record.client, record.op):
                self._told.add(sent.seq)
                return self._sent(sent, words, record.seq)
        return _at(record, left=words)

    def _sent(self, record: Record, words: tuple[Span, ...], seq: int) -> Row | None:
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
        return _at(record._replace(seq=seq), left=left, arrow=arrow, right=right)

    def _arrived(self, record: Record, about: Rec, said: tuple[Span, ...]) -> Row | None:
        arrow = replace(self._arrow(record, Stage.ARRIVED), late_us=self._lateness.of(record))
        if arrow.late_us:
            said = (Span(glued(f"{duration(arrow.late_us)} late"), Tone.DOUBT), *_behind(said))
        left, right = ((), said) if arrow.to_server else (said, ())
        return _at(record._replace(kind=about), left=left, arrow=arrow, right=right)

    def _what_server_did(self, record: Record) -> tuple[Rec, tuple[Span, ...]]:
        """Return what the server makes of a request in the instant in which it arrives."""
        msg = number(record.data.get("msg"))
        decided = self._take(Rec.DECIDED, msg, record.at_us)
        if decided is None:
            return record.kind, ()
        if decided.data.get("decision") == "claimed":
            commit = self._take(Rec.COMMIT, msg, record.at_us)
            if commit is not None:
                return Rec.COMMIT, (*self._op(record), *server_phrases.commit(commit))
        return Rec.DECIDED, (*self._op(record), *server_phrases.decision(decided))

    def _decided(self, position: int, record: Record) -> Row | None:
        """Return what was decided later than on arrival, beside the answer that says so."""
        if record.data.get("decision") == "committed":
            return None
        said = (*self._op(record), *server_phrases.decision(record))
        for sent in self._records[position + 1 : position + 4]:
            is_answer = sent.kind is Rec.SENT and self._kind(sent).is_answer
            if is_answer and (sent.at_us, sent.op) == (record.at_us, record.op):
                self._told.add(sent.seq)
                return self._sent(sent, said, record.seq)
        return _at(record, right=said)

    def _recorded(self, record: Record) -> Row | None:
        """Return what the registry notes, where it is not just what the commit says already."""
        state = record.data.get("state")
        if state == "running" or (state == "completed" and self._commits(record)):
            return None
        return _at(record, right=server_phrases.server_event(record))

    def _commits(self, record: Record) -> bool:
        return (record.at_us, record.op) in self._committed

    def _of_page(self, record: Record) -> Row | None:
        """Return what happens to a whole page once, however many forms it has."""
        key = (record.kind, record.client, record.at_us)
        if key in self._pages:
            return None
        self._pages.add(key)
        return _at(record, left=phrases.event(record))

    def _with_version(self, position: int, record: Record) -> Record:
        """Return an edit with the draft version that the screen shows right after it."""
        for shown in self._records[position + 1 : position + 2]:
            if shown.kind is Rec.SHOW and shown.client == record.client:
                version = shown.data.get("draft_version")
                return record._replace(data={"draft_version": version, **record.data})
        return record

    def _lost(self, record: Record) -> Row | None:
        arrow = self._arrow(record, Stage.LOST_LATER)
        if record.data.get("why") == GAVE_UP:
            label = self._label(MessageKind.ACK, record)
            arrow = replace(arrow, to_server=False, label=label)
        why = self._why_lost(record)
        left, right = ((), why) if arrow.to_server else (why, ())
        return _at(record, left=left, arrow=arrow, right=right)

    def _corruption(self, record: Record) -> tuple[Span, ...]:
        """Return what the network changed in an answer, beside what was sent."""
        if not record.data.get("corrupted"):
            return ()
        sent = self._launches.get((record.client, record.op, record.attempt))
        changed = phrases.corruption(record, sent.data if sent else {})
        return (Span(f" (corrupted: {changed})", Tone.BAD),) if changed else ()

    def _timer(self, position: int, record: Record) -> Row | None:
        """Return what a timer means; of a retry that does not leave when it is due, why."""
        if record.rule == "client.retry-held-back-by-breaker":
            said = "retry held back by the circuit breaker"
            armed = self._armed(position, record)
            if armed is not None:
                self._told.add(armed.seq)
                until_us = record.at_us + number(armed.data.get("delay_us"))
                said += f" until {duration(until_us)}"
            return _at(record, left=(Span(said, Tone.DOUBT),))
        if record.rule == "client.retry-no-longer-allowed":
            why = self._restraint.when_due(record)
            return _at(record, left=(Span(f"no retry{': ' if why else ''}{why}", Tone.DOUBT),))
        return _at(record, left=phrases.event(record))

    def _armed(self, position: int, record: Record) -> Record | None:
        """Return the record of the retry that a form schedules in the same instant, if it does."""
        for armed in self._records[position + 1 : position + 4]:
            same = (armed.at_us, armed.client, armed.resource) == (
                record.at_us, record.client, record.resource,
            )  # fmt: skip
            if same and armed.kind is Rec.ARM and armed.data.get("timer") == "retry":
                return armed
        return None

    def _show(self, position: int, record: Record) -> Row | None:
        form = (record.client, record.resource)
        now = (text(record.data.get("phase")), text(record.data.get("says")))
        before = self._shown.get(form, _AT_FIRST)
        if before == now:
            return None
        self._shown[form] = now
        retries = self._armed(position, record) is not None
        attempts = self._attempts.get(form, 0)
        why = self._restraint.by_itself(record, before[0], attempts, retries=retries)
        note = (Span(f" ({why})", Tone.QUIET),) if why else ()
        return _at(record, left=(*phrases.show(record), *note))

    def _retry(self, record: Record) -> Row | None:
        """Return a person's wish to retry; if it is not granted, with the reason."""
        said = phrases.event(record)
        if record.rule != "client.person-may-not-retry":
            return _at(record, left=said)
        form = (record.client, record.resource)
        phase, _ = self._shown.get(form, _AT_FIRST)
        why = self._restraint.by_hand(record, phase, self._attempts.get(form, 0))
        return _at(record, left=(*said, Span(f": {why}")))

    def _arrow(self, record: Record, stage: Stage) -> Arrow:
        message = self._kind(record)
        return Arrow(
            to_server=not message.is_answer,
            stage=stage,
            label=self._label(message, record),
            msg=number(record.data.get("msg")),
            about=surrogate(record.op) if self._many and record.op else "",
            is_copy=number(record.data.get("copy")) > 1,
        )

    def _label(self, message: MessageKind, record: Record) -> str:
        copy = number(record.data.get("copy"))
        if copy > 1:
            return f"{record.attempt:02} copy {copy}"
        return f"{_LABELS[message]} {record.attempt:02}" if record.attempt else _LABELS[message]

    def _kind(self, record: Record) -> MessageKind:
        return self._messages.get(number(record.data.get("msg")), MessageKind.REQUEST)

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
            return f"fault {clause} {{{plain(lines[clause - 1])}}}"
        return f"fault {text(clause)}"

    def _why_lost(self, record: Record) -> tuple[Span, ...]:
        msg = number(record.data.get("msg"))
        why = text(record.data.get("why"))
        what = "never left" if msg in self._unsent or why in _UNSENT else "lost"
        if why not in _NOT_BY_CLAUSE:
            why = self._faults.get(msg, why)
        return (Span(f"{what}: {why}" if why else what, Tone.BAD),)

    def _why_held(self, record: Record) -> tuple[Span, ...]:
        until = text(record.data.get("until")).replace("_", " ")
        fault = self._faults.get(number(record.data.get("msg")), "")
        why = f": {fault}" if fault else ""
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
        about=record.kind,
        client=record.client,
        left=spans(left),
        arrow=arrow,
        right=spans(right),
    )
