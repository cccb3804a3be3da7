"""Direct labels: each line is named where it ends, so that nobody has to match colours."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sim.report.charts.style import TEXT_PT, Pen
from sim.report.charts.words import broken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME_MAX = 22
"""Letters in a line of a name; longer names would take the room of the lines."""
_AXES_PART = 0.62
"""The axes take at least about this part of a sheet's height."""


def label_ends(axes: "Axes", ends: Sequence[tuple[float, str, Pen]], height_in: float) -> None:
    """Write each line's name to the right of its end, moved apart where they would touch.

    Args:
        axes: With its final limits.
        ends: Value at the end, name and pen of each line.
        height_in: Of the whole figure.
    """
    line = TEXT_PT * 1.3 / (height_in * 72 * _AXES_PART)
    names = [broken(name, _NAME_MAX) for _, name, _ in ends]
    heights = [line * (1 + name.count("\n")) for name in names]
    to_part = axes.transData + axes.transAxes.inverted()
    places = [float(to_part.transform((1.0, value))[1]) for value, _, _ in ends]
    apart = _apart(places, heights)
    for (_, _, pen), name, place, moved in zip(ends, names, places, apart, strict=True):
        axes.plot(
            [1.012, 1.038], [place, moved], transform=axes.transAxes, color=pen.colour,
            linewidth=1.0, clip_on=False,
        )  # fmt: skip
        axes.text(
            1.045, moved, name, transform=axes.transAxes, color=pen.colour, va="center",
            fontweight="bold",
        )  # fmt: skip


def _apart(places: Sequence[float], heights: Sequence[float]) -> list[float]:
    """Move places apart by their heights as little as possible, keeping their order.

    Neighbours that touch become a block around their mean; blocks that then touch are joined.
    """
    order = sorted(range(len(places)), key=lambda index: (places[index], index))
    blocks: list[tuple[float, float, int]] = []
    for index in order:
        blocks.append((places[index], heights[index], 1))
        while len(blocks) > 1:
            (low, few, some), (high, many, others) = blocks[-2:]
            if high - low >= (few + many) / 2:
                break
            middle = (low * few + high * many) / (few + many)
            blocks[-2:] = [(middle, few + many, some + others)]
    found = [0.0] * len(places)
    moved = iter(order)
    for middle, high, members in blocks:
        at = middle - high / 2
        for _ in range(members):
            index = next(moved)
            found[index] = at + heights[index] / 2
            at += heights[index]
    return found
