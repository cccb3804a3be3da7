import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from sim.measure.baseline_file import BaselineError, dump
from sim.measure.baseline_read import parse
from sim.measure.baseline_store import Store
from tests.measure.baselines import MEASURED, SCRIPTED, baseline, scenario


@pytest.mark.parametrize("text", [SCRIPTED, MEASURED])
def test_what_is_written_is_read_again(text) -> None:
    held = baseline(scenario(text))

    assert parse(dump(held), "x.json") == held


@pytest.mark.parametrize("text", [SCRIPTED, MEASURED])
def test_the_file_is_json_in_short_lines(text) -> None:
    written = dump(baseline(scenario(text)))

    assert json.loads(written)["lostack_baseline"] == 1
    assert max(map(len, written.splitlines())) <= 130


def test_a_baseline_whose_scenario_is_gone_is_an_orphan(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "baselines"))
    store.folder.mkdir()
    store.file_of("story").write_text(dump(baseline(scenario(SCRIPTED))), encoding="utf-8")

    orphans = [each.scenario for each in store.orphans([])]
    (tmp_path / "story.yaml").write_text(SCRIPTED, encoding="utf-8")

    assert orphans == ["story"]
    assert store.orphans([]) == []


def test_a_scenario_that_is_there_under_another_path_has_no_orphan(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.file_of("story").write_text(dump(baseline(scenario(SCRIPTED))), encoding="utf-8")

    assert store.orphans(["story"]) == []


def test_paths_lead_from_the_folder_to_the_scenario(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "reports" / "baselines"))

    assert store.path_to(str(tmp_path / "scenarios" / "a.yaml")) == "../../scenarios/a.yaml"


def test_a_file_that_is_named_after_another_scenario_is_refused(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.file_of("tiny").write_text(dump(baseline(scenario(SCRIPTED))), encoding="utf-8")

    for read in (lambda: store.read("tiny"), lambda: store.orphans([])):
        with pytest.raises(BaselineError, match="scenario: '\"story\"' is not 'tiny'"):
            read()


def test_a_baseline_that_is_no_plain_file_is_refused_rather_than_waited_for(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "story.json")

    with pytest.raises(BaselineError, match="this is no plain file\n  fix: "):
        Store(str(tmp_path)).read("story")


def test_a_scenario_whose_name_is_too_long_for_a_baseline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="cannot be read: file name too long\n  fix: "):
        Store(str(tmp_path)).read("x" * 252)


def test_a_baseline_of_a_path_that_no_file_can_have_is_an_orphan(tmp_path: Path) -> None:
    held = replace(baseline(scenario(SCRIPTED)), path="x" * 300)
    store = Store(str(tmp_path))
    store.file_of("story").write_text(dump(held), encoding="utf-8")

    assert [each.path for each in store.orphans([])] == ["x" * 300]
