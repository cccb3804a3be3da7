"""What ``lostack run`` writes for other programs is what they can read."""

import json
from xml.etree import ElementTree as ET

import pytest

from sim.cli.run import DIAGRAMS, FORMATS
from sim.report import formats
from tests.cli.samples import Run, Write


def test_the_command_offers_the_formats_that_exist() -> None:
    assert ("text", *formats.FORMATS) == FORMATS


def test_json_is_one_document_with_every_run(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("passing", "failing", "variants"), "--format", "json")

    report = json.loads(ended.out)
    assert ended.status == 1
    assert report["status"] == "failed"
    assert [len(scenario["runs"]) for scenario in report["scenarios"]] == [1, 1, 2]


def test_junit_counts_what_failed(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("passing", "failing", "inconclusive"), "--format", "junit")

    suites = ET.fromstring(ended.out)
    assert (suites.get("tests"), suites.get("failures"), suites.get("skipped")) == ("3", "1", "1")


def test_markdown_is_a_table_with_a_row_for_each_run(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("passing", "variants"), "--format", "markdown")

    rows = [line for line in ended.out.splitlines() if line.startswith("| ✅")]
    assert len(rows) == 3
    assert {row.count("|") for row in rows} == {6}


def test_github_annotates_the_file_that_failed(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("passing", "failing"), "--format", "github")

    errors = [line for line in ended.out.splitlines() if line.startswith("::error ")]
    assert len(errors) == 1
    assert "failing.yaml" in errors[0]


def test_mermaid_of_one_run_is_a_bare_diagram(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("passing"), "--diagram", "mermaid")

    assert ended.status == 0
    assert ended.out.startswith("sequenceDiagram\n")


def test_mermaid_of_several_runs_is_markdown(lostack: Run, write: Write) -> None:
    out = lostack("run", *write("variants"), "--diagram", "mermaid").out

    assert out.startswith("## variants/one\n\n```mermaid\nsequenceDiagram\n")
    assert out.count("```mermaid\n") == out.count("\n```\n") == 2


def test_svg_of_one_run_is_a_picture(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("passing"), "--diagram", "svg")

    assert ended.status == 0
    assert ET.fromstring(ended.out).tag == "{http://www.w3.org/2000/svg}svg"


def test_svg_of_several_runs_says_how_to_choose_one(lostack: Run, write: Write) -> None:
    variants = lostack("run", *write("variants"), "--diagram", "svg")
    files = lostack("run", *write("passing", "failing"), "--diagram", "svg")
    chosen = lostack("run", *write("variants"), "--diagram", "svg", "--variant", "two")

    assert (variants.status, files.status, chosen.status) == (2, 2, 0)
    assert "--diagram svg draws one run, and 2 are asked for\n" in variants.err
    assert "fix: add --variant NAME, one of: one, two\n" in variants.err
    assert "fix: name one scenario" in files.err
    assert not variants.out + files.out


def test_a_picture_says_which_run_it_shows(lostack: Run, write: Write) -> None:
    [file] = write("weather")

    assert "run 5, seed 3" in lostack("run", file, "--diagram", "svg", "--run", 5, "--seed", 3).out
    assert "seed 3" not in lostack("run", file, "--diagram", "svg").out


@pytest.mark.parametrize("diagram", DIAGRAMS)
def test_a_diagram_has_standard_output_for_itself(lostack: Run, write: Write, diagram: str) -> None:
    ended = lostack("run", *write("passing"), "--diagram", diagram, "--trace", "-")

    assert ended.status == 2
    assert "--diagram and --trace - both want standard output" in ended.err


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "text"])
def test_a_format_has_standard_output_for_itself(lostack: Run, write: Write, form: str) -> None:
    ended = lostack("run", *write("passing"), "--format", form, "--proofs")

    assert ended.status == 2
    assert f"--format {form} and --proofs both want standard output" in ended.err
