"""The ``expect`` block, line by line, beside what the run showed.

Counts without an index are of the whole scope: the effects of the run, the attempts of a client.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sim.contract.phases import Phase
from sim.judge.book import OperationBook, Screen, Tally
from sim.judge.judge import Judge
from sim.judge.verdict import Check
from sim.scenario.model import Expect, Expected, ExpectedResource, World

_SHOWN: Final = {
    "acknowledged": Phase.ACKNOWLEDGED,
    "not saved": Phase.REFUSED,
    "unknown": Phase.UNKNOWN_OUTCOME,
    "awaiting": Phase.AWAITING_ACK,
}
_STATES: Final = {True: "dirty", False: "clean"}


def checks(judge: Judge, world: World) -> tuple[Check, ...]:
    """Return every line of the world's ``expect`` with what was found."""
    return tuple(_expect(judge, world, world.expect, "", None))


def _expect(
    judge: Judge, world: World, expect: Expect, prefix: str, clients: Sequence[str] | None
) -> Iterator[Check]:
    tally = tally_of(judge, clients)
    screens = [s for s in judge.screens if clients is None or s.client in clients]
    operations = [o for o in judge.operations if clients is None or o.client in clients]
    yield from _scope(expect.whole, prefix, screens, operations, tally)
    for resource in expect.resources:
        yield from _resource(judge, resource, prefix)
    for nth, expected in expect.of_operations:
        yield from _operation(judge, operations, nth, expected, prefix)
    for name, inner in expect.of_clients:
        group = [c.name for c in world.clients if name in (c.name, c.group)]
        yield from _expect(judge, world, inner, f"{prefix}{name}: ", group)


def tally_of(judge: Judge, clients: Sequence[str] | None) -> Tally:
    """Return the counts of some clients together; None: of the whole run."""
    ledger = judge.ledger
    if clients is None:
        return ledger.tally
    return Tally.of(ledger.tally_of(client) for client in clients)


def _scope(
    expected: Expected,
    prefix: str,
    screens: Sequence[Screen],
    operations: Sequence[OperationBook],
    tally: Tally,
) -> Iterator[Check]:
    if expected.phase is not None:
        yield _shown(f"{prefix}phase", expected.phase, [s.phase.value for s in screens])
    if expected.draft_dirty is not None:
        found = [_STATES[screen.dirty] for screen in screens]
        yield _shown(f"{prefix}draft", _STATES[expected.draft_dirty], found)
    counts = (
        ("effects", expected.effects, tally.effects),
        ("attempts", expected.attempts, tally.attempts),
        ("deliveries", expected.deliveries, tally.deliveries),
    )
    for what, wanted, found_count in counts:
        if wanted is not None:
            yield _count(f"{prefix}{what}", wanted, found_count)
    yield from _acks(expected.acks, prefix, tally.acks)
    if expected.refused is not None:
        kinds = [operation.refused or "none" for operation in operations]
        yield _shown(f"{prefix}refused", expected.refused, kinds or ["none"])


def _operation(
    judge: Judge, operations: Sequence[OperationBook], nth: int, expected: Expected, prefix: str
) -> Iterator[Check]:
    prefix = f"{prefix}operation {nth}: "
    op = next((operation for operation in operations if operation.nth == nth), None)
    if op is None:
        yield Check(what=f"{prefix}exists", expected="yes", found="no", holds=False)
        return
    if expected.phase is not None:
        yield _shown(f"{prefix}phase", expected.phase, [phase_of(judge, op)])
    counts = (
        ("effects", expected.effects, op.effects),
        ("attempts", expected.attempts, op.attempt),
        ("deliveries", expected.deliveries, op.deliveries),
    )
    for what, wanted, found in counts:
        if wanted is not None:
            yield _count(f"{prefix}{what}", wanted, found)
    yield from _acks(expected.acks, prefix, op.acks or {})
    if expected.refused is not None:
        yield _shown(f"{prefix}refused", expected.refused, [op.refused or "none"])


def phase_of(judge: Judge, op: OperationBook) -> str:
    """Return the phase that the screen showed of an operation last."""
    for screen in judge.screens:
        if screen.last is op:
            return screen.phase.value
    return _SHOWN.get(op.belief, Phase.IDLE).value


def _acks(
    expected: Sequence[tuple[str, int]], prefix: str, found: Mapping[str, int]
) -> Iterator[Check]:
    for verdict, wanted in expected:
        yield _count(f"{prefix}acks {verdict}", wanted, found.get(verdict, 0))


def _resource(judge: Judge, expected: ExpectedResource, prefix: str) -> Iterator[Check]:
    held = judge.ledger.resources.get(expected.name)
    what = f"{prefix}{expected.name}"
    if held is None:
        yield Check(what=what, expected="exists", found="nothing", holds=False)
        return
    version, body = held
    if expected.version is not None:
        yield _count(f"{what} version", expected.version, version)
    if expected.body is not None:
        yield Check(
            what=f"{what} body", expected=expected.body, found=body, holds=expected.body == body
        )


def _count(what: str, expected: int, found: int) -> Check:
    return Check(what=what, expected=str(expected), found=str(found), holds=expected == found)


def _shown(what: str, expected: str, found: Sequence[str]) -> Check:
    kinds = sorted(set(found))
    return Check(
        what=what,
        expected=expected,
        found=", ".join(kinds) or "nothing",
        holds=kinds == [expected],
    )
