"""What one record says to a person, in a few words."""

from collections.abc import Callable

from sim.contract.body import Json
from sim.contract.messages import attempt_label
from sim.report.story import Span, Tone, spans
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


def by_rule(record: Record) -> Span:
    """Return the rule that decided, to stand behind what it decided."""
    return Span(f" · {record.rule}" if record.rule else "", Tone.QUIET)


def attempt(record: Record) -> str:
    """Return ``op-1 attempt-02``, or ``op-1 raw`` for a raw send."""
    return f"{surrogate(record.op)} {attempt_label(record.attempt)}"


def event(record: Record) -> Words:
    """Return what happens at the client, or nothing where a story need not tell it."""
    teller = _EVENTS.get(record.kind)
    return spans(teller(record)) if teller else ()


def _edit(record: Record) -> list[Span | str]:
    if record.data.get("changed") is False:
        return [f"edits {record.resource}: the same text", by_rule(record)]
    version = number(record.data.get("draft_version"))
    return [
        f"edits {record.resource}: ",
        Span(f"draft {version} " if version else "", Tone.QUIET),
        Span(body(record.data.get("body")), Tone.STRONG),
    ]


def _save(record: Record) -> list[Span | str]:
    meant = ", a new intent" if record.data.get("new_intent") else ""
    said = f"saves {record.resource}{meant}"
    if record.data.get("launches") is not False:
        return [said]
    why = _SAVE_BLOCKED.get(record.rule)
    return [f"{said}: {why}"] if why else [f"{said}: nothing is sent", by_rule(record)]


def _person(done: str, refused: str, key: str) -> Callable[[Record], list[Span | str]]:
    def tell(record: Record) -> list[Span | str]:
        if record.data.get(key) is False:
            return [f"{refused}", by_rule(record)]
        return [done.format(op=surrogate(record.op))]

    return tell


def _merge(record: Record) -> list[Span | str]:
    if record.data.get("done") is False:
        return ["wants to merge: nothing was read", by_rule(record)]
    return ["merges both ", Span(body(record.data.get("body")), Tone.STRONG)]


def _fixed(said: str) -> Callable[[Record], list[Span | str]]:
    return lambda _: [Span(said, Tone.STRONG)]


def _sign_in(record: Record) -> list[Span | str]:
    return [Span(f"signs in as {text(record.data.get('owner'))}", Tone.STRONG)]


def _hint(record: Record) -> list[Span | str]:
    state = "online" if record.data.get("online") else "offline"
    return [f"the browser's hint: {state}"]


def _timer(record: Record) -> list[Span | str]:
    if record.data.get("live") is False:
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
    if record.data.get("live") is False:
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
    Rec.RETRY: _person("the person retries", "the person wants to retry: not allowed", "launches"),
    Rec.CHECK: _person("the person checks {op}", "the person checks: nothing is asked", "asks"),
    Rec.DISCARD: _person(
        "the person gives {op} up, knowing", "the person discards: nothing to give up", "done"
    ),
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


def launch(record: Record) -> Words:
    """Return what an attempt sends."""
    data = record.data
    expects = number(data.get("expected_version"))
    shown: list[Span | str] = [
        Span(attempt(record), Tone.STRONG),
        f" {body(data.get('body'))}",
        Span(f" expects v{expects}" if text(data.get("kind")) != "post" else "", Tone.QUIET),
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
    kind = text(record.data.get("answer"))
    tone = _VERDICT_TONE.get(verdict, Tone.PLAIN)
    said = verdict if verdict in ("accepted", "stale", "repeated", "invalid", "ignored") else ""
    return spans([f"{kind}" + (": " if kind and said else ""), Span(said, tone), by_rule(record)])


def decision(record: Record) -> Words:
    """Return what the server decided about a message."""
    decided = text(record.data.get("decision"))
    return spans([Span(decided, _decision_tone(decided)), by_rule(record)])


def _decision_tone(decided: str) -> Tone:
    match decided:
        case "replayed" | "replay" | "completed":
            return Tone.STRONG
        case "conflict" | "mismatch" | "invalid" | "unauthenticated" | "expired" | "error":
            return Tone.BAD
        case _:
            return Tone.PLAIN


def commit(record: Record) -> Words:
    """Return what the server holds after a commit."""
    version = number(record.data.get("version"))
    held = f"{record.resource} v{version} {body(record.data.get('body'))}"
    effect = number(record.data.get("effect"))
    return spans([Span(held, Tone.GOOD), Span(f" effect {effect}" if effect else "", Tone.QUIET)])


def server_event(record: Record) -> Words:
    """Return what else happens at the server."""
    match record.kind:
        case Rec.CRASH:
            where = text(record.data.get("point")).replace("_", " ")
            return (Span(f"the server crashes {where}", Tone.BAD),)
        case Rec.RESTART:
            return spans([f"the server is back, registry {text(record.data.get('registry'))}"])
        case Rec.EXPIRE:
            return spans([f"sessions of {text(record.data.get('owner'))} end"])
        case Rec.RECORDED:
            state = text(record.data.get("state"))
            return (Span(f"registry: {surrogate(record.op)} {state}", Tone.QUIET),)
        case _:
            return ()
