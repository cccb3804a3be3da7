"""Paired differences in words: how many, of what, and when values are not to be compared."""

from copy import deepcopy
from dataclasses import replace
from io import StringIO
from time import perf_counter

import pytest

from sim.measure.compare import GroupResult, compare, groups
from sim.report import compared_words as words
from sim.report.compared import compared
from sim.report.compared_formats import as_markdown
from sim.report.console import make_console
from sim.scenario.load import load_text

POLICIES = """\
title: Two policies
server: {resources: {note: {}}, status: no}
network: {ack: {loss: 0.5}}
user: [{at: 0s, edit: note}, {at: 0s, save: note}]
variants:
  once: {client: {retry: {max_attempts: 1}}}
  thrice: {client: {retry: {max_attempts: 3, delay: 500ms}}}
  patient: {client: {timeout: 9s, retry: {max_attempts: 1}}}
"""


@pytest.fixture(scope="module")
def result() -> GroupResult:
    one = load_text(POLICIES, "policies", "policies.yaml")
    return compare(groups(one, runs=40), perf_counter)[0]


def _settled(result: GroupResult) -> tuple[int, int]:
    base, other = (result.side(place).tally.certainty.total for place in (0, 1))
    return base, other


def _text(result: GroupResult) -> str:
    console = make_console(to := StringIO(), colour=False, width=100)
    console.print(compared([result]))
    return " ".join(to.getvalue().split())


def test_many_runs_are_written_with_separators(result: GroupResult) -> None:
    group, tally = replace(result.group, runs=1_500), deepcopy(result.tally)
    tally.sides[0].runs = 1_500
    many = GroupResult(group, tally)

    assert words.headline(many, 1).endswith("of 1,500 runs differ")
    assert words.conditions(group).startswith("1,500 runs of each of 3 variants")


def test_times_of_unlike_numbers_of_operations_come_with_a_warning(result: GroupResult) -> None:
    """Whoever tries once settles fewer operations, and those soon."""
    base, other = _settled(result)
    said = f"time_to_certainty is of {base} (once) against {other} (thrice) operations"

    assert base < other
    assert said in _text(result)
    assert said.replace("_", "\\_") in as_markdown([result])


def test_the_warning_names_only_what_is_shown(result: GroupResult) -> None:
    shown = [one for one in result.comparisons(1) if one.measure.name == "unresolved_rate"]

    assert words.unlike(result, 1, shown) == ""


def test_like_numbers_need_no_warning(result: GroupResult) -> None:
    assert words.unlike(result, 2, result.comparisons(2)) == ""
