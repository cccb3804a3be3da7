"""Values with one part less: a body, a line of ``user``, a resource of the server.

The whole goes before its parts, and of parts beside each other the last goes first: of values that
do as well as each other it is always the first that stays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from sim.contract.body import Body, Json, freeze, thaw
from sim.scenario.model import Action, Do, Once, Repeatedly, ResourceSpec, When

_T = TypeVar("_T")


def without(items: Sequence[_T], place: int) -> tuple[_T, ...]:
    """Return the items but for one of them."""
    return (*items[:place], *items[place + 1 :])


def smaller_bodies(body: Body) -> Iterator[Body]:
    """Yield a body without one key or item, at any depth."""
    return map(freeze, _smaller(thaw(body)))


def _smaller(value: Json) -> Iterator[Json]:
    match value:
        case dict():
            for key in reversed(value):
                yield {other: value[other] for other in value if other != key}
            for key in reversed(value):
                yield from ({**value, key: part} for part in _smaller(value[key]))
        case list():
            for place in reversed(range(len(value))):
                yield [*value[:place], *value[place + 1 :]]
            for place in reversed(range(len(value))):
                for part in _smaller(value[place]):
                    yield [*value[:place], part, *value[place + 1 :]]
        case _:
            return


def smaller_lines(action: Action) -> Iterator[tuple[str, Action]]:
    """Yield a line of ``user`` that says one thing less, and what it no longer says."""
    for when in _sooner_over(action.when):
        yield "when", replace(action, when=when)
    if action.body is not None:
        yield "body", replace(action, body=None)
        for body in smaller_bodies(action.body):
            yield "body", replace(action, body=body)
    if action.expected_version is not None:
        yield "expected_version", replace(action, expected_version=None)
    if action.do is Do.SEND and action.owner:
        yield "owner", replace(action, owner="")
    if action.operation:
        yield "id", replace(action, operation="")
    if action.new_intent:
        yield "intent", replace(action, new_intent=False)


def _sooner_over(when: When) -> Iterator[When]:
    """Yield what happens once, then what starts at once."""
    if isinstance(when, Repeatedly):
        yield Once(at_us=when.from_us)
        if when.from_us:
            yield replace(when, from_us=0)


def smaller_resources(spec: ResourceSpec) -> Iterator[tuple[str, ResourceSpec]]:
    """Yield a resource with less in its body, or with fewer values that it accepts."""
    for body in smaller_bodies(spec.body):
        yield "body", replace(spec, body=body)
    for place in reversed(range(len(spec.accepts))):
        name, values = spec.accepts[place]
        yield "accepts", replace(spec, accepts=without(spec.accepts, place))
        fewer = [values[:1]] if len(values) > 2 else []
        fewer += [without(values, number) for number in reversed(range(len(values)))]
        for kept in fewer:
            accepts = (*spec.accepts[:place], (name, kept), *spec.accepts[place + 1 :])
            yield "accepts", replace(spec, accepts=accepts)
