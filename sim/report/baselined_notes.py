"""What is said once, below all scenarios beside their baselines: how it was compared."""

from collections.abc import Sequence
from typing import assert_never

from sim.measure.baseline_diff import By, Checked, Exactly, State, Tolerance, Within
from sim.measure.plan import RUNS_DEFAULT
from sim.trace.words import plain

_NOT_JUDGED = (
    "bounds of rates and what must occur are not judged on so few: 'lostack measure' does that"
)
_NAMES_MAX = 8
"""So many scenarios are named in one line."""


def fewer_runs(found: Sequence[Checked]) -> list[str]:
    """Return which scenarios were measured on fewer runs than they ask for, and what that means.

    Few lines, however many scenarios there are. Empty where every one had its runs.
    """
    named = [each for each in found if each.scenario.runs is not None]
    unnamed = [each for each in found if each.scenario.runs is None]
    said = [
        *_fewer(named, ("the file names", "their files name")),
        *_fewer(unnamed, ("'lostack measure' makes",) * 2),
    ]
    return [*said, _NOT_JUDGED] if said else []


def _fewer(found: Sequence[Checked], who: tuple[str, str]) -> list[str]:
    """Return one line at most; ``who`` makes all the runs, of one scenario and of many."""
    some = [
        (each.runs, each.scenario.runs or RUNS_DEFAULT, each.scenario.name)
        for each in found
        if each.runs is not None and each.runs < (each.scenario.runs or RUNS_DEFAULT)
    ]
    if not some:
        return []
    made, planned, names = zip(*some, strict=True)
    left = f" and {len(names) - _NAMES_MAX} more" if len(names) > _NAMES_MAX else ""
    said = f"measured on {_span(made)} of the {_span(planned)} runs that {who[len(some) > 1]}"
    return [f"{said}: {', '.join(names[:_NAMES_MAX])}{left}"]


def _span(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def tolerated(found: Sequence[Checked], tolerance: Tolerance) -> list[str]:
    """Return what may move under a tolerance without being held against it.

    Empty where nothing that has a rate was compared.
    """
    if not any(each.runs is not None and each.state is not State.MISSING for each in found):
        return []
    match tolerance:
        case Exactly():
            return []
        case By():
            return ["under --tolerance maxima, and counts of which the rate stays, may move"]
        case Within():
            return [
                "under --tolerance interval maxima, and quantiles without an interval, may move"
            ]
        case _:
            assert_never(tolerance)


def versions(found: Sequence[Checked]) -> list[str]:
    """Return which versions differ from those that made the baselines of what moved."""
    told: dict[str, None] = {}
    for each in found:
        if each.state in (State.MOVED, State.STALE):
            told.update(dict.fromkeys(map(plain, each.versions)))
    return list(told)
