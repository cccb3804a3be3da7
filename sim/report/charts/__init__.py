"""Charts of a measurement: the kinds that fit its results, as PNG and SVG.

Matplotlib is imported when the first chart is drawn, and its settings are only ours: the same
results give the same bytes in every process.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from sim.measure.results import CellResult
from sim.report.charts import beliefs, certainty, dots, heat, load, paired, rates, tradeoff
from sim.report.charts.families import families
from sim.report.charts.paired import Difference, Pairing
from sim.report.charts.pairings import pairings
from sim.report.charts.sheet import Sheet, is_ours, save

__all__ = ["Difference", "Pairing", "Sheet", "draw", "draw_paired", "is_ours", "pairings", "sheets"]

_KINDS = (rates, heat, tradeoff, dots, beliefs, certainty, load)


def sheets(results: Sequence[CellResult]) -> Iterator[Sheet]:
    """Return the sheets that fit some results, none where nothing is finished."""
    for family in families(results):
        for kind in _KINDS:
            yield from kind.sheets(family)


def draw(
    results: Sequence[CellResult], folder: Path, stop: Callable[[], bool] = lambda: False
) -> list[Path]:
    """Draw every chart that fits the results, as PNG and SVG, and return the files' paths.

    Args:
        results: Of any scenarios; cells that are not whole are left out and counted on the charts.
        folder: Made if there is none; files of the same names are replaced.
        stop: Asked before each chart whether to leave out the rest.

    Raises:
        OSError: The folder or a file cannot be written.
    """
    return _save(sheets(results), folder, stop)


def draw_paired(
    found: Iterable[Pairing], folder: Path, stop: Callable[[], bool] = lambda: False
) -> list[Path]:
    """Draw paired differences as PNG and SVG, and return the files' paths; see ``draw``.

    Raises:
        OSError: The folder or a file cannot be written.
    """
    return _save((paired.sheet(pairing) for pairing in found), folder, stop)


def _save(some: Iterable[Sheet], folder: Path, stop: Callable[[], bool]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for sheet in some:
        if stop():
            break
        paths += save(sheet, folder)
    return paths
