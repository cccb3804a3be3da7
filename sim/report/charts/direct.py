"""Direct labels: each line is named where it ends, so that nobody has to match colours."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sim.report.charts.style import TEXT_PT, Pen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AXES_PART = 0.62
"""The axes take at least about this part of a sheet's height."""


def label_ends(axes: "Axes", ends: Sequence[tuple[float, str, Pen]], height_in: float) -> None:
    """Write each line's name to the right of its end, moved apart where they would touch.

    Args:
        axes: With its final limits.
        ends: Value at the end, name and pen of each line.
        height_in: Of the whole figure.
    """
    gap = TEXT_PT * 1.3 / (height_in * 72 * _AXES_PART)
    to_part = axes.transData + axes.transAxes.inverted()
    places = [float(to_part.transform((1.0, value))[1]) for value, _, _ in ends]
    for (_, name, pen), place, moved in zip(ends, places, _apart(places, gap), strict=True):
        axes.plot(
            [1.012, 1.038], [place, moved], transform=axes.transAxes, color=pen.colour,
            linewidth=1.0, clip_on=False,
        )  # fmt: skip
        axes.text(
            1.045, moved, name, transform=axes.transAxes, color=pen.colour, va="center",
            fontweight="bold",
        )  # fmt: skip


def _apart(places: Sequence[float], gap: float) -> list[float]:
    """Move places apart to at least ``gap`` as little as possible, keeping their order.

    Neighbours that touch become a block around their mean; blocks that then touch are joined.
    """
    order = sorted(range(len(places)), key=lambda index: (places[index], index))
    blocks: list[tuple[float, int]] = []
    for index in order:
        blocks.append((places[index], 1))
        while len(blocks) > 1:
            (low, few), (high, many) = blocks[-2:]
            if high - low >= gap * (few + many) / 2:
                break
            blocks[-2:] = [((low * few + high * many) / (few + many), few + many)]
    found = [0.0] * len(places)
    moved = iter(order)
    for middle, many in blocks:
        for number in range(many):
            found[next(moved)] = middle + (number - (many - 1) / 2) * gap
    return found
