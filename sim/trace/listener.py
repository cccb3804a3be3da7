"""Whoever hears a run while it is made.

A listener hears what a trace records. For what happens many times in every run it has a method of
its own, so that judging alone builds no record; everything else reaches it as a record. ``Writer``
turns what is heard into records and ``tell`` tells records to a listener: each undoes the other.

Arguments are positional and in one order: when, who (client, resource, operation, attempt), the
rule that decided, then the facts. Operations are surrogate numbers; 0 is an id that nobody made.
"""

from abc import ABC, abstractmethod
from typing import Final, NamedTuple

from sim.contract.body import Body, Json
from sim.contract.phases import Phase, Reason
from sim.contract.tuples import new
from sim.trace.records import Rec, Record


class Sent(NamedTuple):
    """What a request carries where a mistake sends something else than was frozen."""

    body: Body
    expected_version: int
    wire: int


class Result:
    """What an ack says was stored."""

    __slots__ = ("accepted_version", "body", "replayed", "version")

    def __init__(self, accepted_version: int, version: int, body: Body, replayed: bool) -> None:
        self.accepted_version: Final = accepted_version
        self.version: Final = version
        self.body: Final = body
        self.replayed: Final = replayed


class Listener(ABC):
    """Hears one run; every call is one record, named like the kind of the record."""

    @property
    @abstractmethod
    def seq(self) -> int:
        """The number of the record heard last."""

    @abstractmethod
    def note(self, record: Record, /) -> None:
        """Hear a record of a kind, or of a message, that has no method of its own."""

    # --- clients --------------------------------------------------------------------------------

    @abstractmethod
    def edit(self, at_us: int, client: str, resource: str, rule: str, body: Body, /) -> None:
        """A person edits."""

    @abstractmethod
    def save(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        rule: str,
        body: Body,
        draft_version: int,
        new_intent: bool,
        launches: bool,
        /,
    ) -> None:
        """A person saves."""

    @abstractmethod
    def launch(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        intent: int,
        owner: str,
        body: Body,
        draft_version: int,
        expected_version: int,
        irreversible: bool,
        sent: Sent | None,
        /,
    ) -> None:
        """An attempt is sent."""

    @abstractmethod
    def arm(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        timer: str,
        number: int,
        delay_us: int,
        /,
    ) -> None:
        """A timer is armed."""

    @abstractmethod
    def timer(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        timer: str,
        number: int,
        live: bool,
        /,
    ) -> None:
        """A timer rings; ``live`` is false where it outlived what it was armed for."""

    @abstractmethod
    def show(
        self,
        at_us: int,
        client: str,
        resource: str,
        owner: str,
        phase: Phase,
        reason: Reason,
        body: Body,
        draft_version: int,
        dirty: bool,
        base_version: int,
        read_version: int | None,
        /,
    ) -> None:
        """A screen changes."""

    @abstractmethod
    def answer(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        msg: int,
        copy: int,
        sent_us: int,
        reply_to: int,
        corrupted: bool,
        answer: str,
        verdict: str,
        changed: bool,
        names: int,
        names_attempt: int,
        result: Result | None,
        /,
    ) -> None:
        """The answer to a request reaches a client (other answers are heard as records)."""

    # --- the link and the server ----------------------------------------------------------------

    @abstractmethod
    def sent(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        msg: int,
        message: str,
        copy: int,
        /,
    ) -> None:
        """A message is sent."""

    @abstractmethod
    def arrived(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        msg: int,
        copy: int,
        sent_us: int,
        names: int,
        owner: str,
        body: Body,
        draft_version: int,
        expected_version: int,
        /,
    ) -> None:
        """A request reaches the server (other queries are heard as records)."""

    @abstractmethod
    def claimed(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        msg: int,
        copy: int,
        /,
    ) -> None:
        """The server begins to execute a request."""

    @abstractmethod
    def decided(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        msg: int,
        copy: int,
        decision: str,
        names: int,
        addressed_to: int,
        version: int | None,
        /,
    ) -> None:
        """The server decides how a request is answered."""

    @abstractmethod
    def commit(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        msg: int,
        copy: int,
        on: str,
        version: int,
        replaced: int,
        names: int,
        owner: str,
        kind: str,
        body: Body,
        draft_version: int,
        expected_version: int,
        /,
    ) -> None:
        """One effect: a resource changes."""

    @abstractmethod
    def recorded(self, at_us: int, resource: str, op: int, state: str, owner: str, /) -> None:
        """The registry's entry of an operation changes."""


def tell_record(
    listener: Listener,
    at_us: int,
    kind: Rec,
    client: str,
    resource: str,
    op: int,
    attempt: int,
    rule: str,
    data: dict[str, Json],
) -> None:
    """Let a listener hear its next record, of a kind that has no method of its own."""
    seq = listener.seq + 1
    listener.note(new(Record, (seq, at_us, kind, client, resource, op, attempt, rule, data)))
