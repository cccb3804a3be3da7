"""From what broke to why: symptom, cause, check and remedy, out of the table of mistakes.

Where the scenario switched mistakes on, they are the diagnosis. Where it did not, only the
symptoms speak: the rows whose broken invariants fit best are named as candidates.
"""

from collections.abc import Iterable

from sim.contract.mistakes import MISTAKES, Mistake, by_name
from sim.judge.verdict import Diagnosis, Violation
from sim.scenario.model import World

CANDIDATES_MAX = 3


def diagnose(world: World, violations: Iterable[Violation]) -> tuple[Diagnosis, ...]:
    """Return what explains the violations, the most likely first; nothing where nothing broke."""
    broken = tuple(dict.fromkeys(violation.invariant for violation in violations))
    if not broken:
        return ()
    switched_on = mistakes_of(world)
    if switched_on:
        return tuple(_diagnosis(by_name(name), broken, on=True) for name in switched_on)
    ranked = sorted(MISTAKES, key=lambda row: -_fit(row, broken))
    fitting = [row for row in ranked if _fit(row, broken) > 0]
    return tuple(_diagnosis(row, broken, on=False) for row in fitting[:CANDIDATES_MAX])


def mistakes_of(world: World) -> tuple[str, ...]:
    """Return the mistakes that a world switches on, clients' first, each once."""
    of_clients = [name for client in world.clients for name in client.mistakes]
    return tuple(dict.fromkeys([*of_clients, *world.server.mistakes]))


def _fit(row: Mistake, broken: tuple[str, ...]) -> float:
    """Shared invariants over all that either names; the most telling one counts double."""
    shared = [name for name in row.breaks if name in broken]
    bonus = 1 if row.breaks and row.breaks[0] in broken else 0
    everything = len({*row.breaks, *broken})
    return (len(shared) + bonus) / (everything + 1)


def _diagnosis(row: Mistake, broken: tuple[str, ...], *, on: bool) -> Diagnosis:
    return Diagnosis(
        mistake=row.name,
        symptom=row.symptom,
        cause=row.cause,
        check=row.check,
        remedy=row.remedy,
        invariants=broken if on else tuple(name for name in row.breaks if name in broken),
        switched_on=on,
    )
