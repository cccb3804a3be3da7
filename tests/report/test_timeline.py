"""A story on paper: lost is seen lost, late is seen late, and every width is kept."""

import io
from dataclasses import replace

import pytest
from rich.cells import cell_len

from sim.judge.verdict import Verdict, Violation
from sim.report.console import make_console
from sim.report.crowd import followed
from sim.report.timeline import Timeline
from sim.scenario.model import ClientSpec
from tests.report.hand_made import WORLD, Tape, late_request, launch, lost_ack, two_clients
from tests.report.verdicts import SHOWN

STORIES = {"lost-ack": lost_ack, "late-request": late_request, "two-clients": two_clients}


def told(records, width: int = 100, *, full: bool = False) -> str:
    out = io.StringIO()
    names = dict.fromkeys(record.client for record in records)
    clients = tuple(ClientSpec(name=name, owner=name) for name in names)
    verdict = Verdict(world=replace(WORLD, clients=clients), records=tuple(records))
    make_console(out, width=width).print(Timeline(verdict, full=full))
    return out.getvalue()


def test_a_lost_answer_ends_in_a_cross_beside_the_fault_that_lost_it() -> None:
    line = next(line for line in told(lost_ack(), 140).splitlines() if "✗" in line)

    assert "lost: fault 1 {drop: ack, attempt: 1}" in line
    assert "✗─" in line
    assert "answer 01" in line


def test_a_late_request_says_how_late_it_is_behind_its_arrow() -> None:
    lines = [line for line in told(late_request(), 140).splitlines() if "late" in line]

    assert len(lines) == 1
    assert lines[0].startswith("3.04 s")
    assert "▶┤ 3 s late: replayed" in lines[0]
    assert "┄" in lines[0]


def test_every_message_has_one_row_where_it_leaves_and_one_where_it_arrives() -> None:
    story = told(lost_ack())

    assert story.count("request 02") == 2
    assert story.count("answer 01") == 1
    assert story.count("▶┤") + story.count("├◀") == 3


def test_what_the_screen_says_stands_in_quotes_once_for_each_change() -> None:
    story = told(lost_ack(), 200)

    assert story.count("awaiting-ack “Saving…”") == 2
    assert "unknown-outcome “Not confirmed yet; your text is kept; being checked.”" in story


def test_a_replay_and_the_rule_behind_an_answer_are_named() -> None:
    story = told(lost_ack())

    assert "replayed" in story
    assert "server.step-3" in story
    assert "client.rule-5" in story


@pytest.mark.parametrize("width", [60, 80, 100, 140, 200])
@pytest.mark.parametrize("name", STORIES)
def test_no_line_is_wider_than_the_console(name: str, width: int) -> None:
    assert max(map(cell_len, told(STORIES[name](), width).splitlines())) <= width


@pytest.mark.parametrize("width", [80, 100, 200])
def test_nothing_that_is_said_is_lost_at_a_narrow_width(width: int) -> None:
    words = told(lost_ack(), width).split()

    for word in ("{sessions_per_week:", "replayed", "client.rule-5", "checked.”", "fault"):
        assert any(word in shown for shown in words)


def test_instants_one_microsecond_apart_are_told_apart() -> None:
    tape = Tape()
    launch(tape, 86_400_000, 1, msg=1)
    launch(tape, 86_400_000.001, 2, msg=2)

    assert "\n24 h 1 µs  " in told(tape.records)


def test_a_piped_story_holds_no_escape_sequence() -> None:
    assert "\x1b" not in told(lost_ack())


def test_several_clients_are_named_beside_what_they_do() -> None:
    story = told(two_clients(), 120, full=True)

    assert any("phone" in line and "saves markdown" in line for line in story.splitlines())
    assert any("desk" in line and "saves markdown" in line for line in story.splitlines())


def test_a_long_story_is_cut_in_the_middle_and_says_how_to_see_all() -> None:
    tape = Tape()
    for number in range(1, 200):
        launch(tape, number, number, msg=number)

    cut, whole = told(tape.records), told(tape.records, full=True)

    assert "81 rows left out; --full shows all" in cut
    assert "attempt-01 " in cut
    assert "attempt-199" in cut
    assert "attempt-100" not in cut
    assert "attempt-100" in whole


def test_of_a_crowd_one_client_and_the_one_in_trouble_are_told() -> None:
    crowd = tuple(ClientSpec(name=f"tab-{n}", owner="ann", group="tab") for n in range(1, 101))
    trouble = Violation(invariant="draft-kept", seq=1, at_us=0, client="tab-7")
    verdict = Verdict(world=replace(WORLD, clients=crowd), violations=(trouble,))
    out = io.StringIO()

    make_console(out).print(Timeline(verdict))

    assert followed(verdict) == ("tab-1", "tab-7")
    assert "the story of tab-1, tab-7; 98 more clients act beside" in out.getvalue()


def test_a_broken_invariant_is_marked_right_below_the_row_that_broke_it() -> None:
    lines = printed_of(replace(SHOWN, records=tuple(lost_ack()))).splitlines()
    place = next(n for n, line in enumerate(lines) if "one-effect-per-intent breaks here" in line)

    assert "replayed" in lines[place - 2] + lines[place - 1]


def printed_of(verdict: Verdict) -> str:
    out = io.StringIO()
    make_console(out, width=140).print(Timeline(verdict))
    return out.getvalue()
