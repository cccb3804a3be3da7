"""A sheet: one chart with its title and the small print that every chart has, as PNG and SVG."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, cast

from sim.report.charts.style import (
    DPI,
    FONTS_OF_VIEWERS,
    INK,
    SETTINGS,
    SMALL_PT,
    SOFT,
    TEXT_PT,
    TITLE_PT,
    WIDTH_IN,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg")
_CREATOR = "lostack"
_MARKS = (f"Software\0{_CREATOR}".encode(), f"<dc:title>{_CREATOR}</dc:title>".encode())
"""What a picture of ours holds near its beginning, by which it is told from others."""
_METADATA_WITHIN = 4_096
_LINE = 1.35
"""Height of a line of text, in font sizes."""
_LETTER = 0.56
"""Mean width of a letter of the font, in font sizes; bold ones take more."""
_MARGIN_PT = 9.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One chart.

    Attributes:
        name: Of its files, without an ending.
        title: What is shown against what.
        subtitle: Of which scenario.
        notes: Denominators, seed, runs, intervals: what the numbers are worth.
        fill: Draws the axes into a figure.
        height_in: Of the whole sheet, in inches.
    """

    name: str
    title: str
    subtitle: str
    notes: tuple[str, ...]
    fill: Callable[["Figure"], None]
    height_in: float = 5.6
    legend_rows: int = 0
    """Rows of two that the legend takes, below the subtitle; 0: the axes need none there."""


def save(sheet: Sheet, folder: Path) -> list[Path]:
    """Draw a sheet and write its files, each whole or not at all; return their paths.

    Raises:
        OSError: A file cannot be written.
    """
    pictures = draw(sheet)
    paths = [folder / f"{sheet.name}.{ending}" for ending in pictures]
    for path, picture in zip(paths, pictures.values(), strict=True):
        _write(path, picture)
    return paths


def is_ours(path: Path) -> bool:
    """Return whether a picture says that it was drawn here.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        beginning = file.read(_METADATA_WITHIN)
    return any(mark in beginning for mark in _MARKS)


def draw(sheet: Sheet) -> dict[str, bytes]:
    """Return the sheet's pictures by their ending: the same bytes for the same sheet."""
    with laid_out(sheet) as figure:
        return {ending: _picture(figure, ending, sheet) for ending in FORMATS}


@contextmanager
def laid_out(sheet: Sheet) -> "Iterator[Figure]":
    """Give the sheet's figure, with everything in its place, under our settings."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - only for charts
    from matplotlib.figure import Figure  # noqa: PLC0415 - only for charts

    with _settings():
        figure = Figure(figsize=(WIDTH_IN, sheet.height_in), dpi=DPI, facecolor="white")
        FigureCanvasAgg(figure)
        legend_at = _frame(figure, sheet)
        sheet.fill(figure)
        if sheet.legend_rows:
            _legend(figure, legend_at)
        # Laid out once: it takes longer than drawing, and both pictures are to be alike.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        _settle(figure)
        yield figure


def _settle(figure: "Figure") -> None:
    """Round every place: the layout's solver orders by address, so that last bits may differ."""
    for axes in figure.axes:
        left, bottom, width, height = (round(part, 5) for part in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))


@contextmanager
def _settings() -> Iterator[None]:
    """Use our settings and nothing that this machine or another program has configured."""
    import matplotlib as mpl  # noqa: PLC0415 - only for charts

    with mpl.rc_context():
        mpl.rcdefaults()
        cast("Any", mpl.rcParams).update(SETTINGS)
        yield


def _picture(figure: "Figure", ending: str, sheet: Sheet) -> bytes:
    none_of_ours = {"png": (), "svg": ("Date", "Format", "Type")}[ending]
    metadata: dict[str, str | None] = dict.fromkeys(none_of_ours)
    metadata["Software" if ending == "png" else "Creator"] = _CREATOR
    metadata["Title"] = f"{sheet.title}: {sheet.subtitle}"
    buffer = BytesIO()
    figure.savefig(buffer, format=ending, dpi=DPI, metadata=metadata)
    own, known = b"font-family: 'DejaVu Sans'", f"font-family: {FONTS_OF_VIEWERS}".encode()
    return buffer.getvalue().replace(own, known) if ending == "svg" else buffer.getvalue()


def _frame(figure: "Figure", sheet: Sheet) -> tuple[float, float]:
    """Write title and notes, leave the room between to the axes; return the legend's corner."""
    height_pt, width_pt = sheet.height_in * 72, WIDTH_IN * 72
    left = _MARGIN_PT / width_pt
    from_top = _MARGIN_PT
    for line, size, weight, colour in [
        *((line, TITLE_PT, "bold", INK) for line in _lines(sheet.title, TITLE_PT * 1.1)),
        *((line, TEXT_PT, "normal", SOFT) for line in _lines(sheet.subtitle, TEXT_PT)),
    ]:
        y = 1 - from_top / height_pt
        figure.text(left, y, line, size=size, weight=weight, color=colour, va="top")
        from_top += size * _LINE
    legend_at = left, 1 - (from_top + 4) / height_pt
    from_top += sheet.legend_rows * SMALL_PT * 1.62
    from_bottom = _MARGIN_PT
    notes = [line for note in sheet.notes for line in _lines(note, SMALL_PT)]
    for line in reversed(notes):
        y = from_bottom / height_pt
        figure.text(left, y, line, size=SMALL_PT, color=SOFT, va="bottom")
        from_bottom += SMALL_PT * _LINE
    top, bottom = (from_top + 6) / height_pt, (from_bottom + 6) / height_pt
    figure.set_layout_engine(
        "constrained", rect=(left, bottom, 1 - 2 * left, 1 - top - bottom),
        w_pad=0.06, h_pad=0.04, wspace=0.06,
    )  # fmt: skip
    return legend_at


def _legend(figure: "Figure", corner: tuple[float, float]) -> None:
    handles, labels = figure.axes[0].get_legend_handles_labels()
    legend = figure.legend(
        handles, labels, loc="upper left", bbox_to_anchor=corner, ncols=2, borderpad=0,
        borderaxespad=0, handlelength=2.6, handleheight=1.1, columnspacing=2.0,
    )  # fmt: skip
    legend.set_in_layout(False)


def _lines(text: str, size_pt: float) -> list[str]:
    return wrap(text, int((WIDTH_IN * 72 - 2 * _MARGIN_PT) / (size_pt * _LETTER)))


def _write(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0o022)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
