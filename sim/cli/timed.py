"""When people act and clients retry in one run, written down as far as a file has words for it.

Acts of a Poisson process become acts at their instants, and drawn pauses become listed ones. What
has no such form stays drawn, and is named: a client whose operations paused differently before the
same retry has no one list, and acts without number fill no file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sim.contract.retry import Delay
from sim.engine.habits import acts_of_habits
from sim.scenario.model import ClientSpec, Repeatedly, World
from sim.trace.records import Rec, Record

ACTS_MAX = 40
"""More acts of Poisson processes than that are not written out one by one."""
CLIENTS_MAX = 8
"""Of more clients the pauses are not listed: a group would fall apart into its members."""


def timed(world: World, records: Sequence[Record]) -> Iterator[World]:
    """Yield worlds that may well have the times of a run, from the least drawn one on.

    Args:
        world: What was run, with the number of the run.
        records: Its whole trace.

    Yields:
        The last one draws as the world itself does, and surely has them.
    """
    for acted in _with_acts(world):
        for paused in _with_pauses(acted, records):
            is_drawn = any(drawn(paused, records))
            yield paused if is_drawn else replace(paused, run=World(scenario="").run)


def drawn(world: World, records: Sequence[Record]) -> Iterator[str]:
    """Yield what chance decides in a run of a world whose links are certain, in words."""
    if any(_is_drawn(one) and any(_pauses(one, records)) for one in world.clients):
        yield "the jitter of pauses"
    if any(isinstance(act.when, Repeatedly) and act.when.poisson for act in world.user):
        yield "the times of acts (poisson)"


def _is_drawn(client: ClientSpec) -> bool:
    return client.retry.max_attempts > 1 and client.retry.delay.wait(1, 0).is_drawn


def _with_acts(world: World) -> Iterator[World]:
    """Yield the world with acts in place of Poisson processes if they are few, and as it is.

    All of them or none: what is drawn for a line is named by the line's number. A run in which
    nobody came to act keeps its process: a file in which nobody acts would prove nothing.
    """
    lines = acts_of_habits(world, ACTS_MAX)
    if lines and lines != world.user:
        yield replace(world, user=lines)
    yield world


def _with_pauses(world: World, records: Sequence[Record]) -> Iterator[World]:
    """Yield the world with listed pauses where a client has one list, and as it is."""
    clients = tuple(_listed(one, records) for one in world.clients)
    if len(clients) <= CLIENTS_MAX and clients != world.clients:
        yield replace(world, clients=clients)
    yield world


def _listed(client: ClientSpec, records: Sequence[Record]) -> ClientSpec:
    if not _is_drawn(client):
        return client
    pauses: dict[int, int] = {}
    for number, pause_us in _pauses(client, records):
        if pauses.setdefault(number, pause_us) != pause_us:
            return client
    if not pauses or sorted(pauses) != list(range(2, len(pauses) + 2)):
        return client  # A person retried in between, or nobody did at all.
    listed = tuple(pauses[number] for number in sorted(pauses))
    delay = Delay(base_us=listed[0], pauses_us=listed)
    return replace(client, retry=replace(client.retry, delay=delay))


def _pauses(client: ClientSpec, records: Sequence[Record]) -> Iterator[tuple[int, int]]:
    """Yield the attempt that each of a client's pauses came before, and the pause."""
    for record in records:
        if record.kind is Rec.ARM and record.client == client.name:
            number, pause_us = record.data["number"], record.data["delay_us"]
            if record.data["timer"] == "retry":
                assert isinstance(number, int)
                assert isinstance(pause_us, int)
                yield number, pause_us
