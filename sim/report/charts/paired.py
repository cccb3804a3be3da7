"""Paired differences: what a variant changes on the same weather, with and without pairing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from sim.measure.definitions import Measure, Unit
from sim.report.charts.families import slug
from sim.report.charts.scales import time_text
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import INK, PENS, SMALL_PT, TEXT_PT
from sim.report.charts.words import called, unit_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROWS_MAX = 24
_BOXES = (
    "boxes: 95 % intervals of paired runs, filled and bold where 0 is outside; "
    "thin: the same unpaired"
)
_COLOUR = PENS[0].colour
_BOX, _THIN_AT = 0.32, 0.27
"""Height of a box and place of the thin line below it, in rows."""


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

    @property
    def is_clear(self) -> bool:
        """Whether the interval of paired runs lies on one side of 0."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


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
            _BOXES,
            f"{pairing.name} · seed {pairing.seed} · {pairing.runs:,} runs of each variant"
            + (f" · {over} more variants are not shown" if over else ""),
        ),
        fill=fill,
        height_in=2.7 + 0.62 * len(rows),
    )


def _fill(figure: "Figure", measure: Measure, baseline: str, rows: Sequence[Difference]) -> None:
    axes = figure.subplots()
    for place, row in enumerate(rows):
        _row(axes, measure, place, row)
    axes.axvline(0, color=INK, linewidth=1.2, zorder=1)
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set_ylim(len(rows) - 0.45, -0.8)
    axes.tick_params(axis="y", length=0, labelsize=TEXT_PT)
    axes.grid(visible=False, axis="y")
    axes.use_sticky_edges = False  # Else the axis would end where a box does.
    axes.margins(x=0.1)
    axes.xaxis.set_major_formatter(lambda value, _: _words(measure, value))
    axes.locator_params(axis="x", nbins=7)
    axes.set_xlabel(f"{called(measure)}: difference from '{baseline}'\n({_unit_words(measure)})")


def _row(axes: "Axes", measure: Measure, place: int, row: Difference) -> None:
    """Draw one difference: a box that stands out above and below the dot, however narrow it is."""
    if row.unpaired_low is not None and row.unpaired_high is not None:
        axes.errorbar(
            [row.difference], [place + _THIN_AT],
            xerr=[[row.difference - row.unpaired_low], [row.unpaired_high - row.difference]],
            color=INK, linewidth=1.1, capsize=4, linestyle="", fmt="none",
        )  # fmt: skip
    if row.low is not None and row.high is not None:
        axes.barh(
            [place], [row.high - row.low], left=[row.low], height=_BOX,
            facecolor=_COLOUR if row.is_clear else "none", edgecolor=_COLOUR, linewidth=1.6,
            zorder=2,
        )  # fmt: skip
    axes.plot([row.difference], [place], marker="o", color=INK, linestyle="",
              markeredgecolor="white", markersize=6.5, zorder=3)  # fmt: skip
    axes.annotate(
        _words(measure, row.difference), (row.difference, place), (0, 10),
        textcoords="offset points", ha="center", va="bottom", fontsize=SMALL_PT,
        fontweight="bold" if row.is_clear else "normal", zorder=4,
        bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"},
    )  # fmt: skip


def _unit_words(measure: Measure) -> str:
    match measure.unit:
        case Unit.SHARE:
            return f"percentage points of {measure.over}"
        case Unit.MEAN if measure.scale > 1:
            return unit_words(measure)
        case Unit.TIME | Unit.MEAN | Unit.COUNT:
            return f"mean over {measure.over}"
        case _:
            assert_never(measure.unit)


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
