"""What is said once, below all scenarios: few lines, however many scenarios there are."""

from dataclasses import replace

import pytest

from sim.measure.baseline_diff import Checked, State
from sim.report.baselined_notes import fewer_runs
from sim.report.baselined_words import totals
from tests.measure.baselines import MEASURED, scenario

STORY = scenario(MEASURED)


def checked(name: str, made: int | None, named: int | None, state: State = State.SAME) -> Checked:
    return Checked(scenario=replace(STORY, name=name, runs=named), state=state, runs=made)


def test_one_line_tells_all_that_were_measured_on_fewer_runs() -> None:
    found = [checked("a", 50, 400), checked("b", 50, 100), checked("c", 20, 2_000)]

    first, second = fewer_runs(found)

    assert first == "measured on 20 to 50 of the 100 to 2,000 runs that their files name: a, b, c"
    assert "are not judged on so few" in second


def test_of_many_scenarios_some_are_named_and_the_others_counted() -> None:
    first, _ = fewer_runs([checked(f"s{number}", 50, 100) for number in range(30)])

    assert first.endswith(
        "100 runs that their files name: s0, s1, s2, s3, s4, s5, s6, s7 and 22 more"
    )


def test_files_that_name_no_runs_are_told_apart() -> None:
    named, unnamed, _ = fewer_runs([checked("a", 50, 100), checked("b", 50, None)])

    assert named == "measured on 50 of the 100 runs that the file names: a"
    assert unnamed == "measured on 50 of the 10,000 runs that 'lostack measure' makes: b"


@pytest.mark.parametrize(("made", "named"), [(None, 100), (100, 100), (10_000, None)])
def test_where_all_runs_were_made_nothing_is_said(made, named) -> None:
    assert fewer_runs([checked("a", made, named)]) == []


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ([], "0 scenarios: 0 as in their baselines"),
        ([State.SAME], "1 scenario: 1 as in its baseline"),
        ([State.STALE], "1 scenario: 0 as in its baseline, 1 stale"),
        ([State.SAME] * 2, "2 scenarios: 2 as in their baselines"),
        ([State.SAME, State.MOVED], "2 scenarios: 1 as in its baseline, 1 moved"),
        ([State.MISSING] * 2, "2 scenarios: 0 as in their baselines, 2 without a baseline"),
    ],
)
def test_totals_are_told_in_the_number_that_there_is(states, said) -> None:
    assert totals([checked("a", None, None, state) for state in states], []) == said
