"""Counting runs one after another.

Small runs repeat themselves: of a thousand saves most come out in one of a dozen ways. What is
counted of a run's ratios depends on a few numbers of its books, so runs that are alike in these
are counted together, at a tenth of the cost.
"""

from collections.abc import Hashable

from sim.judge.book import OperationBook
from sim.judge.judge import Judge
from sim.measure.ratios import RunLoad, ratios
from sim.measure.tally import CellTally

_OPERATIONS_MAX = 3
"""Runs of more operations are hardly ever alike."""
_KINDS_MAX = 4_096
_QUIET = "quiet"


class Counting:
    """Counts runs into a tally."""

    def __init__(self) -> None:
        self._tally = CellTally()
        self._alike: dict[Hashable, tuple[dict[str, tuple[int, int]], list[int]]] = {}
        """What makes runs alike -> their ratios, and how many there were (in a list of one)."""

    def add(self, run: int, judge: Judge, load: RunLoad | None = None) -> None:
        """Count one finished run."""
        kind = None if load is not None else _kind(judge)
        if kind is None:
            self._tally.add(run, judge, load)
            return
        self._tally.add_rest(run, judge)
        known = self._alike.get(kind)
        if known is not None:
            known[1][0] += 1
            return
        if len(self._alike) >= _KINDS_MAX:
            self._count_alike()
        self._alike[kind] = ratios(judge), [1]

    def done(self) -> CellTally:
        """Return the tally of everything that was counted."""
        self._count_alike()
        return self._tally

    def _count_alike(self) -> None:
        for found, (times,) in self._alike.values():
            self._tally.add_ratios(found, times)
        self._alike.clear()


def _kind(judge: Judge) -> Hashable | None:
    """Return everything that a run's ratios depend on; None for a run that is a case of its own."""
    ledger = judge.ledger
    if len(ledger.operations) > _OPERATIONS_MAX or ledger.violations or ledger.ended != _QUIET:
        return None
    tally = ledger.tally
    return (
        tuple(map(_of_operation, ledger.operations.values())),
        tuple([intent.effects for intent in ledger.intents.values()]),
        tuple(tally.acks.items()),
        tuple(tally.refused.items()),
        tally.deliveries,
        tally.effects,
        tally.turned_away,
    )


def _of_operation(op: OperationBook) -> Hashable:
    return (
        op.belief,
        op.ever_unknown,
        op.ever_recovery,
        op.false_conflict,
        op.deliveries,
        op.effects,
        op.refused,
        op.launches,
    )
