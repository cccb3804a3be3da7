import json
import re
import shlex

import pytest

from tests.cli.samples import PASSING, Run

RAIN = f"""\
{PASSING.partition("expect:")[0]}\
network: {{request: {{loss: 0.2}}, ack: {{loss: 0.3}}}}
variants:
  once: {{client: {{retry: {{max_attempts: 1}}}}}}
  thrice: {{client: {{retry: {{max_attempts: 3}}}}}}
"""


@pytest.fixture
def rain(folder):
    (folder / "rain.yaml").write_text(RAIN, encoding="utf-8")
    return "rain.yaml"


def compare(lostack: Run, *arguments: str):
    return lostack("compare", "--workers", "1", "--runs", "40", *arguments)


def test_it_tells_how_many_runs_differ_and_by_how_much(lostack: Run, rain) -> None:
    ended = compare(lostack, rain)

    assert ended.status == 0
    assert "of 40 runs differ" in ended.out
    assert "unresolved_rate" in ended.out
    assert "narrower" in ended.out


def test_the_run_that_it_names_can_be_looked_at(lostack: Run, rain) -> None:
    line = next(line for line in compare(lostack, rain).out.splitlines() if "see one:" in line)
    words = shlex.split(line.removeprefix("see one: "))

    ended = lostack(*words[1:])

    assert words[:3] == ["lostack", "run", "rain.yaml"]
    assert "thrice" in ended.out
    assert ended.status in (0, 3)


def test_what_stands_behind_each_value_is_counted(lostack: Run, rain) -> None:
    counted = compare(lostack, rain).out.partition("counted ")[2].partition("runs that differ")[0]

    rows = {line.split()[0]: line.split(None, 1)[1] for line in counted.splitlines()[1:] if line}
    assert re.fullmatch(r"\d+ of 40 +\d+ of 40  operations", rows["unresolved_rate"])
    assert re.fullmatch(r"\d+ of 40 .*: settled, of all", rows["time_to_certainty.p90"])


def test_json_and_markdown_say_how_many_were_settled(lostack: Run, rain) -> None:
    value = json.loads(compare(lostack, rain, "--format", "json").out)
    variant = value["scenarios"][0]["cells"][0]["variants"][0]
    p90 = next(row for row in variant["beside"] if row["measure"] == "time_to_certainty.p90")

    settled = p90["base_count"]
    assert 0 < settled < p90["base_denominator"] == p90["of_denominator"] == 40
    assert f"({settled} of 40)" in compare(lostack, rain, "--format", "markdown").out


def test_the_base_can_be_chosen(lostack: Run, rain) -> None:
    ended = compare(lostack, rain, "--base", "thrice")

    assert "once less thrice" in ended.out


def test_json_holds_every_measure_and_text_only_what_differs(lostack: Run, rain) -> None:
    value = json.loads(compare(lostack, rain, "--format", "json").out)

    variant = value["scenarios"][0]["cells"][0]["variants"][0]
    names = [measure["measure"] for measure in variant["measures"]]
    assert variant["variant"] == "thrice"
    assert "refused_rate" in names
    assert "refused_rate" not in compare(lostack, rain).out


def test_one_measure_can_be_asked_for(lostack: Run, rain) -> None:
    ended = compare(lostack, rain, "--measure", "refused_rate", "--format", "markdown")

    assert "| `refused_rate` |" in ended.out
    assert "unresolved_rate" not in ended.out


def test_the_result_can_go_to_a_file(lostack: Run, rain, folder) -> None:
    ended = compare(lostack, rain, "--out", "rain.txt")

    assert ended.out == ""
    assert ended.err == "written: rain.txt\n"
    assert "of 40 runs differ" in (folder / "rain.txt").read_text(encoding="utf-8")


def test_a_scenario_without_variants_is_bad_input(lostack: Run, write) -> None:
    ended = compare(lostack, *write("passing"))

    assert ended.status == 2
    assert "'passing' has no variants, so there is nothing to compare it with" in ended.err
    assert "fix: " in ended.err


def test_the_others_are_compared_all_the_same(lostack: Run, rain, write) -> None:
    ended = compare(lostack, *write("passing"), rain)

    assert ended.status == 2
    assert "thrice less once" in ended.out


