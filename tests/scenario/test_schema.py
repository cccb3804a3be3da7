"""The published schema is the grammar, told to editors."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from sim.scenario.find import shipped_folder
from sim.scenario.grammar.base import Part
from sim.scenario.grammar.document import Document
from sim.scenario.schema import json_schema, schema_text


def _parts(kind: type[Part] = Part) -> Iterator[type[Part]]:
    for part in kind.__subclasses__():
        yield part
        yield from _parts(part)


def _fields() -> list[tuple[str, dict[str, Any]]]:
    schema = json_schema()
    parts = {"top": schema, **schema["$defs"]}
    return [
        (f"{name}.{key}", field)
        for name, part in parts.items()
        for key, field in part.get("properties", {}).items()
    ]


FIELDS = _fields()


def test_the_committed_schema_is_current() -> None:
    committed = Path(shipped_folder(), "scenario.schema.json").read_text(encoding="utf-8")

    assert committed == schema_text(), "make it anew with 'lostack schema'"


def test_the_same_schema_is_made_every_time() -> None:
    assert schema_text() == schema_text()


@pytest.mark.parametrize(("name", "field"), FIELDS, ids=[name for name, _ in FIELDS])
def test_every_field_is_described(name: str, field: dict[str, Any]) -> None:
    assert field["description"].endswith(".")


def test_every_reference_leads_somewhere() -> None:
    text = schema_text()
    names = {part.split('"')[0] for part in text.split("#/$defs/")[1:]}

    assert names <= set(json_schema()["$defs"])


def test_no_field_offers_null_but_a_bare_action() -> None:
    bare = {"reload", "close", "open", "sign_out", "stop_worker", "start_worker"}
    offering = {name.partition(".")[2] for name, field in FIELDS if None in field.get("enum", [0])}

    assert offering == bare
    assert '"type": "null"' not in schema_text()


@pytest.mark.parametrize("part", sorted(set(_parts()), key=lambda part: part.__name__))
def test_every_example_is_right(part: type[Part]) -> None:
    for name, field in part.model_fields.items():
        for example in field.examples or ():
            kind = TypeAdapter(part.__annotations__.get(name, field.annotation))
            kind.validate_python(example)


def test_every_key_of_the_grammar_is_in_the_schema() -> None:
    assert list(json_schema()["properties"]) == Document.keys()
