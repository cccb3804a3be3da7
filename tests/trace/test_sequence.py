"""Traces as Mermaid sequence diagrams."""

from sim.trace.sequence import mermaid
from tests.report.hand_made import late_request, lost_ack


def test_a_lost_answer_ends_in_a_cross() -> None:
    assert "server--xc1: ack op-1 attempt-01 lost" in mermaid(lost_ack())


def test_a_late_request_says_how_late_it_is() -> None:
    assert "c1-)server: request op-1 attempt-01" in mermaid(late_request())
    assert "3 s late" in mermaid(late_request())


def test_each_phase_is_one_note_with_the_sentence_on_the_screen() -> None:
    drawn = mermaid(lost_ack())

    assert drawn.count("Note left of c1: awaiting-ack “Saving…”") == 2
    assert drawn.count("Note left of c1: acknowledged “Saved.”") == 1


def test_names_that_mermaid_would_read_as_syntax_are_written_as_entities() -> None:
    named = [record._replace(client="end; #1") for record in lost_ack()]

    assert "participant c1 as #101;nd#59; #35;1" in mermaid(named)
