"""Charts beside the results: drawn late, so that nothing else waits for Matplotlib."""

from collections.abc import Callable, Sequence
from pathlib import Path

from sim.cli.errors import say
from sim.cli.output import check_folder, folder_written
from sim.measure.compare import GroupResult
from sim.measure.results import CellResult

FOLDER = "charts"


def check_charts(out: str) -> None:
    """Refuse a measurement's folder whose ``charts`` is none.

    Raises:
        CommandError: It is a file, or nothing can be put into it.
    """
    folder = Path(out) / FOLDER
    if folder.exists() or folder.is_symlink():
        check_folder(str(folder))


def draw_measured(results: Sequence[CellResult], out: str, stop: Callable[[], bool]) -> None:
    """Draw what fits a measurement into ``charts`` in its folder; older charts of ours there go.

    Raises:
        CommandError: A file cannot be written.
    """
    from sim.report.charts import draw, is_ours  # noqa: PLC0415 - only when charts are wanted

    folder = Path(out) / FOLDER
    with folder_written(str(folder)):
        paths = draw(results, folder, stop)
        old = {*folder.glob("*--*.png"), *folder.glob("*--*.svg")} - {*paths}
        for path in sorted(old) if not stop() else ():
            if path.is_file() and is_ours(path):
                path.unlink()
    _say_drawn(paths, folder, stop)


def draw_compared(
    found: Sequence[GroupResult], measures: Sequence[str], folder: str, stop: Callable[[], bool]
) -> None:
    """Draw paired differences into a folder.

    Raises:
        CommandError: A file cannot be written.
    """
    from sim.report.charts import draw_paired, pairings  # noqa: PLC0415 - the same

    with folder_written(folder):
        paths = draw_paired(pairings(found, measures), Path(folder), stop)
    _say_drawn(paths, Path(folder), stop)


def _say_drawn(paths: Sequence[Path], folder: Path, stop: Callable[[], bool]) -> None:
    charts = len({path.stem for path in paths})
    none = "none is drawn yet" if stop() else "none fit"
    say(f"charts: {charts} in {folder}, each as PNG and SVG" if charts else f"charts: {none}")
