"""``lostack run`` never writes over what it read, nor two things into one file."""

import os
from pathlib import Path

import pytest

from tests.cli.samples import PASSING, Run, Write


@pytest.mark.parametrize("option", ["--trace", "--as-scenario"])
@pytest.mark.parametrize("name", ["passing.yaml", "./passing.yaml", "link.yaml"])
def test_a_scenario_that_is_run_is_not_written_over(
    lostack: Run, write: Write, option: str, name: str
) -> None:
    (file,) = write("passing")
    os.link(file, "link.yaml")

    ended = lostack("run", file, option, name)

    assert ended.status == 2
    assert "it would be written over" in ended.err
    assert Path(file).read_text(encoding="utf-8") == PASSING


def test_a_file_that_a_scenario_names_is_not_written_over(lostack: Run) -> None:
    Path("seen.csv").write_text("latency_ms\n40\n")
    network = "network: {ack: {latency: {empirical: seen.csv}}}"
    Path("seen.yaml").write_text(f"{PASSING}{network}\n")

    ended = lostack("run", "seen.yaml", "--trace", "seen.csv")

    assert ended.status == 2
    assert "'seen.csv' is a file that is read: it would be written over" in ended.err
    assert Path("seen.csv").read_text() == "latency_ms\n40\n"


def test_two_outputs_do_not_share_a_file(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("passing"), "--trace", "t", "--as-scenario", "t")

    assert ended.status == 2
    assert "'t' is written twice" in ended.err
    assert not Path("t").exists()


def test_an_older_output_is_replaced(lostack: Run, write: Write) -> None:
    Path("t").write_text("old")

    assert lostack("run", *write("passing"), "--trace", "t").status == 0
    assert Path("t").read_text().startswith("{")
