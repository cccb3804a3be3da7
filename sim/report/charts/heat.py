"""A heat map for two swept values: colour for the eye, the number in each field."""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from sim.measure.definitions import BY_NAME, Measure, Unit
from sim.measure.results import CellResult, Row
from sim.report.charts.families import HARMS, Family, short, slug, telling
from sim.report.charts.scales import Swept
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import HEAT_COLOURS, INK, SMALL_PT, TEXT_PT, WIDTH_IN
from sim.report.charts.words import called, denominator_words, runs_words, value_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
_BOLD = 0.66
"""Mean width of a bold letter, in font sizes."""
_NOTHING = "—"
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
            *_said(cells, across, measure),
            " · ".join((runs_words(cells), *family.left_out)),
        ),
        fill=fill,
        height_in=min(2.9 + 0.75 * len(up.values), 9.0),
    )


def _said(cells: list[CellResult], across: Swept, measure: Measure) -> tuple[str, ...]:
    """Return what has to be said of fields that have no value, or no room for it."""
    rows = [cell.row(measure.name) for cell in cells]
    said = []
    if any(row.value is None for row in rows):
        said.append(f"hatched, {_NOTHING}: no value, because there is nothing to divide by")
        if measure.name.startswith("time_to_certainty"):
            said[0] = f"hatched, {_NOTHING}: no value, because no operation was settled"
    known = [row.value for row in rows if row.value is not None]
    if known and not _has_room(rows, across, measure):
        low, high = (value_words(measure, bound) for bound in (min(known), max(known)))
        said.append(f"from {low} (dark) to {high} (light); the values are in the tables")
    return (" · ".join(said),) if said else ()


def _has_room(rows: list[Row], across: Swept, measure: Measure) -> bool:
    """Return whether the widest value fits into a field."""
    texts = [value_words(measure, row.value) for row in rows if row.value is not None]
    return max(map(len, texts), default=0) <= _field_pt(across) / (_BOLD * TEXT_PT)


def _field_pt(across: Swept) -> float:
    """Return about how wide a field is, in points."""
    return (WIDTH_IN * 72 - _AXIS_PT) / len(across.values)


def _bounds(measure: Measure, row: Row) -> tuple[str, str] | None:
    """Return the ends of an interval; None where it has not both."""
    if row.value is None or row.low is None or row.high is None:
        return None
    return f"{_bare(measure, row.low)}–", _bare(measure, row.high)


def _between(cells: list[CellResult], across: Swept, measure: Measure) -> str | None:
    """Return what is between the ends of each interval: nothing, or a new line in narrow fields.

    None: there are no intervals, or they fit in no way.
    """
    if not _has_room([cell.row(measure.name) for cell in cells], across, measure):
        return None
    letters = _field_pt(across) / (0.64 * _BOUNDS_PT)
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
    # Where a field is narrower than the value below it, the values stand upright.
    longest = max(map(len, across.values))
    turn = 90 if longest * 0.66 * SMALL_PT > _field_pt(across) else 0
    axes.set_xticks([n + 0.5 for n in range(len(across.values))], across.values, rotation=turn)
    axes.set_yticks([n + 0.5 for n in range(len(up.values))], up.values)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(across.path)
    axes.set_ylabel(up.path)
    between = _between(cells, across, measure)
    has_room = _has_room(list(rows.values()), across, measure)
    for (x, y), row in rows.items():
        place = across.values.index(x), up.values.index(y)
        if row.value is None:
            _nothing(axes, place)
        elif has_room:
            ink = "white" if norm(row.value) < 0.55 else "black"
            _write(axes, (place[0] + 0.5, place[1] + 0.5), measure, row, between, ink)


def _nothing(axes: "Axes", place: tuple[int, int]) -> None:
    """Hatch a field without a value, so that nobody takes it for paper."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - only for charts

    axes.add_patch(
        Rectangle(
            place,
            1,
            1,
            facecolor="#F0F0F0",
            edgecolor="#8A8A8A",
            hatch="///",
            linewidth=0,
            zorder=2,
        )
    )
    axes.add_patch(Rectangle(place, 1, 1, fill=False, edgecolor="white", linewidth=2, zorder=2.5))
    axes.annotate(
        _NOTHING, (place[0] + 0.5, place[1] + 0.5), ha="center", va="center", color=INK,
        fontsize=TEXT_PT, fontweight="bold",
        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"},
    )  # fmt: skip


def _write(
    axes: "Axes",
    middle: tuple[float, float],
    measure: Measure,
    row: Row,
    between: str | None,
    ink: str,
) -> None:
    """Write a value into its field, with its interval where there is room for it."""
    assert row.value is not None
    looks: dict[str, Any] = {
        "textcoords": "offset points", "ha": "center", "va": "center", "color": ink,
    }  # fmt: skip
    both = None if between is None else _bounds(measure, row)
    lines = 0 if between is None or both is None else 1 + len(between)
    axes.annotate(
        value_words(measure, row.value), middle, (0, 1 + 7 * lines if lines else 0),
        fontsize=TEXT_PT, fontweight="bold", **looks,
    )  # fmt: skip
    if between is not None and both is not None:
        axes.annotate(between.join(both), middle, (0, -9), fontsize=_BOUNDS_PT, **looks)


def _norm(measure: Measure, known: list[float]) -> "Normalize":
    from matplotlib.colors import LogNorm, Normalize  # noqa: PLC0415 - only for charts

    low, high = min(known), max(known)
    if measure.unit is Unit.TIME and low > 0:
        return LogNorm(low, high * 1.0001)
    return Normalize(min(low, 0 if measure.unit is Unit.SHARE else low), high or 1.0)


def _bare(measure: Measure, value: float) -> str:
    return value_words(measure, value).removesuffix(" %")
