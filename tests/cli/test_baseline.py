import json
from pathlib import Path

import pytest

from tests.cli.baselines import (
    LOST,
    STORY,
    WHY,
    another_count,
    another_trace,
    check,
    edit,
    hold,
    rewrite,
    update,
)
from tests.cli.samples import Run


@pytest.fixture
def held(folder: Path, lostack: Run) -> Path:
    return hold(folder, lostack)


def test_what_has_just_been_written_is_as_its_baseline(lostack: Run, held) -> None:
    ended = check(lostack)

    assert (ended.status, ended.out) == (0, "2 scenarios: 2 as in their baselines\n")


def test_a_trace_that_moved_is_shown_by_its_first_record_as_a_story_line(
    lostack: Run, held
) -> None:
    edit(held / "lost.json", another_trace)

    ended = check(lostack)

    assert ended.status == 1
    assert "✗ lost  moved: 1 trace" in ended.out
    assert "differs first at record 9" in ended.out
    assert 'now: 40 ms  client: request 01 arrives; note v5 {text: "new"}' in ended.out


def test_a_count_that_moved_is_shown_as_it_was_and_is(lostack: Run, held) -> None:
    edit(held / "weather.json", another_count)

    ended = check(lostack)

    assert ended.status == 1
    assert "✗ weather  moved: 1 measure" in ended.out
    assert "of 20) → " in ended.out
    assert "+5 pp" in ended.out


def test_a_changed_scenario_makes_its_baseline_stale(lostack: Run, held, folder) -> None:
    rewrite(folder, "lost.yaml", "500ms", "400ms")

    ended = check(lostack)

    assert ended.status == 1
    assert "✗ lost  stale: the scenario has changed since its baseline was made" in ended.out


def test_a_scenario_without_a_baseline_is_named(lostack: Run, held, folder) -> None:
    (folder / "new.yaml").write_text(STORY, encoding="utf-8")

    ended = check(lostack)

    assert ended.status == 1
    assert "✗ no baseline: new" in ended.out
    assert "3 scenarios: 2 as in their baselines, 1 without a baseline" in ended.out


def test_a_baseline_without_a_scenario_is_named_until_it_is_pruned(
    lostack: Run, held, folder
) -> None:
    (folder / "lost.yaml").unlink()

    ended = check(lostack)
    pruned = update(lostack, "--prune")

    assert ended.status == 1
    assert "orphaned: there is no scenario 'lost' at ../../lost.yaml any more" in ended.out
    assert (pruned.status, check(lostack).status) == (0, 0)
    assert not (held / "lost.json").exists()


def test_nothing_that_was_there_changes_without_a_reason(lostack: Run, held, folder) -> None:
    before = (held / "lost.json").read_bytes()
    rewrite(folder, "lost.yaml", "500ms", "400ms")
    (folder / "new.yaml").write_text(STORY, encoding="utf-8")

    ended = update(lostack)

    assert ended.status == 2
    assert "lost  stale" in ended.out
    assert "1 baseline would change and no reason is given; nothing is written" in ended.err
    assert (held / "lost.json").read_bytes() == before
    assert not (held / "new.json").exists()


def test_a_coarser_baseline_becomes_as_fine_as_it_can_be(lostack: Run, held, monkeypatch) -> None:
    exact = (held / "lost.json").read_bytes()
    with monkeypatch.context() as short:
        short.setattr("sim.measure.baseline.HASHES_MAX", 10)
        update(lostack)
        coarse = (held / "lost.json").read_bytes()

    ended = update(lostack)

    assert (ended.status, ended.err) == (
        0,
        "written: 1 baseline in reports/baselines; 2 not moved\n",
    )
    assert len(coarse) < len(exact)
    assert (held / "lost.json").read_bytes() == exact


def an_older_interval(value) -> None:
    value["cells"][0]["counts"]["unknown_outcome_rate"]["high"] = 0.99


def test_intervals_of_an_older_method_are_renewed_without_a_reason(lostack: Run, held) -> None:
    exact = (held / "weather.json").read_bytes()
    edit(held / "weather.json", an_older_interval)

    ended = update(lostack)

    assert ended.err == "written: 1 baseline in reports/baselines; 2 not moved\n"
    assert (held / "weather.json").read_bytes() == exact


def test_the_reason_is_kept_with_what_moved(lostack: Run, held, folder) -> None:
    rewrite(folder, "lost.yaml", "500ms", "400ms")

    ended = update(lostack, *WHY)

    first, second = json.loads((held / "lost.json").read_text(encoding="utf-8"))["history"]
    assert (ended.status, check(lostack).status) == (0, 0)
    assert first["reason"] == "first baseline"
    assert second["reason"] == WHY[1]
    assert second["moved"][0] == "the scenario has changed"
    assert "differs first at record" in second["moved"][1]


def test_what_has_not_moved_is_not_written(lostack: Run, held, folder) -> None:
    before = (held / "weather.json").stat()
    rewrite(folder, "lost.yaml", "500ms", "400ms")

    ended = update(lostack, *WHY)

    assert ended.err == "written: 1 baseline in reports/baselines; 1 not moved\n"
    assert (held / "weather.json").stat() == before


def test_only_new_failures_count_if_that_is_asked_for(lostack: Run, held, folder) -> None:
    edit(held / "lost.json", another_trace)

    ended = check(lostack, "--only-new")

    assert ended.status == 0
    assert "· lost  moved: 1 trace" in ended.out


def test_a_failure_is_new_until_the_baseline_knows_it(lostack: Run, held, folder) -> None:
    rewrite(folder, "lost.yaml", "effects: 1", "effects: 2")

    new = check(lostack, "--only-new")
    update(lostack, *WHY)
    known = check(lostack, "--only-new")

    assert new.status == 1
    assert "new failure: effects is not 2" in new.out
    assert known.status == 0
    assert "known failure: effects is not 2" in known.out


