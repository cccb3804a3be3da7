"""How charts look: told apart without colour, readable at half size, the same bytes every time."""

from dataclasses import dataclass
from typing import Any

DPI = 150
WIDTH_IN = 9.0
"""1,350 pixels; no text is smaller than 10 points, so that half of that can still be read."""
TITLE_PT, TEXT_PT, SMALL_PT = 15.0, 12.0, 11.0
INK, SOFT, GRID = "#1a1a1a", "#4d4d4d", "#d9d9d9"

SETTINGS: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": TEXT_PT,
    "axes.labelsize": TEXT_PT,
    "axes.titlesize": TEXT_PT,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL_PT,
    "ytick.labelsize": SMALL_PT,
    "legend.fontsize": SMALL_PT,
    "legend.frameon": False,
    # So long that a line's dashes are seen on both sides of its marker.
    "legend.handlelength": 5.5,
    "hatch.linewidth": 0.9,
    "lines.linewidth": 2.0,
    "lines.markersize": 7.0,
    # What a drawing program adds by itself would differ from run to run.
    "svg.hashsalt": "lostack",
    "svg.fonttype": "none",
}
"""Matplotlib's settings; whatever else a machine has configured is left out."""


@dataclass(frozen=True, slots=True)
class Pen:
    """One way to draw a line that no other line of the chart has."""

    colour: str
    dashes: str | tuple[int, tuple[int, ...]]
    marker: str


PENS = (
    Pen("#0072B2", "-", "o"),
    Pen("#D55E00", (0, (6, 2)), "s"),
    Pen("#007A5A", (0, (1, 1)), "^"),
    Pen("#A0508A", (0, (6, 2, 1, 2)), "D"),
    Pen("#000000", (0, (3, 1)), "v"),
    Pen("#B87900", (0, (8, 2, 1, 2, 1, 2)), "P"),
    Pen("#3C93C8", (0, (2, 2)), "X"),
)
"""Colours after M. Okabe and K. Ito, made darker where they are faint on white."""

LINES_MAX = len(PENS)

FONTS_OF_VIEWERS = "'DejaVu Sans', Verdana, sans-serif"
"""SVG keeps its text as text; Verdana has the widths of DejaVu Sans, where that is missing."""

HEAT_COLOURS = "cividis"
"""Rises in lightness from end to end, so that it can be read in grey."""
