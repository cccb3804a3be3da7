"""YAML text as a tree that remembers where everything stands.

The tree is built from the parser's events, one by one and with every bound checked as it grows, so
that a hostile file is refused before it costs anything: no recursion, no tags, no alias that is
worth more nodes than a scenario can have, one document, no duplicate keys.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

import yaml

from sim.contract.body import Json
from sim.scenario.errors import ScenarioError, Span
from sim.scenario.scalars import Plain, resolve

SIZE_MAX = 256 * 1024
DEPTH_MAX = 24
NODES_MAX = 50_000
"""Nodes of the tree, each alias counted as all that it stands for."""


class Mark(Protocol):
    """Where the parser is; both of PyYAML's parsers have marks of their own. Counts from 0."""

    line: int
    column: int


class Place(NamedTuple):
    """Where something stands in its file: line and column from 1, and its width on that line."""

    line: int
    column: int
    width: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar: what it stands for, and as it is written."""

    value: Plain
    raw: str
    place: Place


@dataclass(frozen=True, slots=True)
class Row:
    """A list."""

    items: "tuple[Node, ...]"
    place: Place


class Entry(NamedTuple):
    """One key of a map: where the key stands, and what it holds."""

    place: Place
    node: "Node"


@dataclass(frozen=True, slots=True)
class Branch:
    """A map; keys are text, in the order of the file."""

    entries: dict[str, Entry]
    place: Place

    def get(self, key: str) -> "Node | None":
        """Return what ``key`` holds, or None."""
        entry = self.entries.get(key)
        return entry.node if entry else None


Node: TypeAlias = Leaf | Row | Branch


def size(node: Node) -> int:
    """Return how many values the tree holds."""
    match node:
        case Leaf():
            return 1
        case Row():
            return 1 + sum(size(item) for item in node.items)
        case Branch():
            return 1 + sum(size(entry.node) for entry in node.entries.values())


def last_line(node: Node) -> int:
    """Return the last line on which the tree has something."""
    match node:
        case Leaf():
            return node.place.line
        case Row():
            return max([node.place.line, *map(last_line, node.items)])
        case Branch():
            held = (last_line(entry.node) for entry in node.entries.values())
            return max([node.place.line, *held])


def plain(node: Node) -> Json:
    """Return the tree as plain values, without places."""
    match node:
        case Leaf():
            return node.value
        case Row():
            return [plain(item) for item in node.items]
        case Branch():
            return {key: plain(entry.node) for key, entry in node.entries.items()}


class Source:
    """One file's text, for turning places into spans."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.lines = text.splitlines()
        self.reads: list[str] = []
        """Paths of the files that it was found to name."""

    def span(self, place: Place) -> Span:
        """Return the span of a place, with the text of its line."""
        line = min(max(place.line, 1), max(len(self.lines), 1))
        text = self.lines[line - 1] if self.lines else ""
        return Span(self.path, line, place.column, place.width, text)

    def at(self, line: int, column: int) -> Place:
        """Return the place of a mark (which counts from 0); after the end, the last line's end."""
        if line < len(self.lines) or not self.lines:
            return Place(line + 1, column + 1, 1)
        return Place(len(self.lines), len(self.lines[-1]) + 1, 1)

    def whole(self) -> Span:
        """Return the span that stands for the whole file."""
        return Span(self.path, 0, 0, 0, "")

    def error(self, place: Place, problem: str, fix: str) -> ScenarioError:
        """Return an error at a place of this file."""
        return ScenarioError(self.span(place), problem, fix)

    def place(self, start: Mark | None, end: Mark | None) -> Place:
        """Return the place of what stands between two marks (which count from 0)."""
        assert start is not None
        assert end is not None
        if start.line == end.line:
            width = end.column - start.column
        else:
            text = self.lines[start.line] if start.line < len(self.lines) else ""
            width = len(text.rstrip()) - start.column
        return Place(start.line + 1, start.column + 1, max(1, width))


def parse(source: Source, text: str) -> Branch:
    """Return the tree of a scenario file.

    Raises:
        ScenarioError: The text is not one YAML document holding a map, or breaks a bound.
    """
    if len(text) > SIZE_MAX or len(text.encode("utf-8", "replace")) > SIZE_MAX:
        raise ScenarioError(
            source.whole(),
            f"the file is larger than {SIZE_MAX // 1024} KiB",
            "a scenario fits on a screen; put measured latencies into a CSV file",
        )
    _check_characters(source, text)
    root = _Builder(source).build(_events(source, text))
    if root is None:
        raise ScenarioError(
            source.whole(),
            "the file is empty",
            "start from the text that 'lostack new NAME' writes",
        )
    if not isinstance(root, Branch):
        raise source.error(
            root.place, "a scenario is a map of keys", "start with 'title: …', then 'server:'"
        )
    return root


def _check_characters(source: Source, text: str) -> None:
    for number, line in enumerate(source.lines, start=1):
        for column, char in enumerate(line, start=1):
            if not (" " <= char <= "~" or char == "\t" or _is_printable(char)):
                raise source.error(
                    Place(number, column, 1),
                    f"the character U+{ord(char):04X} is not allowed in YAML",
                    "remove it, or write it as an escape in double quotes",
                )
    for char in "\v\f\x1c\x1d\x1e":
        if char in text:
            raise ScenarioError(
                source.whole(), f"the character U+{ord(char):04X} is not allowed", "remove it"
            )


