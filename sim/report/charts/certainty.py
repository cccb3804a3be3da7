"""How long until people know: the distribution of the time to certainty, on a logarithmic axis.

The curve is a share of all operations, so that it ends below 100 % where some never settle.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sim.measure.results import CellResult
from sim.report.charts.families import Family, Line, lines, parts, short
from sim.report.charts.scales import share_tick, time_limits, time_text, time_ticks
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import INK, LINES_MAX, PENS, SMALL_PT, WIDTH_IN
from sim.report.charts.words import broken, counted, runs_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS_MAX, SHEETS_MAX = 4, 12
_NAME_MAX, _TITLE_MAX = 24, 44
"""Letters in a line of a name in the legend, and of a panel's title."""
_UPRIGHT = "settled (% of operations)"
_ALONG = "time since the first send (logarithmic)"
_AXIS_PT, _LEGEND_PT, _TICK_PT = 75.0, 80.0, 56.0
"""About what the upright axis takes of the width, a legend beside its names, and a tick."""
_TICKS_LEAST, _TICKS_MOST = 3, 7
_LEAST_US = 1_000
"""A logarithmic axis has no zero; nobody sees a millisecond."""


class _Panel(NamedTuple):
    """One system of axes: lines of one cell each."""

    title: str
    lines: tuple[Line, ...]


def sheets(family: Family) -> Iterator[Sheet]:
    """Return the sheets of one scenario, none with more panels or lines than can be read."""
    panels = _panels(family)
    known = [panel for panel in panels if any(c.tally.certainty.total for c in _cells([panel]))]
    shown = list(_shown(known)) if known else []
    left = []
    if len(panels) > len(known):
        left.append(f"panels where nothing ever settled are left out: {len(panels) - len(known)}")
    if len(shown) > SHEETS_MAX:
        left.append(f"more sheets are not drawn: {len(shown) - SHEETS_MAX}")
    for number, some in enumerate(shown[:SHEETS_MAX], 1):
        part = f"-{number}" if len(shown) > 1 else ""
        yield _sheet(family, some, left, part)


def _shown(panels: Sequence[_Panel]) -> Iterator[list[_Panel]]:
    """Return the panels of each sheet: neighbours, with the same lines in each of them."""
    for page in parts(panels, PANELS_MAX):
        for some in parts(page[0].lines, LINES_MAX):
            labels = [line.label for line in some]
            shown = [
                _Panel(each.title, tuple(line for line in each.lines if line.label in labels))
                for each in page
            ]
            if any(cell.tally.certainty.total for cell in _cells(shown)):
                yield shown


def _panels(family: Family) -> list[_Panel]:
    """Return panels with lines of one cell each: a line for each value of the longest sweep."""
    axes = family.axes
    if not axes:
        return [_Panel("", tuple(Line(r.cell.world.variant, (r,)) for r in family.results))]
    along = axes[0]
    return [
        _Panel(
            line.label,
            tuple(
                Line(f"{short(along.path)}={value}", (cell,))
                for value, cell in zip(along.values, line.cells, strict=True)
                if cell is not None
            ),
        )
        for line in lines(family, along)
    ]


def _cells(shown: Sequence[_Panel]) -> list[CellResult]:
    return [c for panel in shown for line in panel.lines for c in line.cells if c is not None]


def _sheet(family: Family, shown: Sequence[_Panel], left: Sequence[str], part: str) -> Sheet:
    cells = _cells(shown)
    many = counted([cell.tally.operations for cell in cells])
    each = " in each line" if len(cells) > 1 else ""

    def fill(figure: "Figure") -> None:
        panels = figure.subplots(len(shown), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        limits, ticks_max = _limits(cells), _ticks_max(shown)
        for axes, panel in zip(panels, shown, strict=True):
            _fill(axes, panel, limits, ticks_max)
        if len(shown) > 1:
            figure.supylabel(_UPRIGHT, fontsize="medium", color=INK)
        else:
            panels[0].set_ylabel(_UPRIGHT)
        panels[-1].set_xlabel(_ALONG)
        handles, labels = panels[0].get_legend_handles_labels()
        if len(handles) > 1:
            names = [broken(label, _NAME_MAX) for label in labels]
            figure.legend(handles, names, loc="outside right center")

    return Sheet(
        name=f"{family.name}--time-to-certainty{part}",
        title="How soon people know: time to certainty",
        subtitle=family.title,
        notes=(
            f"denominator: {many} operations{each}; the rest to 100 % never settled",
            " · ".join((runs_words(cells), *left, *family.left_out)),
        ),
        fill=fill,
        height_in=5.6 if len(shown) == 1 else 2.0 + 2.3 * len(shown),
    )


def _limits(cells: Sequence[CellResult]) -> tuple[float, float]:
    """The axis, from just below the shortest time to beyond the longest."""
    found = [cell.tally.certainty for cell in cells if cell.tally.certainty.total]
    shortest = min(certainty.at_rank(1) for certainty in found)
    longest = max(certainty.maximum_us for certainty in found)
    return time_limits(max(shortest, _LEAST_US) / 1.2, max(longest, _LEAST_US) * 1.3)


def _ticks_max(shown: Sequence[_Panel]) -> int:
    """Return how many ticks have room below a panel; a legend beside the panels takes some."""
    labels = [line.label for line in shown[0].lines]
    names = [name for label in labels for name in broken(label, _NAME_MAX).split("\n")]
    legend = _LEGEND_PT + 0.6 * SMALL_PT * max(map(len, names)) if len(labels) > 1 else 0
    panel = WIDTH_IN * 72 - _AXIS_PT - legend
    return max(_TICKS_LEAST, min(int(panel / _TICK_PT), _TICKS_MOST))


def _fill(axes: "Axes", panel: _Panel, limits: tuple[float, float], ticks_max: int) -> None:
    axes.set_xscale("log")
    for number, (pen, line) in enumerate(zip(PENS, panel.lines, strict=False)):
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
    if panel.title:
        axes.set_title(broken(panel.title, _TITLE_MAX), loc="left", fontweight="bold")


def _marks(x: Sequence[float], limits: tuple[float, float], number: int) -> list[int]:
    """Return the points to mark: a few, evenly along the axis, elsewhere on each line."""
    places, marks = 6, []
    ratio = limits[1] / limits[0]
    for step in range(places):
        part = (step + 0.25 + 0.5 * (number % LINES_MAX) / LINES_MAX) / places
        at = limits[0] * ratio**part
        marks.append(sum(value <= at for value in x) - 1)
    return sorted({mark for mark in marks if mark > 0})
