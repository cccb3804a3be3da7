"""Operation ids: version 4 in form, one for each name; and how a clock fails as a source."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.contract.ids import is_version_4, named_id, weak_id


@given(st.text())
def test_an_id_is_a_version_4_uuid_in_its_usual_form(name: str) -> None:
    parsed = uuid.UUID(named_id(name))

    assert (parsed.version, parsed.variant) == (4, uuid.RFC_4122)
    assert str(parsed) == named_id(name)
    assert is_version_4(named_id(name))


@given(st.text(), st.text())
def test_other_names_have_other_ids_and_the_same_name_the_same(one: str, other: str) -> None:
    assert (named_id(one) == named_id(other)) == (one == other)


def test_ten_thousand_names_have_ten_thousand_ids() -> None:
    assert len({named_id(f"1/0/phone/{n}") for n in range(10_000)}) == 10_000


@given(st.integers(min_value=0, max_value=10**15))
def test_weak_ids_collide_exactly_within_one_millisecond(now_us: int) -> None:
    start_us = now_us - now_us % 1_000

    assert weak_id(start_us) == weak_id(start_us + 999)
    assert weak_id(start_us) != weak_id(start_us + 1_000)


@given(st.integers(min_value=0, max_value=10**15))
def test_weak_ids_look_like_any_other_id(now_us: int) -> None:
    assert is_version_4(weak_id(now_us))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "op-1",
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "6BA7B810-9DAD-41D1-80B4-00C04FD430C8",
        "6ba7b810-9dad-41d1-c0b4-00c04fd430c8",
        "6ba7b8109dad41d180b400c04fd430c8",
        "6ba7b810-9dad-41d1-80b4-00c04fd430c8\n",
        "{6ba7b810-9dad-41d1-80b4-00c04fd430c8}",
    ],
)
def test_anything_else_is_no_version_4_id(text: str) -> None:
    assert not is_version_4(text)
