"""The folder that a measurement leaves its files in, and its journal until it is whole."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Self

from sim.cli.errors import CommandError, say
from sim.cli.output import check_file, check_folder, folder_written
from sim.cli.output import replace as put
from sim.measure.earlier import changed, in_the_way
from sim.measure.files import NAMES, files
from sim.measure.journal import NAME, Begun, Journal, JournalError, begun
from sim.measure.measuring import Finished
from sim.measure.plan import Plan
from sim.measure.results import CellResult


class Folder:
    """The files of a measurement on disk.

    Args:
        path: The folder; made if there is none.
        plan: What is measured.
        resume: Whether to go on from the journal that lies there.
        replace: Whether whatever lies there may be written over.

    Raises:
        CommandError: It cannot be written, holds something else, or its journal cannot be gone on
            with.
    """

    def __init__(self, path: str, plan: Plan, *, resume: bool, replace: bool) -> None:
        self._path, self._plan = Path(path), plan
        check_folder(path)
        for name in (*NAMES, NAME):
            check_file(str(self._path / name))
        with _told(path):
            earlier = begun(self._path / NAME, plan) if resume else None
            if not replace:
                self._check_free(earlier)
            self._journal = Journal(self._path / NAME, plan, resume=resume, replace=replace)
        if resume and earlier is None:
            say(f"{path}: nothing unfinished lies here to go on from; every run is made")

    def _check_free(self, earlier: Begun | None) -> None:
        if earlier is None:
            other = in_the_way(self._path, self._plan)
        elif earlier.may_replace:
            other = None
        else:
            other = changed(self._path, earlier.writes)
        if other is not None:
            fix = "move it, name another folder, or write over it (--replace)"
            raise CommandError(f"{self._path}: {other}", fix)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    @property
    def finished(self) -> Iterator[Finished]:
        """What was finished before, one after another."""
        return self._journal.finished

    def keep(self, finished: Finished) -> None:
        """Write down a finished chunk.

        Raises:
            CommandError: It cannot be written; what was kept before is still there.
        """
        with _told(str(self._path / NAME)):
            self._journal.add(finished)

    def write(self, results: Sequence[CellResult]) -> list[str]:
        """Write every file, each whole or not at all, and return their names.

        The journal goes when everything that it holds is in them.

        Raises:
            CommandError: A file cannot be written; the journal is still there.
        """
        made = files(self._plan, results)
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in made.items()}
        with _told(str(self._path)):
            self._journal.note(digests)
            for name in NAMES:
                if name not in made:
                    (self._path / name).unlink(missing_ok=True)
            for name, content in made.items():
                put(self._path / name, partial(Path.write_bytes, data=content))
            if all(result.is_whole for result in results):
                self._journal.remove()
        return list(made)


@contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        with folder_written(path):
            yield
    except JournalError as error:
        raise CommandError(f"{error.path}: {error.problem}", error.fix) from None
