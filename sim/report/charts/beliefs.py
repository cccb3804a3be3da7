"""Outcome shares: what people believe of what they wanted, against what the server did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.judge.court import BELIEFS, EFFECTS_MANY
from sim.measure.results import CellResult
from sim.report.charts.families import Family, label_of, parts
from sim.report.charts.scales import share_text, share_tick
from sim.report.charts.sheet import Sheet
from sim.report.charts.style import SMALL_PT, TEXT_PT, WIDTH_IN
from sim.report.charts.words import broken, counted, runs_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BARS_MAX, _BARS_IN = 20, 9.0
_NAME_MAX = 28
"""Letters in a line of a bar's name."""
_ENLARGED_BELOW = 0.7
"""A panel of the rest is of use where its scale is clearly finer than that of everything."""
_LETTER_PT, _BOX_PT, _BETWEEN_PT = 0.64 * SMALL_PT, 8.0, 36.0
"""Of a value; what its box takes beside it; and what is lost between and beside panels."""
_GOOD = ("acknowledged", 1)
_LOOKS = {
    "acknowledged": (("#A6CEE3", "#0072B2", "#00365A"), ""),
    "not saved": (("#DDDDDD", "#9A9A9A", "#4D4D4D"), "..."),
    "unknown": (("#FBD9B0", "#E69F00", "#8A5F00"), "///"),
    "awaiting": (("#D5F0E3", "#2FA678", "#00573C"), "---"),
    "given up": (("#EBD0E0", "#CC79A7", "#7A3A5E"), "\\\\\\"),
    "forgotten": (("#FFFFFF", "#F5C4A8", "#D55E00"), "xxx"),
}
"""Belief -> its colour for no effect, one and more (light to dark), and its hatch."""
_TRUTHS = ("nothing was done", "done once", "done more than once")


@dataclass(frozen=True, slots=True)
class _Kind:
    belief: str
    effects: int

    @property
    def label(self) -> str:
        return f"{self.belief}: {_TRUTHS[self.effects]}"


def sheets(family: Family) -> Iterator[Sheet]:
    """Return the sheets of one scenario: a bar for each of its cells."""
    some = [result for result in family.results if result.tally.beliefs]
    if all(tuple(result.tally.beliefs) == (_GOOD,) for result in some):
        return  # Everything went well in every bar: there is nothing to see.
    if not some:
        return
    row = _row_in([broken(label_of(family, result), _NAME_MAX) for result in some])
    pages = list(parts(some, min(BARS_MAX, int(_BARS_IN / row))))
    for number, page in enumerate(pages, 1):
        yield _sheet(family, page, f"-{number}" if len(pages) > 1 else "")


def _sheet(family: Family, results: Sequence[CellResult], part: str) -> Sheet:
    kinds = [
        _Kind(belief, effects)
        for belief in BELIEFS
        for effects in range(EFFECTS_MANY + 1)
        if any(result.tally.beliefs.get((belief, effects)) for result in results)
    ]
    labels = [broken(label_of(family, result), _NAME_MAX) for result in results]
    rest = [kind for kind in kinds if (kind.belief, kind.effects) != _GOOD]
    has_rest = len(rest) < len(kinds) and 0 < _longest(results, rest) <= _ENLARGED_BELOW
    legend_rows = -(-len(kinds) // 2)

    def fill(figure: "Figure") -> None:
        widths = (1, 1) if has_rest else (1,)
        panels = figure.subplots(1, len(widths), sharey=True, squeeze=False, width_ratios=widths)[0]
        panel_pt = _panel_pt(labels, len(widths))
        _bars(panels[0], results, kinds, panel_pt)
        panels[0].set_xlim(0, 1)
        panels[0].set_title("all intents", loc="left", fontweight="bold")
        if has_rest:
            _bars(panels[1], results, rest, panel_pt)
            panels[1].set_title("the rest, enlarged", loc="left", fontweight="bold")
        panels[0].set_yticks(range(len(results)), labels)
        panels[0].set_ylim(len(results) - 0.4, -0.6)

    each = " in each bar" if len(results) > 1 else ""
    intents = counted([sum(result.tally.beliefs.values()) for result in results])
    return Sheet(
        name=f"{family.name}--outcomes{part}",
        title="What people believe in the end, against what the server did",
        subtitle=family.title,
        notes=(
            f"denominator: {intents} intents{each}"
            + ("; the right panel has a scale of its own" if has_rest else ""),
            " · ".join((runs_words(results), *family.left_out)),
        ),
        fill=fill,
        height_in=2.6 + _row_in(labels) * len(results) + 0.25 * legend_rows,
        legend_rows=legend_rows,
    )


def _panel_pt(labels: Sequence[str], panels: int) -> float:
    """Return about how wide one of the panels beside the labels is, in points."""
    longest = max(len(line) for label in labels for line in label.split("\n"))
    return (WIDTH_IN * 72 - 0.6 * TEXT_PT * longest - _BETWEEN_PT * panels) / panels


def _row_in(labels: Sequence[str]) -> float:
    """Return how high a bar and what is around it are, in inches, for the highest label."""
    return max(0.44, 0.08 + 0.21 * (1 + max(label.count("\n") for label in labels)))


def _shares(results: Sequence[CellResult], kinds: Sequence[_Kind]) -> list[list[float]]:
    """Return the share of each result's intents that is of each kind, by kinds."""
    totals = [sum(result.tally.beliefs.values()) for result in results]
    return [
        [
            result.tally.beliefs.get((kind.belief, kind.effects), 0) / total
            for result, total in zip(results, totals, strict=True)
        ]
        for kind in kinds
    ]


def _longest(results: Sequence[CellResult], kinds: Sequence[_Kind]) -> float:
    """Return how long the longest bar of some kinds is, as a share of intents."""
    return max((sum(bar) for bar in zip(*_shares(results, kinds), strict=True)), default=0.0)


def _bars(
    axes: "Axes", results: Sequence[CellResult], kinds: Sequence[_Kind], panel_pt: float
) -> None:
    left = [0.0] * len(results)
    shares = _shares(results, kinds)
    top = _longest(results, kinds)
    for kind, widths in zip(kinds, shares, strict=True):
        colours, hatch = _LOOKS[kind.belief]
        colour = colours[kind.effects]
        some = [place for place, width in enumerate(widths) if width > 0]
        axes.barh(
            some, [widths[place] for place in some], left=[left[place] for place in some],
            height=0.72, color=colour, hatch=hatch, edgecolor="black", linewidth=0.7,
            label=kind.label,
        )  # fmt: skip
        for place, (start, width) in enumerate(zip(left, widths, strict=True)):
            text = share_text(width)
            if width / top * panel_pt >= len(text) * _LETTER_PT + _BOX_PT:
                _write(axes, start + width / 2, place, text)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axes.set_xlim(0, top * 1.02)
    axes.locator_params(axis="x", nbins=4)
    axes.xaxis.set_major_formatter(share_tick)
    axes.set_xlabel("% of intents")
    axes.tick_params(axis="y", length=0, labelsize=TEXT_PT)
    axes.grid(visible=False, axis="y")


def _write(axes: "Axes", x: float, y: float, text: str) -> None:
    axes.text(
        x, y, text, ha="center", va="center", fontsize=SMALL_PT, color="black",
        bbox={"boxstyle": "round,pad=0.18", "facecolor": "white", "edgecolor": "none"},
    )  # fmt: skip
