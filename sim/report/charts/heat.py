"""A heat map for two swept values: colour for the eye, the number in each field."""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from sim.measure.definitions import BY_NAME, Measure, Unit
from sim.measure.results import CellResult, Row
from sim.report.charts.families import HARMS, Family, short, slug, telling
from sim.report.charts.scales import Swept
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import HEAT_COLOURS, SMALL_PT, TEXT_PT, WIDTH_IN
from sim.report.charts.words import called, denominator_words, runs_words, value_words

if TYPE_CHECKING:
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

SHOWN = (
    "unknown_outcome_rate",
    "unresolved_rate",
    "attempts_per_operation",
    "time_to_certainty.p90",
    *HARMS,
)
_BOUNDS_PT, _AXIS_PT = SMALL_PT - 1, 70.0
"""Size of the letters of an interval, and about what the upright axis takes of the width."""
SHEETS_MAX = 12
"""For one measure; a sweep of three paths has more combinations than anybody looks at."""


def sheets(family: Family) -> Iterator[Sheet]:
    """Return a sheet for each measure, variant and value of further sweeps."""
    if len(family.axes) < 2:
        return
    across, up, *others = family.axes
    rest = list(product(family.variants, *(axis.values for axis in others)))
    for name in telling(family.results, SHOWN):
        for variant, *values in rest[:SHEETS_MAX]:
            fixed = dict(zip([axis.path for axis in others], values, strict=True))
            cells = _cells(family, variant, fixed)
            if len(cells) > 1:
                yield _sheet(family, (across, up), BY_NAME[name], variant, fixed, cells)


def _cells(family: Family, variant: str, fixed: dict[str, str]) -> list[CellResult]:
    return [
        result
        for result in family.results
        if result.cell.world.variant == variant
        and all(dict(result.cell.world.cell).get(path) == fixed[path] for path in fixed)
    ]


def _sheet(
    family: Family,
    axes: tuple[Swept, Swept],
    measure: Measure,
    variant: str,
    fixed: dict[str, str],
    cells: list[CellResult],
) -> Sheet:
    across, up = axes
    which = [*([variant] if variant else []), *(f"{short(p)}={v}" for p, v in fixed.items())]
    of = f" ({', '.join(which)})" if which else ""
    title = called(measure)

    def fill(figure: "Figure") -> None:
        _fill(figure, across, up, measure, cells)

    return Sheet(
        name="--".join([family.name, measure.name, *map(slug, which), f"over-{slug(across.path)}"]),
        title=f"{title[:1].upper()}{title[1:]} over {across.path} and {up.path}{of}",
        subtitle=family.title,
        notes=(
            denominator_words(cells, [measure.name])
            + (" · small: 95 % interval" if _between(cells, across, measure) is not None else ""),
            " · ".join((runs_words(cells), *family.left_out)),
        ),
        fill=fill,
        height_in=min(2.9 + 0.75 * len(up.values), 9.0),
    )


def _bounds(measure: Measure, row: Row) -> tuple[str, str] | None:
    """Return the ends of an interval; None where it has not both."""
    if row.value is None or row.low is None or row.high is None:
        return None
    return f"{_bare(measure, row.low)}–", _bare(measure, row.high)


def _between(cells: list[CellResult], across: Swept, measure: Measure) -> str | None:
    """Return what is between the ends of each interval: nothing, or a new line in narrow fields.

    None: there are no intervals, or they fit in no way.
    """
    letters = (WIDTH_IN * 72 - _AXIS_PT) / len(across.values) / (0.64 * _BOUNDS_PT)
    found = [both for cell in cells if (both := _bounds(measure, cell.row(measure.name)))]
    if not found or max(len(end) for both in found for end in both) > letters:
        return None
    return "" if max(len(low + high) for low, high in found) <= letters else "\n"


def _fill(
    figure: "Figure", across: Swept, up: Swept, measure: Measure, cells: list[CellResult]
) -> None:
    axes = figure.subplots()
    rows = {}
    for cell in cells:
        at = dict(cell.cell.world.cell)
        rows[at[across.path], at[up.path]] = cell.row(measure.name)
    known = [row.value for row in rows.values() if row.value is not None]
    nothing = float("nan")
    fields = [
        [row.value if (row := rows.get((x, y))) and row.value is not None else nothing
         for x in across.values]
        for y in up.values
    ]  # fmt: skip
    norm = _norm(measure, known)
    axes.pcolormesh(fields, cmap=HEAT_COLOURS, norm=norm, edgecolors="white", linewidth=2)
    axes.set_xticks([n + 0.5 for n in range(len(across.values))], across.values)
    axes.set_yticks([n + 0.5 for n in range(len(up.values))], up.values)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(across.path)
    axes.set_ylabel(up.path)
    between = _between(cells, across, measure)
    for (x, y), row in rows.items():
        if row.value is None:
            continue
        place = across.values.index(x) + 0.5, up.values.index(y) + 0.5
        ink = "white" if norm(row.value) < 0.55 else "black"
        looks: dict[str, Any] = {
            "textcoords": "offset points", "ha": "center", "va": "center", "color": ink,
        }  # fmt: skip
        both = None if between is None else _bounds(measure, row)
        lines = 0 if between is None or both is None else 1 + len(between)
        axes.annotate(
            value_words(measure, row.value), place, (0, 1 + 7 * lines if lines else 0),
            fontsize=TEXT_PT, fontweight="bold", **looks,
        )  # fmt: skip
        if between is not None and both is not None:
            axes.annotate(between.join(both), place, (0, -9), fontsize=_BOUNDS_PT, **looks)


def _norm(measure: Measure, known: list[float]) -> "Normalize":
    from matplotlib.colors import LogNorm, Normalize  # noqa: PLC0415 - only for charts

    low, high = min(known), max(known)
    if measure.unit is Unit.TIME and low > 0:
        return LogNorm(low, high * 1.0001)
    return Normalize(min(low, 0 if measure.unit is Unit.SHARE else low), high or 1.0)


def _bare(measure: Measure, value: float) -> str:
    return value_words(measure, value).removesuffix(" %")
