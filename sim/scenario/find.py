"""From what a person types to scenario files: files, folders, and names of shipped scenarios."""

import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path, PurePath

from sim.scenario.errors import ScenarioError, Span, use_one_of
from sim.scenario.files import exists, is_folder, is_link, names_in

ENDINGS = (".yaml", ".yml")
ALL_SHIPPED = "shipped"
"""The name that stands for all shipped scenarios."""
_ANY = (
    "name a file, a folder, or a shipped scenario: 'lostack list' shows them, "
    f"'{ALL_SHIPPED}' stands for them all"
)
_NEAR_MAX = 3


def find(paths: Sequence[str]) -> list[str]:
    """Return the scenario files that paths and names stand for, in that order, each once.

    A file stands for itself, a folder for every scenario below it (sorted), and a bare name for
    a shipped scenario or a shipped folder of them; ``shipped`` stands for all of these. What
    exists on disk wins over a name.

    Raises:
        ScenarioError: Something does not exist, or a folder holds no scenario.
    """
    found: dict[str, None] = {}
    for path in paths:
        for file in _files(path):
            found.setdefault(file)
    return list(found)


def shipped_folder() -> str:
    """Return the folder of the shipped scenarios: in the package, or in the repository."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_scenarios"
    return str(inside if inside.is_dir() else package.parent / "scenarios")


def shipped() -> dict[str, str]:
    """Return the shipped scenarios, name to path, sorted by path."""
    return {_stem(file): _short(file) for file in _below(shipped_folder())}


def _files(path: str) -> list[str]:
    if not path:
        raise _error("''", "no scenario is named", _ANY)
    if is_folder(path):
        files = list(_below(path))
        if not files:
            raise _error(path, "there is no scenario in this folder", "name one that holds .yaml")
        return files
    if exists(path):
        return [path]
    named = _named(path)
    if not named:
        raise _error(path, _missing(path), _suggestion(path))
    return named


def _is_bare(path: str) -> bool:
    return len(PurePath(path).parts) == 1


def _named(name: str) -> list[str]:
    """Return the shipped scenarios of a name: one, a folder's, or all; none if it is unknown."""
    known = shipped()
    if name == ALL_SHIPPED:
        return list(known.values())
    if _is_bare(name) and _stem(name) in known:
        return [known[_stem(name)]]
    parts = PurePath(name).parts
    if not parts or PurePath(name).is_absolute() or ".." in parts:
        return []
    place = Path(shipped_folder(), *parts)
    whole = [str(place.with_name(place.name + end)) for end in ENDINGS] if len(parts) > 1 else []
    files = [file for file in (str(place), *whole) if file.endswith(ENDINGS) and exists(file)]
    return [_short(file) for file in files or _below(str(place))]


def _missing(path: str) -> str:
    if is_link(path):
        return "this link leads to nothing"
    is_name = _is_bare(path) and not path.endswith(ENDINGS)
    return "no such file, folder or shipped scenario" if is_name else "no such file or folder"


def _suggestion(path: str) -> str:
    if is_link(path):
        return "mend the link, or name the file that it should lead to"
    beside = [name for name in names_in(str(PurePath(path).parent)) if name.endswith(ENDINGS)]
    if beside and not _is_bare(path):
        return use_one_of(PurePath(path).name, beside)
    beside = [name for name in beside if _stem(name) == PurePath(path).name]
    if beside:
        return f"did you mean '{beside[0]}'?"
    near = _near(_stem(path)[:80].lower())
    if near:
        meant = " or ".join(f"'{name}'" for name in near)
        return f"did you mean {meant}? ('lostack list' shows them all)"
    return _ANY


def _near(name: str) -> list[str]:
    """Return the shipped names that somebody may have meant, the likeliest first."""
    files = shipped()
    folders = dict.fromkeys(PurePath(file).parent.name for file in files.values())
    known = [*files, *folders]
    close = get_close_matches(name, known, n=_NEAR_MAX, cutoff=0.6)
    holding = [other for other in known if len(name) > 2 and name in other]
    return list(dict.fromkeys([*close, *holding]))[:_NEAR_MAX]


def _below(folder: str) -> Iterator[str]:
    """Yield the scenario files below a folder, sorted; hidden folders are passed over."""
    for here, folders, files in os.walk(folder, onerror=_refuse) if is_folder(folder) else ():
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        for name in sorted(files):
            if name.endswith(ENDINGS) and not name.startswith("."):
                yield str(Path(here, name))


def _refuse(error: OSError) -> None:
    """Say that a folder cannot be read: a scenario in it must not be passed over silently.

    Raises:
        ScenarioError: Always.
    """
    said = (error.strerror or str(error)).lower()
    problem = f"this folder cannot be read: {said}"
    raise _error(str(error.filename), problem, "check its permissions")


def _stem(path: str) -> str:
    name = PurePath(path).name
    return next((name.removesuffix(end) for end in ENDINGS if name.endswith(end)), name)


def _short(path: str) -> str:
    """Return a path from the current folder where it lies below it."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


def _error(path: str, problem: str, fix: str) -> ScenarioError:
    return ScenarioError(Span(path, 0, 0, 0, ""), problem, fix)
