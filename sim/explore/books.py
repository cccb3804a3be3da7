"""What of the judge's books can still matter: for a later verdict, or for how the run ends."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from sim.engine.teller import Instants, Teller, Told, Ways
from sim.judge.book import EffectBook, IntentBook, OperationBook, Screen
from sim.judge.ledger import Ledger

_SETTING: Final = "a setting, the same in every run of this world"
_COUNT: Final = "a count for expectations and measures: no verdict of the search rests on it"
_BY_NUMBER: Final = "told for the messages that are still there; of no other it is asked again"

LEFT_OUT: Final[Mapping[type, Mapping[str, str]]] = {
    Ledger: {
        **dict.fromkeys(
            ("world", "policies", "any_attempt", "retention_us", "repeat_us"), _SETTING
        ),
        **dict.fromkeys(
            ("arrived", "given_up", "must_settle", "clean_answers", "claimed"), _BY_NUMBER
        ),
        "of_client": _COUNT,
        "effects": "told effect by effect",
        "operations": "told operation by operation; elsewhere one is only mentioned",
        "intents": "told intent by intent",
        "violations": "told as the invariants that broke",
        "_noted": "that one breaks a second time is no news",
        "seq": "the number of a record; the shortest story is chosen by it, and nothing judged",
        "trouble_seq": "told as whether it came after the last launch of an operation",
        **dict.fromkeys(("end_us", "ended"), "noted when the run is over"),
    },
    OperationBook: {
        **dict.fromkeys(
            ("deliveries", "acks", "ever_unknown", "ever_recovery", "false_conflict"), _COUNT
        ),
        **dict.fromkeys(("first_sent_us", "settled_us"), "a time for measures"),
        **dict.fromkeys(
            ("committed_us", "launched_us"), "told as how long they still make a difference"
        ),
        "launch_seq": "told as whether trouble came after it",
    },
    Screen: {"must_keep": "told while the very next record can still break it"},
}


def told(ledger: Ledger, numbers: Sequence[int], instants: Instants) -> Told:
    """Return the books as a plain value.

    Args:
        ledger: The books of a run that is judged while it is made.
        numbers: The messages that are still there, in an order on which equal worlds agree.
        instants: From where instants are told.
    """
    teller = Teller(_WAYS, instants)
    by_number: tuple[Mapping[int, object], ...] = (
        ledger.arrived,
        ledger.given_up,
        ledger.must_settle,
        ledger.clean_answers,
        ledger.claimed,
    )
    return (
        tuple(sorted({violation.invariant: True for violation in ledger.violations})),
        _LEDGER(teller, ledger),
        tuple([_operation(teller, op, ledger) for op in ledger.operations.values()]),
        tuple(
            [(key, *_effect(effect, ledger, instants)) for key, effect in ledger.effects.items()]
        ),
        tuple([_INTENT(teller, intent) for intent in ledger.intents.values()]),
        tuple([_must_keep(screen, ledger.seq) for screen in ledger.screens.values()]),
        tuple([tuple([teller.tell(book.get(number)) for book in by_number]) for number in numbers]),
    )


def _operation(teller: Teller, op: OperationBook, ledger: Ledger) -> Told:
    until = teller.instants.until
    timeout_us = ledger.policies[op.client].timeout_us
    return (
        _OPERATION(teller, op),
        ledger.trouble_seq < op.launch_seq,
        until(op.launched_us + timeout_us + 1) if op.launches else None,
        until(op.committed_us + ledger.retention_us + 1) if op.effects else None,
    )


def _effect(effect: EffectBook, ledger: Ledger, instants: Instants) -> tuple[Told, ...]:
    return (effect.snapshot, instants.until(effect.committed_us + ledger.repeat_us + 1))


def _must_keep(screen: Screen, seq: int) -> str | None:
    """Tell what the next record has to keep; once another record was made it is forgotten."""
    keep = screen.must_keep
    return keep[1] if keep is not None and keep[0] == seq else None


def _mention(_: Teller, book: Any) -> Told:
    return _who(book)


_who = attrgetter("client", "number")
_WAYS: Final = Ways({OperationBook: _mention, IntentBook: _mention}, LEFT_OUT)
_LEDGER: Final = _WAYS.by_fields(Ledger)
_OPERATION: Final = _WAYS.by_fields(OperationBook)
_INTENT: Final = _WAYS.by_fields(IntentBook)
