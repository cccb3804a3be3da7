"""A story says what holds a retry back, and what the network changed in an answer."""

import pytest

from sim.cli.perform import perform_one
from sim.report.telling import rows
from sim.scenario.load import load_text

LOST = """\
server: {resources: {note: {version: 4}}}
client: {timeout: 1s, retry: {max_attempts: 4, delay: 1s, %s}}
user: [{at: 0s, edit: note, body: {text: new}}, {at: 0s, save: note}]
faults: [%s]
"""
NO_ANSWER = "{drop: ack, attempt: any, times: all}"


def story(retry: str, fault: str = NO_ANSWER) -> list[tuple[int, str]]:
    """Return the instant, in milliseconds, and the client's side of every row."""
    verdict = perform_one(load_text(LOST % (retry, fault), "case", "case.yaml").worlds[0], 0)
    told = rows(verdict.world, verdict.records)
    return [(row.at_us // 1_000, "".join(span.text for span in row.left)) for row in told]


def said_at(at_ms: int, told: list[tuple[int, str]]) -> str:
    return " | ".join(said for at, said in told if at == at_ms)


def everything(told: list[tuple[int, str]]) -> str:
    return " | ".join(said for _, said in told)


def test_a_retry_that_the_breaker_holds_back_says_until_when() -> None:
    told = story("breaker: {failures: 2, open: 10s}")

    assert "retry held back by the circuit breaker until 13 s" in said_at(4_000, told)
    assert "retries in 9 s" not in everything(told)


def test_a_spent_budget_is_told_where_the_retry_would_have_been_scheduled() -> None:
    told = story("budget: {tokens: 1}")

    assert everything(told).count("(not sent again: the retry budget is spent)") == 1
    assert "(not sent again: the retry budget is spent)" in said_at(3_000, told)


def test_a_deadline_is_told_where_no_retry_can_start_before_it() -> None:
    assert "(not sent again: past the deadline of 3.5 s)" in said_at(
        3_000, story("deadline: 3500ms")
    )


def test_a_retry_that_is_due_too_late_says_what_it_has_missed() -> None:
    told = story("deadline: 5s, breaker: {failures: 1, open: 9s}")

    assert "no retry: past the deadline of 5 s" in said_at(10_000, told)


def test_where_two_limits_could_have_held_it_back_both_are_named() -> None:
    told = story("deadline: 3500ms, budget: {tokens: 9}")

    assert "not sent again: the retry budget is spent or past the deadline of 3.5 s" in said_at(
        3_000, told
    )


def test_a_policy_that_asks_a_person_is_held_back_by_no_limit() -> None:
    assert "not sent again" not in everything(story("confirm: yes, budget: {tokens: 1}"))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ("accepted_version: 0", "(corrupted: accepts draft 0 for 2)"),
        ("body: {text: other}", '(corrupted: stored {text: "other"})'),
        ("operation_id: another", "(corrupted: another operation's id)"),
        ("attempt_id: attempt-03", "(corrupted: attempt-03 for attempt-01)"),
    ],
)
def test_a_corrupted_answer_says_what_is_wrong_with_it(changed: str, said: str) -> None:
    told = story("retry_after: yes", f"{{corrupt: ack, set: {{{changed}}}}}")

    assert said in said_at(80, told)


def test_an_answer_that_arrives_whole_is_not_called_corrupted() -> None:
    assert "(corrupted" not in everything(story("retry_after: yes", "{delay: ack, by: 5ms}"))