def test_an_unknown_measure_is_bad_input(lostack: Run, rain) -> None:
    ended = compare(lostack, rain, "--measure", "unresolved")

    assert ended.status == 2
    assert "no paired difference of 'unresolved'\n  fix: did you mean 'unresolved_rate'?" in (
        ended.err
    )


def test_an_unknown_base_is_bad_input(lostack: Run, rain) -> None:
    ended = compare(lostack, rain, "--base", "twice")

    assert ended.status == 2
    assert "'rain' has no variant 'twice'" in ended.err


def test_a_file_that_cannot_be_written_is_told(lostack: Run, rain) -> None:
    ended = compare(lostack, rain, "--out", "no/such/folder.txt")

    assert ended.status == 2
    assert "'no/such/folder.txt' cannot be written" in ended.err


@pytest.fixture
def no_runs(monkeypatch):
    """Fail where a run is made: what is tested comes before all of them."""

    def ran(*_: object, **__: object) -> None:
        pytest.fail("a run was made")

    monkeypatch.setattr("sim.cli.compare.compare", ran)


@pytest.mark.parametrize("charts", ["", "rain.yaml", "rain.yaml/charts", "/proc/charts"])
def test_charts_that_cannot_be_written_are_told_before_any_run(
    lostack: Run, rain, no_runs, charts
) -> None:
    ended = compare(lostack, rain, "--charts", charts)

    assert (ended.status, ended.out) == (2, "")
    assert f"'{charts}' cannot be written" in ended.err or "no folder is named" in ended.err
    assert "fix: " in ended.err


@pytest.mark.parametrize("out", ["", "no/such/folder.txt", "."])
def test_a_result_that_cannot_be_written_is_told_before_any_run(
    lostack: Run, rain, no_runs, out
) -> None:
    ended = compare(lostack, rain, "--out", out)

    assert (ended.status, ended.out) == (2, "")
    assert "fix: " in ended.err


def test_a_scenario_that_is_compared_is_not_written_over(
    lostack: Run, rain, folder, no_runs
) -> None:
    ended = compare(lostack, rain, "--out", rain)

    assert ended.status == 2
    assert "'rain.yaml' is a file that is read: it would be written over" in ended.err
    assert (folder / rain).read_text(encoding="utf-8") == RAIN


UNMATCHED = "this fault matched in no run: drop: ack, attempt: 9"


@pytest.fixture
def never(folder):
    (folder / "rain.yaml").write_text(
        RAIN.replace("max_attempts: 3}}", "max_attempts: 3}}, faults: [{drop: ack, attempt: 9}]"),
        encoding="utf-8",
    )
    return "rain.yaml"


def test_a_fault_that_never_occurred_makes_it_inconclusive(lostack: Run, never) -> None:
    ended = compare(lostack, never)

    assert ended.status == 3
    assert f"? thrice: {UNMATCHED}" in " ".join(ended.out.split())
    assert "once: this fault" not in ended.out


def test_every_form_names_the_fault_that_never_occurred(lostack: Run, never) -> None:
    told = compare(lostack, never, "--format", "json")
    read = compare(lostack, never, "--format", "markdown")

    cell = json.loads(told.out)["scenarios"][0]["cells"][0]
    assert cell["never_matched"] == [{"variant": "thrice", "fault": "drop: ack, attempt: 9"}]
    assert "❔ thrice: this fault matched in no run" in read.out
    assert (told.status, read.status) == (3, 3)


def test_bad_input_outweighs_a_fault_that_never_occurred(lostack: Run, never, write) -> None:
    assert compare(lostack, *write("passing"), never).status == 2


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_only_the_measure_that_is_named_is_shown(lostack: Run, rain, form: str) -> None:
    out = compare(lostack, rain, "--measure", "unresolved_rate", "--format", form).out

    assert "unresolved_rate" in out
    assert "time_to_certainty" not in out


@pytest.mark.parametrize("name", ["time_to_certainty", "time_to_certainty.p99"])
def test_quantiles_are_shown_with_their_mean(lostack: Run, rain, name: str) -> None:
    ended = compare(lostack, rain, "--measure", name)

    assert ended.status == 2
    assert "fix: use time_to_certainty.mean: p50, p90 and p99 stand beside it" in ended.err
    shown = compare(lostack, rain, "--measure", "time_to_certainty.mean").out
    assert "time_to_certainty.p90" in shown
