"""What one record of the server says to a person, in a few words."""

from sim.report.phrases import Words, by_rule, held, number, resource, text
from sim.report.story import GLUE, Span, Tone, spans
from sim.trace.records import Rec, Record, surrogate


def decision(record: Record) -> Words:
    """Return what the server decided about a message."""
    decided = text(record.data.get("decision"))
    version = number(record.data.get("version"))
    of = f" v{version}" if version else ""
    said = f"{_DECISION_WORDS.get(decided, decided)}{of}"
    return spans([Span(said, _decision_tone(decided)), by_rule(record)])


_DECISION_WORDS = {
    "replay": "replayed",
    "claimed": "claimed, work begins",
    "queued": "waits for a worker",
    "waits": "waits for the copy that runs",
    "in-flight": "in flight",
    "not-found": "not found",
}
_REFUSED = ("conflict", "mismatch", "invalid", "unauthenticated", "expired", "throttled")


def _decision_tone(decided: str) -> Tone:
    if decided in ("replay", "replayed", "completed"):
        return Tone.STRONG
    return Tone.BAD if decided in _REFUSED or decided.isdigit() else Tone.PLAIN


def commit(record: Record) -> Words:
    """Return what the server holds after a commit."""
    version = number(record.data.get("version"))
    now = f"{resource(record)}{GLUE}v{version} {held(record.data.get('body'))}"
    return spans([Span(now, Tone.GOOD), by_rule(record)])


def server_event(record: Record) -> Words:
    """Return what else happens at the server."""
    match record.kind:
        case Rec.CRASH:
            where = text(record.data.get("point")).replace("_", " ")
            where = "between write and record" if where == "between" else where
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
