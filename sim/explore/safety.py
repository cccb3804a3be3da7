"""Is it safe to retry this? The verdict that a search supports, and no stronger one.

A verdict is read off every schedule of a bounded search. What was found once is certain (a
counterexample can be replayed); what was not found is claimed for the schedules that were tried,
under the assumptions that are named beside it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from sim.contract.mistakes import by_name, client_rules, server_rules
from sim.contract.retry import OnUnknown
from sim.explore.bounds import Bounds
from sim.explore.choice import Kind, applied
from sim.explore.found import Explored
from sim.explore.result import doubts
from sim.explore.run import Wanted
from sim.judge.diagnosis import diagnose
from sim.network.faults import Clause
from sim.scenario.model import World

Searching = Callable[[World, Bounds], Explored]


class Safety(Enum):
    """The verdicts, the weakest first; each name says what a retry comes to."""

    UNSAFE = "unsafe"
    """Somebody is told what is not true, or loses work, or another's work is overwritten."""
    AT_LEAST_ONCE = "at-least-once"
    """It can happen twice, and nobody is told anything wrong."""
    AT_MOST_ONCE = "at-most-once"
    """It never happens twice, and it can stay unconfirmed or undone until a person acts."""
    AFTER_STATUS = "safe after a status check"
    """It is never sent again with an unknown outcome; a query that gets through says what became
    of it."""
    ONCE = "effectively-once"
    """However often it is sent again, it never happens twice, and an attempt that gets through
    confirms it."""
    NOT_SHOWN = "not shown"
    """The search was cut short before it could say anything, or nothing is saved."""

    @property
    def rank(self) -> int:
        """How strong it is; what is not shown is no verdict at all."""
        return -1 if self is Safety.NOT_SHOWN else list(Safety).index(self)


NOTHING_SAVED = "nothing is saved in it, so that there is nothing to send again"
OWN_FAULTS = "the scenario's own faults are left out: the search tries all of its kinds"

_TWICE = "one-effect-per-intent"
_COSTS_NOTHING = ("ids-unique", "bounded-attempts", "can-save")
"""What is wrong in itself, and alone harms nobody's work and tells nobody an untruth."""
_STUCK = ("answer-confirms", "clean-attempt-settles", "settles", "no-false-conflict")
"""It never becomes certain although it could."""
_UNCERTAIN = ("unknown", "awaiting")
"""What a client believes of an operation that it cannot tell the outcome of."""


