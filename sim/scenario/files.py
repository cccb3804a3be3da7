"""Reading text files that a user names, with errors that say what to do."""

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


def is_folder(path: str) -> bool:
    """Whether there is a folder of that name; a name that cannot be asked for is none."""
    try:
        return bool(path) and Path(path).is_dir()
    except (OSError, ValueError):
        return False


def exists(path: str) -> bool:
    """Whether there is anything of that name."""
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):
        return False


def is_link(path: str) -> bool:
    """Whether there is a link of that name, wherever it leads."""
    try:
        return Path(path).is_symlink()
    except (OSError, ValueError):
        return False


def names_in(folder: str) -> list[str]:
    """Return the sorted names in a folder, hidden ones left out; none if it cannot be read."""
    try:
        return sorted(
            entry.name for entry in Path(folder or ".").iterdir() if entry.name[:1] != "."
        )
    except (OSError, ValueError):
        return []


def _read(path: str, bytes_max: int, what: str, where: Span) -> bytes:
    if is_folder(path):
        raise ScenarioError(where, f"a folder, not {what}", "name a file in it")
    try:
        if exists(path) and not Path(path).is_file():
            raise ScenarioError(where, f"not a plain file, so not {what}", "name a file")
        with Path(path).open("rb") as file:
            return file.read(bytes_max + 1)
    except FileNotFoundError:
        near = names_in(str(Path(path).parent))
        fix = use_one_of(Path(path).name, near) if near else "check the name"
        raise ScenarioError(where, "no such file", fix) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ScenarioError(
            where, f"cannot be read: {reason.lower()}", "check the name and its permissions"
        ) from None
