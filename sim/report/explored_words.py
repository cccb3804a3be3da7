"""What a search says in words: its bounds, its counts, and how the runs end."""

from collections.abc import Iterator, Mapping

from sim.explore.bounds import Bounds
from sim.explore.found import Explored, Redundant
from sim.explore.result import Result
from sim.explore.run import Ending
from sim.trace.words import count

_REDUNDANT = {
    Redundant.HELD: "a late message whose turn never came: the same as a lost one",
    Redundant.UNTURNED: "a tie that was none: turned or not, the same happens",
    Redundant.MISSED: "a fault that did not strike where it was meant to",
}


def bounds(explored: Explored) -> str:
    """Return what was searched: ``every schedule of at most 2 faults``."""
    limits, own = explored.bounds, len(explored.world.faults)
    said = f"every schedule of at most {count(limits.faults, 'fault')}"
    if own:
        said += f" besides its own {own}"
    if limits.also:
        also = ", ".join(do.value for do in limits.also)
        said += f" and at most {count(limits.acts, 'act')} of people ({also})"
    return said


def kinds(limits: Bounds) -> str:
    """Return the kinds of fault that were tried."""
    return ", ".join(kind.value for kind in limits.kinds)


def sizes(explored: Explored) -> str:
    """Return how many schedules there were of each size: ``1 of 0, 21 of 1, 232 of 2 faults``."""
    what = "faults and acts" if explored.bounds.also else "faults"
    tried = explored.tally.tried
    return ", ".join(f"{tried[size]:,} of {size}" for size in sorted(tried)) + f" {what}"


def redundant(explored: Explored) -> Iterator[tuple[str, str]]:
    """Yield how many runs were no schedules of their own or were not made, and why."""
    for why in Redundant:
        many = explored.tally.redundant.get(why, 0)
        if many:
            yield f"{many:,} more", _REDUNDANT[why]
    inert = explored.tally.inert
    if inert:
        yield f"{inert:,} left out", "faults at answers to a client that waits for none"


def states(explored: Explored) -> str:
    """Return what merging came to, but for the number of states, which stands before it."""
    tally = explored.tally
    said = f"distinct {_many(tally.states, 'state')} to go on from"
    if tally.merged:
        said += f"; {tally.merged:,} {_many(tally.merged, 'schedule')} led to one again"
        said += f": {tally.spared:,} {_many(tally.spared, 'run')} spared"
    return said


def _many(number: int, one: str) -> str:
    return one if number == 1 else one + "s"


def endings(result: Result) -> list[tuple[str, int]]:
    """Return how the runs end, in words, the most frequent first."""
    names = len(
        {screen[0] for ending in result.explored.tally.endings for screen in ending.screens}
    )
    added: dict[str, int] = {}
    for ending, many in result.explored.tally.endings.items():
        said = _ending(ending, with_names=names > 1)
        added[said] = added.get(said, 0) + many
    return sorted(added.items(), key=lambda item: (-item[1], item[0]))


def _ending(ending: Ending, *, with_names: bool) -> str:
    effects: dict[str, list[int]] = {}
    for wanted in ending.intents:
        effects.setdefault(wanted.client, []).append(wanted.effects)
    screens: dict[str, list[str]] = {}
    for client, _, phase, dirty in ending.screens:
        screens.setdefault(client, []).append(f"{phase}, draft dirty" if dirty else phase)
    said = "; ".join(
        (f"{client}: " if with_names else "")
        + " and ".join(shown)
        + f" · {_effects(effects.get(client, []))}"
        for client, shown in screens.items()
    )
    return said or "it began"


def _effects(many: list[int]) -> str:
    if len(many) == 1:
        return count(many[0], "effect")
    return "effects " + ", ".join(map(str, many)) if many else "nothing sent"


def places(explored: Explored) -> Mapping[str, str]:
    """Return of each broken invariant what its smallest schedule takes: ``1 fault``."""
    said: dict[str, str] = {}
    for name, breakage in explored.tally.broken.items():
        faults, acts, _, _ = breakage.example.size
        said[name] = count(faults, "fault") + (f" and {count(acts, 'act')}" if acts else "")
    return said
