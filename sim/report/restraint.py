"""Why nothing is sent again although the policy has attempts left, or a person asks for one.

A trace says *that* a retry is not made; the world says why: this module puts the two together.
"""

from sim.contract.retry import OnUnknown
from sim.scenario.model import ClientSpec, World
from sim.trace.records import Record
from sim.trace.words import duration

REPEATS = "repeats-irreversible"
"""The mistake under which an irreversible operation is sent again all the same."""

_UNDECIDED = ("", "no-status", "out-of-queries")
"""Reasons of a rest that the policy, and not an answer, led to."""


class Restraint:
    """Knows which resources of a world are irreversible, and what each policy would have done.

    Args:
        world: What was run.
    """

    def __init__(self, world: World) -> None:
        self._irreversible = {one.name for one in world.server.resources if one.irreversible}
        self._clients = {one.name: one for one in world.clients}

    def by_itself(self, shown: Record, before: str, attempts: int, *, retries: bool) -> str:
        """Return why the client sends nothing by itself when its screen changes, or nothing.

        Args:
            shown: What the screen shows now.
            before: The phase that it showed before.
            attempts: How many attempts the operation has made.
            retries: Whether a retry is scheduled all the same.
        """
        client = self._clients.get(shown.client)
        if client is None or before != "awaiting-ack" or retries:
            return ""
        phase, reason = shown.data.get("phase"), shown.data.get("reason", "")
        waits = phase == "unknown-outcome" or (
            phase == "recovery-required" and reason in _UNDECIDED
        )
        left = attempts < client.retry.max_attempts
        if not (waits and left and client.on_unknown is OnUnknown.RETRY):
            return ""
        if self._careful(shown) is not None:
            return "irreversible: not sent again by itself"
        limit = self._limit(client)
        return f"not sent again: {limit}" if limit else ""

    def when_due(self, due: Record) -> str:
        """Return why a retry that was scheduled is forgone when its time has come."""
        client = self._clients.get(due.client)
        return self._limit(client) if client is not None else ""

    def _limit(self, client: ClientSpec) -> str:
        """Return what holds back a retry for which there are attempts left."""
        policy = client.retry
        limits = [] if policy.budget is None else ["the retry budget is spent"]
        if policy.deadline_us is not None:
            limits.append(f"past the deadline of {duration(policy.deadline_us)}")
        return " or ".join(limits)

    def by_hand(self, asked: Record, phase: str, attempts: int) -> str:
        """Return why a person's retry is not allowed.

        Args:
            asked: The record of the person's wish.
            phase: What the screen shows.
            attempts: How many attempts the operation has made.
        """
        if phase != "recovery-required":
            return "nothing waits for a decision"
        if self._careful(asked) is not None:
            return "irreversible: check or discard it"
        client = self._clients.get(asked.client)
        if client is not None and attempts >= client.retry.max_attempts:
            most = client.retry.max_attempts
            return "its only attempt is spent" if most == 1 else f"its {most} attempts are spent"
        return "its result may no longer be recognised"

    def _careful(self, record: Record) -> ClientSpec | None:
        """Return the client if it keeps an irreversible operation from being sent twice."""
        client = self._clients.get(record.client)
        name = record.resource.removesuffix(f"@{record.client}")
        if client is None or name not in self._irreversible or REPEATS in client.mistakes:
            return None
        return client
