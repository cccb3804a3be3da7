"""What ``compare`` counted, as paired differences to draw."""

from collections.abc import Iterator, Sequence

from sim.measure.compare import COMPARED, GroupResult
from sim.measure.definitions import Measure
from sim.report.charts.paired import Difference, Pairing
from sim.report.charts.words import counted


def pairings(results: Sequence[GroupResult], measures: Sequence[str] = ()) -> Iterator[Pairing]:
    """Return what can be drawn: a pairing for each group and each measure in which they differ.

    Args:
        results: Whole groups.
        measures: Names of measures, to draw these alone; none: all that differ at all.
    """
    for result in results:
        for measure in COMPARED:
            if measures and measure.name not in measures:
                continue
            pairing = _pairing(result, measure)
            if pairing is not None:
                yield pairing


def _pairing(result: GroupResult, measure: Measure) -> Pairing | None:
    group = result.group
    rows, many, differs = [], [], False
    for place, world in enumerate(group.worlds[1:], 1):
        compared = result.comparison(place, measure)
        found = compared.difference
        if found is None:
            continue
        pair = compared.pair
        many += [pair.a.n, pair.b.n]
        differs = differs or bool(found.value or pair.higher or pair.lower)
        rows.append(
            Difference(
                name=world.variant,
                difference=found.value,
                low=found.low,
                high=found.high,
                unpaired_low=found.low_apart,
                unpaired_high=found.high_apart,
            )
        )
    if not differs:
        return None
    # A sum of thousandths is no number of things that anybody could count.
    over = measure.over if measure.scale > 1 else f"{counted(many)} {measure.over}"
    return Pairing(
        name=group.scenario.name,
        title=group.scenario.title or group.scenario.name,
        measure=measure,
        baseline=group.worlds[0].variant,
        seed=group.seed,
        runs=result.tally.runs,
        denominator=over,
        differences=rows,
        where=group.where,
    )
