"""A row of the table of mistakes names what its mistake is shown to break: all that, only that.

It is shown by the kill matrix, which is committed, or by a shipped scenario, or here.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from sim.contract.mistakes import MISTAKES, Mistake
from sim.judge.court import judge_records
from sim.judge.diagnosis import diagnose, mistakes_of
from sim.judge.verdict import Verdict
from tests.architecture.sources import ROOT
from tests.engine.worlds import run
from tests.scenarios.conftest import judge_file, shipped_files

PAID_TWICE = """
server: {resources: {payments: {kind: post, irreversible: yes}}}
client: {mistakes: [server-error-means-failure]}
user:
  - {at: 0s, edit: payments, body: {amount: 20}}
  - {at: 0s, save: payments}
  - {at: 30s, save: payments}
faults: [{error: 500, at: after_commit, attempt: 1}]
"""
EACH_MISTAKE = pytest.mark.parametrize(
    "mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES]
)


@cache
def in_the_matrix() -> dict[str, frozenset[str]]:
    """Mistake -> what it breaks, alone, in the committed kill matrix."""
    held = json.loads((ROOT / "reports" / "kill-matrix.json").read_text("utf-8"))
    return {row["mistake"]: frozenset(row["breaks"]) for row in held["mistakes"]}


@cache
def in_shipped_scenarios() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Mistake -> what breaks where it alone is on; and what breaks where it is on at all."""
    alone, at_all = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for verdict in (verdict for name in shipped_files() for verdict in judge_file(name)[1]):
        made = mistakes_of(verdict.world)
        for mistake in made:
            at_all[mistake].update(verdict.broken)
            if len(made) == 1:
                alone[mistake].update(verdict.broken)
    return alone, at_all


@cache
def here() -> dict[str, tuple[str, ...]]:
    """Mistake -> what breaks in a world of this file."""
    done = run(PAID_TWICE)
    return {"server-error-means-failure": judge_records(done.world, done.records).broken}


@EACH_MISTAKE
def test_a_shipped_scenario_shows_every_mistake_alone(mistake: Mistake) -> None:
    assert in_shipped_scenarios()[0][mistake.name]


@EACH_MISTAKE
def test_a_row_names_every_invariant_that_its_mistake_alone_breaks(mistake: Mistake) -> None:
    shown = in_the_matrix()[mistake.name] | in_shipped_scenarios()[0][mistake.name]

    assert sorted(shown.difference(mistake.breaks)) == []


@EACH_MISTAKE
def test_a_row_names_nothing_that_is_not_shown(mistake: Mistake) -> None:
    shown = in_the_matrix()[mistake.name] | in_shipped_scenarios()[1][mistake.name]

    assert sorted(set(mistake.breaks).difference(shown, here().get(mistake.name, ()))) == []


@EACH_MISTAKE
def test_no_row_names_an_invariant_twice(mistake: Mistake) -> None:
    assert len(set(mistake.breaks)) == len(mistake.breaks)


def test_from_what_breaks_alone_most_mistakes_are_among_the_candidates() -> None:
    right = run("").world
    named = [
        mistakes_of(verdict.world)[0]
        in [one.mistake for one in diagnose(right, verdict.violations)]
        for verdict in _judged_with_mistakes()
        if len(mistakes_of(verdict.world)) == 1
    ]

    assert len(named) > 60
    assert sum(named) / len(named) >= 0.85


def _judged_with_mistakes() -> Iterator[Verdict]:
    for name in shipped_files():
        yield from (v for v in judge_file(name)[1] if v.broken and mistakes_of(v.world))


def test_what_breaks_in_a_shipped_scenario_is_explained_by_the_mistakes_that_are_on() -> None:
    for verdict in _judged_with_mistakes():
        named = [diagnosis.mistake for diagnosis in verdict.diagnoses]
        explained = {name for diagnosis in verdict.diagnoses for name in diagnosis.invariants}

        assert set(named) <= set(mistakes_of(verdict.world)), verdict.world.variant
        assert explained == set(verdict.broken), verdict.world.variant
