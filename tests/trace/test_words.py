"""Durations, bodies and text as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.contract.body import freeze
from sim.trace.words import body, count, duration, plain

HOUR_US = 3_600_000_000


@pytest.mark.parametrize(
    ("us", "says"),
    [
        (0, "0 s"),
        (1, "1 µs"),
        (40_000, "40 ms"),
        (40_250, "40.25 ms"),
        (2_040_000, "2.04 s"),
        (2_000_001, "2.000001 s"),
        (90_000_000, "1 min 30 s"),
        (24 * HOUR_US, "24 h"),
        (24 * HOUR_US + 1, "24 h 1 µs"),
        (24 * HOUR_US - 1, "23 h 59 min 59.999999 s"),
        (720 * HOUR_US, "30 d"),
        (-1_000, "-1 ms"),
    ],
)
def test_a_duration_is_exact_and_short(us: int, says: str) -> None:
    assert duration(us) == says


@given(st.integers(0, 10**14), st.integers(1, 10**7))
def test_two_instants_never_read_the_same(us: int, apart_us: int) -> None:
    assert duration(us) != duration(us + apart_us)


def test_a_body_reads_like_the_scenario_file() -> None:
    frozen = freeze({"sessions per week": 3, "text": "hi", "tags": [True, None]})

    assert body(frozen) == '{"sessions per week": 3, tags: [true, null], text: "hi"}'


def test_a_long_body_is_cut_with_a_visible_mark() -> None:
    assert body(freeze({"text": "x" * 100}), limit=20) == '{text: "xxxxxxxxxxx…'


def test_plain_text_cannot_steer_a_terminal() -> None:
    assert plain("a\x1b[31m\nb\u202ec") == "a·[31m b·c"


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1 run"), (999, "999 runs"), (1_158, "1,158 runs"), (0, "0 runs")]
)
def test_large_counts_are_written_in_groups_of_three(number: int, said: str) -> None:
    assert count(number, "run") == said
