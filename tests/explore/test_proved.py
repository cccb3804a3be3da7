"""The contract over the suite: what is proved, and what would be told if it were not."""

import json
from dataclasses import replace
from io import StringIO

from sim.explore.proved import Proof, Proved, prove, prove_all
from sim.explore.suite import SUITE, Case, with_mistake
from sim.report import proved_json
from sim.report.console import make_console
from sim.report.proved import proved


def _case(situation: str, faults: int = 1) -> Case:
    return next(case for case in prove_all(faults) if case.situation == situation)


def _text(*situations: Proved) -> str:
    out = StringIO()
    make_console(out, width=200).print(proved(Proof(faults=1, situations=situations)))
    return out.getvalue()


def test_every_situation_is_searched_within_the_same_bound() -> None:
    asked = prove_all(3)

    assert [case.situation for case in asked] == [one.name for one in SUITE]
    assert {case.faults for case in asked} == {3}
    assert {case.mistake for case in asked} == {""}


def test_the_schedules_of_each_size_are_counted() -> None:
    one = prove(_case("one-put"))

    assert one.sizes[0] == 1
    assert one.schedules == sum(one.sizes)
    assert one.exposures == {}
    assert one.doubts == ()


def test_a_proof_says_what_holds_where_and_within_which_bound() -> None:
    one = prove(_case("one-put"))

    said = _text(one)

    assert "every invariant holds in all" in said
    assert f"{one.schedules} schedules in 1 situation, at most 1 fault" in said


def test_what_breaks_is_told_with_the_faults_that_break_it() -> None:
    case = _case("one-post")

    one = prove(replace(case, world=with_mistake(case.world, "no-registry")))

    assert "one-effect-per-intent breaks in 'one-post': " in _text(one)
    assert "holds in all" not in _text(one)


def test_a_doubt_is_no_proof() -> None:
    one = prove(_case("one-put"))._replace(doubts=("4 runs were cut off",))

    assert "'one-put' is inconclusive: 4 runs were cut off" in _text(one)
    assert "holds in all" not in _text(one)


def test_the_json_says_whether_it_holds() -> None:
    one = prove(_case("one-put", 0))

    told = json.loads(proved_json.render(Proof(faults=0, situations=(one,))))

    assert (told["holds"], told["schedules"], told["situations"][0]["sizes"]) == (True, 1, [1])
