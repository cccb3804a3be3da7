"""What one record of a client says to a person, in a few words."""

from collections.abc import Callable, Mapping

from sim.contract.body import Json
from sim.contract.messages import attempt_label
from sim.report.story import GLUE, Span, Tone, glued, spans
from sim.trace.records import Rec, Record, surrogate
from sim.trace.words import body, duration, plain

Words = tuple[Span, ...]

_SAVE_BLOCKED = {
    "client.save-nothing-to-save": "nothing to save",
    "client.save-no-secure-ids": "no secure source of ids, nothing is sent",
    "client.save-blocked-awaiting": "blocked: a save is under way",
    "client.save-retries-now": "the due retry goes now",
    "client.save-blocked-unsettled": "blocked until the last save is settled",
    "client.save-blocked-by-hint": "blocked by the offline hint",
}

_VERDICT_TONE = {
    "accepted": Tone.GOOD,
    "stale": Tone.QUIET,
    "repeated": Tone.QUIET,
    "ignored": Tone.QUIET,
    "invalid": Tone.BAD,
    "refusal": Tone.BAD,
    "error": Tone.BAD,
}

PHASE_TONE = {
    "idle": Tone.PLAIN,
    "awaiting-ack": Tone.BUSY,
    "unknown-outcome": Tone.DOUBT,
    "acknowledged": Tone.GOOD,
    "acknowledged-newer-draft-retained": Tone.GOOD,
    "refused": Tone.BAD,
    "recovery-required": Tone.DECIDES,
}


def text(value: Json) -> str:
    """Return a data field as text; a missing one is empty."""
    return "" if value is None else plain(str(value))


