"""Tables of the scenario format, made from its JSON Schema."""

import json
from functools import cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from sim.scenario.grammar.document import Document

Node = dict[str, Any]

_ABOUT_THE_FILE = ("title", "about", "source", "tags", "seed", "run", "runs", "horizon")
_LAST = ("variants", "sweep")
NO_VALUE = "no value"
_NAMES = {"integer": "whole number", "number": "number", "string": "text", "boolean": "yes or no"}


class _AsWritten(GenerateJsonSchema):
    """Keeps the order of keys, so that examples read as a scenario does: what happens first."""

    def sort(
        self,
        value: JsonSchemaValue,
        parent_key: str | None = None,  # noqa: ARG002 - the base class hands it over
    ) -> JsonSchemaValue:
        """Return the map as it is."""
        return value


@cache
def schema() -> Node:
    """Return the JSON Schema of a scenario file."""
    return Document.model_json_schema(schema_generator=_AsWritten)


def definitions() -> list[str]:
    """Return the names of all maps that a scenario file can hold."""
    return list(schema()["$defs"])


def fields(definition: str) -> list[tuple[str, str, str, str, str]]:
    """Return key, type, default, meaning and example of each field of one map.

    Raises:
        KeyError: There is no such map.
    """
    node = schema() if definition == "Document" else schema()["$defs"][definition]
    required = node.get("required", [])
    return [
        (
            f"`{key}`",
            type_of(field),
            "**needed**" if key in required else _code(field.get("default")),
            _meaning(field),
            _example(key, field),
        )
        for key, field in sorted(node["properties"].items(), key=_place)
    ]


def _place(item: tuple[str, Node]) -> int:
    """What a file says about itself comes first, what is expected last; the rest as it is."""
    return -1 if item[0] in _ABOUT_THE_FILE else int(item[0] in _LAST)


def common(definition: str) -> list[str]:
    """Return the keys that every line of ``user``, or every clause of ``faults``, has."""
    kin = [name for name in definitions() if _family(name) == _family(definition)]
    if len(kin) == 1:
        return []
    keys = [set(schema()["$defs"][name]["properties"]) for name in kin]
    shared = keys[0].intersection(*keys[1:])
    return [key for key in schema()["$defs"][definition]["properties"] if key in shared]


def lines() -> list[str]:
    """Return the maps that are a line of ``user``, in the order of the schema."""
    return _members("user")


def clauses() -> list[str]:
    """Return the maps that are a clause of ``faults`` with a message or request as its target."""
    return _members("faults")


def _members(key: str) -> list[str]:
    listed = next(c for c in schema()["properties"][key]["anyOf"] if c.get("type") == "array")
    items = listed["items"]
    choices = items.get("anyOf") or items["oneOf"]
    return [choice["$ref"].rsplit("/", 1)[1] for choice in choices]


def _family(definition: str) -> str:
    if definition in lines():
        return "user"
    return "faults" if "times" in schema()["$defs"][definition]["properties"] else definition


def about(definition: str) -> str:
    """Return what one map is, in a sentence."""
    described: str = schema()["$defs"][definition].get("description", "")
    return described


def heading(definition: str) -> str:
    """Return what a map is called in the page: ``RetryPart`` is ``retry``."""
    kind = definition.removesuffix("Part").removesuffix("Line")
    return "".join(f" {c.lower()}" if c.isupper() else c for c in kind).strip()


def type_of(node: Node) -> str:
    """Return the type of a value, for people."""
    if "$ref" in node:
        name = heading(node["$ref"].rsplit("/", 1)[1])
        return f"[{name}](#{_anchor(name)})"
    if "enum" in node:
        shown = [f"`{v}`" for v in node["enum"] if v is not None and not isinstance(v, bool)]
        return " · ".join(shown) or NO_VALUE
    if "const" in node:
        return NO_VALUE if node["const"] in (True, None) else f"`{node['const']}`"
    choices = node.get("anyOf") or node.get("oneOf")
    if choices:
        return _either(choices)
    return _plain(node)


