"""From what broke to a row of the table of mistakes."""

import pytest

from sim.contract.mistakes import MISTAKES, Mistake
from sim.judge.diagnosis import CANDIDATES_MAX, bystanders, diagnose
from sim.judge.verdict import Violation
from tests.engine.worlds import world

RIGHT = world()
ROWS = [row for row in MISTAKES if row.breaks]


def symptoms(*invariants: str) -> list[Violation]:
    return [Violation(invariant=name, seq=n, at_us=n) for n, name in enumerate(invariants, 1)]


def test_where_nothing_broke_there_is_nothing_to_explain() -> None:
    assert diagnose(RIGHT, []) == ()
    assert diagnose(world("client: {mistakes: [success-before-ack]}"), []) == ()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_from_the_symptoms_alone_a_row_with_these_symptoms_comes_first(row: Mistake) -> None:
    first = diagnose(RIGHT, symptoms(*row.breaks))[0]
    found = next(other for other in MISTAKES if other.name == first.mistake)

    assert not first.switched_on
    assert set(found.breaks) == set(row.breaks)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_most_telling_symptom_alone_names_rows_that_have_it(row: Mistake) -> None:
    found = diagnose(RIGHT, symptoms(row.breaks[0]))

    assert 1 <= len(found) <= CANDIDATES_MAX
    assert all(row.breaks[0] in diagnosis.invariants for diagnosis in found)


def test_a_mistake_that_was_switched_on_is_the_diagnosis() -> None:
    mistaken = world("client: {mistakes: [refusal-drops-draft]}")

    found = diagnose(mistaken, symptoms("settles", "draft-kept"))

    assert [(d.mistake, d.switched_on) for d in found] == [("refusal-drops-draft", True)]
    assert found[0].invariants == ("draft-kept",)


TWO = world(
    """
    client: {mistakes: [live-body-on-retry]}
    server: {resources: {note: {}}, mistakes: [snapshot-not-compared]}
    """
)


def test_of_two_mistakes_that_are_on_only_the_one_that_fits_is_the_diagnosis() -> None:
    found = diagnose(TWO, symptoms("no-false-success"))

    assert [d.mistake for d in found] == ["snapshot-not-compared"]
    assert bystanders(TWO, found) == ("live-body-on-retry",)


def test_two_mistakes_are_the_diagnosis_where_neither_explains_all() -> None:
    found = diagnose(TWO, symptoms("no-false-success", "ids-unique"))

    assert {d.mistake for d in found} == {"snapshot-not-compared", "live-body-on-retry"}
    assert bystanders(TWO, found) == ()


def test_a_mistake_that_breaks_nothing_of_this_kind_is_no_diagnosis() -> None:
    found = diagnose(TWO, symptoms("can-save"))

    assert [d.mistake for d in found if d.switched_on] == []
    assert bystanders(TWO, found) == ("live-body-on-retry", "snapshot-not-compared")


def test_a_preset_s_mistakes_are_not_blamed_for_a_reload_that_forgets() -> None:
    mistaken = world(
        """
        server: {contract: stripe-v1, resources: {note: {kind: post}}}
        client: {mistakes: [pending-in-memory]}
        """
    )
    broken = ("unknown-is-visible", "ids-unique", "one-effect-per-intent", "settles")

    found = diagnose(mistaken, symptoms(*broken))
    assert [d.mistake for d in found] == ["pending-in-memory"]


def test_a_diagnosis_says_symptom_cause_check_and_remedy() -> None:
    found = diagnose(RIGHT, symptoms("one-effect-per-intent"))[0]

    for text in (found.symptom, found.cause, found.check, found.remedy):
        assert text.endswith((".", "?"))


def test_candidates_keep_their_order_whatever_order_things_broke_in() -> None:
    broken = ("unknown-is-visible", "no-false-failure", "ids-unique")
    names = [
        [d.mistake for d in diagnose(RIGHT, symptoms(*order))] for order in (broken, broken[::-1])
    ]

    assert names[0] == names[1]
