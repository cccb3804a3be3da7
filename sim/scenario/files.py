"""Reading text files that a user names, with errors that say what to do."""

import os
from pathlib import Path

from sim.scenario.errors import ScenarioError, Span, use_one_of


def read_text(path: str, bytes_max: int, what: str) -> str:
    """Return a file's text; a byte order mark is dropped.

    Args:
        path: The file.
        bytes_max: Larger files are refused before they are read.
        what: What the file should be, for messages: ``a scenario``.

    Raises:
        ScenarioError: There is no such file, or it is a folder, unreadable, too large, not UTF-8.
    """
    where = Span(path, 0, 0, 0, "")
    data = _read(path, bytes_max, what, where)
    if len(data) > bytes_max:
        raise ScenarioError(
            where, f"larger than {bytes_max // 1024} KiB", f"{what} has to be smaller"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ScenarioError(where, f"not UTF-8 text (line {line})", "save it as UTF-8") from None


def _read(path: str, bytes_max: int, what: str, where: Span) -> bytes:
    try:
        if os.path.isdir(path):
            raise ScenarioError(where, f"a folder, not {what}", "name a file in it")
        if os.path.exists(path) and not os.path.isfile(path):
            raise ScenarioError(where, f"not a plain file, so not {what}", "name a file")
        with Path(path).open("rb") as file:
            return file.read(bytes_max + 1)
    except FileNotFoundError:
        raise ScenarioError(where, "no such file", _near(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ScenarioError(
            where, f"cannot be read: {reason.lower()}", "check the name and its permissions"
        ) from None


def _near(path: str) -> str:
    """Return what a missing file was probably meant to be."""
    folder, name = os.path.split(path)
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return "check the name"
    return use_one_of(name, names) if names else "check the name"
