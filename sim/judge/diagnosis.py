"""From what broke to why: symptom, cause, check and remedy, out of the table of mistakes.

Of the mistakes that the scenario switched on, those are the diagnosis that what broke cannot be
explained without: the best fit first, then any that explains something more. A mistake that is on
and has no part in it is no diagnosis; it would lead people astray. Where none that is on explains
anything, only the symptoms speak: the rows whose broken invariants fit best are candidates.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from sim.contract.mistakes import MISTAKES, Mistake, by_name
from sim.judge.verdict import Diagnosis, Violation
from sim.scenario.model import World

CANDIDATES_MAX: Final = 3
_HALF: Final = 0.5
_UNEXPLAINED: Final = 2.0


def diagnose(world: World, violations: Iterable[Violation]) -> tuple[Diagnosis, ...]:
    """Return what explains the violations, the most likely first; nothing where nothing broke."""
    broken = tuple(dict.fromkeys(violation.invariant for violation in violations))
    if not broken:
        return ()
    needed = _needed([by_name(name) for name in mistakes_of(world)], broken)
    if needed:
        return tuple(_diagnosis(row, broken, on=True) for row in needed)
    fitting = _by_fit(MISTAKES, broken)
    return tuple(_diagnosis(row, broken, on=False) for row in fitting[:CANDIDATES_MAX])


def bystanders(world: World, diagnoses: Iterable[Diagnosis]) -> tuple[str, ...]:
    """Return the mistakes that are switched on and that the diagnosis does not need."""
    needed = {diagnosis.mistake for diagnosis in diagnoses if diagnosis.switched_on}
    return tuple(name for name in mistakes_of(world) if name not in needed)


def mistakes_of(world: World) -> tuple[str, ...]:
    """Return the mistakes that a world switches on, clients' first, each once."""
    of_clients = [name for client in world.clients for name in client.mistakes]
    return tuple(dict.fromkeys([*of_clients, *world.server.mistakes]))


def _needed(rows: Sequence[Mistake], broken: tuple[str, ...]) -> list[Mistake]:
    """Return the best-fitting row, then each that explains something that those before do not."""
    left = list(broken)
    needed = []
    while fitting := [row for row in _by_fit(rows, broken) if set(row.breaks).intersection(left)]:
        needed.append(fitting[0])
        left = [name for name in left if name not in fitting[0].breaks]
    return needed


def _by_fit(rows: Iterable[Mistake], broken: tuple[str, ...]) -> list[Mistake]:
    """Return the rows that share an invariant with what broke, the best fit first."""
    fits = [(row, _fit(row, broken)) for row in rows]
    return [row for row, fit in sorted(fits, key=lambda pair: -pair[1]) if fit > 0]


def _fit(row: Mistake, broken: tuple[str, ...]) -> float:
    """How much of what either names is shared, from 0 to 1.

    A row names what it can break, the most telling first: each weighs half of the one before it.
    What broke and is none of it weighs against the row, more than all of it.
    """
    weights = [_HALF**place for place in range(len(row.breaks))]
    shared = sum(w for w, name in zip(weights, row.breaks, strict=True) if name in broken)
    unexplained = sum(_UNEXPLAINED for name in broken if name not in row.breaks)
    return shared / (sum(weights) + unexplained)


def _diagnosis(row: Mistake, broken: tuple[str, ...], *, on: bool) -> Diagnosis:
    return Diagnosis(
        mistake=row.name,
        symptom=row.symptom,
        cause=row.cause,
        check=row.check,
        remedy=row.remedy,
        invariants=tuple(name for name in row.breaks if name in broken),
        switched_on=on,
    )
