"""A story says why nothing is sent again, and what really lost a message."""

import io

import pytest

from sim.cli.perform import perform_one
from sim.judge.verdict import Verdict
from sim.report.console import make_console
from sim.report.timeline import Timeline
from sim.scenario.load import load_text

PAYMENT = """\
server: {resources: {pay: {kind: post, irreversible: yes}}, status: no}
client: {retry: {max_attempts: 3, delay: 500ms}, mistakes: MISTAKES}
user:
  - {at: 0s, edit: pay, body: {euros: 1}}
  - {at: 0s, save: pay}
  - {at: 1s, retry: pay}
  - {at: 9s, retry: pay}
faults: [{drop: ack, attempt: 1}]
"""


def _run(text: str) -> Verdict:
    return perform_one(load_text(text, "case", "case.yaml").worlds[0], 0)


def _story(text: str) -> str:
    out = io.StringIO()
    make_console(out, width=240).print(Timeline(_run(text)))
    return out.getvalue()


def test_an_irreversible_operation_that_is_not_retried_says_so() -> None:
    assert "(irreversible: not sent again by itself)" in _story(PAYMENT.replace("MISTAKES", "[]"))


def test_with_the_mistake_it_is_sent_again_and_nothing_is_said() -> None:
    story = _story(PAYMENT.replace("MISTAKES", "[repeats-irreversible]"))

    assert "attempt-02" in story
    assert "irreversible:" not in story


@pytest.mark.parametrize(
    ("at", "why"),
    [
        ("1 s", "not allowed: nothing waits for a decision"),
        ("9 s", "not allowed: irreversible: check or discard it"),
    ],
)
def test_a_person_s_retry_that_is_not_granted_says_why(at: str, why: str) -> None:
    story = _story(PAYMENT.replace("MISTAKES", "[]"))

    (line,) = [line for line in story.splitlines() if line.startswith(at)]
    assert why in line


def test_a_person_is_told_that_the_attempts_are_spent() -> None:
    story = _story(
        PAYMENT.replace("MISTAKES", "[]")
        .replace(", irreversible: yes", "")
        .replace("max_attempts: 3", "max_attempts: 1")
    )

    assert "not allowed: its 1 attempts are spent" not in story
    assert "not allowed: its only attempt is spent" in story


LOSSY = """\
server: {resources: {note: {}}}
network: {request: {loss: 1}}
user: [{at: 0s, edit: note}, {at: 0s, save: note}]
faults: [{duplicate: request, attempt: 1, after: 5ms}]
"""


def test_a_message_that_chance_lost_is_not_blamed_on_the_clause_that_copied_it() -> None:
    story = _story(LOSSY)

    assert "lost: loss" in story
    assert "lost: fault" not in story


def test_the_columns_stand_below_their_names_where_all_times_are_short() -> None:
    heading, first = _story("server: {resources: {n: {}}}\nuser: [{at: 0s, edit: n}]").splitlines()

    assert heading.index("client") == first.index("edits")
