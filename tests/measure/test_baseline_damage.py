"""Files that are no baselines any more: refused, with the place and what may stand there."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sim.measure.baseline_file import BaselineError, dump
from sim.measure.baseline_read import parse
from tests.measure.baselines import MEASURED, SCRIPTED, baseline, scenario

FIX = "\n  fix: restore the file, or delete it and run 'lostack baseline update'"
TRACE, CELL = ("traces", 0), ("cells", 0)
RATE = (*CELL, "counts", "unknown_outcome_rate")
WHOLES = {
    SCRIPTED: dump(baseline(scenario(SCRIPTED))),
    MEASURED: dump(baseline(scenario(MEASURED))),
}


def refused(text: str, name: str | None = None) -> str:
    with pytest.raises(BaselineError) as error:
        parse(text, "x.json", name)
    return str(error.value)


def damaged(place: tuple[str | int, ...], value: Any) -> str:
    """Return what is said of a baseline in which another value stands at a place."""
    whole = json.loads(WHOLES[SCRIPTED if place[0] == "traces" else MEASURED])
    put(whole, place, value)
    said = refused(json.dumps(whole))
    assert said.endswith(FIX)
    return said.removesuffix(FIX).partition("this baseline is damaged: ")[2]


def put(whole: Any, place: tuple[str | int, ...], value: Any) -> None:
    for step in place[:-1]:
        whole = whole[step]
    whole[place[-1]] = value


def places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place of a JSON value, but for the whole."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in pairs:
        yield (*at, step)
        if isinstance(inner, dict | list):
            yield from places(inner, (*at, step))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ":1:1: this is no JSON"),
        ('{"lostack_baseline":\n 1,}', ":2:4: this is no JSON"),
        ("[" * 100_000, ": this is nested too deeply for a baseline"),
        ("[]", ": this is no baseline"),
        ('{"lostack_baseline": 2}', ": a baseline of version '2'; this lostack reads '1'"),
        ('{"lostack_baseline": true}', ": a baseline of version 'true'; this lostack reads '1'"),
        ('{"lostack_baseline": 1}', ":1:1: this baseline is damaged: 'scenario' is missing"),
    ],
)
def test_what_is_no_baseline_is_refused_with_advice(text, problem) -> None:
    assert refused(text).startswith(f"x.json{problem}\n  fix: ")


@pytest.mark.parametrize("text", [SCRIPTED, MEASURED])
@pytest.mark.parametrize("token", ["NaN", "9" * 5_000])
def test_no_place_takes_a_number_that_is_none(text, token) -> None:
    for place in places(json.loads(WHOLES[text])):
        if place[:2] == ("cells", 1) or place == ("lostack_baseline",):
            continue
        whole = json.loads(WHOLES[text])
        put(whole, place, "HERE")
        written = json.dumps(whole, indent=1).replace('"HERE"', token)
        _, line, column, *_ = refused(written).split(":")
        there = written.splitlines()[int(line) - 1][int(column) - 1 :]
        assert there.startswith(token), place


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ((*CELL, "runs"), 0, "cells[0].runs: '0' is no whole number from 1 to 10,000,000"),
        ((*CELL, "runs"), 10**20 - 1, "cells[0].runs: '99999999999999999999' is no whole number"),
        ((*CELL, "runs"), 1e99, "cells[0].runs: '1e+99' is no whole number from 1 to 10,000,000"),
        ((*CELL, "runs"), 39, "cells[1].runs: '40' is not 39, the runs of the first cell"),
        ((*CELL, "seed"), "1", "cells[0].seed: '\"1\"' is no whole number from 0 to"),
        ((*CELL, "seed"), True, "cells[0].seed: 'true' is no whole number"),
        ((*CELL, "cell"), [], "cells[0].cell: '[]' is no object in braces"),
        ((*CELL, "failures"), "no", "cells[0].failures: '\"no\"' is no list in brackets"),
        ((*CELL, "failures"), [1], "cells[0].failures[0]: '1' is no text in quotes"),
        ((*CELL, "extra"), 1, "cells[0].extra: unknown key 'extra'; there may be: variant,"),
        ((*RATE, "count"), 24.5, "unknown_outcome_rate.count: '24.5' is no whole number from 0"),
        ((*RATE, "count"), -24, "unknown_outcome_rate.count: '-24' is no whole number from 0"),
        ((*RATE, "count"), 41, "unknown_outcome_rate.count: '41' is no whole number from 0 to 40"),
        pytest.param(
            (*RATE, "count"),
            int("9" * 400),
            f"count: '{'9' * 40}…' is no whole number from 0 to 40",
            id="a count of 400 digits",
        ),
        ((*RATE, "of"), 0, "unknown_outcome_rate.of: '0' is no whole number from 1 to 1e+24"),
        ((*RATE, "of"), "x", "unknown_outcome_rate.of: '\"x\"' is no whole number"),
        ((*RATE, "low"), float("nan"), "unknown_outcome_rate.low: 'NaN' is no number from 0 to 1"),
        ((*RATE, "low"), 0.999, "unknown_outcome_rate.high: '0."),
        ((*RATE, "high"), float("inf"), "unknown_outcome_rate.high: 'Infinity' is no number from"),
        ((*RATE, "high"), None, "unknown_outcome_rate.high: 'null' is no number from"),
        ((*RATE, "value_us"), 1, "value_us: unknown key 'value_us'; there may be: count, of, low"),
        (RATE, {"count": 1, "of": 40, "low": 0}, "'high' is missing: an interval has two bounds"),
        (RATE, {"of": 40}, "cells[0].counts.unknown_outcome_rate: 'count' is missing"),
        (RATE, "all", "cells[0].counts.unknown_outcome_rate: '\"all\"' is no object in braces"),
        (
            (*CELL, "counts", "time_to_certainty.p50"),
            {"count": 40, "of": 40},
            "'value_us' must be there where 'count' is above 0",
        ),
        ((*CELL, "counts", "foo_rate"), {}, "counts.foo_rate: there is no measure of this name"),
        ((*CELL, "counts", "runs_that_break.luck"), {}, "there is no measure of this name"),
        (("cells",), [], "cells: there is nothing in it"),
        ((*TRACE, "digest"), "no", "traces[0].digest: '\"no\"' is not 64 hexadecimal digits"),
        ((*TRACE, "hashes"), ["x"], "traces[0].hashes[0]: '\"x\"' is no line of hashes of 8"),
        ((*TRACE, "hashes"), [], "traces[0].hashes: '0' hashes, and"),
        ((*TRACE, "every"), 0, "traces[0].every: '0' is no whole number from 1 to"),
        ((*TRACE, "variant"), "lost", "a trace of variant 'lost' stands there twice"),
    ],
)
def test_it_is_said_where_a_file_is_damaged_and_what_may_stand_there(place, value, said) -> None:
    assert said in damaged(place, value)


@pytest.mark.parametrize("key", ["scenario", "path", "digest", "versions", "history", "traces"])
def test_a_part_that_is_missing_is_named(key) -> None:
    whole = json.loads(WHOLES[SCRIPTED])
    del whole[key]

    assert f"'{key}'" in refused(json.dumps(whole))


def test_a_key_that_stands_there_twice_is_refused() -> None:
    text = WHOLES[SCRIPTED].replace('"records":', '"seed": 1, "records":', 1)

    assert "traces[0].seed: the key 'seed' stands there twice" in refused(text)


def test_a_cell_that_stands_there_twice_is_refused() -> None:
    whole = json.loads(WHOLES[MEASURED])
    whole["cells"].append(whole["cells"][0])

    assert "cells[2]: a cell of this variant and these values stands" in refused(json.dumps(whole))


def test_a_baseline_of_another_scenario_is_refused() -> None:
    said = refused(WHOLES[SCRIPTED], "tiny")

    assert said.startswith("x.json:3:15: this baseline is damaged: scenario: ")
    assert "'\"story\"' is not 'tiny', as the file's name says" in said


def test_what_a_damaged_file_holds_steers_no_terminal() -> None:
    said = damaged((*CELL, "counts", "\x1b[2J\n"), {})

    assert said.startswith('cells[0].counts["·[2J"]: there is no measure of this name')
