"""Laying one tree over another: variants over their base, files over presets, links, sweeps.

Maps merge and lists replace. Whatever comes from the overlay keeps its own place, so that an
error in a variant points into the variant. Keys that exclude each other (two latency families,
``client`` and ``clients``) do not pile up: the overlay's choice replaces the base's.
"""

from collections.abc import Mapping
from typing import Any

from sim.scenario.errors import ScenarioError, nearest
from sim.scenario.grammar.client import GROWTHS
from sim.scenario.grammar.network import FAMILIES
from sim.scenario.tree import Branch, Entry, Leaf, Node, Place, Row, Source

_CHOICES = (
    frozenset(FAMILIES),
    frozenset(GROWTHS),
    frozenset({"client", "clients"}),
)


def merge(base: Node | None, over: Node) -> Node:
    """Return ``base`` with ``over`` laid over it; a null takes what ``base`` says back."""
    return _laid(base, over, null_keeps=False)


def fill(base: Node, over: Node) -> Node:
    """Return ``over`` with what it does not write taken from ``base``, say a preset.

    A key that is given null counts as not written here too.
    """
    return _laid(base, over, null_keeps=True)


def _laid(base: Node | None, over: Node, *, null_keeps: bool) -> Node:
    if not isinstance(base, Branch) or not isinstance(over, Branch):
        return base if null_keeps and base is not None and _is_null(over) else over
    said = {key: e for key, e in over.entries.items() if not (null_keeps and _is_null(e.node))}
    entries = {key: entry for key, entry in base.entries.items() if not _is_replaced(key, said)}
    for key, entry in over.entries.items():
        below = entries.get(key)
        inner = _laid(below.node if below else None, entry.node, null_keeps=null_keeps)
        entries[key] = Entry(entry.place, inner)
    return Branch(entries, over.place)


def _is_null(node: Node) -> bool:
    return isinstance(node, Leaf) and node.value is None


def _is_replaced(key: str, over: Mapping[str, Entry]) -> bool:
    """Whether the overlay chooses something else where ``key`` was chosen."""
    return any(
        key in choice and key not in over and any(other in over for other in choice)
        for choice in _CHOICES
    )


def without(node: Branch, *keys: str) -> Branch:
    """Return a map without some keys."""
    kept = {key: entry for key, entry in node.entries.items() if key not in keys}
    return Branch(kept, node.place)


def replaced(node: Branch, key: str, place: Place, value: Node) -> Branch:
    """Return a map in which ``key`` holds ``value``."""
    return Branch({**node.entries, key: Entry(place, value)}, node.place)


def planted(value: Any, place: Place) -> Node:
    """Return plain data as a tree that stands in one place of the file (a preset's name)."""
    match value:
        case Mapping():
            return Branch({k: Entry(place, planted(v, place)) for k, v in value.items()}, place)
        case list() | tuple():
            return Row(tuple(planted(item, place) for item in value), place)
        case _:
            return Leaf(value, str(value), place)


def set_path(source: Source, root: Branch, path: str, place: Place, value: Node) -> Branch:
    """Return the tree with ``value`` at a dotted path; items of lists count from 1.

    Raises:
        ScenarioError: The path leads through a list that has no such item.
    """
    put = _put(source, root, path.split("."), path, place, value)
    assert isinstance(put, Branch)
    return put


def _put(
    source: Source, node: Node | None, steps: list[str], path: str, place: Place, value: Node
) -> Node:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(node, Row):
        if not step.isascii() or not step.isdigit() or not 1 <= int(step[:9]) <= len(node.items):
            raise _no_item(source, path, step, len(node.items), place)
        number = int(step[:9]) - 1
        items = list(node.items)
        items[number] = _put(source, items[number], rest, path, place, value)
        return Row(tuple(items), node.place)
    entries = node.entries if isinstance(node, Branch) else {}
    entries = {
        key: e for key, e in entries.items() if not _is_replaced(key, {step: Entry(place, value)})
    }
    below = entries.get(step)
    # A step that the file does not hold stands where the path is written: if the grammar does
    # not know it either, that is where the error must point.
    at = below.place if below and rest else place
    inner = _put(source, below.node if below else None, rest, path, place, value)
    return Branch({**entries, step: Entry(at, inner)}, node.place if node else place)


def _no_item(source: Source, path: str, step: str, length: int, place: Place) -> ScenarioError:
    meant = nearest(step, [str(number) for number in range(1, min(length, 50) + 1)])
    fix = f"count items from 1 to {length}" + (f", as {meant}" if meant else "")
    return source.error(place, f"the path '{path[:80]}' leads to no item '{step[:40]}'", fix)
