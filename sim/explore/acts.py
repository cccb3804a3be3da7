"""Acts of people and browsers that the scenario does not script, at every point of its story.

A point is an instant at which anything happens: acting a little later, before the next thing
happens, tells the same story. An act comes after everything else of its instant.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from sim.contract.body import freeze
from sim.explore.choice import Choice, Kind
from sim.scenario.model import Action, ClientSpec, Do, Once, World
from sim.trace.records import Rec, Record

ACTS = tuple(do for do in Do if do is not Do.SEND)
"""What people can be let do; a raw send is nothing that a person does."""
STRANGER = "somebody-else"
"""The account that signs in besides a client's own."""


def act_choices(world: World, records: Sequence[Record], also: Sequence[Do]) -> Iterator[Choice]:
    """Yield each act at each point of a run, in the order of ``also``."""
    edits = sum(action.do is Do.EDIT for action in world.user)
    acts = [act for client in world.clients for do in also for act in _acts(world, client, do)]
    fresh = freeze({"also": edits + 1})
    for last in _last_of_instants(records):
        for act in acts:
            body = fresh if act.do is Do.EDIT else None
            timed = replace(act, when=Once(at_us=last.at_us), body=body)
            yield Choice(kind=Kind.ACT, place=last.seq, act=timed)


def _last_of_instants(records: Sequence[Record]) -> Iterator[Record]:
    told = [record for record in records if record.kind is not Rec.END]
    for record, following in zip(told, [*told[1:], None], strict=True):
        if following is None or following.at_us != record.at_us:
            yield record


def _acts(world: World, client: ClientSpec, do: Do) -> Iterator[Action]:
    base = Action(when=Once(at_us=0), do=do, client=client.name)
    match do:
        case Do.EDIT | Do.SAVE | Do.RETRY | Do.CHECK | Do.DISCARD | Do.MERGE:
            for name in _forms(world, client):
                yield replace(base, resource=name)
        case Do.SIGN_IN:
            yield replace(base, owner=client.owner)
            yield replace(base, owner=STRANGER)
        case Do.EXPIRE_SESSION:
            yield replace(base, owner=client.owner)
        case Do.HINT:
            yield replace(base, online=False)
        case Do.RELOAD | Do.CLOSE | Do.OPEN | Do.SIGN_OUT | Do.STOP_WORKER | Do.START_WORKER:
            yield base
        case Do.SEND:
            raise AssertionError("a raw send is nothing that a person does")
        case _:
            assert_never(do)


def _forms(world: World, client: ClientSpec) -> list[str]:
    """Return the resources whose forms the client has open."""
    named = [
        action.resource
        for action in world.user
        if action.resource and action.client in ("", client.name)
    ]
    first = [resource.name for resource in world.server.resources[:1]]
    return list(dict.fromkeys(named)) or first
