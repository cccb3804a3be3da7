"""Surrogates and records: the one place where ids become ``op-1`` and events become a trace."""

from collections.abc import Callable, Mapping

from sim.contract.body import Json
from sim.trace.records import Rec, Record, surrogate

Listener = Callable[[Record], None]


class LimitReachedError(Exception):
    """The run made more records than it may: the result is inconclusive."""


class Recorder:
    """Hands each record to whoever listens, in order.

    Args:
        listeners: Called with every record.
        full: Whether records that no judgement needs (timers armed, messages sent) are made too.
        limit: How many records a run may make.
    """

    def __init__(self, listeners: tuple[Listener, ...], *, full: bool, limit: int) -> None:
        self.full = full
        self._listeners = listeners
        self._limit = limit
        self._seq = 0
        self.last_us = 0
        """When the last record was made."""
        self._numbers: dict[str, int] = {}
        self._ids: list[str] = []

    def record(
        self,
        at_us: int,
        kind: Rec,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        data: Mapping[str, Json],
    ) -> None:
        """Make one record."""
        self._seq += 1
        if self._seq > self._limit:
            raise LimitReachedError(self._limit)
        self.last_us = at_us
        record = Record(self._seq, at_us, kind, client, resource, op, attempt, rule, data)
        for listen in self._listeners:
            listen(record)

    def number_of(self, operation_id: str) -> int:
        """Return the surrogate number of an operation id, giving it the next one if it is new."""
        number = self._numbers.get(operation_id)
        if number is None:
            self._ids.append(operation_id)
            number = self._numbers[operation_id] = len(self._ids)
        return number

    def known_number(self, operation_id: str) -> int:
        """Return the surrogate number of an id, or 0 for one that no client ever made."""
        return self._numbers.get(operation_id, 0)

    def id_of(self, number: int) -> str | None:
        """Return the operation id behind a surrogate number, if there is one yet."""
        return self._ids[number - 1] if 0 < number <= len(self._ids) else None

    def name_of(self, operation_id: str) -> str:
        """Return what is written instead of an id; one that nobody made is ``unknown``."""
        number = self._numbers.get(operation_id)
        return surrogate(number) if number else "unknown"
