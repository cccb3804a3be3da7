"""What is written loads again, and is the same."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.scenario.dump import SCHEMA_LINE, dump, dump_world, read_document
from sim.scenario.load import load_text
from sim.scenario.template import template
from tests.scenario.documents import bodies, clients, documents, texts
from tests.shipped import scenarios


def load(text: str) -> Any:
    return load_text(text, "case", "case.yaml")


@given(documents)
@settings(max_examples=30, deadline=None)
def test_a_document_that_is_dumped_loads_as_the_same_scenario(document: dict[str, Any]) -> None:
    scenario = load(dump(document))

    again = load(dump(read_document(dump(document), "case.yaml")))
    assert again == scenario
    assert again.digest == scenario.digest


@given(documents)
@settings(max_examples=30, deadline=None)
def test_any_world_can_be_written_as_a_scenario_of_its_own(document: dict[str, Any]) -> None:
    for world in load(dump(document)).swept:
        (again,) = load(dump_world(world, "a title: with a colon", "why")).worlds

        assert again == replace(world, cell=())


@given(st.dictionaries(st.sampled_from(("tab", "phone", "n-1")), clients, min_size=1))
@settings(max_examples=30, deadline=None)
def test_several_clients_are_written_as_they_were(people: dict[str, Any]) -> None:
    (world,) = load(dump({"horizon": "1h", "clients": people})).worlds

    (again,) = load(dump_world(world, "t", "")).worlds
    assert again == world


@given(st.dictionaries(texts, bodies))
def test_plain_data_survives_being_written(document: dict[str, Any]) -> None:
    again = read_document(dump(document), "case.yaml") if document else {}

    assert again == document


@given(st.lists(st.text("ab-#:>|'\"{[\\ \xa0\u1680\x85", min_size=1), min_size=30, max_size=40))
@settings(max_examples=50, deadline=None)
def test_long_text_is_read_back_whatever_it_is_made_of(words: list[str]) -> None:
    text = " ".join(words)

    assert read_document(dump({"about": text, "a": {"b": text}}), "c.yaml")["about"] == text


def test_long_prose_is_written_over_several_lines() -> None:
    text = dump({"about": "A sentence of nine words, and then another one. " * 4 + "The end."})

    assert text.removeprefix(SCHEMA_LINE).startswith("about: >-\n  A sentence of nine words")
    assert max(map(len, text.splitlines())) <= 100


def test_every_shipped_scenario_is_written_and_read_back() -> None:
    for scenario in scenarios():
        path = Path(scenario.path)
        text = dump(read_document(path.read_text(encoding="utf-8"), str(path)))

        assert load_text(text, scenario.name, str(path)) == scenario


def test_every_shipped_world_is_written_and_read_back() -> None:
    for scenario in scenarios():
        for world in scenario.worlds:
            (again,) = load_text(dump_world(world, "t", ""), world.scenario, scenario.path).worlds

            assert again == world


def test_a_group_that_lost_a_member_is_written_one_by_one() -> None:
    (world,) = load("client: {count: 3, timeout: 9s}\n").worlds
    smaller = replace(world, clients=(world.clients[0], world.clients[2]))

    (again,) = load(dump_world(smaller, "t", "")).worlds
    assert [client.name for client in again.clients] == ["client-1", "client-3"]


def test_the_head_says_how_to_get_the_schema_and_defaults_are_left_out() -> None:
    (world,) = load("client: {timeout: 2s}\nseed: 1\n").worlds

    text = dump_world(world, "A title", "")
    assert text == f"{SCHEMA_LINE}title: A title\n"
    assert "lostack schema --out scenario.schema.json" in text
    assert not re.search(r"^#\s+yaml-language-server", text, re.MULTILINE)


def test_a_key_too_long_for_yaml_s_short_form_is_written_anyway() -> None:
    document = {"server": {"resources": {"m": {"body": {"k" * 1500: 1}}}}}

    assert read_document(dump(document), "case.yaml") == document


def test_the_template_loads_whatever_its_title() -> None:
    for title in ("First", "my: #1 'scenario', \"quoted\"", "- x", "~", "{a}"):
        scenario = load(template(title))

        assert scenario.title == title
        assert len(scenario.worlds) == 1
