"""From a place in the checked data back to the place in the file, and into our own words."""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from pydantic import ValidationError

from sim.scenario.errors import ScenarioError, use_one_of
from sim.scenario.grammar.base import REFUSED
from sim.scenario.tree import Branch, Leaf, Node, Place, Row, Source

Loc: TypeAlias = tuple[str | int, ...]

PROBLEMS_MAX = 50
"""More problems of one file are not spelled out."""

_TAGGED = ("user", "faults")
"""Lists whose items are told apart by a tag, which pydantic puts into the location."""


def find(root: Branch, loc: Loc) -> tuple[Node, Place | None]:
    """Return the node at ``loc`` (or the last one on the way) and the place of its key."""
    node: Node = root
    key: Place | None = None
    for step in loc:
        match node:
            case Branch() if str(step) in node.entries:
                key, node = node.entries[str(step)]
            case Row() if isinstance(step, int) and step < len(node.items):
                key, node = None, node.items[step]
            case _:
                pass
    return node, key


def place_of(root: Branch, loc: Loc, at: str = "value") -> Place:
    """Return where to point: at a key, at a key inside the value, or at the value."""
    node, key = find(root, loc)
    if at == "key" and key is not None:
        return key
    if at.startswith("in:") and isinstance(node, Branch):
        entry = node.entries.get(at.removeprefix("in:"))
        if entry is not None:
            return entry.place
    if key is not None and not isinstance(node, Leaf):
        return key
    return node.place


def in_our_words(source: Source, root: Branch, error: ValidationError) -> list[ScenarioError]:
    """Return the problems that pydantic found, each with its place and a fix."""
    found = error.errors(include_url=False)[:PROBLEMS_MAX]
    return [_one(source, root, dict(one)) for one in found]


def _one(source: Source, root: Branch, one: Mapping[str, Any]) -> ScenarioError:
    loc: Loc = one["loc"]
    if len(loc) > 2 and loc[0] in _TAGGED:
        loc = (*loc[:2], *loc[3:])
    kind: str = one["type"]
    context: Mapping[str, Any] = one.get("ctx", {})
    if kind == REFUSED:
        place = place_of(root, loc, str(context["at"]))
        known = context.get("known")
        fix = context["fix"] if known is None else use_one_of(str(context["name"]), known)
        return source.error(place, str(context["problem"]), str(fix))
    if kind == "missing":
        place = place_of(root, loc[:-1])
        return source.error(place, f"the key '{loc[-1]}' is missing", f"add '{loc[-1]}: …'")
    if loc[-1] == "[key]":
        return source.error(place_of(root, loc, "key"), f"'{loc[-2]}' is not a name", _NAME_FIX)
    node, _ = find(root, loc)
    if kind in ("literal_error", "enum"):
        problem, fix = _not_one_of(node, context, _key_of(loc))
    else:
        problem, fix = _words(kind, context, _written(node), _key_of(loc))
    return source.error(place_of(root, loc), problem, fix)


def _written(node: Node) -> str:
    match node:
        case Leaf(None):
            return "nothing"
        case Leaf():
            return f"'{node.raw[:60]}'"
        case Row():
            return "a list"
        case Branch():
            return "a map"


def _key_of(loc: Loc) -> str:
    names = [step for step in loc if isinstance(step, str) and step not in ("map", "value")]
    return names[-1] if names else "scenario"


_MAP_FIX = "write {key: value}, or indented lines 'key: value'; {} leaves all to the defaults"

_EXPECTED = {
    "int_type": ("a whole number", "write a number without a fraction or unit"),
    "int_from_float": ("a whole number", "write a number without a fraction"),
    "float_type": ("a number", "write a number, as 1.5"),
    "string_type": ("text", "put it in quotes if it is meant as text"),
    "list_type": ("a list", "write [ … ], or lines that start with '- '"),
    "dict_type": ("a map of keys", _MAP_FIX),
    "model_type": ("a map of keys", _MAP_FIX),
}

_NAME_FIX = "use letters, digits, '-', '_' and '.', at most 60"

_BOUNDS = {
    "greater_than_equal": ("ge", "too small", "use at least {}"),
    "less_than_equal": ("le", "too large", "use at most {}"),
    "greater_than": ("gt", "too small", "use more than {}"),
    "less_than": ("lt", "too large", "use less than {}"),
}


def _words(kind: str, context: Mapping[str, Any], written: str, key: str) -> tuple[str, str]:
    """Return problem and fix for one of pydantic's own error types."""
    if kind in _EXPECTED:
        what, fix = _EXPECTED[kind]
        return f"'{key}' takes {what}, not {written}", fix
    if kind in _BOUNDS:
        name, problem, fix = _BOUNDS[kind]
        return f"{written} is {problem} for '{key}'", fix.format(context[name])
    match kind:
        case "string_pattern_mismatch":
            if key == "id":
                return f"{written} is not an operation's id", "write op-1, or a whole UUID"
            return f"{written} is not a name for '{key}'", _NAME_FIX
        case "string_too_long":
            return f"'{key}' is too long", f"use at most {context['max_length']} characters"
        case "too_short" | "too_long":
            bound = context.get("min_length", context.get("max_length"))
            many = context["actual_length"]
            if many == 0 and bound == 1:
                return f"'{key}' is empty", "write at least one item"
            said = "1 item" if many == 1 else f"{many} items"
            return f"'{key}' has {said}, and takes {bound}", f"write {bound} items"
        case _:
            return f"{written} does not fit '{key}'", "see 'lostack schema' for what it takes"


def _not_one_of(node: Node, context: Mapping[str, Any], key: str) -> tuple[str, str]:
    """Return problem and fix for a value that is none of the known ones."""
    found = re.findall(r"'([^']*)'|(\d+)", str(context["expected"]))
    known = [text or number for text, number in found]
    written = _written(node)
    if not known:
        return f"'{key}' takes no value, not {written}", "leave the value out"
    if isinstance(node, Leaf) and node.raw in known:
        # The right word of the wrong type: what it would be without its quotes, or with them.
        if isinstance(node.value, str):
            return f"'{key}' takes a number, not the text {written}", "write it without quotes"
        return f"'{key}' takes text, not {written}", "put it in quotes"
    return f"unknown value {written} for '{key}'", use_one_of(written.strip("'"), known)
