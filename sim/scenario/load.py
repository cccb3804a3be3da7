"""Scenario files, loaded: from text to worlds in which every default is filled in.

    text ──▶ tree ──▶ a tree for each variant and cell ──▶ grammar ──▶ World

Every step keeps the places of the file, so that whatever is wrong is shown where it stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath

from pydantic import ValidationError

from sim.scenario.build.world import build
from sim.scenario.digest import digest
from sim.scenario.errors import ScenarioError, gathered
from sim.scenario.expand import Sheet, in_variants, swept, told_as_path, variants
from sim.scenario.files import read_text
from sim.scenario.grammar.document import Document, WorldPart
from sim.scenario.locate import PROBLEMS_MAX, in_our_words
from sim.scenario.model import Scenario, World
from sim.scenario.resolve import resolve
from sim.scenario.tree import SIZE_MAX, Branch, Entry, Source, parse, plain

CLIENTS_MAX = 400_000
"""Clients of all worlds of one file together, sweep included."""


def load_path(path: str) -> Scenario:
    """Return the scenario of a file; its name is the file's name without ending.

    Raises:
        ScenarioError: The file cannot be read, or says something the simulator cannot run.
    """
    return load_text(read_text(path, SIZE_MAX, "a scenario"), PurePath(path).stem, path)


def load_text(text: str, name: str, path: str) -> Scenario:
    """Return the scenario of a text.

    Args:
        text: The whole file.
        name: The scenario's name.
        path: Where it stands, for messages and for files that it names.

    Raises:
        ScenarioError: The text says something the simulator cannot run.
    """
    text = text.removeprefix("\ufeff")
    source = Source(path, text)
    root = parse(source, text)
    head, problems = _checked(source, Branch(_of_the_file(root), root.place))
    sheets = variants(source, root)
    worlds, found = _worlds(source, sheets, name)
    swept_worlds = worlds
    found_swept: list[ScenarioError] = []
    if head is not None and head.sweep and not problems and not found:
        swept_worlds, told = _worlds(source, swept(source, root, sheets), name)
        found_swept = [told_as_path(error, source, root, sheets) for error in told]
    problem = gathered([*problems, *found, *found_swept])
    if problem is not None:
        raise problem
    assert head is not None
    return Scenario(
        name=name,
        title=head.title or name,
        about=head.about or "",
        source=head.source or "",
        tags=tuple(head.tags or ()),
        runs=head.runs,
        worlds=tuple(worlds),
        swept=tuple(swept_worlds),
        path=path,
        digest=digest(swept_worlds, head.runs),
        reads=tuple(dict.fromkeys(source.reads)),
        lines=tuple(_lines(root)),
    )


def _lines(root: Branch) -> Iterator[tuple[str, int]]:
    """Yield where the variants stand, and what is expected of the scenario as a whole."""
    whole = root.entries.get("expect")
    if whole is not None:
        yield "", whole.place.line
    overlays = root.get("variants")
    for name, entry in overlays.entries.items() if isinstance(overlays, Branch) else ():
        yield name, entry.place.line


def _of_the_file(root: Branch) -> dict[str, Entry]:
    """Return the keys that belong to the whole file, and not to a variant."""
    of_worlds = WorldPart.keys()
    known = Document.keys()
    return {k: e for k, e in root.entries.items() if k in known and k not in of_worlds}


def _checked(source: Source, tree: Branch) -> tuple[Document | None, list[ScenarioError]]:
    try:
        return Document.model_validate(plain(tree)), []
    except ValidationError as error:
        return None, in_our_words(source, tree, error)


def _worlds(
    source: Source, sheets: Sequence[Sheet], name: str
) -> tuple[list[World], list[ScenarioError]]:
    """Return the worlds of the sheets, and what is wrong with them."""
    worlds: list[World] = []
    of_sheets: list[tuple[Sheet, ScenarioError]] = []
    clients = 0
    for sheet in sheets:
        world, found = _world(source, sheet, name)
        of_sheets.extend((sheet, problem) for problem in found)
        if world is None:
            if len(of_sheets) > PROBLEMS_MAX:
                break
            continue
        worlds.append(world)
        clients += len(world.clients)
        if clients > CLIENTS_MAX:
            raise ScenarioError(
                source.whole(),
                f"more than {CLIENTS_MAX} clients, all variants and cells together",
                "sweep over fewer values, or make 'count' smaller",
            )
    return worlds, in_variants(of_sheets, sheets)


def _world(source: Source, sheet: Sheet, name: str) -> tuple[World | None, list[ScenarioError]]:
    tree = resolve(source, sheet.tree)
    document, problems = _checked(source, tree)
    if document is None:
        return None, problems
    world, problems = build(source, tree, document, name)
    if world is None:
        return None, problems
    return replace(world, variant=sheet.variant, cell=sheet.cell), problems
