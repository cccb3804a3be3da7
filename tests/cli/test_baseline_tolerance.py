"""``--tolerance``: how far rates may move, and what is said of it."""

from pathlib import Path

import pytest

from tests.cli.baselines import another_count, another_maximum, check, edit, hold
from tests.cli.samples import Run


@pytest.fixture
def held(folder: Path, lostack: Run) -> Path:
    return hold(folder, lostack)


@pytest.mark.parametrize(("tolerance", "status"), [("interval", 0), ("0.05", 0), ("0.04", 1)])
def test_a_rate_may_move_as_far_as_the_tolerance_says(
    lostack: Run, held, tolerance, status
) -> None:
    edit(held / "weather.json", another_count)

    assert check(lostack, "--tolerance", tolerance).status == status


@pytest.mark.parametrize("zero", ["0", "0.00", "0e-999999999"])
def test_a_tolerance_of_nothing_is_none(lostack: Run, held, zero) -> None:
    edit(held / "weather.json", lambda value: another_maximum(value) or another_count(value))

    ended = check(lostack, "--tolerance", zero)

    assert ended == check(lostack)
    assert "✗ weather  moved: 2 measures" in ended.out


@pytest.mark.parametrize(
    ("tolerance", "said"),
    [
        ("interval", "--tolerance interval maxima, and quantiles without an interval, may move"),
        ("0.05", "--tolerance maxima, and counts of which the rate stays, may move"),
    ],
)
def test_it_says_what_may_move_under_a_tolerance(lostack: Run, held, tolerance, said) -> None:
    edit(held / "weather.json", another_maximum)

    ended = check(lostack, "--tolerance", tolerance)

    assert ended.status == 0
    assert f"\nunder {said}\n" in ended.out
    assert "1 measure moved no further than --tolerance allows" in ended.out


def test_where_nothing_with_a_rate_is_compared_a_tolerance_is_not_told(lostack: Run, held) -> None:
    ended = lostack("baseline", "check", "--workers", "1", "lost.yaml", "--tolerance", "0.5")

    assert (ended.status, ended.out) == (0, "1 scenario: 1 as in its baseline\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--tolerance", "a lot"), "'a lot' is neither a number nor 'interval'"),
        (("--tolerance", "1.5"), "'1.5' is not in the range 0 to 1"),
        (("--tolerance", "nan"), "'nan' is not in the range 0 to 1"),
        (("--tolerance", "1e-999999999"), "'1e-999999999' is neither 0 nor at least 1e-12"),
    ],
)
def test_a_tolerance_that_is_none_is_bad_input(lostack: Run, held, options, said) -> None:
    ended = check(lostack, *options)

    assert ended.status == 2
    assert said in ended.err