def number(value: Json) -> int:
    """Return a data field as a whole number; anything else is 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def held(value: Json) -> str:
    """Return a body in one piece."""
    return glued(body(value))


def resource(record: Record) -> str:
    """Return the resource's name as in the file: a client's own one without its client."""
    return record.resource.removesuffix(f"@{record.client}")


def by_rule(record: Record) -> Span:
    """Return the rule that decided, to stand behind what it decided."""
    return Span(f" ·{GLUE}{record.rule}" if record.rule else "", Tone.QUIET)


def attempt(record: Record) -> str:
    """Return ``op-1 attempt-02``, or ``op-1 raw`` for a raw send."""
    return f"{surrogate(record.op)}{GLUE}{attempt_label(record.attempt)}"


def event(record: Record) -> Words:
    """Return what happens at the client, or nothing where a story need not tell it."""
    teller = _EVENTS.get(record.kind)
    return spans(teller(record)) if teller else ()


def _edit(record: Record) -> list[Span | str]:
    if record.data.get("changed") is False or record.rule == "client.edit-same-body":
        return [f"edits {resource(record)}: the same text, nothing changes"]
    version = number(record.data.get("draft_version"))
    return [
        f"edits {resource(record)}: ",
        Span(f"draft{GLUE}{version} " if version else "", Tone.QUIET),
        Span(held(record.data.get("body")), Tone.STRONG),
    ]


def _save(record: Record) -> list[Span | str]:
    meant = ", a new intent" if record.data.get("new_intent") else ""
    said = f"saves {resource(record)}{meant}"
    why = _SAVE_BLOCKED.get(record.rule)
    if why:
        return [f"{said}: {why}"]
    if record.data.get("launches") is not False:
        return [said]
    return [f"{said}: nothing is sent", by_rule(record)]


def _person(done: str, refused: str) -> Callable[[Record], list[Span | str]]:
    def tell(record: Record) -> list[Span | str]:
        if record.rule in _REFUSES:
            return [refused]
        return [done.format(op=surrogate(record.op) if record.op else "the operation")]

    return tell


_REFUSES = (
    "client.person-may-not-retry",
    "client.person-may-not-check",
    "client.person-may-not-discard",
)


def _merge(record: Record) -> list[Span | str]:
    if record.rule == "client.merge-nothing-read":
        return ["wants to merge: nothing was read"]
    return ["merges both: ", Span(held(record.data.get("body")), Tone.STRONG)]


def _fixed(said: str) -> Callable[[Record], list[Span | str]]:
    return lambda _: [Span(said, Tone.STRONG)]


def _sign_in(record: Record) -> list[Span | str]:
    return [Span(f"signs in as {text(record.data.get('owner'))}", Tone.STRONG)]


def _hint(record: Record) -> list[Span | str]:
    state = "online" if record.data.get("online") else "offline"
    return [f"the browser's hint: {state}"]


def _timer(record: Record) -> list[Span | str]:
    if record.rule == "client.timer-outlived-its-attempt":
        return []
    many = number(record.data.get("number"))
    match text(record.data.get("timer")):
        case "timeout":
            return [f"no answer to {attempt_label(many or record.attempt)} in time"]
        case "status-timeout":
            return [f"no answer to query {many} in time"]
        case "read-timeout":
            return ["no answer to the read in time"]
        case _:
            return []


def _broken(record: Record) -> list[Span | str]:
    if record.rule == "client.exchange-of-an-older-attempt":
        return []
    seen, cause = text(record.data.get("error")), text(record.data.get("cause"))
    why = f" ({cause})" if cause and cause != seen else ""
    return [Span(f"{seen}{why}", Tone.BAD)]


def _arm(record: Record) -> list[Span | str]:
    what = {"retry": "retries", "status": "asks", "read-retry": "reads again"}
    said = what.get(text(record.data.get("timer")))
    delay = number(record.data.get("delay_us"))
    return [Span(f"{said} in {duration(delay)}", Tone.QUIET)] if said and delay else []


_EVENTS: dict[Rec, Callable[[Record], list[Span | str]]] = {
    Rec.EDIT: _edit,
    Rec.SAVE: _save,
    Rec.RETRY: _person("retries by hand", "wants to retry: not allowed"),
    Rec.CHECK: _person("checks {op} by hand", "wants to check: not possible here"),
    Rec.DISCARD: _person("gives {op} up, knowing", "wants to discard: not possible here"),
    Rec.MERGE: _merge,
    Rec.RELOAD: _fixed("the page is reloaded"),
    Rec.CLOSE: _fixed("the page is closed"),
    Rec.OPEN: _fixed("the page is opened"),
    Rec.SIGN_IN: _sign_in,
    Rec.SIGN_OUT: _fixed("signs out"),
    Rec.HINT: _hint,
    Rec.STOP_WORKER: _fixed("the worker is stopped"),
    Rec.START_WORKER: _fixed("the worker runs again"),
    Rec.TIMER: _timer,
    Rec.BROKEN: _broken,
    Rec.ARM: _arm,
}


def launch(record: Record, *, compares: bool) -> Words:
    """Return what an attempt (or a raw send) sends.

    Args:
        record: The launch.
        compares: Whether the server compares the version that the request expects.
    """
    data = record.data
    is_raw = record.kind is not Rec.LAUNCH
    expects = number(data.get("sent_expected_version", data.get("expected_version")))
    wire = text(data.get("wire"))
    shown: list[Span | str] = [
        Span("raw " if is_raw else "", Tone.BAD),
        Span(surrogate(record.op) if is_raw else attempt(record), Tone.STRONG),
        Span(f" sent as {wire}" if wire and wire != surrogate(record.op) else "", Tone.BAD),
        f" {held(data.get('sent_body', data.get('body')))}",
        Span(f" expects{GLUE}v{expects}" if expects and compares else "", Tone.QUIET),
        Span(f" as {text(data.get('owner'))}" if is_raw else "", Tone.QUIET),
    ]
    return spans(shown)


def ask(record: Record) -> Words:
    """Return what a status query asks."""
    many = number(record.data.get("query"))
    return spans([f"asks about {surrogate(record.op)}", Span(f" query {many}", Tone.QUIET)])


def show(record: Record) -> Words:
    """Return the phase and, in quotes, the sentence on the screen."""
    phase = text(record.data.get("phase"))
    says = text(record.data.get("says"))
    quoted = f" “{says}”" if says else ""
    return spans([Span(phase, PHASE_TONE.get(phase, Tone.PLAIN)), quoted])


def answer(record: Record) -> Words:
    """Return what a client made of an answer, with the rule that decided it."""
    verdict = text(record.data.get("verdict"))
    said = _VERDICT_WORDS.get(verdict, "")
    about = _answer_words(record)
    return spans(
        [
            f"{about}{': ' if said else ''}",
            Span(said, _VERDICT_TONE.get(verdict, Tone.PLAIN)),
            by_rule(record),
        ]
    )


_VERDICT_WORDS = {word: word for word in ("accepted", "stale", "repeated", "invalid", "ignored")}


def _answer_words(record: Record) -> str:
    data = record.data
    kind = text(data.get("answer"))
    version = number(data.get("version"))
    match text(data.get("message")):
        case "read_answer":
            return f"reads v{version} {held(data.get('body'))}"
        case "status_answer":
            return f"{_named(record)}status {kind}"
        case _:
            of = f"{GLUE}v{version}" if version else ""
            what = {"refusal": "refusal ", "error": "error "}.get(text(data.get("verdict")), "")
            replayed = " replayed" if data.get("replayed") else ""
            return f"{_named(record)}{what}{kind}{of}{replayed}"


def corruption(record: Record, sent: Mapping[str, Json]) -> str:
    """Return what the network changed in an answer.

    Args:
        record: The answer as it arrived.
        sent: What was sent, and an honest answer would repeat; empty where that is not known.
    """
    data = record.data
    changed = []
    names, asked = text(data.get("names")), number(data.get("names_attempt"))
    if names != surrogate(record.op):
        changed.append("another operation's id")
    if asked and asked != record.attempt:
        changed.append(f"{attempt_label(asked)} for {attempt_label(record.attempt)}")
    accepted, version = data.get("accepted_version"), sent.get("draft_version")
    if accepted is not None and version is not None and accepted != version:
        changed.append(f"accepts draft {accepted} for {version}")
    stored, body_sent = data.get("body"), sent.get("sent_body", sent.get("body"))
    if stored is not None and body_sent is not None and stored != body_sent:
        changed.append(f"stored {body(stored)}")
    return ", ".join(changed)


def _named(record: Record) -> str:
    """Return whom an answer names, where that is not whom it was sent to."""
    names = text(record.data.get("names"))
    attempt_named = number(record.data.get("names_attempt"))
    parts = []
    if names and names != surrogate(record.op):
        parts.append(names)
    if attempt_named and attempt_named != record.attempt:
        parts.append(attempt_label(attempt_named))
    return f"for {' '.join(parts)}: " if parts else ""
