"""Whose story is told where many clients act at once."""

from collections import Counter
from collections.abc import Sequence

from sim.judge.verdict import Verdict
from sim.trace.records import Record

_CROWD = 5
"""More clients than this are a crowd."""


def followed(verdict: Verdict) -> tuple[str, ...]:
    """Return the clients whose story is told: all of a few; of a crowd, the busiest of each group.

    The client whose trouble came first is always among them.
    """
    clients = verdict.world.clients
    if len(clients) <= _CROWD:
        return tuple(client.name for client in clients)
    busy = Counter(record.client for record in verdict.records)
    busiest: dict[str, str] = {}
    for client in clients:
        if busy[client.name] > busy[busiest.setdefault(client.group, client.name)]:
            busiest[client.group] = client.name
    troubled = [violation.client for violation in verdict.violations if violation.client]
    kept = tuple(dict.fromkeys((*troubled[:1], *busiest.values())))[:_CROWD]
    return tuple(client.name for client in clients if client.name in kept)


def records_of(names: Sequence[str], records: Sequence[Record]) -> tuple[Record, ...]:
    """Return the records of these clients, and those of the server that concern them or all."""
    mine = frozenset(record.op for record in records if record.op and record.client in names)
    return tuple(
        record
        for record in records
        if record.client in names or (not record.client and (not record.op or record.op in mine))
    )
