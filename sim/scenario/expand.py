"""One file, many worlds: its variants, and the cells of its sweep, each as a tree of its own."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from sim.scenario.errors import ScenarioError, listed, use_one_of
from sim.scenario.grammar.document import WorldPart
from sim.scenario.overlay import merge, set_path, without
from sim.scenario.tree import Branch, Entry, Leaf, Node, Place, Row, Source, last_line, size

SHEETS_MAX = 2_000
"""Worlds of one file, sweep included."""
VALUES_MAX = 2_000_000
"""Values of the trees of all these worlds together."""

ROOTS = ("seed", "horizon", *WorldPart.keys())
"""Where the path of a sweep can start."""

_INCOMPLETE = "is missing"
"""How every problem ends that says of a map that it lacks a key."""
_BY_NAME = ("clients", "resources", "operations", "rates")
"""Maps whose keys are the file's own names: a path can only lead to a name that is there."""


class Sheet(NamedTuple):
    """The tree of one world, with its variant's name and its cell of the sweep.

    ``lines`` are those of the file, first to last, that hold the variant itself.
    """

    variant: str
    cell: tuple[tuple[str, str], ...]
    tree: Branch
    lines: tuple[int, int] = (0, 0)


def variants(source: Source, root: Branch) -> list[Sheet]:
    """Return one sheet for each variant; one named ``""`` where there is none.

    Raises:
        ScenarioError: A variant is no map, or holds a key that only the whole file has.
    """
    base = without(root, "variants", "sweep")
    overlays = root.get("variants")
    if not isinstance(overlays, Branch) or not overlays.entries:
        return [Sheet("", (), base)]
    check_amount(source, len(overlays.entries), root, overlays.place)
    sheets = []
    for name, entry in overlays.entries.items():
        if isinstance(entry.node, Leaf) and entry.node.value is None:
            sheets.append(Sheet(name, (), base))
            continue
        _check_overlay(source, name, entry.place, entry.node)
        merged = merge(base, entry.node)
        assert isinstance(merged, Branch)
        lines = (entry.place.line, last_line(entry.node))
        sheets.append(Sheet(name, (), Branch(merged.entries, base.place), lines))
    return sheets


def in_variants(
    found: Sequence[tuple[Sheet, ScenarioError]], sheets: Sequence[Sheet]
) -> list[ScenarioError]:
    """Return problems so that one that only some variants have, away from them, names its variant.

    Args:
        found: Each problem with the sheet that has it.
        sheets: All sheets of the file.
    """
    many = Counter((error.where, error.problem) for _, error in found)
    return [
        error
        if many[error.where, error.problem] == len(sheets)
        or not sheet.variant
        or sheet.cell
        or sheet.lines[0] <= error.where.line <= sheet.lines[1]
        else ScenarioError(
            error.where, f"{error.problem} (in variant '{sheet.variant[:60]}')", error.fix
        )
        for sheet, error in found
    ]


def check_amount(source: Source, worlds: int, root: Branch, place: Place) -> None:
    """Refuse more worlds than a person could want, before any of them is made.

    Raises:
        ScenarioError: There are too many, or too many values in all of them together.
    """
    if worlds > SHEETS_MAX or worlds * size(root) > VALUES_MAX:
        raise source.error(
            place,
            f"{worlds} worlds of {size(root)} values are too many, variants and cells together",
            f"sweep over fewer values: at most {SHEETS_MAX} worlds of {VALUES_MAX} values in all",
        )


def _check_overlay(source: Source, name: str, place: Place, overlay: Node) -> None:
    if not isinstance(overlay, Branch):
        raise source.error(place, f"the variant '{name[:60]}' is no map", "write what it changes")
    known = WorldPart.keys()
    for key, entry in overlay.entries.items():
        if key not in known:
            raise source.error(
                entry.place, f"a variant cannot change '{key[:60]}'", use_one_of(key, known)
            )


def swept(source: Source, root: Branch, sheets: list[Sheet]) -> list[Sheet]:
    """Return the sheets crossed with the cells of the sweep; the same where there is no sweep.

    Raises:
        ScenarioError: A path does not exist, has no values, or there are too many cells.
    """
    sweep = root.get("sweep")
    if not isinstance(sweep, Branch) or not sweep.entries:
        return sheets
    paths: list[tuple[str, Place, tuple[Node, ...]]] = []
    cells = len(sheets)
    for path, entry in sweep.entries.items():
        if not isinstance(entry.node, Row):
            continue  # The grammar says so in its own words.
        if not entry.node.items:
            raise source.error(entry.place, f"'{path[:80]}' has no values", "list at least one")
        paths.append((path, entry.place, entry.node.items))
        cells *= len(entry.node.items)
        check_amount(source, cells, root, entry.place)
    return [
        _cell(
            source,
            sheet,
            [(path, place, value) for (path, place, _), value in zip(paths, values, strict=True)],
        )
        for sheet in sheets
        for values in product(*(values for _, _, values in paths))
    ]


