"""The forms that other programs read."""

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from sim.report.formats import FORMATS, as_mermaid
from tests.report.hand_made import late_request
from tests.report.verdicts import BREAKS, FAILED, PASSED, SHOWN, UNCLEAR, outcome

ALL = [outcome(PASSED, SHOWN), outcome(FAILED, UNCLEAR, name="other")]
EVIL = 'a|b`<script>&%\r\n::error::"\x1b[31m]]>'


def test_json_holds_every_run_and_reads_back_as_written() -> None:
    text = FORMATS["json"](ALL)
    value = json.loads(text)

    assert json.dumps(value, indent=2) + "\n" == text
    assert value["status"] == "failed"
    assert [len(scenario["runs"]) for scenario in value["scenarios"]] == [2, 2]
    assert value["scenarios"][0]["runs"][1]["violations"][0]["record"] == 19
    assert value["scenarios"][0]["runs"][1]["violations"][0]["operation"] == "op-2"


def test_json_without_findings_has_the_same_keys_as_with_them() -> None:
    first, second = json.loads(FORMATS["json"]([outcome(PASSED, FAILED)]))["scenarios"][0]["runs"]

    assert list(first) == list(second)


def test_junit_counts_failures_and_skips_what_proves_nothing() -> None:
    root = ET.fromstring(FORMATS["junit"](ALL))

    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("4", "1", "1")
    assert [suite.get("name") for suite in root] == ["lost-ack", "other"]
    assert root.find("testsuite/testcase[@name='bad']/failure") is not None
    assert root.find("testsuite/testcase[@name='missed']/skipped") is not None


def test_a_junit_failure_says_what_was_expected_and_what_to_do() -> None:
    failure = ET.fromstring(FORMATS["junit"](ALL)).find(".//failure")

    assert failure is not None
    assert failure.get("message") == "effects: expected 1, found 2"
    assert "remedy: keep a registry with a unique key" in (failure.text or "")


def test_markdown_has_one_row_for_each_run() -> None:
    lines = FORMATS["markdown"](ALL).splitlines()

    assert sum(line.startswith("| ✅") for line in lines) == 2
    assert sum(line.startswith("| ❌") for line in lines) == 1
    assert "- effects: expected 1, found 2" in lines


def test_github_annotates_the_scenario_file() -> None:
    lines = FORMATS["github"](ALL).splitlines()

    assert lines[0].startswith(
        "::error file=scenarios/recovery/lost-ack.yaml,line=1,title=lostack "
    )
    assert "effects: expected 1, found 2%0A" in lines[0]
    assert lines[1].startswith("::warning ")
    assert lines[2] == "lostack: 2 scenarios, 4 runs: 2 passed, 1 failed, 1 inconclusive"


@pytest.mark.parametrize("form", FORMATS)
def test_text_from_a_scenario_cannot_break_out_of_a_format(form: str) -> None:
    checks = (replace(BREAKS, what=EVIL, found=EVIL),)
    text = FORMATS[form]([outcome(replace(FAILED, checks=checks), name=EVIL)])

    match form:
        case "json":
            assert json.loads(text)["scenarios"][0]["name"] == EVIL
        case "junit":
            assert ET.fromstring(text).find("testsuite/testcase/failure") is not None
        case "markdown":
            assert "<script>" not in text.replace("\\<", "")
            assert "a\\|b" in text
        case _:
            assert sum(line.startswith("::") for line in text.splitlines()) == 1


@pytest.mark.parametrize("form", FORMATS)
def test_a_format_holds_no_escape_sequence_and_ends_in_a_line_feed(form: str) -> None:
    text = FORMATS[form]([outcome(FAILED, title=EVIL)])

    assert text.endswith("\n")
    assert "\x1b" not in text


def test_a_diagram_marks_each_invariant_where_it_first_breaks() -> None:
    drawn = as_mermaid.render([outcome(SHOWN)])

    note = (
        "Note over c1,server: ✗ one-effect-per-intent breaks: the<br/>intent of op-1 has 2 effects"
    )
    assert drawn.count(note) == 1
    assert "✗" not in as_mermaid.render([outcome(PASSED)])


def test_a_diagram_knows_what_is_late_from_the_link() -> None:
    late = replace(PASSED, records=tuple(late_request()))

    assert "3 s late" in as_mermaid.render([outcome(late)])
    assert "late" not in as_mermaid.render([outcome(PASSED)])


def test_several_diagrams_are_markdown_each_under_its_name() -> None:
    drawn = as_mermaid.render([outcome(PASSED, SHOWN)])

    assert drawn.count("```mermaid\nsequenceDiagram\n") == 2
    assert "## lost-ack/no-registry\n" in drawn
