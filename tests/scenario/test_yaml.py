"""YAML 1.2's core schema, read safely: no tags, no bombs, no surprises."""

import time

import pytest

from sim.contract.body import thaw
from sim.scenario.dump import read_document
from sim.scenario.errors import ScenarioError
from sim.scenario.load import load_text


def read(text: str) -> object:
    return read_document(text, "case.yaml")


def refused(text: str) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        load_text(text, "case", "case.yaml")
    return caught.value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("1:30", "1:30"),
        ("0777", 777),
        ("0o17", 15),
        ("0x1F", 31),
        ("2026-01-02", "2026-01-02"),
        ("1_000", "1_000"),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-7", -7),
        ("+7", 7),
        ("~", None),
        ("", None),
        ("Null", None),
        ("TRUE", True),
        ("tRUE", "tRUE"),
        ("'1'", "1"),
        ('"~"', "~"),
        ("0b11", "0b11"),
        ("=", "="),
    ],
)
def test_scalars_follow_the_core_schema(written: str, value: object) -> None:
    read_value = read(f"key: {written}\n")["key"]

    assert read_value == value
    assert type(read_value) is type(value)


def test_keys_are_always_text() -> None:
    assert read("{1: a, true: b, ~: c, 0x1: d}") == {"1": "a", "true": "b", "~": "c", "0x1": "d"}


def test_a_duplicate_key_is_refused_at_its_second_place() -> None:
    error = refused("seed: 1\ntitle: x\nseed: 2\n")

    assert (error.where.line, error.where.column) == (3, 1)
    assert "first in line 1" in error.problem


def test_a_duplicate_key_in_a_body_is_refused_too() -> None:
    error = refused("server: {resources: {m: {body: {a: 1, 'a': 2}}}}\n")

    assert "the key 'a' is here twice" in error.problem


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!!str", "!x", "!"])
def test_tags_are_refused(tag: str) -> None:
    assert "not allowed" in refused(f"title: {tag} x\n").problem


def test_a_second_document_is_refused() -> None:
    assert "a second document" in refused("title: x\n---\ntitle: y\n").problem


def test_an_anchor_can_be_used_again() -> None:
    text = "server: {resources: {m: {body: &b {a: [1]}}}}\nuser: [{at: 0s, edit: m, body: *b}]\n"

    (world,) = load_text(text, "case", "case.yaml").worlds
    assert thaw(world.user[0].body) == {"a": [1]}


def test_an_alias_inside_its_own_anchor_is_refused() -> None:
    assert "nothing that is complete" in refused("title: &t [*t]\n").problem


def bomb(levels: int, fan: int) -> str:
    lines = ["l0: &l0 [" + ", ".join(["x"] * fan) + "]"]
    lines += [f"l{n}: &l{n} [" + ", ".join([f"*l{n - 1}"] * fan) + "]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        bomb(9, 10),
        bomb(40, 2),
        "a: " + "[" * 5_000,
        "a: " + "[" * 25 + "]" * 25,
        "\n".join(" " * n + "k:" for n in range(400)),
        "{" * 100_000,
        "- " * 50_000,
        "a: [" + "x," * 60_000 + "]",
        "? " * 50_000,
        "'" + "\\n" * 100_000,
        "&a " * 1000,
        "x: |" + " " * 200_000,
    ],
    ids=range(12),
)
def test_a_bomb_is_refused_by_a_bound_and_at_once(text: str) -> None:
    started = time.process_time()

    refused(text)

    assert time.process_time() - started < 2


def test_aliases_do_not_nest_deeper_than_text_may() -> None:
    chain = ["a0: &a0 [x]"]
    chain += [f"a{n}: &a{n} [[[[[[[*a{n - 1}]]]]]]]" for n in range(1, 9)]

    assert "nested deeper" in refused("\n".join(chain)).problem


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f", "\ud800", "\ufeff", "\ufffe"])
def test_a_character_that_yaml_forbids_is_shown_where_it_is(char: str) -> None:
    error = refused(f"title: a{char}b\n")

    assert str(error.where) == "case.yaml:1:9"


def test_a_byte_order_mark_at_the_start_is_fine() -> None:
    assert load_text("\ufefftitle: x\n", "case", "case.yaml").title == "x"


def test_line_numbers_count_every_kind_of_line_break() -> None:
    error = refused("title: x\r\nabout: y\rseed: z\n")

    assert error.where.line == 3


def test_the_python_parser_reads_the_same(monkeypatch) -> None:
    text = "server: {resources: {m: {body: [1, 'a', ~, {b: 0x1}]}}}\nuser:\n- {at: 0, save: m}\n"
    expected = load_text(text, "case", "case.yaml")
    monkeypatch.delattr("yaml.CSafeLoader")

    assert load_text(text, "case", "case.yaml") == expected
