"""Results on standard output, and files that are written whole or not at all."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from errno import EEXIST, EISDIR, ENOTDIR
from pathlib import Path

from sim.cli.errors import CommandError

STDOUT = "-"
"""The file name that means standard output."""

FIX_FILE = "name a file in a folder that exists, where you may write and where there is room"
FIX_FOLDER = "name a folder that you may write to, where there is room"


class ReaderGoneError(Exception):
    """Whoever read standard output has stopped (``| head``): end quietly."""


@contextmanager
def results() -> Iterator[None]:
    """Turn the system's refusals to write standard output into errors for people.

    Raises:
        ReaderGoneError: Nobody reads any more.
        CommandError: Standard output cannot be written.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None
    except OSError as error:
        raise stdout_unwritable(error) from None


def emit(text: str) -> None:
    """Write a result to standard output: UTF-8 whatever the terminal, for other programs to read.

    A lone surrogate has no UTF-8; it is written as the escape that JSON and Python have for it.
    """
    emit_bytes([text.encode("utf-8", "backslashreplace")])


def emit_bytes(parts: Iterator[bytes] | list[bytes]) -> None:
    """Write bytes to standard output."""
    with results():
        sys.stdout.flush()
        sys.stdout.buffer.writelines(parts)


def write_text(path: str, text: str) -> None:
    """Write a file: whole, or not at all; ``-`` is standard output.

    Raises:
        CommandError: The file cannot be written.
    """
    if path == STDOUT:
        emit(text)
        return
    data = text.encode("utf-8", "backslashreplace")
    with written(path):
        replace(Path(path), lambda file: file.write_bytes(data))


def check_outputs(outputs: Sequence[str | None], inputs: Sequence[str]) -> None:
    """Refuse outputs that will not do, before any work is done for them.

    Raises:
        CommandError: An output is one of the inputs, or another output, or cannot be written.
    """
    files = [path for path in outputs if path is not None and path != STDOUT]
    for number, path in enumerate(files):
        check_file(path)
        if any(_is_same(path, other) for other in inputs):
            raise CommandError(
                f"'{path}' is a file that is read: it would be written over",
                "write to another file",
            )
        if any(_is_same(path, other) for other in files[:number]):
            raise CommandError(f"'{path}' is written twice", "name two files")


def check_file(path: str) -> None:
    """Refuse a file that could not be written later.

    Raises:
        CommandError: It has no name, is a folder, or nothing can be put where it is to be.
    """
    if not path:
        raise CommandError("no file is named", "name the file to write")
    with written(path):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        if target.is_file() or not target.exists():
            _try(target.parent, target.name)


def check_folder(path: str) -> None:
    """Make a folder for files, and refuse one in which none could be written later.

    Raises:
        CommandError: It has no name, is a file, cannot be made, or nothing can be put into it.
    """
    if not path:
        raise CommandError("no folder is named", "name the folder to write to")
    with folder_written(path):
        if Path(path).exists() and not Path(path).is_dir():
            raise NotADirectoryError(ENOTDIR, "it is a file, not a folder")
        if Path(path).is_symlink() and not Path(path).exists():
            raise FileExistsError(EEXIST, "it is a link that leads to nothing")
        Path(path).mkdir(parents=True, exist_ok=True)
        _try(Path(path), "lostack")


def _try(folder: Path, name: str) -> None:
    """Put an empty file into a folder and take it away again: only trying tells.

    Raises:
        OSError: It cannot be put there.
    """
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
    os.close(handle)
    os.unlink(temporary)


def _is_same(path: str, other: str) -> bool:
    """Whether two names stand for one plain file; a device or a pipe takes what it is given."""
    try:
        one, two = Path(path), Path(other)
        if one.exists() and two.exists():
            return one.is_file() and one.samefile(two)
        return one.resolve() == two.resolve()
    except (OSError, ValueError):
        return False


@contextmanager
def written(path: str) -> Iterator[None]:
    """Turn the system's refusal to write the file ``path`` into an error for people."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise unwritable(f"'{path}'", error) from None


@contextmanager
def folder_written(path: str) -> Iterator[None]:
    """Turn the system's refusal to write into the folder ``path`` into an error for people."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise unwritable(f"'{path}'", error, FIX_FOLDER) from None


def unwritable(what: str, error: Exception, fix: str = FIX_FILE) -> CommandError:
    """Return the error for an output that cannot be written."""
    return CommandError(f"{what} cannot be written: {reason_of(error)}", fix)


def reason_of(error: Exception) -> str:
    """Return why the system refused something, as a part of a sentence."""
    reason = getattr(error, "strerror", None) or str(error)
    return f"{reason[:1].lower()}{reason[1:]}"


def stdout_unwritable(error: Exception) -> CommandError:
    """Return the error for a standard output that cannot be written."""
    return unwritable("standard output", error, "send it where there is room for it")


def replace(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` make a file beside ``path``, then put it in its place in one step.

    What is no ordinary file (a pipe, ``/dev/full``) cannot be replaced and is written directly.

    Raises:
        OSError: The file cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        write(target)
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    try:
        write(Path(temporary))
        mask = os.umask(0o022)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
