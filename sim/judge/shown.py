"""What a run showed, as the ``expect`` block that would have asked for it.

Of a population only the whole is stated: what each of fifty clients did fits on no screen.
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from sim.contract.body import Body
from sim.contract.names import INVARIANT_NAMES
from sim.judge.book import OperationBook
from sim.judge.expectations import phase_of, tally_of
from sim.judge.judge import Judge
from sim.scenario.model import Expect, Expected, ExpectedResource, World

MANY: Final = 8
"""More clients, resources or operations than that are not stated one by one."""
_ACKS: Final = ("accepted", "stale", "invalid", "repeated")

_Shown = TypeVar("_Shown")


def shown(judge: Judge, world: World) -> Expect:
    """Return the expectations that a finished run meets, without bounds on rates.

    Args:
        judge: It has heard the whole run.
        world: What was run.
    """
    names = [client.name for client in world.clients]
    resources = judge.ledger.resources
    broken = {violation.invariant for violation in judge.violations}
    each = names if 1 < len(names) <= MANY else []
    return Expect(
        whole=_scope(judge, None),
        resources=tuple(
            ExpectedResource(name=name, version=version, body=Body(body))
            for name, (version, body) in resources.items()
            if len(resources) <= MANY
        ),
        of_operations=_operations(judge, names[0]) if len(names) == 1 else (),
        of_clients=tuple(
            (name, Expect(whole=_scope(judge, name), of_operations=_operations(judge, name)))
            for name in each
        ),
        violates=tuple(name for name in INVARIANT_NAMES if name in broken),
    )


def _scope(judge: Judge, client: str | None) -> Expected:
    """Return what is true of a client, or of all; what differs within it is not stated."""
    screens = [s for s in judge.screens if client in (None, s.client)]
    operations = [o for o in judge.operations if client in (None, o.client)]
    tally = tally_of(judge, None if client is None else [client])
    return Expected(
        phase=_only(screen.phase.value for screen in screens),
        draft_dirty=_only(screen.dirty for screen in screens),
        effects=tally.effects,
        attempts=tally.attempts,
        deliveries=tally.deliveries,
        acks=tuple((verdict, tally.acks[verdict]) for verdict in _ACKS if tally.acks.get(verdict)),
        refused=_only(operation.refused for operation in operations) or None,
    )


def _operations(judge: Judge, client: str) -> tuple[tuple[int, Expected], ...]:
    """Return what became of each operation of a client, where it has a few."""
    own: Sequence[OperationBook] = [op for op in judge.operations if op.client == client]
    if not 1 < len(own) <= MANY:
        return ()
    return tuple(
        (
            op.nth,
            Expected(
                phase=phase_of(judge, op),
                effects=op.effects,
                attempts=op.attempt,
                deliveries=op.deliveries,
                refused=op.refused or None,
            ),
        )
        for op in own
    )


def _only(found: Iterable[_Shown]) -> _Shown | None:
    """Return the one value that is found everywhere; None where there are several, or none."""
    kinds = list(dict.fromkeys(found))
    return kinds[0] if len(kinds) == 1 else None
