"""Whatever a file holds, loading it ends in a scenario or in a ScenarioError, and soon."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.scenario.dump import dump, read_document
from sim.scenario.errors import ScenarioError
from sim.scenario.find import find, shipped_folder
from sim.scenario.load import load_path, load_text
from sim.scenario.model import Scenario
from sim.scenario.schema import json_schema
from tests.scenario.documents import bodies, documents

SCHEMA = json_schema()
WORDS = sorted(
    {key for part in SCHEMA["$defs"].values() for key in part.get("properties", {})}
    | set(SCHEMA["properties"])
    | {"any", "all", "op-1", "lost-ack", "<<", "*a", "&a x", "!x"}
)
VALUES = (
    "0s",
    "40ms",
    "10/s",
    "any",
    "ack",
    "request",
    "1e9",
    "-1",
    "0.5",
    "m",
    "client-1",
    "100d",
)


def attempt(text: str) -> None:
    """Load a text; anything but a scenario or a ScenarioError fails the test."""
    error = _error_of(lambda: load_text(text, "case", "case.yaml"))

    if error is not None:
        assert "fix: " in str(error)
        assert error.where.line <= max(1, len(text.splitlines()))


def _error_of(load: Callable[[], Scenario]) -> ScenarioError | None:
    try:
        load()
    except ScenarioError as error:
        return error
    return None


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_any_bytes_in_a_file(tmp_path_factory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "case.yaml"
    path.write_bytes(data)

    error = _error_of(lambda: load_path(str(path)))
    assert error is None or "case.yaml" in str(error)


@given(st.text(st.sampled_from("abk:-?,[]{}#&*!|>'\"%@`~0 \n\t\\"), max_size=80))
@settings(deadline=None, max_examples=200)
def test_any_text_of_yaml_s_own_signs(text: str) -> None:
    attempt(text)


trees = st.recursive(
    st.sampled_from((*WORDS, *VALUES)) | bodies,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)
    ),
    max_leaves=25,
)


@given(st.dictionaries(st.sampled_from(list(SCHEMA["properties"])), trees))
@settings(deadline=None, max_examples=100)
def test_any_structure_of_known_words(document: dict[str, Any]) -> None:
    attempt(dump(document))


@given(documents, st.data())
@settings(deadline=None, max_examples=80)
def test_a_good_document_with_one_value_replaced(document: dict[str, Any], data) -> None:
    document = json.loads(json.dumps(document))  # What Hypothesis drew is not ours to change.
    holders: list[Any] = [document]
    for holder in holders:
        inside = holder.values() if isinstance(holder, dict) else holder
        holders += [one for one in inside if isinstance(one, (dict, list)) and one]
    holder = data.draw(st.sampled_from(holders))
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    holder[data.draw(st.sampled_from(keys))] = data.draw(trees)

    attempt(dump(document))


def mutated(data: bytes, draw: random.Random) -> bytes:
    """Return the bytes with a few of them changed, removed, doubled or moved."""
    out = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(out))
        kind = draw.randrange(4)
        if kind == 0:
            out[at] = draw.randrange(256)
        elif kind == 1:
            del out[at : at + draw.randint(1, 20)]
        elif kind == 2:
            out[at:at] = out[max(0, at - draw.randint(1, 30)) : at]
        else:
            out[at:at] = draw.choice([b"\n", b" ", b": ", b"- ", b"{", b"]", b"'", b"\t", b"*a"])
        if not out:
            return b"x"
    return bytes(out)


def test_shipped_scenarios_with_bytes_changed() -> None:
    draw = random.Random(4711)
    for path in find([shipped_folder()])[:12]:
        data = Path(path).read_bytes()
        for _ in range(20):
            attempt(mutated(data, draw).decode("utf-8", "surrogateescape"))


def test_shipped_scenarios_cut_anywhere() -> None:
    (path,) = find(["lost-ack"])
    text = Path(path).read_text(encoding="utf-8")

    for end in range(0, len(text), 7):
        attempt(text[:end])


def test_a_scenario_is_read_the_same_in_any_layout() -> None:
    (path,) = find(["lost-ack"])
    text = Path(path).read_text(encoding="utf-8")
    relaid = "# another layout\n" + dump(read_document(text, path))

    assert load_text(relaid, "x", path).digest == load_text(text, "x", path).digest
