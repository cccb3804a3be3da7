"""Traces as Mermaid sequence diagrams."""

from sim.trace.records import Rec
from sim.trace.sequence import Mark, mermaid
from tests.report.hand_made import late_request, lost_ack


def test_a_lost_answer_ends_in_a_cross() -> None:
    assert "server--xc1: ack op-1 attempt-01 lost" in mermaid(lost_ack())


def test_a_lost_message_says_when_and_why() -> None:
    assert "server--xc1: ack op-1 attempt-01 lost at 40 ms (drop)" in mermaid(lost_ack())


def test_a_late_request_stands_on_coloured_ground_with_an_open_arrow() -> None:
    records = late_request()
    late = next(record.seq for record in records if record.at_us == 3_040_000)

    drawn = mermaid(records, {late: 3_000_000}).splitlines()

    place = next(n for n, line in enumerate(drawn) if "c1-)server" in line)
    assert drawn[place].endswith(
        "request op-1 attempt-01 {sessions_per_week: 3} at 3.04 s, 3 s late"
    )
    assert drawn[place - 1].strip().startswith("rect rgba(")
    assert drawn[place + 1].strip() == "end"


def test_a_message_in_time_stands_on_no_ground_of_its_own() -> None:
    assert "rect" not in mermaid(lost_ack(), {9: 0})


def test_a_mark_stands_behind_its_record_across_both_lanes() -> None:
    records = lost_ack()
    seq = next(record.seq for record in records if record.kind is Rec.COMMIT)

    drawn = mermaid(records, marks=[Mark(seq, "client", "look; here"), Mark(seq, "", "and here")])

    held = "    Note right of server: markdown v5 {sessions_per_week: 3}\n"
    noted = "    Note over c1,server: look#59; here\n    Note over server: and here\n"
    assert held + noted in drawn


def test_a_corrupted_answer_says_so_and_a_refusal_is_named() -> None:
    refusal = {"verdict": "refusal", "answer": "conflict", "corrupted": True}
    records = [
        one._replace(data={**one.data, **refusal}) if one.kind is Rec.ANSWER else one
        for one in lost_ack()
    ]

    assert "ack op-1 attempt-02 conflict (corrupted) at 2.58 s" in mermaid(records)


def test_each_phase_is_one_note_with_the_sentence_on_the_screen() -> None:
    drawn = mermaid(lost_ack())

    assert drawn.count("Note left of c1: awaiting-ack “Saving…”") == 2
    assert drawn.count("Note left of c1: acknowledged “Saved.”") == 1


def test_names_that_mermaid_would_read_as_syntax_are_written_as_entities() -> None:
    named = [record._replace(client="end; #1") for record in lost_ack()]

    assert "participant c1 as #101;nd#59; #35;1" in mermaid(named)