def test_the_runs_of_a_baseline_stay_what_they_were(lostack: Run, held) -> None:
    update(lostack, "--runs", "7", *WHY)
    update(lostack)

    cells = json.loads((held / "weather.json").read_text(encoding="utf-8"))["cells"]
    assert cells[0]["runs"] == 7
    assert check(lostack).status == 0


FEW = "measured on 50 of the 2,000 runs that the file names: weather"


@pytest.fixture
def many(held, folder, lostack: Run) -> Path:
    """A file that names more runs than a baseline takes."""
    rewrite(folder, "weather.yaml", "runs: 20", "runs: 2000")
    (held / "weather.json").unlink()
    assert FEW in update(lostack).out
    return held


def test_it_says_that_a_baseline_takes_fewer_runs_than_the_file_names(lostack: Run, many) -> None:
    said = [check(lostack, "--format", form).out for form in ("text", "markdown", "github")]

    assert all(FEW in out for out in said)
    assert all("are not judged on so few" in " ".join(out.split()) for out in said)
    assert said[2].splitlines()[-1] == "lostack baselines: 2 scenarios: 2 as in their baselines"


def test_json_holds_the_runs_that_were_made_and_those_that_the_file_names(
    lostack: Run, many
) -> None:
    lost, weather = json.loads(check(lostack, "--format", "json").out)["scenarios"]

    assert (lost["runs"], lost["runs_named"]) == (None, None)
    assert (weather["runs"], weather["runs_named"]) == (50, 2000)


def test_a_sweep_without_runs_is_held_against_what_a_measurement_makes(
    lostack: Run, held, folder
) -> None:
    rewrite(folder, "weather.yaml", "runs: 20", "sweep: {client.timeout: [1s, 2s]}")

    out = " ".join(update(lostack, *WHY).out.split())

    assert "measured on 20 of the 10,000 runs that 'lostack measure' makes: weather" in out


def test_json_tells_what_moved(lostack: Run, held) -> None:
    edit(held / "lost.json", another_trace)

    value = json.loads(check(lostack, "--format", "json").out)

    assert value["status"] == "failed"
    assert [(each["name"], each["state"]) for each in value["scenarios"]] == [
        ("lost", "moved"),
        ("weather", "same"),
    ]
    assert value["scenarios"][0]["moved"][0]["change"] == "differs first at record 9"


def test_markdown_is_a_table_of_what_moved(lostack: Run, held) -> None:
    edit(held / "weather.json", another_count)

    out = check(lostack, "--format", "markdown").out

    assert "| where | what | was | is | change |" in out
    assert "|  | unknown\\_outcome\\_rate |" in out


def test_github_gets_an_annotation_at_the_scenario(lostack: Run, held) -> None:
    edit(held / "lost.json", another_trace)

    first, *_, last = check(lostack, "--format", "github").out.splitlines()

    assert first.startswith("::error file=lost.yaml,line=1,title=lostack baseline lost::moved")
    assert last == "lostack baselines: 2 scenarios: 1 as in its baseline, 1 moved"


def test_a_damaged_baseline_is_bad_input_and_the_others_are_checked(lostack: Run, held) -> None:
    (held / "lost.json").write_text("{", encoding="utf-8")

    ended = check(lostack)

    assert ended.status == 2
    assert "lost.json:1:2: this is no JSON\n  fix: " in ended.err
    assert "1 scenario: 1 as in its baseline\n" in ended.out


@pytest.mark.parametrize("runs", [10**20 - 1, 1e99, 0, "x"])
def test_runs_that_no_baseline_has_are_refused_before_any_run(
    lostack: Run, held, monkeypatch, runs
) -> None:
    monkeypatch.setattr("sim.cli.baseline_run.make", lambda *_, **__: pytest.fail("a run was made"))
    edit(held / "weather.json", lambda value: value["cells"][0].update(runs=runs))

    ended = lostack("baseline", "check", "--workers", "1", "weather.yaml")

    assert ended.status == 2
    assert "weather.json:1:" in ended.err
    assert f"runs: '{json.dumps(runs)}' is no whole number from 1 to 10,000,000" in ended.err


def test_two_scenarios_of_one_name_cannot_share_a_baseline(lostack: Run, held, folder) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "lost.yaml").write_text(LOST, encoding="utf-8")

    ended = check(lostack)

    assert ended.status == 2
    assert "two scenarios are named 'lost'" in ended.err


def test_a_scenario_that_moves_to_another_folder_keeps_its_baseline(
    lostack: Run, held, folder
) -> None:
    (folder / "more").mkdir()
    (folder / "lost.yaml").rename(folder / "more" / "lost.yaml")

    assert check(lostack).status == 0
    assert update(lostack).status == 0
    assert '"path": "../../more/lost.yaml"' in (held / "lost.json").read_text(encoding="utf-8")


def test_an_empty_reason_is_none(lostack: Run, held) -> None:
    assert update(lostack, "--reason", "  ").status == 2


def test_without_a_part_it_says_what_there_is(lostack: Run) -> None:
    ended = lostack("baseline")

    assert ended.status == 2
    assert "check" in ended.err
    assert "update" in ended.err


@pytest.mark.parametrize("part", ["check", "update"])
def test_each_part_explains_itself_with_examples(lostack: Run, part) -> None:
    ended = lostack("baseline", part, "--help")

    assert ended.status == 0
    assert f"  lostack baseline {part} " in ended.out
    assert "Exit status:" in ended.out
