"""What each phase of the client means to the person in front of it."""

from sim.contract.phases import Phase, Reason, sentence
from sim.judge.entry import Entry, EntryKind


def _row(phase: Phase, what: str, *, open_: str, do: str) -> Entry:
    shows = f"On the screen: {sentence(phase, Reason.NONE)}"
    return Entry(EntryKind.PHASE, phase.value, what, shows, open_, do)


PHASES: tuple[Entry, ...] = (
    _row(
        Phase.IDLE,
        "No operation is pending; perhaps with a reason why the last one was not sent.",
        open_="That everything is saved: the draft may be dirty.",
        do="Save when there is something to save.",
    ),
    _row(
        Phase.AWAITING_ACK,
        "An attempt is under way, or the next one is due after one that never left.",
        open_="That the request arrived.",
        do="Wait or type on; a second save is blocked.",
    ),
    _row(
        Phase.UNKNOWN_OUTCOME,
        "An attempt ended without an answer that settles the operation; a check is due.",
        open_="That it failed, and that it did not.",
        do="Wait for the retry or the status query, or save again to have the retry at once.",
    ),
    _row(
        Phase.ACKNOWLEDGED,
        "Settled: exactly the draft is saved.",
        open_="That nobody changes the resource afterwards.",
        do="Nothing.",
    ),
    _row(
        Phase.ACKNOWLEDGED_NEWER,
        "Settled: an older version is saved; newer text is kept and not saved.",
        open_="That the newer text is saved.",
        do="Save again.",
    ),
    _row(
        Phase.REFUSED,
        "Settled: provably not applied; the reason is shown and the draft kept.",
        open_="That the same text would be refused again.",
        do="Mend what the reason names, or merge what was read, then save.",
    ),
    _row(
        Phase.RECOVERY_REQUIRED,
        "The client does nothing more by itself; operation and draft are kept.",
        open_="That the change is missing, and that it is there.",
        do="Check, retry where it is allowed, or discard and compare with what is stored.",
    ),
)
