"""The pages say what the code does."""

import re
import shlex
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from docs.console import COLUMNS, run, with_output
from docs.make import pages
from docs.schema_tables import clauses, definitions, lines
from docs.tables import with_tables
from sim.cli.main import cli
from tests.architecture.sources import ROOT
from tests.docs.inline import pages as every_page

PAGES = [pytest.param(page, id=page.name) for page in pages()]
_LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]*)?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_every_table_is_current(page: Path) -> None:
    held = page.read_text(encoding="utf-8")

    assert held == with_tables(held), "run 'make docs'"


def _run_here(command: str, folder: Path) -> str:
    """Return what a command prints in this process; ``make docs`` gives each one of its own."""
    environment = {"NO_COLOR": "1", "COLUMNS": str(COLUMNS)}
    with chdir(folder):
        done = CliRunner(env=environment).invoke(cli, shlex.split(command)[1:])
    return "".join(f"{line.rstrip()}\n" for line in done.output.splitlines())


@pytest.mark.parametrize("page", PAGES)
def test_every_output_that_a_page_shows_is_the_real_one(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs.console.run", _run_here)
    held = page.read_text(encoding="utf-8")

    assert held == with_output(held), "run 'make docs'"


@pytest.mark.parametrize("command", ["lostack explain settles", "lostack run no-such-thing"])
def test_a_process_of_its_own_prints_the_same(command: str, tmp_path: Path) -> None:
    assert run(command, tmp_path) == _run_here(command, tmp_path)


def test_the_kept_picture_is_the_one_that_its_command_draws() -> None:
    which = ["late-first-attempt", "--variant", "contract"]
    drawn = CliRunner().invoke(cli, ["run", *which, "--diagram", "svg"]).stdout_bytes

    kept = ROOT / "reports" / "gallery" / "late-first-attempt.svg"
    assert drawn == kept.read_bytes(), "see reports/gallery/README.md"


def _anchors(page: Path) -> list[str]:
    headings = _HEADING.findall(page.read_text(encoding="utf-8"))
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("page", every_page(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in _LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        aim = (page.parent / target) if target else page
        assert aim.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor[1:] in _anchors(aim), f"{page.name} links to {target}{anchor}"


def test_the_links_of_every_folder_are_looked_at() -> None:
    looked_at = [page.relative_to(ROOT).as_posix() for page in every_page()]

    assert {"README.md", "reports/gallery/README.md", "docs/tutorial.md"} <= set(looked_at)
    assert not [name for name in looked_at if name.startswith(".")]


def test_the_format_page_has_a_table_for_every_map() -> None:
    text = (ROOT / "docs" / "scenario-format.md").read_text(encoding="utf-8")
    in_lists = [*lines(), *clauses()]

    missing = [
        name
        for name in definitions()
        if name not in in_lists and f"<!-- made: fields:{name} -->" not in text
    ]

    assert not missing


def test_the_readme_shows_both_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert "make demo" in text
    assert "make test" in text
