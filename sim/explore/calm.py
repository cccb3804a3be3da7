"""The world that is explored: its people, clients and server, with nothing left to chance."""

from dataclasses import replace
from typing import NamedTuple

from sim.network.weather import Direction, Latency, Link
from sim.scenario.model import ClientSpec, Once, World


class NotExplorableError(Exception):
    """A world that is too large to be tried in every way.

    All arguments go to ``super().__init__`` in order, so that pickle can rebuild the exception.
    """

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem, fix)
        self.problem, self.fix = problem, fix

    def __str__(self) -> str:
        return f"{self.problem}\n  fix: {self.fix}"


class Calmed(NamedTuple):
    """A world without chance; ``notes`` say what was taken out of it."""

    world: World
    notes: tuple[str, ...]


def calm(world: World) -> Calmed:
    """Return a world as it is explored: what chance decided, the search decides.

    Raises:
        NotExplorableError: It has a population, or people who act again and again.
    """
    for client in world.clients:
        if client.group and client.group != client.name:
            raise NotExplorableError(
                f"'{client.group}' stands for a population (count), which cannot be explored",
                "write the few clients that matter one by one, or use 'lostack measure'",
            )
    if any(not isinstance(action.when, Once) for action in world.user):
        raise NotExplorableError(
            "a line of 'user' is repeated (every), which cannot be explored",
            "write the few acts that matter with 'at', or use 'lostack measure'",
        )
    notes = []
    if any(not _is_certain(client) for client in world.clients):
        notes.append(
            "the links' weather is left out: nothing is lost by chance, and latency is its median"
        )
    clients = tuple(replace(client, link=_certain(client.link)) for client in world.clients)
    if any(client.retry.delay.wait(1, 0).is_drawn for client in clients):
        number = f" and run {world.run}" if world.run else ""
        notes.append(f"jitter is drawn once, from seed {world.seed}{number}")
    return Calmed(replace(world, clients=clients), tuple(notes))


def _is_certain(client: ClientSpec) -> bool:
    return client.link.request.is_certain and client.link.ack.is_certain


def _certain(link: Link) -> Link:
    return Link(request=_direction(link.request), ack=_direction(link.ack))


def _direction(direction: Direction) -> Direction:
    if direction.is_certain:
        return direction
    return Direction(latency=Latency.constant(direction.latency.at(0.5)))
