"""Durations and rates: exact, with a unit, in whole microseconds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.scenario.units import DURATION_MAX_US, UnitError, duration_text, duration_us, pause_us


@pytest.mark.parametrize(
    ("text", "value_us"),
    [
        ("0", 0),
        ("0s", 0),
        ("250us", 250),
        ("40ms", 40_000),
        ("1.5s", 1_500_000),
        ("0.25ms", 250),
        ("5m", 300_000_000),
        ("24h", 86_400_000_000),
        ("30d", 2_592_000_000_000),
        ("36525d", DURATION_MAX_US),
    ],
)
def test_a_duration_is_read_exactly(text: str, value_us: int) -> None:
    assert duration_us(text) == value_us


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "s",
        "-1s",
        "1 s",
        "1S",
        "1sec",
        "1e3s",
        "0.5us",
        "36526d",
        "1,5s",
        "٣s",
        "inf",
        "1s2",
    ],
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(UnitError):
        duration_us(text)


@pytest.mark.parametrize(
    ("text", "value_us"),
    [
        ("10/s", 100_000),
        ("3/m", 20_000_000),
        ("0.5/s", 2_000_000),
        ("7/s", 142_857),
        ("2s", 2_000_000),
    ],
)
def test_a_rate_is_read_as_the_pause_between_two(text: str, value_us: int) -> None:
    assert pause_us(text) == value_us


@pytest.mark.parametrize("text", ["0/s", "0s", "10/x", "10000000/s", "/s", "10"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(UnitError):
        pause_us(text)


@given(st.integers(0, DURATION_MAX_US))
def test_a_duration_that_is_written_is_read_back(value_us: int) -> None:
    assert duration_us(duration_text(value_us)) == value_us


@pytest.mark.parametrize(
    ("value_us", "text"),
    [
        (0, "0s"),
        (250, "250us"),
        (500_000, "500ms"),
        (1_500_000, "1.5s"),
        (90_000_000, "90s"),
        (86_400_000_000, "24h"),
        (2_592_000_000_000, "30d"),
        (40_123, "40123us"),
    ],
)
def test_a_duration_is_written_with_the_unit_that_reads_best(value_us: int, text: str) -> None:
    assert duration_text(value_us) == text