def is_harmful(invariant: str) -> bool:
    """Whether somebody is told an untruth, loses work or gets a thing twice where it breaks."""
    return invariant not in (*_COSTS_NOTHING, *_STUCK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """What a verdict rests on: a counterexample, or how many schedules showed none.

    ``left`` is in how many of them nothing got through before the policy's end, so that the
    outcome stays unknown; ``resent`` whether anything was sent again or asked in any of them.
    """

    schedules: int
    left: int = 0
    resent: bool = True
    conclusive: bool = True
    invariant: str = ""
    what: str = ""
    faults: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The verdict under some kinds of fault."""

    kinds: tuple[Kind, ...]
    safety: Safety
    witness: Witness


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """A change, and the verdict that it leads to."""

    change: str
    safety: Safety


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyVerdict:
    """The answer for one world: by kind of fault, then all kinds together."""

    world: World
    bounds: Bounds
    by_kind: tuple[Judged, ...]
    whole: Judged
    doubts: tuple[str, ...]
    lifts: tuple[Lift, ...]
    candidates: tuple[str, ...]
    """Mistakes that the symptoms point at, where none is switched on."""
    notes: tuple[str, ...] = ()
    """What of the scenario was left out of the search."""


def safety(
    world: World, bounds: Bounds, search: Searching, notes: tuple[str, ...] = ()
) -> SafetyVerdict:
    """Return whether a retry is safe in a world.

    Args:
        world: One that can be explored; its own faults are left out, for the search makes all.
        bounds: What is searched.
        search: Does one search.
        notes: What was left out of the world before.
    """
    if world.faults:
        notes = (*notes, OWN_FAULTS)
    world = replace(world, faults=(), fault_lines=())
    by_kind = tuple(judged(search(world, replace(bounds, kinds=(kind,)))) for kind in bounds.kinds)
    found = search(world, bounds)
    whole = judged(found)
    lifts = tuple(_lifts(world, bounds, whole.safety, search)) if not found.stopped else ()
    return SafetyVerdict(
        world=world,
        bounds=bounds,
        by_kind=by_kind,
        whole=whole,
        doubts=doubts(found) + (() if _wanted(found) or not world.user else (NOTHING_SAVED,)),
        lifts=lifts,
        candidates=_candidates(found) if whole.safety is not Safety.ONCE else (),
        notes=notes,
    )


def judged(found: Explored) -> Judged:
    """Return the verdict that one search supports."""
    broken = found.tally.broken
    verdict = _verdict(found)
    shown = _shows(found, verdict)
    witness = Witness(
        schedules=found.tally.schedules,
        left=_left(found),
        resent=any(one.attempts > 1 or one.queries > 0 for one in _wanted(found)),
        conclusive=found.is_conclusive,
    )
    if shown:
        example = broken[shown].example
        witness = Witness(
            schedules=broken[shown].times,
            conclusive=found.is_conclusive,
            invariant=shown,
            what=example.violation.what,
            faults=applied(found.world, example.schedule).faults,
        )
    return Judged(kinds=found.bounds.kinds, safety=verdict, witness=witness)


def _verdict(found: Explored) -> Safety:
    broken = found.tally.broken
    if any(name != _TWICE and is_harmful(name) for name in broken):
        return Safety.UNSAFE
    if _TWICE in broken:
        return Safety.AT_LEAST_ONCE
    if not found.is_conclusive:
        return Safety.NOT_SHOWN
    if any(name in broken for name in _STUCK):
        return Safety.AT_MOST_ONCE
    wanted = _wanted(found)
    if not wanted:
        return Safety.NOT_SHOWN
    if any(one.attempts > 1 for one in wanted):
        return Safety.ONCE
    if any(one.queries > 0 for one in wanted):
        return Safety.AFTER_STATUS
    # Nothing was ever uncertain: what no schedule asks for is not claimed either.
    if all(one.belief == "acknowledged" and one.effects == 1 for one in wanted):
        return Safety.ONCE
    return Safety.AT_MOST_ONCE


def _wanted(found: Explored) -> list[Wanted]:
    return [one for ending in found.tally.endings for one in ending.intents]


def _left(found: Explored) -> int:
    """Return in how many schedules the outcome of something that was wanted stayed unknown."""
    return sum(
        times
        for ending, times in found.tally.endings.items()
        if any(one.belief in _UNCERTAIN for one in ending.intents)
    )


def _shows(found: Explored, verdict: Safety) -> str:
    """Return the invariant whose breaking shows the verdict; nothing: that none broke does."""
    broken = found.tally.broken
    if verdict is Safety.UNSAFE:
        harmful = [name for name in broken if name != _TWICE and is_harmful(name)]
    elif verdict is Safety.AT_LEAST_ONCE:
        harmful = [_TWICE]
    else:
        harmful = [name for name in broken if name in _STUCK]
    return min(harmful, key=lambda name: broken[name].example.size, default="")


def _candidates(found: Explored) -> tuple[str, ...]:
    violations = [breakage.example.violation for breakage in found.tally.broken.values()]
    return tuple(row.mistake for row in diagnose(found.world, violations) if not row.switched_on)


# --- what would lift it ---------------------------------------------------------------------------


def _lifts(world: World, bounds: Bounds, now: Safety, search: Searching) -> Iterator[Lift]:
    """Yield each single change that leads to a stronger verdict."""
    for change, other in _changes(world):
        then = judged(search(other, bounds)).safety
        if then.rank > now.rank:
            yield Lift(change=change, safety=then)


def _changes(world: World) -> Iterator[tuple[str, World]]:
    for name in world.server.mistakes:
        kept = tuple(one for one in world.server.mistakes if one != name)
        server = replace(world.server, mistakes=kept, rules=server_rules(kept))
        yield f"{name}: {by_name(name).remedy}", replace(world, server=server)
    made = dict.fromkeys(name for client in world.clients for name in client.mistakes)
    for name in made:
        clients = tuple(
            replace(
                client,
                mistakes=(kept := tuple(one for one in client.mistakes if one != name)),
                rules=client_rules(kept),
            )
            for client in world.clients
        )
        yield f"{name}: {by_name(name).remedy}", replace(world, clients=clients)
    if not world.server.has_status:
        server = replace(world.server, has_status=True)
        yield (
            "server: {status: yes}: the client can ask what became of it",
            replace(world, server=server),
        )
    if any(client.on_unknown is OnUnknown.PERSON for client in world.clients):
        clients = tuple(replace(client, on_unknown=OnUnknown.RETRY) for client in world.clients)
        yield (
            "client: {on_unknown: retry}: the same operation is sent again",
            replace(world, clients=clients),
        )
    if any(client.retry.max_attempts == 1 for client in world.clients):
        clients = tuple(
            replace(client, retry=replace(client.retry, max_attempts=2)) for client in world.clients
        )
        yield (
            "client: {retry: {max_attempts: 2}}: it may be sent again at all",
            replace(world, clients=clients),
        )
