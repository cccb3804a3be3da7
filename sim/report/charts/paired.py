"""Paired differences: what a variant changes on the same weather, with and without pairing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.measure.definitions import Measure, Unit
from sim.report.charts.families import slug
from sim.report.charts.scales import time_text
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import INK, PENS, SMALL_PT, TEXT_PT
from sim.report.charts.words import called

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROWS_MAX = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One difference (variant minus baseline) in the measure's unit; times in microseconds.

    ``low`` and ``high`` bound it with the runs paired; the unpaired bounds are what the same runs
    would say if they had not met the same weather. None: there is no such bound.
    """

    name: str
    difference: float
    low: float | None
    high: float | None
    unpaired_low: float | None = None
    unpaired_high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """The differences of one measure from one baseline, and what they rest on."""

    name: str
    """Of the scenario, as in the names of its charts' files."""
    title: str
    """The scenario's title."""
    measure: Measure
    baseline: str
    seed: int
    runs: int
    denominator: str
    """For people: ``10,000 operations``."""
    where: str = ""
    """The cell of the sweep; empty where there is none."""
    differences: Sequence[Difference]


def sheet(pairing: Pairing) -> Sheet:
    """Return the sheet of paired differences."""
    measure = pairing.measure
    rows = pairing.differences[:ROWS_MAX]
    over = len(pairing.differences) - len(rows)
    where = [slug(pairing.where)] if pairing.where else []

    def fill(figure: "Figure") -> None:
        _fill(figure, measure, pairing.baseline, rows)

    return Sheet(
        name="--".join([slug(pairing.name), measure.name, "differences", *where]),
        title=f"What changes in {called(measure)} against '{pairing.baseline}'",
        subtitle=f"{pairing.title} ({pairing.where})" if where else pairing.title,
        notes=(
            f"denominator: {pairing.denominator} in each variant, the same weather in both",
            "thick: 95 % interval of paired runs; thin: of the same runs unpaired",
            f"{pairing.name} · seed {pairing.seed} · {pairing.runs:,} runs of each variant"
            + (f" · {over} more variants are not shown" if over else ""),
        ),
        fill=fill,
        height_in=2.7 + 0.62 * len(rows),
    )


def _fill(figure: "Figure", measure: Measure, baseline: str, rows: Sequence[Difference]) -> None:
    axes = figure.subplots()
    pen = PENS[0]
    for place, row in enumerate(rows):
        if row.unpaired_low is not None and row.unpaired_high is not None:
            axes.errorbar(
                [row.difference], [place + 0.16],
                xerr=[[row.difference - row.unpaired_low], [row.unpaired_high - row.difference]],
                color=INK, linewidth=1.1, capsize=4, linestyle="", fmt="none",
            )  # fmt: skip
        if row.low is not None and row.high is not None:
            axes.plot([row.low, row.high], [place, place], color=pen.colour, linewidth=5.0,
                      solid_capstyle="butt")  # fmt: skip
        axes.plot([row.difference], [place], marker="o", color=pen.colour, linestyle="",
                  markeredgecolor="white", markersize=7.5)  # fmt: skip
        axes.annotate(
            _words(measure, row.difference), (row.difference, place), (0, 8),
            textcoords="offset points", ha="center", va="bottom", fontsize=SMALL_PT,
            fontweight="bold",
            bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"},
        )  # fmt: skip
    axes.axvline(0, color=INK, linewidth=1.2, zorder=1)
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set_ylim(len(rows) - 0.45, -0.75)
    axes.tick_params(axis="y", length=0, labelsize=TEXT_PT)
    axes.grid(visible=False, axis="y")
    axes.margins(x=0.1)
    axes.xaxis.set_major_formatter(lambda value, _: _words(measure, value))
    axes.locator_params(axis="x", nbins=7)
    unit = "percentage points" if measure.unit is Unit.SHARE else "mean"
    axes.set_xlabel(f"{called(measure)}: difference from '{baseline}'\n({unit} of {measure.over})")


def _words(measure: Measure, value: float) -> str:
    sign = "−" if value < 0 else "+" if value > 0 else ""
    size = abs(value)
    match measure.unit:
        case Unit.SHARE:
            return f"{sign}{size * 100:.3g}"
        case Unit.TIME:
            return f"{sign}{time_text(size)}" if size else "0"
        case Unit.MEAN | Unit.COUNT:
            return f"{sign}{size:.3g}"
