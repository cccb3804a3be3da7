"""A heat map for two swept values: colour for the eye, the number in each field."""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from sim.measure.definitions import BY_NAME, Measure, Unit
from sim.measure.results import CellResult
from sim.report.charts.families import HARMS, Family, short, slug, telling
from sim.report.charts.scales import Swept
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import HEAT_COLOURS, SMALL_PT, TEXT_PT
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
            + (" · small: 95 % interval" if _has_intervals(cells, measure) else ""),
            " · ".join((runs_words(cells), *family.left_out)),
        ),
        fill=fill,
        height_in=min(2.9 + 0.75 * len(up.values), 9.0),
    )


def _has_intervals(cells: list[CellResult], measure: Measure) -> bool:
    return any(cell.row(measure.name).high is not None for cell in cells)


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
    for (x, y), row in rows.items():
        if row.value is None:
            continue
        dark = norm(row.value) < 0.55
        place = across.values.index(x) + 0.5, up.values.index(y) + 0.5
        ink = "white" if dark else "black"
        has_bounds = row.low is not None and row.high is not None
        axes.annotate(
            value_words(measure, row.value), place, (0, 8 if has_bounds else 0),
            textcoords="offset points", ha="center", va="center", color=ink,
            fontsize=TEXT_PT, fontweight="bold",
        )  # fmt: skip
        if row.low is not None and row.high is not None:
            bounds = f"{_bare(measure, row.low)}–{_bare(measure, row.high)}"
            axes.annotate(
                bounds, place, (0, -9), textcoords="offset points", ha="center", va="center",
                color=ink, fontsize=SMALL_PT - 1,
            )  # fmt: skip


def _norm(measure: Measure, known: list[float]) -> "Normalize":
    from matplotlib.colors import LogNorm, Normalize  # noqa: PLC0415 - only for charts

    low, high = min(known), max(known)
    if measure.unit is Unit.TIME and low > 0:
        return LogNorm(low, high * 1.0001)
    return Normalize(min(low, 0 if measure.unit is Unit.SHARE else low), high or 1.0)


def _bare(measure: Measure, value: float) -> str:
    return value_words(measure, value).removesuffix(" %")
