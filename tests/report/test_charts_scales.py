"""Ticks, texts and places on axes."""

from itertools import pairwise
from math import log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.report.charts.beside import Point, beside
from sim.report.charts.direct import _apart
from sim.report.charts.scales import share_text, swept, time_limits, time_text, time_ticks

TIMES = {
    1: "1 µs",
    999: "999 µs",
    1_000: "1 ms",
    1_500_000: "1.5 s",
    83_400_000: "83.4 s",
    120_000_000: "2 min",
    7_200_000_000: "2 h",
    172_800_000_000: "2 d",
}
SHARES = {
    0.0: "0 %",
    0.000012: "0.0012 %",
    0.0034: "0.3 %",
    0.0996: "10 %",
    0.57: "57 %",
    0.998: "99.8 %",
    0.99999: "99.9 %",
    1.0: "100 %",
}


@pytest.mark.parametrize(("value_us", "text"), TIMES.items())
def test_durations_have_the_unit_that_reads_best(value_us: int, text: str) -> None:
    assert time_text(value_us) == text


@pytest.mark.parametrize(("share", "text"), SHARES.items())
def test_shares_are_percentages_that_say_something(share: float, text: str) -> None:
    assert share_text(share) == text


@given(st.integers(1, 10**12), st.floats(1.1, 1e9), st.integers(2, 9))
def test_ticks_rise_within_the_axis_and_are_few(low: int, ratio: float, most: int) -> None:
    ticks = time_ticks(low, low * ratio, most)

    assert len(ticks) <= most
    assert all(low <= tick <= low * ratio for tick in ticks)
    assert all(a < b for a, b in pairwise(ticks))


@given(st.integers(100, 10**12), st.floats(1.0, 1e6))
def test_a_time_axis_has_two_ticks_at_least(low: int, ratio: float) -> None:
    limits = time_limits(low, low * ratio)

    assert limits[0] <= low <= low * ratio <= limits[1]
    assert len(time_ticks(*limits)) >= 2


@given(st.integers(1, 600_000), st.integers(100, 10**7), st.integers(5, 8))
def test_a_long_axis_that_begins_below_a_second_has_a_tick_there(
    low: int, seconds: int, most: int
) -> None:
    ticks = time_ticks(low, seconds * 1_000_000, most)

    free = log10(ticks[0] / low) / log10(seconds * 1_000_000 / low)
    assert ticks[0] < 1_000_000 or free < 0.4


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7), st.floats(0.01, 0.2))
def test_labels_are_moved_apart_in_their_order(places: list[float], gap: float) -> None:
    moved = _apart(places, [gap] * len(places))

    order = sorted(range(len(places)), key=lambda n: (places[n], n))
    assert all(moved[b] - moved[a] >= gap * 0.999 for a, b in pairwise(order))


def test_labels_that_do_not_touch_stay() -> None:
    assert _apart([0.9, 0.1, 0.5], [0.1, 0.2, 0.1]) == [0.9, 0.1, 0.5]


@given(st.integers(60, 400), st.integers(40, 260))
def test_names_of_two_points_in_one_place_stand_beside_each_other(x: int, y: int) -> None:
    point = Point(x, y, "250ms")

    one, other = beside([point, point], [(x, y)], (460, 300))

    assert one != other
    assert (one.across, one.along) != (other.across, other.along)


def test_a_name_stands_within_the_axes() -> None:
    places = [beside([Point(x, 290, "2s, 4s")], [], (460, 300))[0] for x in (5, 230, 455)]

    assert [place.across for place in places] == ["left", "left", "right"]
    assert {place.along for place in places} == {"top"}


def test_values_that_span_decades_stand_on_a_logarithmic_axis() -> None:
    axis = swept("client.timeout", ["250ms", "1s", "4s"])

    assert axis.is_log
    assert axis.places == (250_000, 1_000_000, 4_000_000)


def test_values_stand_by_their_size_where_that_can_be_read() -> None:
    axis = swept("network.ack.loss", ["0", "0.1", "0.3"])

    assert (axis.is_log, axis.is_even, axis.places) == (False, False, (0.0, 0.1, 0.3))


@pytest.mark.parametrize("values", [["0", "0.001", "0.5"], ["none", "full"], ["1s", "1000ms"]])
def test_other_values_stand_evenly(values: list[str]) -> None:
    axis = swept("x", values)

    assert axis.is_even
    assert axis.places == tuple(map(float, range(len(values))))
