"""What ``lostack measure --out DIR`` writes over, and what it leaves alone."""

import json
from pathlib import Path

import pytest

from tests.cli.samples import Ended, Run

TEXT = """\
title: A lossy link
runs: 20
server: {resources: {note: {version: 1, body: {text: old}}}}
client: {timeout: 2s, retry: {max_attempts: 3, delay: 500ms}}
network: {ack: {latency: 40ms, loss: LOSS}}
user: [{at: 0s, edit: note}, {at: 0s, save: note}]
"""


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    (folder / "one.yaml").write_text(TEXT.replace("LOSS", "0.3"))
    (folder / "other.yaml").write_text(TEXT.replace("LOSS", "0.6"))


def _measure(lostack: Run, name: str, *options: str) -> Ended:
    words = ["measure", f"{name}.yaml", "--workers", "1", "--no-charts", "--out", "results"]
    return lostack(*words, *options)


def _held(path: str = "results") -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(Path(path).iterdir())}


@pytest.mark.parametrize("options", [(), ("--resume",)], ids=["plain", "resume"])
def test_another_measurement_is_not_written_over(lostack: Run, options: tuple[str, ...]) -> None:
    _measure(lostack, "one")
    before = _held()

    done = _measure(lostack, "other", *options)

    assert done.status == 2
    assert "results: another measurement lies here: one, 20 runs, seed 1\n" in done.err
    assert "  fix: move it, name another folder, or write over it (--replace)" in done.err
    assert _held() == before


def test_another_seed_or_number_of_runs_is_another_measurement(lostack: Run) -> None:
    _measure(lostack, "one")

    assert _measure(lostack, "one", "--seed", "2").status == 2
    assert _measure(lostack, "one", "--runs", "21").status == 2


def test_the_same_measurement_is_made_again(lostack: Run) -> None:
    _measure(lostack, "one")
    before = _held()

    assert _measure(lostack, "one").status == 0
    assert _held() == before


def test_replace_writes_over_another_measurement_and_leaves_none_of_it(lostack: Run) -> None:
    _measure(lostack, "one")
    Path("results/load.csv").write_text("of a population")

    done = _measure(lostack, "other", "--replace")

    assert done.status == 0
    assert json.loads(_held()["manifest.json"])["scenarios"][0]["name"] == "other"
    assert "load.csv" not in _held()


@pytest.mark.parametrize("name", ["results.csv", "load.csv", "manifest.json"])
def test_a_file_that_no_measurement_wrote_is_not_written_over(lostack: Run, name: str) -> None:
    Path("results").mkdir()
    Path("results", name).write_text('{"mine": 1}')

    done = _measure(lostack, "one")

    assert done.status == 2
    assert f"a file '{name}' lies here that is no" in done.err
    assert _held() == {name: b'{"mine": 1}'}


def test_a_result_that_was_changed_by_hand_is_not_written_over(lostack: Run) -> None:
    _measure(lostack, "one")
    with Path("results/results.csv").open("a") as file:
        file.write("my,own,line\n")
    before = _held()

    assert "a file 'results.csv' lies here that is not as" in _measure(lostack, "one").err
    assert _held() == before


@pytest.mark.parametrize("manifest", ["[]", "{}", '{"lostack_measurement": 1, "files": 7}', "\x00"])
def test_a_manifest_that_is_none_vouches_for_nothing(lostack: Run, manifest: str) -> None:
    _measure(lostack, "one")
    Path("results/manifest.json").write_text(manifest)

    done = _measure(lostack, "one")

    assert done.status == 2
    assert "lies here that is no" in done.err


def test_resume_says_when_there_is_nothing_to_go_on_from(lostack: Run) -> None:
    done = _measure(lostack, "one", "--resume")

    assert done.status == 0
    assert "results: nothing unfinished lies here to go on from; every run is made" in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--out", ""), "no folder is named"),
        (("--out", "one.yaml"), "'one.yaml' cannot be written: it is a file, not a folder"),
        (("--out", "x" * 300), "cannot be written: file name too long"),
        (("--out", "astray"), "'astray' cannot be written: it is a link that leads to nothing"),
        (("--replace",), "--replace writes over what lies in a folder, and no folder is named"),
        (("--out", "d", "--replace", "--resume"), "keep one of the two"),
    ],
)
def test_a_folder_that_will_not_do_is_2_before_anything_is_run(
    lostack: Run, options: tuple[str, ...], said: str
) -> None:
    Path("astray").symlink_to("nowhere")

    done = lostack("measure", "one.yaml", *options)

    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_a_folder_where_a_file_is_to_be_is_2_before_anything_is_run(lostack: Run) -> None:
    Path("results/beliefs.csv").mkdir(parents=True)

    done = _measure(lostack, "one")

    assert (done.status, done.out) == (2, "")
    assert "'results/beliefs.csv' cannot be written: is a directory" in done.err


def test_two_scenarios_of_one_name_are_told_apart(lostack: Run) -> None:
    Path("deep").mkdir()
    Path("deep/one.yaml").write_text(Path("other.yaml").read_text())

    done = _measure(lostack, "one", "deep/one.yaml")
    rows = _held()["results.csv"].decode().splitlines()[1:]

    assert {row.split(",")[0] for row in rows} == {"one", "one-2"}
    assert "one-2  A lossy link" in done.out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("manifest.json", "[" * 100_000),
        ("journal.jsonl", '{"lostack_journal":' * 100_000 + "\nx\n"),
    ],
)
def test_a_file_that_is_nested_without_end_is_none_of_a_measurement(
    lostack: Run, name: str, text: str
) -> None:
    Path("results").mkdir()
    Path("results", name).write_text(text)

    assert _measure(lostack, "one", "--resume").status == 2
    assert _held() == {name: text.encode()}


def test_charts_that_lead_to_nothing_are_2_before_anything_is_run(lostack: Run) -> None:
    Path("results").mkdir()
    Path("results/charts").symlink_to("nowhere")

    done = lostack("measure", "one.yaml", "--out", "results")

    assert (done.status, done.out) == (2, "")
    assert _measure(lostack, "one").status == 0


def test_charts_that_are_a_file_are_2_before_anything_is_run(lostack: Run) -> None:
    Path("results").mkdir()
    Path("results/charts").touch()

    done = lostack("measure", "one.yaml", "--out", "results")

    assert (done.status, done.out) == (2, "")
    assert "'results/charts' cannot be written: it is a file, not a folder" in done.err
