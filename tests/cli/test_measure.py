"""``lostack measure`` as people see it: tables, files, statuses."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.samples import Ended, Run

LOSSY = """\
title: A lossy link
runs: 30
server: {resources: {note: {version: 1, body: {text: old}}}, status: no}
client: {timeout: 2s, retry: {max_attempts: 3, delay: 500ms}}
network: {request: {latency: 40ms, loss: 0.1}, ack: {latency: 40ms, loss: 0.3}}
user:
  - {at: 0s, edit: note}
  - {at: 0s, save: note}
"""
SHARED = f"{LOSSY}  - {{at: 20s, edit: note}}\n  - {{at: 20s, save: note}}\n"
WRONG = LOSSY.replace("client: {", "client: {mistakes: [timeout-means-failure], ")
VARIANTS = f"{LOSSY}variants: {{short: {{client: {{timeout: 1s}}}}, long: }}\n"
SWEPT = f"{LOSSY}sweep: {{client.timeout: [1s, 2s]}}\n"
TEXTS = {
    "lossy": LOSSY,
    "variants": VARIANTS,
    "swept": SWEPT,
    "wrong": WRONG,
    "shared": SHARED,
    "bounded": f"{LOSSY}expect: {{rates: {{unknown_outcome_rate: {{max: 0.01}}}}}}\n",
    "missed": f"{LOSSY}faults: [{{drop: ack, attempt: 9}}]\n",
    "harmless": f"{LOSSY}faults: [{{cut: server, from: 40s, to: 50s}}]\n",
    "for-good": f"{LOSSY}faults: [{{cut: server, from: 0s, to: 50s}}]\n",
}


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    for name, text in TEXTS.items():
        (folder / f"{name}.yaml").write_text(text)


def _alone(lostack: Run, *arguments: str) -> Ended:
    return lostack("measure", "--workers", "1", *arguments)


def test_a_measure_is_shown_with_count_denominator_value_and_interval(lostack: Run) -> None:
    done = _alone(lostack, "lossy.yaml")
    lines = [line.split() for line in done.out.splitlines()]
    (unknown,) = [words for words in lines if words[:1] == ["unknown_outcome_rate"]]

    assert done.status == 0
    assert "30 runs under seed 1; one run: 1 client, 1 operation" in done.out
    assert unknown[2:3] == ["%"]
    assert unknown[-4:] == [unknown[-4], "of", "30", "operations"]


def test_a_quantile_of_operations_that_share_a_run_is_shown_with_its_interval(
    lostack: Run,
) -> None:
    done = _alone(lostack, "shared.yaml")

    assert re.search(r"time_to_certainty.p50 +80 ms +80 ms – [\d.]+ m?s ", done.out)
    assert re.search(r"time_to_certainty.p99 +[\d.]+ s +≥ [\d.]+ s ", done.out)


def test_what_says_nothing_is_left_out_unless_all_is_asked_for(lostack: Run) -> None:
    assert "turned_away_rate" not in _alone(lostack, "lossy.yaml").out
    assert "turned_away_rate" in _alone(lostack, "lossy.yaml", "--all").out


@pytest.mark.parametrize(("name", "shown"), [("harmless", "0 s"), ("for-good", "—")])
def test_a_scenario_with_an_outage_always_shows_its_recovery(
    lostack: Run, name: str, shown: str
) -> None:
    assert re.search(rf"recovery_time +{shown} ", _alone(lostack, f"{name}.yaml").out)


def test_what_must_never_happen_is_told_with_what_the_runs_leave_open(lostack: Run) -> None:
    assert "0 of 30 intents (at most 11.4 %): duplicate_effect_rate" in (
        _alone(lostack, "lossy.yaml").out
    )


def test_variants_stand_side_by_side(lostack: Run) -> None:
    out = _alone(lostack, "variants.yaml").out

    assert any("short" in line and "long" in line for line in out.splitlines())


def test_a_sweep_has_a_table_for_each_measure(lostack: Run) -> None:
    lines = _alone(lostack, "swept.yaml").out.splitlines()
    at = lines.index("unresolved_rate")

    assert [line.split()[0] for line in lines[at + 1 : at + 4]] == ["client.timeout", "1s", "2s"]


def test_beliefs_stand_against_truth(lostack: Run) -> None:
    assert "what clients believe  0 effects  1 effect  2+ effects" in (
        _alone(lostack, "lossy.yaml").out
    )


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("lossy", 0, "every invariant held in every run"),
        ("bounded", 1, "unknown_outcome_rate at most 1 %"),
        ("wrong", 1, "no-false-failure broke in"),
        ("missed", 3, "this fault matched in no run: drop: ack, attempt: 9"),
    ],
)
def test_the_status_says_how_it_ended(lostack: Run, name: str, status: int, said: str) -> None:
    done = _alone(lostack, f"{name}.yaml")

    assert done.status == status
    assert said in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--resume",), "--resume goes on from the journal in a folder"),
        (("--workers", "2", "--cluster", "tcp://localhost:1"), "keep one of the two"),
        (("--runs", "0"), "not in the range 1"),
        (("--max-seconds", "nan"), "'nan' is not in the range 0"),
        (("--variant", "shrt"), "no scenario has a variant 'shrt'"),
        (("nowhere.yaml",), "no such file"),
    ],
)
def test_bad_input_is_2(lostack: Run, arguments: tuple[str, ...], said: str) -> None:
    done = lostack("measure", "variants.yaml", "--runs", "2", *arguments)

    assert done.status == 2
    assert said in done.err


def test_swept_paths_are_not_broken_within_a_word(lostack: Run, folder: Path) -> None:
    sweep = "network.ack.loss: [0, 1], network.request.loss: [0], client.retry.max_attempts: [1]"
    (folder / "three.yaml").write_text(f"{LOSSY}sweep: {{{sweep}}}\n")

    out = _alone(lostack, "three.yaml").out

    assert re.search(r" network\.request\. +client\.retry\. *\n.* loss +max_attempts +value", out)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_times_of_unlike_shares_of_operations_are_not_left_to_be_compared(
    lostack: Run, folder: Path, form: str
) -> None:
    gives_up = "client: {timeout: 2s, retry: {max_attempts: 1}}"
    (folder / "unlike.yaml").write_text(f"{LOSSY}variants: {{one: {{{gives_up}}}, three: }}\n")

    unlike = " ".join(_alone(lostack, "unlike.yaml", "--format", form).out.split())
    alike = _alone(lostack, "lossy.yaml", "--format", form).out

    assert re.search(r"operations that settled: [\d.]+ % of them \(one\) to [\d.]+ %", unlike)
    assert "operations that settled" not in alike


def test_only_one_variant_is_measured(lostack: Run) -> None:
    done = _alone(lostack, "variants.yaml", "lossy.yaml", "--variant", "long")

    assert "1 cell, 30 runs" in done.out


def test_the_seed_changes_the_weather(lostack: Run) -> None:
    first, same, other = (
        _alone(lostack, "lossy.yaml", "--seed", seed).out for seed in ("5", "5", "6")
    )

    assert first == same
    assert first != other


def test_a_measurement_makes_runs_from_0_on_whatever_run_a_file_names(lostack: Run) -> None:
    Path("named.yaml").write_text(f"run: 4711\n{LOSSY}")
    plain, named = (_alone(lostack, name, "--all").out for name in ("lossy.yaml", "named.yaml"))

    assert named.replace("named", "lossy") == plain


def test_json_holds_every_measure(lostack: Run) -> None:
    report = json.loads(_alone(lostack, "wrong.yaml", "--format", "json").out)
    (cell,) = report["scenarios"][0]["cells"]

    assert (report["status"], report["whole"], report["runs"]) == ("failed", True, 30)
    assert {"measure", "unit", "count", "denominator", "value", "low", "high"} == set(
        cell["measures"][0]
    )
    assert cell["broken"][0]["see"].startswith("lostack run wrong.yaml --run ")


def test_markdown_has_a_table(lostack: Run) -> None:
    out = _alone(lostack, "lossy.yaml", "--format", "markdown").out

    assert "| measure | value | 95 % interval | count |" in out


def test_the_run_that_is_named_shows_what_broke(lostack: Run) -> None:
    report = json.loads(_alone(lostack, "wrong.yaml", "--format", "json").out)
    broken = report["scenarios"][0]["cells"][0]["broken"][0]

    shown = lostack(*broken["see"].split()[1:], "--format", "json")

    run = json.loads(shown.out)["scenarios"][0]["runs"][0]
    assert broken["invariant"] in [violation["invariant"] for violation in run["violations"]]


def test_files_are_written_and_the_journal_is_gone(lostack: Run, folder: Path) -> None:
    done = _alone(lostack, "lossy.yaml", "--out", "deep/results", "--no-charts")
    names = {path.name for path in (folder / "deep" / "results").iterdir()}

    assert done.status == 0
    assert {"results.csv", "histograms.csv", "beliefs.csv", "manifest.json"} <= names
    assert "journal.jsonl" not in names


def test_out_of_time_is_3_and_shows_no_rate(lostack: Run) -> None:
    done = _alone(lostack, "lossy.yaml", "--max-seconds", "0")

    assert done.status == 3
    assert "out of time (--max-seconds): 0 of 30 runs are made; none is kept" in done.err
    assert "cut short: 0 of 30 runs made" in done.out
    assert "unknown_outcome_rate" not in done.out


def test_a_folder_that_cannot_be_made_is_2_before_anything_is_run(lostack: Run) -> None:
    done = _alone(lostack, "lossy.yaml", "--out", "lossy.yaml/results")

    assert done.status == 2
    assert "cannot be written" in done.err
    assert not done.out


def test_a_cell_of_a_sweep_can_be_run(lostack: Run) -> None:
    done = lostack("run", "swept.yaml", "--cell", "client.timeout = 1s", "--format", "json")
    (run,) = json.loads(done.out)["scenarios"][0]["runs"]

    assert run["cell"] == {"client.timeout": "1s"}


@pytest.mark.parametrize(
    ("name", "said"), [("swept", "did you mean 'client.timeout=1s'"), ("lossy", "no sweep")]
)
def test_a_cell_that_is_not_there_is_2(lostack: Run, name: str, said: str) -> None:
    done = lostack("run", f"{name}.yaml", "--cell", "client.timeout=1")

    assert done.status == 2
    assert said in done.err
