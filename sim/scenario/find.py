"""From what a person types to scenario files: files, folders, and names of shipped scenarios."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from sim.scenario.errors import ScenarioError, Span, use_one_of

ENDINGS = (".yaml", ".yml")


def find(paths: Sequence[str]) -> list[str]:
    """Return the scenario files that paths and names stand for, in that order, each once.

    A file stands for itself, a folder for every scenario below it (sorted), and a bare name for
    a shipped scenario or a shipped folder of them. What exists on disk wins over a name.

    Raises:
        ScenarioError: Something does not exist, or a folder holds no scenario.
    """
    found: dict[str, None] = {}
    for path in paths:
        for file in _files(path):
            found.setdefault(file)
    return list(found)


def shipped_folder() -> str:
    """Return the folder of the shipped scenarios: in the package, or beside it in the repository."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_scenarios"
    return str(inside if inside.is_dir() else package.parent / "scenarios")


def shipped() -> dict[str, str]:
    """Return the shipped scenarios, name to path, sorted by path."""
    folder = shipped_folder()
    return {_stem(file): _short(file) for file in _below(folder)} if os.path.isdir(folder) else {}


def _files(path: str) -> list[str]:
    if os.path.isdir(path):
        files = list(_below(path))
        if not files:
            raise _error(path, "there is no scenario in this folder", "name one that holds .yaml")
        return files
    if os.path.exists(path):
        return [path]
    named = _named(path)
    if not named:
        raise _error(path, _missing(path), _suggestion(path))
    return named


def _named(name: str) -> list[str]:
    """Return the shipped scenarios of a bare name: one, or a folder's; none if it is unknown."""
    known = shipped()
    stem = _stem(name)
    if os.path.dirname(name) == "" and stem in known:
        return [known[stem]]
    folder = os.path.join(shipped_folder(), name)
    is_inside = name and not os.path.isabs(name) and ".." not in Path(name).parts
    if is_inside and os.path.isdir(folder):
        return [_short(file) for file in _below(folder)]
    return []


def _missing(path: str) -> str:
    is_name = os.path.dirname(path) == "" and not path.endswith(ENDINGS)
    return "no such file, folder or shipped scenario" if is_name else "no such file or folder"


def _suggestion(path: str) -> str:
    folder = os.path.dirname(path)
    if folder and os.path.isdir(folder):
        names = sorted(name for name in os.listdir(folder) if name.endswith(ENDINGS))
        if names:
            return use_one_of(os.path.basename(path), names)
    known = list(shipped())
    return use_one_of(_stem(path), known) if known else "name a file that ends in .yaml"


def _below(folder: str) -> Iterator[str]:
    """Yield the scenario files below a folder, sorted; hidden folders are passed over."""
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        for name in sorted(files):
            if name.endswith(ENDINGS) and not name.startswith("."):
                yield os.path.join(here, name)


def _stem(path: str) -> str:
    name = os.path.basename(path)
    return next((name.removesuffix(end) for end in ENDINGS if name.endswith(end)), name)


def _short(path: str) -> str:
    """Return a path from the current folder where it lies below it."""
    here = os.getcwd() + os.sep
    return path.removeprefix(here) if path.startswith(here) else path


def _error(path: str, problem: str, fix: str) -> ScenarioError:
    return ScenarioError(Span(path, 0, 0, 0, ""), problem, fix)
