"""Measured rates against formulas that can be worked out on paper: docs/closed-forms.md."""

from math import sqrt

import pytest

from sim.measure.histogram import bounds_of
from sim.measure.tally import CellTally
from tests.measure.samples import tally_of

RUNS = 600
LOSSES = [(0.1, 0.2, 1), (0.1, 0.2, 3), (0.3, 0.25, 4), (0.0, 0.5, 2), (0.5, 0.0, 2)]


def _lossy(p: float, q: float, n: int) -> CellTally:
    """One save over a link that loses requests with p and answers with q, n attempts at most."""
    return tally_of(
        f"""\
title: Losses alone
server: {{resources: {{note: {{version: 1, body: {{text: old}}}}}}, status: no}}
client: {{timeout: 1s, retry: {{max_attempts: {n}, delay: 500ms}}}}
network: {{request: {{latency: 100ms, loss: {p}}}, ack: {{latency: 100ms, loss: {q}}}}}
user:
  - {{at: 0s, edit: note}}
  - {{at: 0s, save: note}}
""",
        RUNS,
    )


@pytest.fixture(scope="module", params=LOSSES, ids=lambda case: "p={} q={} N={}".format(*case))
def case(request: pytest.FixtureRequest) -> tuple[float, float, int, CellTally]:
    p, q, n = request.param
    return p, q, n, _lossy(p, q, n)


Case = tuple[float, float, int, CellTally]


def _is_binomial(count: int, total: int, p: float) -> bool:
    """Whether a count is within four deviations of what is expected; exactly it at 0 and 1."""
    return abs(count - total * p) <= 4 * sqrt(total * p * (1 - p)) + 1e-9


def test_unknown_outcomes_are_exchanges_that_fail_once(case: Case) -> None:
    p, q, _, tally = case

    assert _is_binomial(tally.sums["unknown_outcome_rate"].x, RUNS, 1 - (1 - p) * (1 - q))


def test_unresolved_are_exchanges_that_fail_every_time(case: Case) -> None:
    p, q, n, tally = case

    assert _is_binomial(tally.sums["unresolved_rate"].x, RUNS, (1 - (1 - p) * (1 - q)) ** n)


def test_attempts_are_geometric_and_cut_off(case: Case) -> None:
    p, q, n, tally = case
    fails = 1 - (1 - p) * (1 - q)
    expected = sum(fails**k for k in range(n))
    variance = sum((2 * k + 1) * fails**k for k in range(n)) - expected**2

    found = tally.sums["attempts_per_operation"].x

    assert abs(found - RUNS * expected) <= 4 * sqrt(RUNS * variance)


def test_more_than_one_delivery_takes_a_lost_answer_and_two_requests(case: Case) -> None:
    p, q, n, tally = case

    expected = q * (1 - p**n - n * (1 - p) * p ** (n - 1))

    assert _is_binomial(tally.sums["duplicate_attempt_rate"].x, RUNS, expected)


def test_unknown_is_applied_unless_every_request_was_lost(case: Case) -> None:
    p, q, n, tally = case
    unknown = tally.sums["unknown_but_applied"]

    expected = 1 - p**n / (1 - (1 - p) * (1 - q))

    assert unknown.n == tally.sums["unknown_outcome_rate"].x
    assert _is_binomial(unknown.x, unknown.n, expected)


def test_effects_are_requests_that_ever_arrive(case: Case) -> None:
    p, _, n, tally = case

    assert _is_binomial(tally.sums["deliveries_per_effect"].n, RUNS, 1 - p**n)


def test_certainty_comes_at_the_attempt_that_is_answered(case: Case) -> None:
    """Attempt k starts at (k - 1)(1 s + 500 ms) and is answered 200 ms later."""
    p, q, n, tally = case
    fails = 1 - (1 - p) * (1 - q)
    for k in range(1, n + 1):
        settled = _settled_by(tally, (k - 1) * 1_500_000 + 200_000)

        assert _is_binomial(settled, RUNS, 1 - fails**k)


# --- late answers ---------------------------------------------------------------------------

T, D, L, B = 1.0, 0.5, 0.1, 3.0
"""Time-out, pause, latency of requests and the most of an answer's, in seconds."""
LATE_RUNS = 1_000


def _late(rule: str) -> CellTally:
    return tally_of(
        f"""\
title: Nothing is lost, answers are late
server: {{resources: {{note: {{version: 1, body: {{text: old}}}}}}, status: no}}
client: {{timeout: 1s, retry: {{max_attempts: 2, delay: 500ms}}, ack_rule: {rule}}}
network: {{request: {{latency: 100ms}}, ack: {{latency: {{uniform: [0s, 3s]}}}}}}
user:
  - {{at: 0s, edit: note}}
  - {{at: 0s, save: note}}
""",
        LATE_RUNS,
    )


@pytest.fixture(scope="module")
def by_attempt() -> CellTally:
    return _late("attempt")


@pytest.fixture(scope="module")
def by_operation() -> CellTally:
    return _late("operation")


def test_an_outcome_is_unknown_when_the_first_answer_is_late(by_attempt: CellTally) -> None:
    found = by_attempt.sums["unknown_outcome_rate"].x

    assert _is_binomial(found, LATE_RUNS, (L + B - T) / B)


def test_an_answer_goes_stale_between_the_second_attempt_and_its_answer(
    by_attempt: CellTally,
) -> None:
    expected = (L + (B**2 - (T + D) ** 2) / (2 * B)) / B

    assert expected == pytest.approx(0.4083, abs=1e-4)
    assert _is_binomial(by_attempt.sums["stale_ack_rate"].x, LATE_RUNS, expected)


def test_every_attempt_is_answered_once(by_attempt: CellTally) -> None:
    """A second attempt is launched when the first answer takes longer than T + D."""
    launched = by_attempt.sums["attempts_per_operation"].x - LATE_RUNS

    assert _is_binomial(launched, LATE_RUNS, (L + B - T - D) / B)
    assert by_attempt.sums["stale_ack_rate"].n == LATE_RUNS + launched


def test_the_rule_operation_makes_no_answer_stale(by_operation: CellTally) -> None:
    assert by_operation.sums["stale_ack_rate"].x == 0


@pytest.mark.parametrize("seconds", [0.75, 1.25, 2.0, 2.5, 3.0])
def test_certainty_under_each_rule(
    by_attempt: CellTally, by_operation: CellTally, seconds: float
) -> None:
    late = _cut((L + B - T - D) / B)
    first = _cut((seconds - L) / B)
    second = _cut((seconds - T - D - L) / B)

    attempt = first if seconds <= T + D else 1 - late + late * second
    operation = 1 - (1 - first) * (1 - second)

    assert _is_binomial(_settled_by(by_attempt, _us(seconds)), LATE_RUNS, attempt)
    assert _is_binomial(_settled_by(by_operation, _us(seconds)), LATE_RUNS, operation)


def test_the_same_weather_is_never_settled_later_by_the_rule_operation(
    by_attempt: CellTally, by_operation: CellTally
) -> None:
    for seconds in (0.5, 1.0, 1.6, 2.0, 2.5, 3.0):
        assert _settled_by(by_operation, _us(seconds)) >= _settled_by(by_attempt, _us(seconds))


def _cut(probability: float) -> float:
    return min(max(probability, 0.0), 1.0)


def _us(seconds: float) -> int:
    return round(seconds * 1_000_000)


def _settled_by(tally: CellTally, at_us: int) -> int:
    """Operations that were settled after at most so long, to within a bucket."""
    return sum(n for bucket, n in tally.certainty.counts.items() if bounds_of(bucket)[0] <= at_us)
