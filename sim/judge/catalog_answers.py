"""What an answer says, what a client makes of it, and why an operation rests: words of stories."""

from typing import Final

from sim.contract.messages import RefusalKind
from sim.contract.phases import Phase, Reason, sentence
from sim.judge.entry import Entry, EntryKind


def _refusal(kind: RefusalKind, what: str, *, open_: str, do: str) -> Entry:
    reason = next((one for one in Reason if one.value == kind.value), None)
    screen = f"\nOn the screen: {sentence(Phase.REFUSED, reason)}" if reason else ""
    shows = f"The answer carries the HTTP status {kind.http_status}.{screen}"
    example = f"refused: {kind.value}"
    return Entry(
        EntryKind.ANSWER,
        kind.value,
        f"A refusal, an explicit no.\n{what}",
        shows,
        open_,
        do,
        example,
    )


REFUSALS: Final = (
    _refusal(
        RefusalKind.INVALID,
        "The request is not well formed; nothing is recorded.\nOf an ack the same word is a "
        "verdict (client.rule-3): its version or body is not what was sent, so it changes nothing.",
        open_="That an earlier attempt with an unknown outcome was refused too.",
        do="Mend what the reason names, then save: the draft is kept.",
    ),
    _refusal(
        RefusalKind.UNAUTHENTICATED,
        "There is no session of the operation's owner.",
        open_="That nothing was written: an earlier attempt may have been.",
        do="Sign in again: the same owner's operation is kept and goes on.",
    ),
    _refusal(
        RefusalKind.CONFLICT,
        "The resource's version has moved on since the draft incorporated it.",
        open_="That this write failed, where an earlier attempt has an unknown outcome: a server "
        "that compares versions first says the same of a write that succeeded.",
        do="Read the resource anew, merge, then save: a new intent.",
    ),
    _refusal(
        RefusalKind.IN_FLIGHT,
        "The same operation is being executed at this moment.",
        open_="How it will end: the outcome is unknown until the server says it.",
        do="Wait, then send the same operation again, or ask for its status.",
    ),
    _refusal(
        RefusalKind.MISMATCH,
        "The operation's id already stands for another snapshot; nothing changes.",
        open_="That the first snapshot is not stored: it may well be.",
        do="Find who sends another body under an old id: 'lostack explain live-body-on-retry'.",
    ),
    _refusal(
        RefusalKind.EXPIRED,
        "The operation is known, and its result is no longer kept; nothing changes.",
        open_="Whether it was executed: only the resource itself can tell now.",
        do="Read the resource anew and let a person compare.",
    ),
    _refusal(
        RefusalKind.THROTTLED,
        "Turned away unexecuted: too much was asked at once.",
        open_="When there will be room; 'retry_after' is what the server hopes.",
        do="Wait as long as the answer asks for; the attempt is void.",
    ),
)


def _word(name: str, what: str, shows: str, *, open_: str, do: str, example: str = "") -> Entry:
    return Entry(EntryKind.ANSWER, name, what, shows, open_, do, example)


VERDICTS: Final = (
    _word(
        "accepted",
        "A verdict on an ack: it confirms the pending operation, so the save is acknowledged.",
        "The screen says saved; newer text stays, dirty (client.rule-4, client.rule-5).",
        open_="That text which was typed later is saved too.",
        do="Nothing; save again if there is newer text.",
        example="acks: {accepted: 1}",
    ),
    _word(
        "stale",
        "A verdict on an answer: it names another operation than the pending one, or another "
        "attempt than the last one launched.",
        "It changes nothing, the phase included (client.rule-1, client.rule-2).",
        open_="That the write which it confirms did not happen: it may have.",
        do="Wait for the answer to the last attempt; 'ack_rule: operation' lets acks of any count.",
        example="acks: {stale: 1}",
    ),
    _word(
        "repeated",
        "A verdict on an answer: it says again what already settled the last operation.",
        "It changes nothing (client.rule-1).",
        open_="That the server executed twice: a copy of one answer looks the same.",
        do="Nothing.",
        example="acks: {repeated: 1}",
    ),
    _word(
        "ignored",
        "A verdict on an answer: it comes too late, or nobody is there, to make anything of it.",
        "It changes nothing; the rule beside it says why.",
        open_="That what it says is wrong.",
        do="Nothing.",
    ),
    _word(
        "replayed",
        "A word in an ack: the server executed this operation before and says its result again.",
        "The version does not rise, even where the resource has moved on (server.step-3).",
        open_="That the resource still holds this body.",
        do="Judge it as any other ack.",
    ),
    _word(
        "completed",
        "A status answer: the operation is committed; its result stands beside it.",
        "The client judges it as an ack, but for the attempt that it does not name.",
        open_="That the resource still holds this body.",
        do="Nothing: the operation is settled.",
    ),
    _word(
        "pending",
        "A status answer: the operation is being executed.",
        "The client asks again within its limit, then a person decides.",
        open_="How it will end.",
        do="Wait.",
    ),
    _word(
        "not-found",
        "A status answer: the registry knows no such operation of this owner.",
        "The client waits, then sends the same operation again where that is allowed.",
        open_="That it never happens: the request may still be under way.",
        do="Never make a new operation of it: 'lostack explain not-found-means-never'.",
    ),
)

_REASONS: dict[Reason, tuple[str, str, str]] = {
    Reason.NO_SECURE_IDS: (
        "There is no secure source of ids, so the save fails before anything is sent.",
        "That the server is out of reach.",
        "Use a browser and a page (HTTPS) that have one; time is no substitute.",
    ),
    Reason.NOT_SENT: (
        "No attempt left the client, and no attempt is left to make.",
        "That the server is down: the way to it may be.",
        "Save again when there is a network.",
    ),
    Reason.ASSUMED_FAILED: (
        "An unknown outcome was taken for a failure: only a mistake shows this.",
        "That nothing was written.",
        "See 'lostack explain timeout-means-failure'.",
    ),
    Reason.SIGN_IN: (
        "The session ended while the operation was not settled; it is kept.",
        "That nothing was written.",
        "Sign in as the same owner: the operation goes on.",
    ),
    Reason.CONTRADICTED: (
        "A refusal came after an attempt with an unknown outcome; the two may contradict.",
        "That the write failed: the refusal may be about its own success.",
        "Compare the draft with what was read, then discard, merge or retry.",
    ),
    Reason.OUT_OF_QUERIES: (
        "The status was asked for as often as the policy allows, and nothing settled it.",
        "That it failed.",
        "Check once more by hand, or discard, knowing.",
    ),
    Reason.NO_STATUS: (
        "The outcome is unknown, no retry is left or allowed, and no status can be asked for.",
        "That it failed.",
        "Compare the draft with what is stored; build a status endpoint ('status: yes').",
    ),
    Reason.PERSON_DECIDES: (
        "The policy asks a person before anything is sent again ('on_unknown' or 'confirm').",
        "That a retry would be wrong.",
        "Check, retry or discard.",
    ),
    Reason.SET_ASIDE: (
        "Another owner used this client meanwhile; the first owner is back.",
        "What became of the operation meanwhile.",
        "Check, retry or discard.",
    ),
}


def _reason(reason: Reason) -> Entry:
    what, open_, do = _REASONS[reason]
    shows = f"On the screen: {sentence(Phase.RECOVERY_REQUIRED, reason)}"
    return Entry(EntryKind.REASON, reason.value, what, shows, open_, do)


ANSWERS: tuple[Entry, ...] = (*VERDICTS, *REFUSALS)
REASONS: tuple[Entry, ...] = tuple(_reason(reason) for reason in _REASONS)
