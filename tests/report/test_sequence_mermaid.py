"""The story as a Mermaid sequence diagram."""

from collections.abc import Sequence
from dataclasses import replace

from sim.judge.verdict import Verdict
from sim.report.formats import as_mermaid
from sim.scenario.model import ClientSpec
from sim.trace.records import Rec, Record
from tests.report.hand_made import WORLD, late_request, lost_ack, two_clients
from tests.report.verdicts import SHOWN


def drawn(records: Sequence[Record]) -> str:
    names = dict.fromkeys(record.client for record in records if record.client)
    clients = tuple(ClientSpec(name=name, owner=name) for name in names)
    world = replace(WORLD, clients=clients)
    return as_mermaid.diagram(Verdict(world=world, records=tuple(records)))


def test_a_lost_answer_ends_in_a_cross_and_says_when_and_why() -> None:
    said = "server--xc1: answer 01 at 40 ms: lost: fault 1 {drop: ack, attempt: 1}\n"

    assert said in drawn(lost_ack())


def test_a_late_request_stands_on_coloured_ground_with_an_open_arrow() -> None:
    lines = drawn(late_request()).splitlines()

    place = next(n for n, line in enumerate(lines) if "c1-)server" in line)
    assert "request 01 at 3.04 s, 3 s late: replayed" in lines[place]
    assert lines[place - 1].strip().startswith("rect rgba(")
    assert lines[place + 1].strip() == "end"


def test_a_message_in_time_stands_on_no_ground_of_its_own() -> None:
    assert "rect" not in drawn(lost_ack())


def test_what_the_server_holds_is_a_note_behind_the_request() -> None:
    held = "    Note right of server: markdown v5 {sessions_per_week: 3} · server.step-5\n"

    assert f"    c1->>server: request 01 at 40 ms\n{held}" in drawn(lost_ack())


def test_a_request_names_its_operation_where_there_are_several() -> None:
    story = lost_ack()
    lines = drawn([*story, story[0]._replace(op=2, seq=len(story) + 1)]).splitlines()

    requests = [line for line in lines if "->>server: " in line or "-)server: " in line]
    assert requests != []
    assert [line for line in requests if "op-1" not in line] == []


def test_a_mark_stands_behind_what_broke_across_both_lanes() -> None:
    marked = as_mermaid.diagram(SHOWN)

    what = "✗ one-effect-per-intent breaks: the<br/>intent of op-1 has 2 effects"
    assert marked.count(f"    Note over c1,server: {what}\n") == 1


def test_a_corrupted_answer_says_so_and_a_refusal_is_named() -> None:
    refusal = {"verdict": "refusal", "answer": "conflict", "corrupted": True, "names": "op-7"}
    records = [
        one._replace(data={**one.data, **refusal}) if one.kind is Rec.ANSWER else one
        for one in lost_ack()
    ]

    assert "answer 02 at 2.58 s: for op-7: refusal conflict" in drawn(records)
    assert "(corrupted: another operation's id)" in drawn(records)


def test_each_phase_is_one_note_with_the_sentence_on_the_screen() -> None:
    said = drawn(lost_ack())

    assert said.count("awaiting-ack “Saving…”") == 2
    assert said.count("Note left of c1: acknowledged “Saved.”") == 1


def test_what_a_person_does_is_a_note_and_an_instant_is_written_where_it_begins() -> None:
    lines = [line.strip() for line in drawn(lost_ack()).splitlines()]

    edit = "Note left of c1: 0 s: edits markdown: draft 2 {sessions_per_week: 3}"
    assert lines[4:6] == [edit, "Note left of c1: saves markdown"]
    assert "Note left of c1: 2 s: no answer to attempt-01 in time" in lines


def test_each_client_has_a_lane() -> None:
    lines = drawn(two_clients()).splitlines()

    assert lines[2:5] == [
        "    participant c1 as phone",
        "    participant c2 as desk",
        "    participant server",
    ]


def test_names_that_mermaid_would_read_as_syntax_are_written_as_entities() -> None:
    named = [record._replace(client="end; #1") for record in lost_ack()]

    assert "participant c1 as #101;nd#59; #35;1" in drawn(named)
