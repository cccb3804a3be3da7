"""A comparison for other programs and for reviewers.

The JSON form::

    {"lostack_compared": 1,              the version of this form; keys may be added within one
     "scenarios": [{
       "name", "title", "path", "digest", "base": text, "runs", "seed": number,
       "cells": [{
         "cell": {sweep path: value},
         "never_matched": [{"variant", "fault": text}],
         "variants": [{
           "variant": text, "runs_differing": number,
           "see": the command that tells the story of the clearest run, or "",
           "measures": [{
             "measure", "unit": text,
             "base", "of": {"count", "denominator": number, "value": number or null},
             "difference", "low", "high": number or null,
             "unpaired_low", "unpaired_high": the interval without pairing, number or null,
             "narrower": by which part the paired one is narrower, number or null,
             "runs_higher", "runs_lower", "runs_otherwise": number,
             "clearest_higher", "clearest_lower": [run numbers]}],
           "beside": [{"measure", "unit": text, "base", "of": number or null,
                       "base_count", "base_denominator", "of_count", "of_denominator": number}]
         }]}]}]}

``of`` is the variant's side, a difference the variant less the base. Shares are parts of one, times
microseconds. What stands beside has no paired difference: quantiles of time, of so many operations
that were settled (the count) out of all (the denominator). Every key is always there.
"""

import json
from collections.abc import Sequence
from itertools import groupby

from sim.measure.compare import MEAN_CERTAINTY, Comparison, GroupResult
from sim.measure.intervals import Sums
from sim.measure.results import Row
from sim.report import compared_words as words
from sim.report import measured_words
from sim.report.formats.as_markdown import escaped

VERSION = 1


def as_json(results: Sequence[GroupResult], names: Sequence[str] = ()) -> str:
    """Return the comparison as one JSON value; ``names``: only these measures."""
    scenarios = []
    for _, found in groupby(results, key=lambda result: result.group.scenario.path):
        some = list(found)
        group = some[0].group
        scenarios.append(
            {
                "name": group.scenario.name,
                "title": group.scenario.title,
                "path": group.scenario.path,
                "digest": group.scenario.digest,
                "base": group.worlds[0].variant,
                "runs": group.runs,
                "seed": group.seed,
                "cells": [_cell(result, names) for result in some],
            }
        )
    value = {"lostack_compared": VERSION, "scenarios": scenarios}
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _cell(result: GroupResult, names: Sequence[str]) -> dict[str, object]:
    places = range(1, len(result.group.worlds))
    return {
        "cell": dict(result.group.worlds[0].cell),
        "never_matched": [
            {"variant": variant, "fault": clause} for variant, clause in result.never_matched
        ],
        "variants": [_variant(result, place, names) for place in places],
    }


def _variant(result: GroupResult, place: int, names: Sequence[str]) -> dict[str, object]:
    wanted = [one for one in result.comparisons(place) if not names or one.measure.name in names]
    with_quantiles = any(one.measure is MEAN_CERTAINTY for one in wanted)
    quantiles = result.beside(place) if with_quantiles else []
    return {
        "variant": result.group.worlds[place].variant,
        "runs_differing": result.tally.pairs[place - 1].differing,
        "see": words.see(result, place, words.shown(result, place, names)),
        "measures": [_measure(one) for one in wanted],
        "beside": [_beside(base, other) for base, other in quantiles],
    }


def _beside(base: Row, other: Row) -> dict[str, object]:
    return {
        "measure": base.measure,
        "unit": base.unit,
        "base": base.value,
        "of": other.value,
        "base_count": base.count,
        "base_denominator": base.denominator,
        "of_count": other.count,
        "of_denominator": other.denominator,
    }


def _measure(one: Comparison) -> dict[str, object]:
    found, pair = one.difference, one.pair
    return {
        "measure": one.measure.name,
        "unit": str(one.measure.unit),
        "base": _side(pair.a, one.base),
        "of": _side(pair.b, one.value),
        "difference": None if found is None else found.value,
        "low": None if found is None else found.low,
        "high": None if found is None else found.high,
        "unpaired_low": None if found is None else found.low_apart,
        "unpaired_high": None if found is None else found.high_apart,
        "narrower": None if found is None else found.narrower,
        "runs_higher": pair.higher,
        "runs_lower": pair.lower,
        "runs_otherwise": pair.otherwise,
        "clearest_higher": [each.run for each in pair.best_higher],
        "clearest_lower": [each.run for each in pair.best_lower],
    }


def _side(sums: Sums, value: float | None) -> dict[str, object]:
    return {"count": sums.x, "denominator": sums.n, "value": value}


def as_markdown(results: Sequence[GroupResult], names: Sequence[str] = ()) -> str:
    """Return the comparison as GitHub-flavoured Markdown; ``names``: only these measures."""
    lines: list[str] = []
    for _, found in groupby(results, key=lambda result: result.group.scenario.path):
        some = list(found)
        group = some[0].group
        lines += [f"## {escaped(group.scenario.name)}: {escaped(group.scenario.title)}", ""]
        lines += [f"{escaped(words.conditions(group))}.", ""]
        for result in some:
            if result.group.where:
                lines += [f"### {escaped(result.group.where)}", ""]
            for place in range(1, len(result.group.worlds)):
                lines += _pair(result, place, names)
            doubts = [f"- ❔ {escaped(doubt)}" for doubt in words.doubts(result)]
            lines += [*doubts, ""] if doubts else []
    return "\n".join(lines)


def _pair(result: GroupResult, place: int, names: Sequence[str]) -> list[str]:
    base, variant = result.group.worlds[0].variant, result.group.worlds[place].variant
    shown = words.shown(result, place, names)
    lines = [f"**{escaped(words.headline(result, place))}**", ""]
    if shown:
        head = ("measure", base, variant, "difference", "95 % interval", "paired")
        lines.append(_row([*map(escaped, head), "higher", "lower", "otherwise", "the clearest"]))
        lines.append("|---|" + "---:|" * 8 + "---|")
        counted = {name: sides for name, *sides, _ in words.counted(result, place, shown)}
        lines += [_row(_cells(one, counted[one.measure.name])) for one in shown]
        for before, after in words.beside(result, place, shown):
            sides = [
                f"{measured_words.value(row)} ({words.counts(row)})" for row in (before, after)
            ]
            lines.append(_row([f"`{before.measure}`", *sides, *[""] * 7]))
        lines.append("")
    warning = words.unlike(result, place, shown) if shown else ""
    left = words.left_out(result, place, shown, names)
    see = words.see(result, place, shown)
    lines += [f"{escaped(warning)}.", ""] if warning else []
    lines += [f"{escaped(left)}.", ""] if left else []
    lines += [f"See one: `{see}`", ""] if see else []
    return lines


def _cells(one: Comparison, counted: Sequence[str]) -> list[str]:
    change, pair = words.change(one), one.pair
    is_clear = one.difference is not None and one.difference.is_clear
    return [
        f"`{one.measure.name}`",
        f"{words.value(one, one.base)} ({counted[0]})",
        f"{words.value(one, one.value)} ({counted[1]})",
        f"**{change}**" if is_clear else change,
        words.interval(one),
        words.narrower(one),
        *(f"{many:,}" for many in (pair.higher, pair.lower, pair.otherwise)),
        words.clearest(one),
    ]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
