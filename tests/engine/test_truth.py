"""Intents: what a person wanted once, whatever operations pursue it."""

from sim.contract.body import freeze
from sim.engine.truth import Intents

A, B = freeze("a"), freeze("b")


def save(intents: Intents, op: int, body: str = A, owner: str = "ann", *, new: bool = False) -> int:
    intents.launch(op, intents.of_save(owner, "note", body, forced_new=new))
    return intents.of_operation(op).number


def test_a_second_save_of_an_unsettled_body_is_the_same_intent() -> None:
    intents = Intents()

    assert save(intents, 1) == save(intents, 2) == 1


def test_another_body_another_owner_and_a_forced_one_are_intents_of_their_own() -> None:
    intents = Intents()
    numbers = [
        save(intents, 1),
        save(intents, 2, B),
        save(intents, 3, owner="bob"),
        save(intents, 4, new=True),
    ]

    assert numbers == [1, 2, 3, 4]


def test_after_the_acknowledgement_the_same_body_is_wanted_anew() -> None:
    intents = Intents()
    save(intents, 1)
    intents.settle(1, acknowledged=True)

    assert save(intents, 2) == 2


def test_an_intent_lasts_until_its_last_operation_is_settled() -> None:
    intents = Intents()
    save(intents, 1)
    save(intents, 2)
    intents.settle(1, acknowledged=False)
    assert save(intents, 3) == 1
    intents.settle(2, acknowledged=False)
    intents.settle(3, acknowledged=False)

    assert save(intents, 4) == 2


def test_a_raw_send_has_no_intent() -> None:
    assert Intents().of_operation(7).number == 0
