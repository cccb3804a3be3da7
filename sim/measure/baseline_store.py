"""The folder of baselines: one file for each scenario, named after it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from sim.measure.baseline import Baseline
from sim.measure.baseline_file import BaselineError
from sim.measure.baseline_read import parse

ENDING = ".json"
BYTES_MAX = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Orphan:
    """A baseline whose scenario is gone; ``path`` is where it was, from the baselines' folder."""

    file: Path
    scenario: str
    path: str


class Store:
    """Reads a folder of baselines; whoever may write files writes them.

    Args:
        folder: It need not exist yet.
    """

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    def file_of(self, scenario: str) -> Path:
        """Return where a scenario's baseline stands."""
        return self.folder / f"{scenario}{ENDING}"

    def path_to(self, scenario_path: str) -> str:
        """Return the way from the folder to a scenario's file, the same on every system."""
        there = os.path.relpath(os.path.realpath(scenario_path), os.path.realpath(self.folder))
        return PurePath(there).as_posix()

    def read(self, scenario: str) -> Baseline | None:
        """Return a scenario's baseline; None: there is none.

        Raises:
            BaselineError: The file cannot be read, or is no baseline.
        """
        file = self.file_of(scenario)
        try:
            is_there = file.exists()
        except OSError as error:  # Such as a name that is too long for a file.
            raise _unreadable(file, error) from None
        return _read(file) if is_there else None

    def orphans(self, known: Sequence[str]) -> list[Orphan]:
        """Return the baselines of scenarios that are neither known nor where they were, sorted.

        Args:
            known: The names of scenarios that are there.

        Raises:
            BaselineError: A file in the folder is no baseline.
        """
        if not self.folder.is_dir():
            return []
        files = sorted(self.folder.glob(f"*{ENDING}"))
        found = [Orphan(file, each.scenario, each.path) for file, each in _all(files, known)]
        return [each for each in found if not _leads(self.folder / each.path)]


def _all(files: Sequence[Path], known: Sequence[str]) -> list[tuple[Path, Baseline]]:
    return [(file, _read(file)) for file in files if file.stem not in known]


def _leads(path: Path) -> bool:
    """Whether a path leads to something; one that no file can have leads to nothing."""
    try:
        return path.exists()
    except OSError:
        return False


def _read(file: Path) -> Baseline:
    try:
        if file.exists() and not file.is_file():
            raise BaselineError(str(file), "this is no plain file", "put a baseline in its place")
        if file.stat().st_size > BYTES_MAX:
            raise BaselineError(str(file), "too large for a baseline", "make it anew")
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BaselineError(str(file), "not UTF-8 text", "restore the file") from None
    except OSError as error:
        raise _unreadable(file, error) from None
    return parse(text, str(file), file.stem)


def _unreadable(file: Path, error: OSError) -> BaselineError:
    reason = (error.strerror or str(error)).lower()
    return BaselineError(str(file), f"cannot be read: {reason}", "check its name and its rights")
