"""When people act who act again and again."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count, islice

from sim.engine.draws import Draws, Purpose
from sim.network.distributions import exponential
from sim.network.weather import Latency
from sim.scenario.model import Action, Once, Repeatedly, World


@cache
def _pauses(mean_us: int) -> Latency:
    """Return the pauses of a Poisson process; making the table costs a thousand readings of it."""
    return exponential(mean_us)


def habit_name(line: int, client: int) -> int:
    """Return what tells one client's repetitions of one line from all others, when drawing."""
    return (line << 32) | client


def instants(when: Repeatedly, which: int, draws: Draws, horizon_us: int) -> Iterator[int]:
    """Yield when it happens: from the start at fixed pauses, or as a Poisson process does.

    A Poisson process has a drawn pause before its first event too: else a whole population
    would begin with everybody acting at once.
    """
    until_us = horizon_us if when.until_us is None else when.until_us - 1
    if not when.poisson:
        yield from range(when.from_us, until_us + 1, when.every_us)
        return
    pauses, at_us = _pauses(when.every_us), when.from_us
    for times in count(1):
        at_us += max(1, pauses.at(draws.block(Purpose.ARRIVAL, which, times)[0]))
        if at_us > until_us:
            return
        yield at_us


def acts_of_habits(world: World, most: int) -> tuple[Action, ...] | None:
    """Return what people do in a run with each act of a Poisson process as a line of its own.

    Args:
        world: What is run, with the number of the run.
        most: More such acts are not made.

    Returns:
        The lines; None where the acts are more.
    """
    draws = Draws(world.seed, world.run)
    lines: list[Action] = []
    left = most
    for line, action in enumerate(world.user):
        if not isinstance(action.when, Repeatedly) or not action.when.poisson:
            lines.append(action)
            continue
        for at_us, client in islice(_acts(world, action, action.when, line, draws), left + 1):
            lines.append(replace(action, when=Once(at_us=at_us), client=client))
            left -= 1
        if left < 0:
            return None
    return tuple(lines)


def _acts(
    world: World, action: Action, when: Repeatedly, line: int, draws: Draws
) -> Iterator[tuple[int, str]]:
    """Yield when each of the clients does what a line says."""
    for index, client in enumerate(world.clients):
        if action.client in ("", client.name):
            for at_us in instants(when, habit_name(line, index), draws, world.horizon_us):
                yield at_us, client.name
