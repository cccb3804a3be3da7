"""Each option of ``lostack run`` does what its help says."""

import json
from pathlib import Path

import pytest

from sim.report.claims import CLAIMS
from sim.trace.jsonl import read
from tests.cli.samples import WEATHER, Run, Write


def test_a_shipped_scenario_runs_by_name(lostack: Run) -> None:
    ended = lostack("run", "lost-ack")

    assert ended.status == 0
    assert "✗── answer" in ended.out
    assert "every invariant holds" in ended.out


def test_a_folder_means_every_scenario_below_it(lostack: Run, write: Write, folder: Path) -> None:
    write("passing", "variants")

    assert "2 scenarios, 3 runs" in lostack("run", folder).out


def test_a_file_that_is_named_twice_runs_once(lostack: Run, write: Write, folder: Path) -> None:
    assert "1 scenario, 1 run" in lostack("run", *write("passing"), folder).out


STORY = "edits note"


def test_up_to_three_scenarios_are_told(lostack: Run, write: Write) -> None:
    out = lostack("run", *write("passing", "weather", "variants")).out

    assert out.count(STORY) == 4
    assert "--stories" not in out


def test_more_than_three_are_told_briefly_with_a_way_to_their_stories(
    lostack: Run, write: Write
) -> None:
    out = lostack("run", *write("passing", "failing", "variants", "inconclusive")).out

    assert STORY not in out
    assert "--stories tells all of them" in out
    assert "A save that works" in out
    assert out.index("expected 3, found 1") < out.index("what clients believe")


@pytest.mark.parametrize("option", ["--stories", "--full"])
def test_stories_can_be_had_of_many(lostack: Run, write: Write, option: str) -> None:
    files = write("passing", "failing", "variants", "inconclusive")

    assert lostack("run", option, *files).out.count(STORY) == 5


def test_brief_tells_no_story_of_one(lostack: Run, write: Write) -> None:
    out = lostack("run", "--brief", *write("passing")).out

    assert STORY not in out
    assert "1 scenario, 1 run: 1 passed" in out


def test_full_tells_more_of_a_long_story(lostack: Run, write: Write, folder: Path) -> None:
    Path(*write("passing")).write_text(
        "server: {resources: {note: {}}}\nclient: {count: 40, resource: own}\n"
        "user: [{at: 0s, edit: note}, {at: 0s, save: note}]\n"
    )

    short, whole = lostack("run", folder).out, lostack("run", "--full", folder).out

    assert len(whole) > len(short)


def test_trace_holds_every_run_in_order(lostack: Run, write: Write) -> None:
    lostack("run", *write("variants", "passing"), "--trace", "all.jsonl", "--run", "3")

    headers = [trace.header for trace in read(Path("all.jsonl"))]
    assert [(one.scenario, one.variant) for one in headers] == [
        ("variants", "one"),
        ("variants", "two"),
        ("passing", ""),
    ]
    assert {one.run for one in headers} == {3}


def test_a_trace_on_standard_output_is_alone_there(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("passing"), "--trace", "-")

    first, *records = map(json.loads, ended.out.splitlines())
    assert first["lostack_trace"] == 1
    assert [record["seq"] for record in records] == list(range(1, len(records) + 1))


def test_fail_fast_stops_at_the_first_that_is_not_as_expected(lostack: Run, write: Write) -> None:
    ended = lostack("run", "--fail-fast", *write("passing", "inconclusive", "failing"))

    assert ended.status == 3
    assert "2 scenarios, 2 runs" in ended.out
    assert "stopped at 'inconclusive' (--fail-fast); 1 scenario not run" in ended.err


def test_variant_runs_that_variant_alone(lostack: Run, write: Write) -> None:
    out = lostack("run", "--variant", "two", *write("variants", "passing")).out

    assert "1 scenario, 1 run" in out
    assert "two" in out


def test_an_unknown_variant_is_told_with_those_that_are_known(lostack: Run, write: Write) -> None:
    ended = lostack("run", "--variant", "tow", *write("variants"))

    assert ended.status == 2
    assert "no scenario has a variant 'tow'" in ended.err
    assert "did you mean 'two'?" in ended.err


def _digest(lostack: Run, *arguments: str) -> str:
    report = json.loads(lostack("run", "--format", "json", *arguments).out)
    return str(report["scenarios"][0]["runs"][0]["trace_digest"])


def test_seed_and_run_name_the_random_decisions(lostack: Run, write: Write) -> None:
    (file,) = write("weather")
    variations = [(), ("--seed", "2"), ("--run", "1"), ("--seed", "2", "--run", "1")]

    digests = [_digest(lostack, file, *options) for options in variations]
    again = [_digest(lostack, file, *options) for options in variations]

    assert digests == again
    assert len(dict.fromkeys(digests)) == 4


def test_a_file_names_the_run_that_is_told_unless_the_command_does(
    lostack: Run, write: Write
) -> None:
    (file,) = write("weather")
    told = [_digest(lostack, file, "--run", str(run)) for run in range(3)]
    Path(file).write_text(f"run: 2\n{WEATHER}")

    assert len(dict.fromkeys(told)) == 3
    assert _digest(lostack, file) == told[2]
    assert _digest(lostack, file, "--run", "1") == told[1]
    assert _digest(lostack, file, "--run", "0") == told[0]


def test_the_run_of_a_file_repeats_in_a_fresh_process(lostack: Run, write: Write) -> None:
    (file,) = write("weather")
    Path(file).write_text(f"run: 2\n{WEATHER}")

    ended = lostack("run", file, "--twice", "--trace", "t.jsonl")

    assert "every trace is the same" in ended.err
    assert '"run":2' in Path("t.jsonl").read_text().splitlines()[0]


def test_a_run_that_is_not_the_usual_one_says_so(lostack: Run, write: Write) -> None:
    out = lostack("run", *write("passing"), "--seed", "7", "--run", "4711").out

    assert out.splitlines()[-1] == "run 4711, seed 7"


@pytest.mark.parametrize("value", ["-1", "1.5", "", "ten", "9" * 5000, "1_000", "٣"])
def test_a_seed_is_a_whole_number_in_range(lostack: Run, write: Write, value: str) -> None:
    ended = lostack("run", *write("passing"), f"--seed={value}")

    assert ended.status == 2
    assert "'--seed'" in ended.err
    assert len(ended.err) < 300


@pytest.mark.parametrize("width", [60, 120])
def test_no_line_is_wider_than_asked(lostack: Run, write: Write, width: int) -> None:
    out = lostack("run", *write("passing"), "--width", str(width)).out

    assert max(map(len, out.splitlines())) <= width


def test_proofs_without_a_path_are_those_of_the_shipped_scenarios(lostack: Run) -> None:
    out = lostack("run", "--proofs", "--width", "200").out

    assert [claim.tag for claim in CLAIMS if claim.tag not in out] == []
    assert "A simulation proves the rules, not a product" in out


def test_claims_that_nothing_shows_are_inconclusive(
    lostack: Run, write: Write, folder: Path
) -> None:
    file = Path(*write("passing"))
    file.write_text(file.read_text() + f"tags: [{CLAIMS[0].tag}]\n")

    ended = lostack("run", "--proofs", folder)

    assert ended.status == 3
    assert "not shown" in ended.out
    assert "holds" in ended.out


def test_proofs_need_a_scenario_that_is_tagged(lostack: Run, write: Write) -> None:
    ended = lostack("run", "--proofs", *write("passing"))

    assert ended.status == 2
    assert "no scenario is tagged for a claim" in ended.err