def _cell(source: Source, sheet: Sheet, values: list[tuple[str, Place, Node]]) -> Sheet:
    tree = sheet.tree
    for path, place, value in values:
        _check_path(source, tree, path, place)
        tree = set_path(source, tree, path, place, value)
    cell = tuple((path, written(value)) for path, _, value in values)
    return Sheet(sheet.variant, cell, tree)


def _check_path(source: Source, tree: Branch, path: str, place: Place) -> None:
    """Refuse a path that would add a name instead of changing a setting."""
    steps = path.split(".")
    if steps[0] not in ROOTS:
        raise _no_path(source, path, place, use_one_of(steps[0], ROOTS))
    other = {"client": "clients", "clients": "client"}.get(steps[0])
    if other is not None and other in tree.entries:
        raise _no_path(source, path, place, f"this file has '{other}': start with it")
    node: Node | None = tree
    for above, step in zip(["", *steps], steps, strict=False):
        held = node.entries if isinstance(node, Branch) else {}
        if above in _BY_NAME and step not in held:
            fix = use_one_of(step, list(held)) if held else f"there is no such name: {listed([])}"
            raise _no_path(source, path, place, fix)
        node = held[step].node if step in held else None


def _no_path(source: Source, path: str, place: Place, fix: str) -> ScenarioError:
    return source.error(place, f"the path '{path[:80]}' does not exist", fix)


def told_as_path(
    error: ScenarioError, source: Source, root: Branch, sheets: Sequence[Sheet]
) -> ScenarioError:
    """Return an error that a path of the sweep makes as an error about that path.

    Args:
        error: Of one cell of the sweep; without the sweep there was none.
        source: The file.
        root: Its tree.
        sheets: The trees that the sweep changes.
    """
    sweep = root.get("sweep")
    for path, entry in sweep.entries.items() if isinstance(sweep, Branch) else ():
        if error.where == source.span(entry.place):
            return ScenarioError(error.where, *_about_path(error, path))
        for sheet in sheets:
            above, held = _value_on(sheet.tree, path)
            if held is not None and error.where == source.span(held.place):
                told = _about_value(error, path, above, written(held.node))
                return ScenarioError(source.span(entry.place), *told)
    return error


def _about_path(error: ScenarioError, path: str) -> tuple[str, str]:
    """Return problem and fix where the grammar does not take what a path adds to the tree."""
    if not error.problem.endswith(_INCOMPLETE):
        return f"the path '{path[:80]}' does not exist: {error.problem}", error.fix
    above = path.rpartition(".")[0][:60]
    problem = f"the path '{path[:80]}' changes a part of '{above}', which the file does not hold"
    return problem, f"write '{above}' in the file, as a map ({error.fix})"


def _about_value(error: ScenarioError, path: str, above: str, held: str) -> tuple[str, str]:
    """Return problem and fix where a path leads into a single value as if it were a map."""
    problem = (
        f"the path '{path[:80]}' changes a part of '{above[:60]}', which is only '{held[:40]}'"
    )
    if error.problem.endswith(_INCOMPLETE):
        return problem, f"write '{above[:60]}' in the file as a map ({error.fix})"
    return problem, f"sweep '{above[:60]}' itself: it has no parts"


def _value_on(tree: Branch, path: str) -> tuple[str, Entry | None]:
    """Return the single value that a path leads into, and the path so far; None: it does not."""
    node: Node | None = tree
    steps = path.split(".")
    for done, step in enumerate(steps[:-1], start=1):
        entry = node.entries.get(step) if isinstance(node, Branch) else None
        if entry is None:
            break
        if isinstance(entry.node, Leaf):
            return ".".join(steps[:done]), entry
        node = entry.node
    return path, None


def written(node: Node) -> str:
    """Return a value as it is written in the file, on one line."""
    match node:
        case Leaf():
            return node.raw
        case Row():
            return "[" + ", ".join(written(item) for item in node.items) + "]"
        case Branch():
            inside = (f"{key}: {written(entry.node)}" for key, entry in node.entries.items())
            return "{" + ", ".join(inside) + "}"
