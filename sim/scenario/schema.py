"""The grammar as a JSON Schema, so that editors complete and check scenario files.

It is made from the same models that check a file; what a schema cannot say (which names exist,
which settings fit together) is checked when the file is loaded.
"""

import json
from typing import Any

from sim.scenario.grammar.base import DURATION_SCHEMA, NAME_PATTERN
from sim.scenario.grammar.document import Document

_DIALECT = "https://json-schema.org/draft/2020-12/schema"

_SHARED: dict[str, dict[str, Any]] = {
    "Duration": DURATION_SCHEMA,
    "Name": {
        "type": "string",
        "pattern": NAME_PATTERN,
        "description": "A name of the file's own: letters, digits, '-', '_' and '.'.",
    },
}
"""What nearly every part uses, told once."""


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of scenario files: each field with description, default, example."""
    schema = Document.model_json_schema(by_alias=True, mode="validation")
    cleaned = _cleaned(schema)
    assert isinstance(cleaned, dict)
    cleaned["$defs"].update(_SHARED)
    return {"$schema": _DIALECT, "title": "A scenario of lostack", **cleaned}


def schema_text() -> str:
    """Return the schema as the text of ``scenarios/scenario.schema.json``."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _cleaned(node: Any) -> Any:
    """Return the schema as people want to see it: without null branches and generated titles.

    A key whose value is null counts as not written; an editor need not offer that. Keys in
    ``properties`` and ``$defs`` are names of the file, not words of JSON Schema.
    """
    if isinstance(node, list):
        return [_cleaned(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: {name: _cleaned(one) for name, one in value.items()}
        if key in ("properties", "$defs")
        else value
        if key in ("default", "examples", "enum", "const")
        else _cleaned(value)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
        and not (key == "default" and value is None)
        and key != "discriminator"
    }
    return _without_null(kept)


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    """Drop the null branch of a choice; a choice of one is no choice."""
    branches = node.get("anyOf")
    if not isinstance(branches, list) or {"type": "null"} not in branches:
        return _by_name(node)
    left = [branch for branch in branches if branch != {"type": "null"}]
    rest = {key: value for key, value in node.items() if key != "anyOf"}
    if len(left) != 1:
        return _by_name({"anyOf": left, **rest})
    # The field's own description and default say more than its type's.
    return _by_name({**left[0], **rest})


def _by_name(node: dict[str, Any]) -> dict[str, Any]:
    """Refer to what stands in many places by its name."""
    for name, shared in _SHARED.items():
        what = {key: value for key, value in shared.items() if key != "description"}
        if all(node.get(key) == value for key, value in what.items()):
            rest = {key: value for key, value in node.items() if key not in what}
            if rest.get("description") == shared["description"]:
                del rest["description"]
            return {"$ref": f"#/$defs/{name}", **rest}
    return node
