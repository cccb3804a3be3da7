"""Charts of a measurement: the kinds that fit its results, as PNG and SVG.

Matplotlib is imported when the first chart is drawn, and its settings are only ours: the same
results give the same bytes in every process.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from sim.measure.results import CellResult
from sim.report.charts import beliefs, certainty, dots, heat, load, paired, rates, tradeoff
from sim.report.charts.families import families
from sim.report.charts.paired import Difference, Pairing
from sim.report.charts.sheet import Sheet, save

__all__ = ["Difference", "Pairing", "Sheet", "draw", "draw_paired", "sheets"]

_KINDS = (rates, heat, tradeoff, dots, beliefs, certainty, load)


def sheets(results: Sequence[CellResult]) -> Iterator[Sheet]:
    """Return the sheets that fit some results, none where nothing is finished."""
    for family in families(results):
        for kind in _KINDS:
            yield from kind.sheets(family)


def draw(results: Sequence[CellResult], folder: Path) -> list[Path]:
    """Draw every chart that fits the results, as PNG and SVG, and return the files' paths.

    Args:
        results: Of any scenarios; cells that are not whole are left out and counted on the charts.
        folder: Made if there is none; files of the same names are replaced.

    Raises:
        OSError: The folder or a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [path for sheet in sheets(results) for path in save(sheet, folder)]


def draw_paired(pairing: Pairing, folder: Path) -> list[Path]:
    """Draw paired differences as PNG and SVG, and return the files' paths.

    Raises:
        OSError: The folder or a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return save(paired.sheet(pairing), folder)
