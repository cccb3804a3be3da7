"""Load over time: what arrives at the server in each second, for populations and outages."""

from collections.abc import Iterator, Sequence
from textwrap import fill as wrapped
from typing import TYPE_CHECKING

from sim.measure.results import CellResult
from sim.network.faults import Cut
from sim.report.charts.families import Family, label_of, parts
from sim.report.charts.scales import time_text
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import INK, PENS, SMALL_PT, SOFT
from sim.report.charts.words import counted, runs_words
from sim.scenario.model import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS_MAX = 6
_PANEL_IN, _PANELS_LEAST_IN = 1.15, 2.3
_LETTERS_IN = 8.5
"""So many letters of the label have room along an inch of panels."""
_STEPS_MAX = 400
_SECOND_US = 1_000_000


def sheets(family: Family) -> Iterator[Sheet]:
    """Return the sheets of a scenario whose load was watched: a panel for each cell."""
    some = [result for result in family.results if len(result.tally.arrivals) > 1]
    pages = list(parts(some, PANELS_MAX)) if some else []
    for number, page in enumerate(pages, 1):
        yield _sheet(family, page, f"-{number}" if len(pages) > 1 else "")


def _sheet(family: Family, results: Sequence[CellResult], part: str) -> Sheet:
    last = max(max(result.tally.arrivals) for result in results)
    step = -(-(last + 1) // _STEPS_MAX)
    each = "each second" if step == 1 else f"a second (means over {step:,} s)"
    panels_in = max(_PANEL_IN * len(results), _PANELS_LEAST_IN)
    top = 1.15 * max(max(_heights(result, last, step)) for result in results)
    is_dashed = any(_line(result.cell.world, top) is not None for result in results)

    def fill(figure: "Figure") -> None:
        panels = figure.subplots(len(results), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for panel, result in zip(panels, results, strict=True):
            _panel(panel, result, last, step)
        panels[0].set_ylim(0, top)
        for panel, result in zip(panels, results, strict=True):
            _mark(panel, result.cell.world, label_of(family, result), top, panel is panels[0])
        panels[-1].set_xlim(0, last + 1)
        panels[-1].set_xlabel("seconds since the start")
        label = wrapped(f"requests arriving in {each}", int(panels_in * _LETTERS_IN))
        figure.supylabel(label, fontsize="medium", color=INK)

    in_each = " in each panel" if len(results) > 1 else ""
    operations = counted([result.tally.operations for result in results])
    return Sheet(
        name=f"{family.name}--load{part}",
        title="Load over time: requests that arrive at the server",
        subtitle=family.title,
        notes=(
            f"means over the runs; {operations} operations{in_each}"
            + ("; dashed: what the server can do" if is_dashed else ""),
            " · ".join((runs_words(results), *family.left_out)),
        ),
        fill=fill,
        height_in=2.3 + panels_in,
    )


def _panel(axes: "Axes", result: CellResult, last: int, step: int) -> None:
    heights = _heights(result, last, step)
    edges = list(range(0, last + step + 1, step))[: len(heights) + 1]
    axes.stairs(heights, edges, fill=True, color=PENS[0].colour, alpha=0.35)
    axes.stairs(heights, edges, color=PENS[0].colour, linewidth=1.2)
    axes.locator_params(axis="y", nbins=4)


def _heights(result: CellResult, last: int, step: int) -> list[float]:
    arrivals, runs = result.tally.arrivals, result.tally.runs
    return [
        sum(arrivals.get(second, 0) for second in range(first, first + step)) / runs / step
        for first in range(0, last + 1, step)
    ]


def _mark(axes: "Axes", world: World, label: str, top: float, is_first: bool) -> None:
    """Show the outages and the capacity, and say which cell it is."""
    outages = [(c.from_us / _SECOND_US, c.to_us / _SECOND_US) for c in _cuts(world)]
    for start, end in outages:
        axes.axvspan(start, end, facecolor="#ECECEC", edgecolor=SOFT, hatch="//", linewidth=0,
                     zorder=0)  # fmt: skip
        if not is_first:
            continue
        axes.annotate(
            f"outage, {time_text((end - start) * _SECOND_US)}", ((start + end) / 2, top * 0.5),
            ha="center", va="center", fontsize=SMALL_PT, color=INK, annotation_clip=True,
            bbox={"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none"},
        )  # fmt: skip
    capacity = _line(world, top)
    if capacity is not None:
        axes.axhline(capacity, color=INK, linestyle=(0, (5, 3)), linewidth=1.1)
    axes.annotate(
        label, (0.008, 0.95), xycoords="axes fraction", va="top", fontweight="bold", color=INK,
        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none",
              "alpha": 0.85},
    )  # fmt: skip


def _line(world: World, top: float) -> float | None:
    """Return the capacity where it is on the axis; None where there is none, or it is above."""
    capacity = _capacity(world)
    return capacity if capacity is not None and capacity < top else None


def _cuts(world: World) -> list[Cut]:
    return [clause for clause in world.faults if isinstance(clause, Cut)]


def _capacity(world: World) -> float | None:
    """Requests a second that the server can execute; None where there is no such limit."""
    capacity = world.server.capacity
    if capacity.workers is None or not capacity.time_us:
        return None
    return capacity.workers * _SECOND_US / capacity.time_us
