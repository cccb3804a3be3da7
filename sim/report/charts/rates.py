"""A measure with its band against a swept value, one line for each variant."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sim.measure.definitions import BY_NAME, Measure, Unit
from sim.measure.results import Row
from sim.report.charts.direct import label_ends
from sim.report.charts.families import HARMS, Family, Line, lines, parts, slug, telling
from sim.report.charts.scales import Swept, share_tick, time_limits, time_text, time_ticks
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import LINES_MAX, PENS, Pen
from sim.report.charts.words import (
    axis_words,
    called,
    denominator_words,
    interval_words,
    runs_words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK_MOST = 0.3
"""All bands of a chart are no darker than this where they lie on each other."""
SHOWN = (
    "unknown_outcome_rate",
    "unresolved_rate",
    "duplicate_attempt_rate",
    "stale_ack_rate",
    "attempts_per_operation",
    "time_to_certainty.p90",
    "turned_away_rate",
    "peak_load",
    "recovery_time",
    *HARMS,
)


def sheets(family: Family) -> Iterator[Sheet]:
    """Return a sheet for each measure that says something, against the longest sweep."""
    axes = family.axes
    if not axes:
        return
    along = axes[0]
    all_lines = lines(family, along)
    if len(axes) > 1 and len(all_lines) > LINES_MAX:
        return  # Heat maps show so many.
    for name in telling(family.results, SHOWN):
        several = list(parts(all_lines, LINES_MAX))
        for number, some in enumerate(several, 1):
            part = f"-{number}" if len(several) > 1 else ""
            yield _sheet(family, along, BY_NAME[name], some, part)


def _sheet(
    family: Family, along: Swept, measure: Measure, some: Sequence[Line], part: str
) -> Sheet:
    results = [cell for line in some for cell in line.cells if cell is not None]
    rows = [cell.row(measure.name) for cell in results]
    title = called(measure)

    def fill(figure: "Figure") -> None:
        _fill(figure, along, measure, some)

    return Sheet(
        name=f"{family.name}--{measure.name}--by-{slug(along.path)}{part}",
        title=f"{title[:1].upper()}{title[1:]} against {along.path}",
        subtitle=family.title,
        notes=(
            denominator_words(results, [measure.name]),
            f"bands: {interval_words(results, [measure.name])}{_open_words(rows)}",
            " · ".join((runs_words(results), *family.left_out)),
        ),
        fill=fill,
    )


def _open_words(rows: Sequence[Row]) -> str:
    """Return what a band without an upper edge says; empty where every band has one."""
    is_open = any(row.low is not None and row.high is None for row in rows)
    return "; a band up to the edge: it has no upper bound" if is_open else ""


def _fill(figure: "Figure", along: Swept, measure: Measure, some: Sequence[Line]) -> None:
    axes = figure.subplots()
    is_time = measure.unit is Unit.TIME
    rows = [[None if c is None else c.row(measure.name) for c in line.cells] for line in some]
    values = [r.value for row in rows for r in row if r is not None and r.value is not None]
    lows = [r.low for row in rows for r in row if r is not None and r.low]
    highs = [r.high for row in rows for r in row if r is not None and r.high is not None]
    top = max([*values, *highs]) * (1.3 if is_time else 1.06)
    if is_time:
        axes.set_yscale("log")
        least, top = time_limits(min(value for value in [*values, *lows] if value > 0) / 1.4, top)
        axes.set_ylim(least, top)
    else:
        axes.set_ylim(0, min(top, 1.02) if measure.unit is Unit.SHARE else top)
    ends = []
    for pen, line, row in zip(PENS, some, rows, strict=False):
        known = [
            (x, r)
            for x, r in zip(along.places, row, strict=True)
            if r is not None and r.value is not None
        ]
        if not known:
            continue
        _band(axes, pen, known, min(0.15, _INK_MOST / len(some)))
        x, y = [x for x, _ in known], [float(r.value or 0.0) for _, r in known]
        axes.plot(
            x, y, color=pen.colour, linestyle=pen.dashes, marker=pen.marker, clip_on=False, zorder=3
        )
        ends.append((y[-1], line.label, pen))
    mark_values(axes, along)
    mark_measure(axes, measure)
    axes.set_ylabel(axis_words(measure))
    if len(some) > 1 or some[0].label:
        label_ends(axes, ends, figure.get_figheight())


def _band(axes: "Axes", pen: Pen, known: Sequence[tuple[float, Row]], alpha: float) -> None:
    """Fill between the bounds, within the axes, with a thin edge where there is a bound."""
    bottom, top = axes.get_ylim()
    x = [x for x, _ in known]
    nothing = float("nan")
    lows = [nothing if r.low is None else max(r.low, bottom) for _, r in known]
    highs = [
        nothing if r.low is None else top if r.high is None else min(r.high, top) for _, r in known
    ]
    axes.fill_between(x, lows, highs, color=pen.colour, alpha=alpha, linewidth=0)
    ends = [nothing if r.high is None else high for high, (_, r) in zip(highs, known, strict=True)]
    for edge in (lows, ends):
        axes.plot(x, edge, color=pen.colour, linewidth=0.8, alpha=0.6)


def mark_values(axes: "Axes", along: Swept) -> None:
    """Put a tick at each swept value, as the file writes it."""
    if along.is_log:
        axes.set_xscale("log")
    axes.set_xticks(along.places, along.values)
    axes.set_xticks([], minor=True)
    how = " (logarithmic)" if along.is_log else " (not to scale)" if along.is_even else ""
    axes.set_xlabel(f"{along.path}{how}")


def mark_measure(axes: "Axes", measure: Measure) -> None:
    """Put ticks in the measure's unit on the upright axis."""
    if measure.unit is Unit.SHARE:
        axes.yaxis.set_major_formatter(share_tick)
    elif measure.unit is Unit.TIME:
        low, high = axes.get_ylim()
        ticks = time_ticks(low, high)
        axes.set_yticks(ticks, [time_text(tick) for tick in ticks])
        axes.set_yticks([], minor=True)