def _either(choices: list[Node]) -> str:
    shown = [type_of(choice) for choice in choices if choice.get("type") != "null"]
    if any(choice.get("const") == 0 for choice in choices) and "duration" in shown:
        return "duration"
    return " or ".join(dict.fromkeys(shown))


def _plain(node: Node) -> str:
    match node.get("type"):
        case "array" if len((node.get("items") or {}).get("oneOf", [])) > 3:
            return "list, below"
        case "array":
            return f"list of {type_of(node['items'])}" if node.get("items") else "list"
        case "object":
            by_pattern = list(node.get("patternProperties", {}).values())
            inner = by_pattern[0] if by_pattern else node.get("additionalProperties")
            return f"map of {type_of(inner)}" if isinstance(inner, dict) and inner else "map"
        case "string" if "(us|ms|s|m|h|d)$" in node.get("pattern", "").removeprefix("^"):
            return "rate" if "/" in node["pattern"] else "duration"
        case "string" if "/" in node.get("pattern", "").replace("@:,/", ""):
            return "rate"
        case "number" if (node.get("minimum"), node.get("maximum")) == (0, 1):
            return "probability"
        case "integer" | "number" if "minimum" in node:
            return f"{_NAMES[node['type']]} from {node['minimum']}"
        case None:
            return "any JSON value"
        case str() as name:
            return _NAMES.get(name, name)
        case several:
            return " or ".join(_NAMES.get(name, name) for name in several if name != "null")


def _meaning(field: Node) -> str:
    described = field.get("description")
    if described is None and "$ref" in field:
        described = about(field["$ref"].rsplit("/", 1)[1])
    return described or ""


def _example(key: str, field: Node) -> str:
    examples = field.get("examples")
    if examples:
        return f"`{key}: {_flow(examples[0])}`"
    return f"`{key}: {_shortest(field)}`" if _shortest(field) else ""


def _shortest(field: Node) -> str:
    """Return a value to show where the schema has no example: the default, or the last choice."""
    default = field.get("default")
    if isinstance(default, str | int) and " " not in str(default):
        return _flow(default)
    for choice in (field, *field.get("anyOf", [])):
        if "enum" in choice:
            return _flow(choice["enum"][-1])
        if "const" in choice:
            return _flow(choice["const"])
    return ""


def _code(value: object) -> str:
    return "" if value is None else f"`{_flow(value)}`"


def _flow(value: object) -> str:
    """Return a value as one line of YAML."""
    match value:
        case dict():
            held = (f"{key}: {'' if one is None else _flow(one)}" for key, one in value.items())
            return "{" + ", ".join(held) + "}"
        case list():
            return "[" + ", ".join(_flow(held) for held in value) + "]"
        case bool():
            return "yes" if value else "no"
        case str():
            return value
        case _:
            return json.dumps(value)


def _anchor(name: str) -> str:
    kept = "".join(c for c in name if c.isalnum() or c in " -")
    return kept.replace(" ", "-")


def main_key(definition: str) -> str:
    """Return the key that makes a line of ``user`` or a clause of ``faults`` what it is."""
    node = schema()["$defs"][definition]
    own = [key for key in node["properties"] if key not in common(definition)]
    return next(key for key in own if key in node["required"])


def headline(definition: str) -> str:
    """Return the key and the values of a line or clause: ``drop``: `request` · `ack`."""
    key = main_key(definition)
    kind = type_of(schema()["$defs"][definition]["properties"][key])
    return f"`{key}`" if kind == NO_VALUE else f"`{key}`: {kind}"


def line_example(definition: str) -> str:
    """Return a line of ``user`` as one writes it, from the example that its map has.

    Raises:
        KeyError: The map has none.
    """
    return f"`{_flow(schema()['$defs'][definition]['examples'][0])}`"


def own_keys(definition: str) -> str:
    """Return what a line or clause has beside its main key and what all of its kind have."""
    hidden = [f"`{key}`" for key in (*common(definition), main_key(definition))]
    return "; ".join(
        f"{key} ({kind}{', ' + default if default else ''}): {meaning.rstrip('.')}"
        for key, kind, default, meaning, _ in fields(definition)
        if key not in hidden
    )
