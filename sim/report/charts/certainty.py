"""How long until people know: the distribution of the time to certainty, on a logarithmic axis.

The curve is a share of all operations, so that it ends below 100 % where some never settle.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sim.measure.results import CellResult
from sim.report.charts.families import Family, Line, lines, parts, short
from sim.report.charts.scales import share_tick, time_limits, time_text, time_ticks
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import LINES_MAX, PENS, SMALL_PT, WIDTH_IN
from sim.report.charts.words import counted, runs_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS_MAX = 4
_ALONG = "time since the first send (logarithmic)"
_AXIS_PT, _LEGEND_PT, _TICK_PT = 75.0, 80.0, 56.0
"""About what the upright axis takes of the width, a legend beside its names, and a tick."""
_TICKS_LEAST, _TICKS_MOST = 3, 7
_LEAST_US = 1_000
"""A logarithmic axis has no zero; nobody sees a millisecond."""


def sheets(family: Family) -> Iterator[Sheet]:
    """Return one sheet, or several where there are more variants than lines to tell apart."""
    panels = _panels(family)
    chosen = panels if len(panels) <= PANELS_MAX else [panels[0], panels[-1]]
    for number, some in enumerate(parts(chosen[0][1], LINES_MAX), 1):
        labels = [line.label for line in some]
        shown = [(t, [line for line in all_ if line.label in labels]) for t, all_ in chosen]
        if any(cell.tally.certainty.total for cell in _cells(shown)):
            part = f"-{number}" if len(chosen[0][1]) > LINES_MAX else ""
            yield _sheet(family, shown, len(panels) - len(chosen), part)


def _panels(family: Family) -> list[tuple[str, list[Line]]]:
    """Return panels with lines of one cell each: a line for each value of the longest sweep."""
    axes = family.axes
    if not axes:
        return [("", [Line(r.cell.world.variant, (r,)) for r in family.results])]
    along = axes[0]
    return [
        (
            line.label,
            [
                Line(f"{short(along.path)}={value}", (cell,))
                for value, cell in zip(along.values, line.cells, strict=True)
                if cell is not None
            ],
        )
        for line in lines(family, along)
    ]


def _cells(shown: Sequence[tuple[str, Sequence[Line]]]) -> list[CellResult]:
    return [c for _, some in shown for line in some for c in line.cells if c is not None]


def _sheet(
    family: Family, shown: list[tuple[str, list[Line]]], panels_left: int, part: str
) -> Sheet:
    cells = _cells(shown)
    many = counted([cell.tally.operations for cell in cells])
    each = " in each line" if len(cells) > 1 else ""
    left = (f"{panels_left} panels between these are left out",) if panels_left else ()
    columns = 1 if len(shown) == 1 else 2
    rows = -(-len(shown) // columns)
    is_beside = len(shown) == rows * columns
    ticks_max = _ticks_max(shown[0][1], columns, is_beside=is_beside)

    def fill(figure: "Figure") -> None:
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        panels = list(grid.flat)
        limits = _limits(cells)
        for panel, (title, some) in zip(panels, shown, strict=False):
            _fill(panel, title, some, limits, ticks_max)
        for unused in panels[len(shown) :]:
            unused.set_axis_off()
            panels[len(shown) - columns].tick_params(labelbottom=True)
            panels[len(shown) - columns].set_xlabel(_ALONG)
        for row in grid:
            row[0].set_ylabel("settled (% of operations)")
        for panel in panels[-columns:]:
            panel.set_xlabel(_ALONG)
        panels[len(shown) - 1].set_xlabel(_ALONG)
        handles, labels = panels[0].get_legend_handles_labels()
        if len(panels) > len(shown):
            panels[-1].legend(handles, labels, loc="center")
        elif len(handles) > 1:
            figure.legend(handles, labels, loc="outside right center")

    return Sheet(
        name=f"{family.name}--time-to-certainty{part}",
        title="How soon people know: time to certainty",
        subtitle=family.title,
        notes=(
            f"denominator: {many} operations{each}; the rest to 100 % never settled",
            " · ".join((runs_words(cells), *left, *family.left_out)),
        ),
        fill=fill,
        height_in=5.6 if rows == 1 else 7.6,
    )


def _limits(cells: Sequence[CellResult]) -> tuple[float, float]:
    """The axis, from just below the shortest time to beyond the longest."""
    found = [cell.tally.certainty for cell in cells if cell.tally.certainty.total]
    shortest = min(certainty.at_rank(1) for certainty in found)
    longest = max(certainty.maximum_us for certainty in found)
    return time_limits(max(shortest, _LEAST_US) / 1.2, max(longest, _LEAST_US) * 1.3)


def _ticks_max(some: Sequence[Line], columns: int, *, is_beside: bool) -> int:
    """Return how many ticks have room below one panel; a legend beside the panels takes some."""
    longest = max(len(line.label) for line in some)
    legend = _LEGEND_PT + 0.6 * SMALL_PT * longest if is_beside and len(some) > 1 else 0
    panel = (WIDTH_IN * 72 - _AXIS_PT - legend) / columns
    return max(_TICKS_LEAST, min(int(panel / _TICK_PT), _TICKS_MOST))


def _fill(
    axes: "Axes",
    title: str,
    some: Sequence[Line],
    limits: tuple[float, float],
    ticks_max: int,
) -> None:
    axes.set_xscale("log")
    for number, (pen, line) in enumerate(zip(PENS, some, strict=False)):
        cell = line.cells[0]
        assert cell is not None
        tally = cell.tally
        x, y = [limits[0]], [0.0]
        for value_us, count in tally.certainty.points():
            x.append(max(value_us, _LEAST_US))
            y.append(count / tally.operations)
        x.append(limits[1])
        y.append(y[-1])
        axes.plot(
            x, y, color=pen.colour, linestyle=pen.dashes, drawstyle="steps-post",
            label=line.label or "all operations", zorder=3,
            marker=pen.marker, markevery=_marks(x, limits, number),
        )  # fmt: skip
    axes.set_xlim(*limits)
    axes.set_ylim(0, 1.02)
    ticks = time_ticks(*limits, ticks_max)
    axes.set_xticks(ticks, [time_text(tick) for tick in ticks], rotation=0, fontsize=SMALL_PT)
    axes.set_xticks([], minor=True)
    axes.yaxis.set_major_formatter(share_tick)
    if title:
        axes.set_title(title, loc="left", fontweight="bold")


def _marks(x: Sequence[float], limits: tuple[float, float], number: int) -> list[int]:
    """Return the points to mark: a few, evenly along the axis, elsewhere on each line."""
    places, marks = 6, []
    ratio = limits[1] / limits[0]
    for step in range(places):
        part = (step + 0.25 + 0.5 * (number % LINES_MAX) / LINES_MAX) / places
        at = limits[0] * ratio**part
        marks.append(sum(value <= at for value in x) - 1)
    return sorted({mark for mark in marks if mark > 0})
