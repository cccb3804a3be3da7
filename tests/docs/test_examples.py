"""Every example of the format page can be copied into a scenario."""

import re
from pathlib import Path

import pytest

from docs.schema_tables import clauses, common, definitions, fields, line_example, lines
from docs.tables import clause_example
from sim.scenario.load import load_text
from tests.architecture.sources import ROOT
from tests.docs.placed import read, with_clause, with_field, with_line

PAGE = (ROOT / "docs" / "scenario-format.md").read_text(encoding="utf-8")
_PART = re.compile(r"<!-- made: (\S+) -->\n(.*?)<!-- end -->", re.DOTALL)
MAPS = ["Document", *(name for name in definitions() if name != "WorldPart")]
LATER = (*lines()[1:], *clauses()[1:])
"""All lines share keys, and nearly all clauses do; these are looked at in the first one."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the file that the example of ``empirical`` names."""
    (tmp_path / "weather.csv").write_text("latency\n40ms\n", encoding="utf-8")
    return tmp_path


def _load(text: str, folder: Path) -> None:
    load_text(text, "an-example", str(folder / "an-example.yaml"))


@pytest.mark.parametrize("part", _PART.findall(PAGE), ids=lambda part: part[0])
def test_no_example_of_the_page_is_empty(part: tuple[str, str]) -> None:
    head, _, *rows = [row[2:-2].split(" | ") for row in part[1].splitlines() if row]

    assert head[-1] == "example"
    assert [row[0] for row in rows if not re.fullmatch("`[^`]+`", row[-1])] == []


@pytest.mark.parametrize("name", MAPS)
def test_a_scenario_with_the_example_of_a_field_loads(name: str, folder: Path) -> None:
    seen = [f"`{key}`" for key in common(name)] if name in LATER else []

    for key, *_, cell in fields(name):
        if key not in seen:
            _load(with_field(name, cell), folder)


@pytest.mark.parametrize("name", lines())
def test_a_scenario_with_the_example_of_a_line_loads(name: str, folder: Path) -> None:
    _load(with_line(read(line_example(name))), folder)


@pytest.mark.parametrize("name", clauses())
def test_a_scenario_with_the_example_of_a_clause_loads(name: str, folder: Path) -> None:
    _load(with_clause(read(clause_example(name))), folder)
