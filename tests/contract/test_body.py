"""Bodies: canonical text, equal exactly when the JSON values are equal."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.contract.body import EMPTY, freeze, thaw

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_thawing_gives_back_an_equal_value(value: object) -> None:
    assert thaw(freeze(value)) == value


@given(VALUES)
def test_freezing_a_thawed_body_gives_the_same_text(value: object) -> None:
    assert freeze(thaw(freeze(value))) == freeze(value)


@given(st.dictionaries(st.text(), SCALARS, min_size=2))
def test_the_order_of_keys_makes_no_difference(value: dict[str, object]) -> None:
    backwards = dict(reversed(list(value.items())))

    assert freeze(backwards) == freeze(value)


@given(st.integers(min_value=-(2**53) + 1, max_value=2**53 - 1))
def test_a_whole_float_is_the_same_number_as_the_integer(number: int) -> None:
    assert freeze(float(number)) == freeze(number)


@given(VALUES, VALUES)
def test_values_that_json_tells_apart_have_other_texts(one: object, other: object) -> None:
    same = json.loads(json.dumps(one)) == json.loads(json.dumps(other))

    if not same:
        assert freeze(one) != freeze(other)


def test_true_is_not_one_and_null_is_not_false() -> None:
    assert len({freeze(True), freeze(1), freeze("1"), freeze(None), freeze(False), freeze(0)}) == 6


def test_a_body_does_not_change_when_its_value_does() -> None:
    value: dict[str, object] = {"days": ["mon"]}
    body = freeze(value)
    days = value["days"]
    assert isinstance(days, list)
    days.append("tue")

    assert thaw(body) == {"days": ["mon"]}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, object(), b"bytes", {1: "a"}, {1}])
def test_what_json_cannot_say_is_refused_and_shown(bad: object) -> None:
    with pytest.raises(ValueError, match=r"JSON|string"):
        freeze([bad])


def test_the_empty_body_is_null() -> None:
    assert thaw(EMPTY) is None