def _is_printable(char: str) -> bool:
    """Whether YAML allows the character (YAML 1.2.2, production 1, but for line breaks)."""
    return (
        "\xa0" <= char <= "\ud7ff" or "\ue000" <= char <= "\ufffd" or char >= "\U00010000"
    ) and char != "\ufeff"


def _events(source: Source, text: str) -> Iterator[yaml.Event]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = source.at(mark.line, mark.column) if mark else Place(1, 1, 1)
        said = " ".join((error.problem or error.context or "it cannot be read").split()).lower()
        raise source.error(
            place, f"not valid YAML: {said}", "check indentation, quotes, brackets and colons here"
        ) from None
    except yaml.YAMLError as error:
        said = " ".join(str(error).split()).lower()
        raise ScenarioError(
            source.whole(), f"not valid YAML: {said}", "check that the file is plain text"
        ) from None


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    start: Mark | None
    anchor: str | None
    is_map: bool
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    key: tuple[str, Place] | None = None
    size: int = 1
    height: int = 1


class _Known(NamedTuple):
    """An anchored node, with how many nodes it is worth and how deep it nests."""

    node: Node
    size: int
    height: int


class _Builder:
    """Builds the tree from events."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.anchors: dict[str, _Known] = {}
        self.stack: list[_Open] = []
        self.root: Node | None = None
        self.documents = 0
        self.nodes = 0

    def build(self, events: Iterator[yaml.Event]) -> Node | None:
        for event in events:
            self._take(event)
        return self.root

    def _take(self, event: yaml.Event) -> None:
        match event:
            case yaml.DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    raise self._error(event, "a second document", "one scenario a file")
            case yaml.AliasEvent():
                self._alias(event)
            case yaml.ScalarEvent():
                self._refuse_tag(event)
                self._count(event, 1)
                self._close(_Known(self._leaf(event), 1, 0), event.anchor)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._refuse_tag(event)
                self._open(event)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._end(event)
            case _:
                pass

    def _error(self, event: yaml.Event, problem: str, fix: str) -> ScenarioError:
        return self.source.error(self.source.place(event.start_mark, event.end_mark), problem, fix)

    def _refuse_tag(self, event: yaml.NodeEvent) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None:
            shown = tag.replace("tag:yaml.org,2002:", "!!")[:40]
            raise self._error(event, f"the tag '{shown}' is not allowed", "remove the tag")

    def _leaf(self, event: yaml.ScalarEvent) -> Leaf:
        place = self.source.place(event.start_mark, event.end_mark)
        if event.style not in (None, ""):
            return Leaf(event.value, event.value, place)
        try:
            return Leaf(resolve(event.value), event.value, place)
        except ValueError as error:
            raise self.source.error(
                place, str(error), "use a number of usual size, or quotes if it is text"
            ) from None

    def _open(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent) -> None:
        self._count(event, 1)
        self._check_depth(event, 1)
        is_map = isinstance(event, yaml.MappingStartEvent)
        if self.stack and self.stack[-1].is_map and self.stack[-1].key is None:
            raise self._error(event, "a key must be text", "write the key as a plain word")
        self.stack.append(_Open(event.start_mark, event.anchor, is_map))

    def _end(self, event: yaml.Event) -> None:
        done = self.stack.pop()
        place = self.source.place(done.start, event.end_mark)
        node: Node = Branch(done.entries, place) if done.is_map else Row(tuple(done.items), place)
        self._close(_Known(node, done.size, done.height), done.anchor)

    def _alias(self, event: yaml.AliasEvent) -> None:
        name = event.anchor or ""
        known = self.anchors.get(name)
        if known is None:
            raise self._error(
                event,
                f"the alias '*{name[:40]}' stands for nothing that is complete here",
                "put its anchor '&…' before it, and not around it",
            )
        self._count(event, known.size)
        self._check_depth(event, known.height)
        self._close(known, None)

    def _count(self, event: yaml.Event, size: int) -> None:
        self.nodes += size
        if self.nodes > NODES_MAX:
            raise self._error(
                event, f"more than {NODES_MAX} values, aliases included", "make it smaller"
            )

    def _check_depth(self, event: yaml.Event, height: int) -> None:
        if len(self.stack) + height > DEPTH_MAX:
            raise self._error(event, f"nested deeper than {DEPTH_MAX} levels", "flatten it")

    def _close(self, known: _Known, anchor: str | None) -> None:
        """Put a finished node into what is open."""
        if anchor is not None:
            self.anchors[anchor] = known
        if not self.stack:
            self.root = known.node
            return
        parent = self.stack[-1]
        parent.size += known.size
        parent.height = max(parent.height, known.height + 1)
        if not parent.is_map:
            parent.items.append(known.node)
        elif parent.key is None:
            parent.key = self._key(parent, known.node)
        else:
            name, place = parent.key
            parent.entries[name] = Entry(place, known.node)
            parent.key = None

    def _key(self, parent: _Open, node: Node) -> tuple[str, Place]:
        if not isinstance(node, Leaf) or (node.raw == "" and node.value is None):
            raise self.source.error(node.place, "a key must be text", "write it as a plain word")
        first = parent.entries.get(node.raw)
        if first is not None:
            raise self.source.error(
                node.place,
                f"the key '{node.raw[:60]}' is here twice (first in line {first.place.line})",
                "keep one of the two",
            )
        return node.raw, node.place
