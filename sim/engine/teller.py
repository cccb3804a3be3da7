"""Anything that a running world holds, told as a plain value: tuples of text, numbers and records.

Two things with one telling are alike to the last field. Everything counts but what is left out by
name; a kind of thing that is new is told field by field, so that nothing is forgotten silently.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import is_dataclass
from enum import Enum
from operator import attrgetter
from types import MappingProxyType, NoneType
from typing import Any, Final, NamedTuple, TypeAlias

Told: TypeAlias = object
"""Tuples, and in them what is written out in full: text, numbers, members, frozen records."""

Way: TypeAlias = Callable[[Any, Any], Told]
"""How one kind of thing is told, given the teller and the thing."""


class UntoldError(Exception):
    """Something cannot be told, and must not be taken for the same as another one."""


NOTHING_LEFT_OUT: Final[Mapping[type, Collection[str]]] = MappingProxyType({})


class Ways(dict[type, Way]):
    """How each kind of thing is told; the way of a new kind is found out once.

    Args:
        known: Kinds that are told in a way of their own.
        left_out: Of other kinds, the fields that do not count.
    """

    def __init__(
        self,
        known: Mapping[type, Way],
        left_out: Mapping[type, Collection[str]] = NOTHING_LEFT_OUT,
    ) -> None:
        super().__init__(known)
        self._left_out = left_out

    def __missing__(self, kind: type) -> Way:
        way = self[kind] = self._found(kind)
        return way

    def _found(self, kind: type) -> Way:
        if _is_written_out(kind):
            return _as_is
        if issubclass(kind, dict):
            return _pairs
        if issubclass(kind, tuple | list | deque):
            return _each
        if issubclass(kind, set | frozenset):
            return _sorted
        return self.by_fields(kind)

    def by_fields(self, kind: type) -> Way:
        """Return the way to tell a thing by its fields, in the order of their names."""
        without = self._left_out.get(kind, ())
        known: dict[int, list[Callable[[Any], Any]]] = {}

        def tell(teller: "Teller", value: Any) -> Told:
            # How many fields a thing was given by name; those of slots and compiled classes are
            # the same for all of its kind.
            many = len(getattr(value, "__dict__", ()))
            getters = known.get(many)
            if getters is None:
                names = [name for name in fields(value) if name not in without]
                getters = known[many] = [attrgetter(name) for name in names]
            return tuple([teller.tell(get(value)) for get in getters])

        return tell


class Instants(NamedTuple):
    """From where instants are told, so that what has come to the same later is told alike."""

    now_us: int
    """The first instant that is still to come."""
    far_us: int | None = None
    """What is this far off or farther is all the same; None: nothing is."""

    def off(self, at_us: int) -> int:
        """Return how far off an instant is, in microseconds: below 0 what is past."""
        return at_us - self.now_us

    def until(self, at_us: int) -> int:
        """Return how long it is till an instant, in microseconds; 0: it has come."""
        left_us = max(at_us - self.now_us, 0)
        return left_us if self.far_us is None else min(left_us, self.far_us)


class Teller:
    """Tells the things of one world, at one instant.

    A number that only names something is told as how many-th of the names it is that were come
    to: worlds that hold the same under other names are told alike.
    """

    def __init__(self, ways: Ways, instants: Instants) -> None:
        self._ways = ways
        self.instants = instants
        self._names: dict[int, int] = {}
        self._things: list[object] = []

    def tell(self, value: Any) -> Told:
        """Return a thing as a plain value."""
        return self._ways[type(value)](self, value)

    def name(self, number: int) -> int:
        """Return a name in place of a number that names something (0: nothing)."""
        return self._names.setdefault(number, len(self._names) + 1) if number else 0

    def again(self, thing: object) -> int:
        """Return how many-th of the things that are shared this one is; 0: it is new."""
        for place, known in enumerate(self._things, 1):
            if known is thing:
                return place
        self._things.append(thing)
        return 0

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that were named, in the order of their names."""
        return tuple(self._names)


def _is_written_out(kind: type) -> bool:
    """Whether all that a thing is stands in its text: it is immutable and has no name in it."""
    if issubclass(kind, str | int | float | NoneType | Enum) or hasattr(kind, "_fields"):
        return True
    # What dataclasses note of themselves; only frozen ones are values.
    noted = getattr(kind, "__dataclass_params__", None)
    return is_dataclass(kind) and noted is not None and bool(noted.frozen)


def fields(value: object) -> list[str]:
    """Return the names of a thing's fields, whether its class is compiled or not.

    Raises:
        UntoldError: It has none that can be seen: whatever it holds, it does not show.
    """
    names: list[str] = list(getattr(value, "__dict__", ()))
    for kind in type(value).__mro__:
        for listed in ("__slots__", "__mypyc_attrs__"):
            held = vars(kind).get(listed, ())
            names += [held] if isinstance(held, str) else held
    found = sorted(name for name in dict.fromkeys(names) if name != "__dict__")
    if not found:
        raise UntoldError(type(value).__qualname__)
    return found


def _as_is(_: Teller, value: Any) -> Told:
    return value


def _each(teller: Teller, value: Any) -> Told:
    return tuple([teller.tell(item) for item in value])


def _pairs(teller: Teller, value: Any) -> Told:
    return tuple([(key, teller.tell(item)) for key, item in value.items()])


def _sorted(_: Teller, value: Any) -> Told:
    return tuple(sorted(value))
