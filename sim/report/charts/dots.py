"""Variants beside each other: a dot with its interval for each, several measures on a sheet."""

from collections.abc import Iterator, Sequence
from math import log10
from textwrap import fill
from typing import TYPE_CHECKING, Any

from sim.measure.definitions import BY_NAME, Measure, Unit
from sim.measure.results import CellResult, Row
from sim.report.charts.families import HARMS, Family, label_of, parts, telling
from sim.report.charts.scales import share_tick, time_limits, time_text, time_ticks
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import INK, PENS, SMALL_PT, TEXT_PT
from sim.report.charts.words import (
    arrow_words,
    broken,
    called,
    denominator_words,
    interval_words,
    runs_words,
    unit_words,
    value_words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CROWD = ("peak_load", "deliveries_per_effect", "recovery_time", "turned_away_rate")
SHOWN = (
    *_CROWD,
    "unknown_outcome_rate",
    "unresolved_rate",
    "time_to_certainty.p90",
    "attempts_per_operation",
    "duplicate_attempt_rate",
    "stale_ack_rate",
    *HARMS,
)
PANELS_MAX = 3
ROWS_MAX = 24
_HALF_LETTER = 0.31 * SMALL_PT / 130
"""Of a panel's width, which is about 130 points where there are three and names are long."""
_LABEL_MAX, _LINE_MAX = 22, 28
"""Longer names leave room for one panel less; they are broken into lines of so many letters."""


def sheets(family: Family) -> Iterator[Sheet]:
    """Return the sheets of a scenario with several variants and no sweep."""
    if family.axes or len(family.results) < 2:
        return
    names = telling(family.results, SHOWN)
    if all(result.tally.is_independent for result in family.results):
        names = [name for name in names if name not in _CROWD]
    if not names:
        return
    longest = max(len(label_of(family, result)) for result in family.results[:ROWS_MAX])
    pages = list(parts(names, PANELS_MAX if longest <= _LABEL_MAX else PANELS_MAX - 1))
    for number, some in enumerate(pages, 1):
        yield _sheet(family, some, f"-{number}" if len(pages) > 1 else "")


def _sheet(family: Family, names: Sequence[str], part: str) -> Sheet:
    results = family.results[:ROWS_MAX]
    measures = [BY_NAME[name] for name in names]
    labels = [broken(label_of(family, result), _LINE_MAX) for result in results]
    lines = max(1 + label.count("\n") for label in labels)

    def paint(figure: "Figure") -> None:
        panels = figure.subplots(1, len(measures), sharey=True, squeeze=False)[0]
        for panel, measure in zip(panels, measures, strict=True):
            _panel(panel, measure, results)
        panels[0].set_yticks(range(len(results)), labels)
        panels[0].set_ylim(len(results) - 0.4, -0.7)
        panels[0].tick_params(axis="y", labelsize=TEXT_PT)

    return Sheet(
        name=f"{family.name}--variants{part}",
        title=_listed([called(measure) for measure in measures]),
        subtitle=family.title,
        notes=(
            denominator_words(results, names),
            f"lines: {interval_words(results, names)}{_arrow_words(results, names)}",
            " · ".join((runs_words(results), *_cut(family), *family.left_out)),
        ),
        fill=paint,
        height_in=3.1 + max(0.5, 0.1 + 0.21 * lines) * len(results),
    )


def _cut(family: Family) -> tuple[str, ...]:
    over = len(family.results) - ROWS_MAX
    return (f"{over} more variants are not shown",) if over > 0 else ()


def _arrow_words(results: Sequence[CellResult], names: Sequence[str]) -> str:
    rows = [result.row(name) for result in results for name in names]
    return arrow_words([row for row in rows if row.value is not None])


def _listed(names: Sequence[str]) -> str:
    text = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return text[:1].upper() + text[1:]


def _panel(axes: "Axes", measure: Measure, results: Sequence[CellResult]) -> None:
    rows = [result.row(measure.name) for result in results]
    if measure.unit is Unit.TIME:
        _time_axis(axes, measure, rows)
    else:
        _plain_axis(axes, measure, rows)
    axes.set_title(_two_lines(called(measure)), fontweight="bold", loc="left", color=INK)
    for place, row in enumerate(rows):
        if row.value is None:
            axes.annotate(
                "no value", (0.02, place), xycoords=("axes fraction", "data"), va="center",
                fontsize=SMALL_PT, fontstyle="italic",
            )  # fmt: skip
            continue
        _interval(axes, place, row)
        axes.plot([row.value], [place], color=PENS[0].colour, marker="o", linestyle="")
        axes.annotate(
            value_words(measure, row.value), (row.value, place), (0, 8),
            textcoords="offset points", ha="center", va="bottom", fontsize=SMALL_PT, color=INK,
        )  # fmt: skip
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(fill(unit_words(measure), 24), fontsize=SMALL_PT)
    axes.tick_params(axis="y", length=0)


def _interval(axes: "Axes", place: int, row: Row) -> None:
    """Draw an interval with ends that are higher than the dot, so that none hides behind it."""
    if row.low is None:
        return
    high = axes.get_xlim()[1] if row.high is None else row.high
    looks: dict[str, Any] = {"color": PENS[0].colour, "linewidth": 2.6}
    axes.plot([row.low, high], [place, place], **looks)
    axes.plot([row.low], [place], marker="|", markersize=11, markeredgewidth=1.6, **looks)
    end: dict[str, Any] = {"marker": "|", "markersize": 11, "markeredgewidth": 1.6}
    if row.high is None:
        end = {"marker": ">", "markersize": 7, "clip_on": False}
    axes.plot([high], [place], **end, **looks)


def _plain_axis(axes: "Axes", measure: Measure, rows: Sequence[Row]) -> None:
    top = max(bound for row in rows for bound in (row.value, row.high) if bound is not None)
    low, top = _with_labels(measure, rows, -0.05 * top, 1.15 * top)
    axes.set_xlim(low, top)
    axes.locator_params(axis="x", nbins=4)
    axes.set_xticks([tick for tick in axes.get_xticks() if 0 <= tick <= top])
    if measure.unit is Unit.SHARE:
        axes.xaxis.set_major_formatter(share_tick)


def _with_labels(
    measure: Measure, rows: Sequence[Row], low: float, high: float, log: bool = False
) -> tuple[float, float]:
    """Return limits that leave room for every label, which stands in the middle over its dot."""
    for row in rows:
        if row.value is None:
            continue
        at = log10(max(row.value, 1.0)) if log else row.value
        part = min(len(value_words(measure, row.value)) * _HALF_LETTER, 0.4)
        low = min(low, (at - part * high) / (1 - part))
        high = max(high, (at - part * low) / (1 - part))
    return low, high


def _time_axis(axes: "Axes", measure: Measure, rows: Sequence[Row]) -> None:
    axes.set_xscale("log")
    bounds = [b for row in rows for b in (row.value, row.low, row.high) if b]
    low, top = log10(min(bounds, default=1_000.0) / 1.2), log10(max(bounds, default=1_000.0) * 1.2)
    low, top = _with_labels(measure, rows, low, top, log=True)
    low, top = time_limits(10**low, 10**top)
    axes.set_xlim(low, top)
    ticks = time_ticks(low, top, 3)
    axes.set_xticks(ticks, [time_text(tick) for tick in ticks])
    axes.set_xticks([], minor=True)


def _two_lines(text: str) -> str:
    """Break a long name in its middle."""
    words = text.split(" ")
    if len(text) <= 18 or len(words) < 2:
        return text + "\n "
    cut = min(
        range(1, len(words)),
        key=lambda n: abs(len(" ".join(words[:n])) - len(" ".join(words[n:]))),
    )
    return " ".join(words[:cut]) + "\n" + " ".join(words[cut:])
