"""Answers that cannot matter any more, whatever else goes wrong later.

A client that keeps the contract and has no operation pending judges every answer stale or
repeated (rule 1), and that changes nothing. If from some record on nothing more happens to such a
client but answers, and nobody will act, then no fault at such an answer can matter: alone or with
any later faults the same happens as without it. What is left out so is no schedule less: each
stands for one that is tried.
"""

from collections.abc import Mapping, Sequence

from sim.contract.phases import Phase
from sim.contract.rules import ClientRules
from sim.scenario.model import World
from sim.trace.records import Rec, Record

_SETTLED = (
    Phase.IDLE.value,
    Phase.ACKNOWLEDGED.value,
    Phase.ACKNOWLEDGED_NEWER.value,
    Phase.REFUSED.value,
)
_OF_THE_LINK = (
    Rec.SENT,
    Rec.LOST,
    Rec.HELD,
    Rec.ARRIVED,
    Rec.FAULT,
    Rec.DECIDED,
    Rec.COMMIT,
    Rec.RECORDED,
    Rec.CRASH,
)


def at_rest_from(world: World, records: Sequence[Record]) -> Mapping[str, int]:
    """Return the clients that come to rest, and the record after which nothing moves them."""
    if not records or records[-1].data.get("why") != "quiet":
        return {}
    last: dict[str, int] = {}
    phases: dict[tuple[str, str], str] = {}
    for record in records:
        if record.client and not _leaves_alone(record):
            last[record.client] = record.seq
        if record.kind is Rec.SHOW:
            phases[record.client, record.resource] = str(record.data["phase"])
    restless = [client for (client, _), phase in phases.items() if phase not in _SETTLED]
    kept = ClientRules()
    return {
        client.name: last.get(client.name, 0)
        for client in world.clients
        if client.rules == kept and client.name not in restless
    }


def _leaves_alone(record: Record) -> bool:
    """Whether a record of a client's leaves its machine as it was."""
    if record.kind is Rec.ANSWER:
        return not record.data["changed"]
    if record.kind is Rec.TIMER:
        return not record.data["live"]
    return record.kind in _OF_THE_LINK
