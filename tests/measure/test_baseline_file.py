import json
from pathlib import Path

import pytest

from sim.measure.baseline_file import BaselineError, dump, parse
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


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "this is no JSON"),
        ("[]", "this is no baseline"),
        ('{"lostack_baseline": 2}', "a baseline of version '2'; this lostack reads '1'"),
        ('{"lostack_baseline": 1}', "this baseline is damaged: 'scenario'"),
    ],
)
def test_what_is_no_baseline_is_refused_with_advice(text, problem) -> None:
    with pytest.raises(BaselineError) as refused:
        parse(text, "x.json")

    assert str(refused.value).startswith(f"x.json: {problem}\n  fix: ")


def test_a_part_that_is_missing_is_named() -> None:
    whole = json.loads(dump(baseline(scenario(SCRIPTED))))
    for key in ("path", "digest", "versions", "history"):
        damaged = json.dumps({name: value for name, value in whole.items() if name != key})
        with pytest.raises(BaselineError, match=f"damaged: '{key}'"):
            parse(damaged, "x.json")


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
