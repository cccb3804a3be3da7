"""What a longer wait buys: unknown outcomes against the time to certainty, along a sweep."""

from collections.abc import Iterator, Sequence
from math import log
from typing import TYPE_CHECKING

from sim.measure.results import CellResult, Row
from sim.report.charts.beside import Point, beside
from sim.report.charts.families import Family, Line, lines
from sim.report.charts.scales import Swept, share_tick, time_limits, time_text, time_ticks
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import LINES_MAX, PENS, SMALL_PT, WIDTH_IN, Pen
from sim.report.charts.words import arrow_words, counted, interval_words, runs_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROOM, _EDGE = 1.5, 1.1
"""Beside a point there is room for its label; a bar ends within the axis."""
_HEIGHT_IN, _AXES_PART = 6.2, 0.66
_AXIS_PT, _LEGEND_PT = 85.0, 85.0
"""About what the upright axis, and a legend beside its names, take of the width."""
_SHARE, _TIME = "unknown_outcome_rate", "time_to_certainty.p90"


def sheets(family: Family) -> Iterator[Sheet]:
    """Return the sheet of a scenario that sweeps something, where both have values."""
    if not family.axes:
        return
    along = family.axes[0]
    some = lines(family, along)
    results = [cell for line in some for cell in line.cells if cell is not None]
    if len(some) > LINES_MAX or len(along.values) < 3:
        return
    if all(_place(cell) is None or not cell.row(_SHARE).count for cell in results):
        return
    yield _sheet(family, along, some, results)


def _place(cell: CellResult | None) -> tuple[Row, Row] | None:
    if cell is None:
        return None
    time, share = cell.row(_TIME), cell.row(_SHARE)
    return (time, share) if time.value and share.value is not None else None


def _sheet(
    family: Family, along: Swept, some: Sequence[Line], results: Sequence[CellResult]
) -> Sheet:
    def fill(figure: "Figure") -> None:
        _fill(figure, along, some)

    many = counted([result.tally.operations for result in results])
    settled = counted([result.tally.certainty.total for result in results])
    return Sheet(
        name=f"{family.name}--tradeoff",
        title=f"Unknown outcomes against time to certainty, along {along.path}",
        subtitle=family.title,
        notes=(
            (
                f"denominator: {many} operations in each cell, {settled} of them settled; "
                f"numbers at the points: {along.path}"
            ),
            f"bars: {interval_words(results, (_SHARE, _TIME))}{_arrow_words(results)}",
            " · ".join((runs_words(results), *family.left_out)),
        ),
        fill=fill,
        height_in=_HEIGHT_IN,
    )


def _arrow_words(results: Sequence[CellResult]) -> str:
    return arrow_words([place[0] for each in results if (place := _place(each)) is not None])


def _fill(figure: "Figure", along: Swept, some: Sequence[Line]) -> None:
    axes = figure.subplots()
    axes.set_xscale("log")
    lows, highs, unbounded = [], [], []
    named: list[tuple[Pen, str, float, float]] = []
    marks: list[tuple[float, float]] = []
    for pen, line in zip(PENS, some, strict=False):
        places = [
            (value, *place)
            for value, cell in zip(along.values, line.cells, strict=True)
            if (place := _place(cell)) is not None
        ]
        x = [float(time.value or 0) for _, time, _ in places]
        y = [float(share.value or 0) for _, _, share in places]
        axes.plot(x, y, color=pen.colour, linestyle=pen.dashes, marker=pen.marker,
                  label=line.label or "all operations", zorder=3)  # fmt: skip
        for _, time, share in places:
            assert time.value is not None
            assert share.value is not None
            lows.append(time.value / _ROOM)
            highs.append(time.value * _ROOM)
            if share.low is not None and share.high is not None:
                axes.plot([time.value] * 2, [share.low, share.high], color=pen.colour,
                          linewidth=1.0, zorder=2)  # fmt: skip
            if time.low is not None and time.high is None:
                lows.append(time.low / _EDGE)
                unbounded.append((time.low, share.value, pen))
            elif time.low is not None and time.high is not None:
                lows.append(time.low / _EDGE)
                highs.append(time.high * _EDGE)
                axes.plot([time.low, time.high], [share.value] * 2, color=pen.colour,
                          linewidth=1.0, zorder=2)  # fmt: skip
        named += [(pen, *point) for point in _points(places)]
        marks += zip(x, y, strict=True)
    axes.set_ylim(bottom=0)
    limits = time_limits(min(lows), max(highs))
    axes.set_xlim(*limits)
    for low, share_value, pen in unbounded:
        axes.plot([low, limits[1]], [share_value] * 2, color=pen.colour, linewidth=1.0, zorder=2,
                  marker=">", markersize=5, markevery=[1], clip_on=False)  # fmt: skip
    ticks = time_ticks(*limits)
    axes.set_xticks(ticks, [time_text(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    _name_points(axes, named, marks, [line.label for line in some])
    axes.yaxis.set_major_formatter(share_tick)
    axes.set_ylabel("unknown outcome rate\n(% of operations)")
    axes.set_xlabel("time to certainty, p90 of the settled operations (logarithmic)")
    if len(some) > 1:
        figure.legend(loc="outside right center")


def _points(places: Sequence[tuple[str, Row, Row]]) -> list[tuple[str, float, float]]:
    """Return what is written at which point of a line; points in one place share a label."""
    groups: list[tuple[list[str], float, float]] = []
    for value, time, share in places:
        x, y = time.value or 0.0, share.value or 0.0
        if groups and abs(y - groups[-1][2]) < 0.02 and x < groups[-1][1] * 1.15:
            groups[-1][0].append(value)
        else:
            groups.append(([value], x, y))
    return [(", ".join(values), x, y) for values, x, y in groups]


def _name_points(
    axes: "Axes",
    named: Sequence[tuple[Pen, str, float, float]],
    marks: Sequence[tuple[float, float]],
    labels: Sequence[str],
) -> None:
    """Write the swept values at their points, where they cover nothing; limits are final."""
    legend = _LEGEND_PT + max(map(len, labels)) * 0.6 * SMALL_PT if len(labels) > 1 else 0
    size = WIDTH_IN * 72 - _AXIS_PT - legend, _HEIGHT_IN * 72 * _AXES_PART
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()

    def at(x: float, y: float) -> tuple[float, float]:
        along = log(x / left) / log(right / left)
        return along * size[0], (y - bottom) / (top - bottom) * size[1]

    points = [Point(*at(x, y), text) for _, text, x, y in named]
    places = beside(points, [at(x, y) for x, y in marks], size)
    for (pen, text, x, y), place in zip(named, places, strict=True):
        axes.annotate(
            text, (x, y), place, textcoords="offset points", ha=place.across, va=place.along,
            fontsize=SMALL_PT, color=pen.colour, fontweight="bold", zorder=5,
            bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none",
                  "alpha": 0.75},
        )  # fmt: skip
