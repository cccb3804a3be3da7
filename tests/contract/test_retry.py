"""Retry policies against their published definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.contract.client.events import TimerFired
from sim.contract.client.rows import Row
from sim.contract.client.state import Arm
from sim.contract.messages import RefusalKind, TransportError
from sim.contract.phases import Phase
from sim.contract.retry import Breaker, Budget, Delay, Growth, Jitter, RetryPolicy, Wait
from tests.contract.drive import SECOND, Hand

BASES = st.integers(min_value=1, max_value=10 * SECOND)
RETRIES = st.integers(min_value=1, max_value=200)
SHARES = st.floats(min_value=0, max_value=1, exclude_max=True)


def _ends(wait: Wait) -> tuple[int, int]:
    """Return the least and the greatest delay that can be drawn."""
    return wait.at(0.0), wait.at(1 - 2**-53)


@given(BASES, RETRIES)
def test_a_fixed_delay_is_the_same_before_each_retry(base: int, retry: int) -> None:
    assert _ends(Delay(base_us=base).wait(retry, 0)) == (base, base)


@given(BASES, st.integers(min_value=1, max_value=30))
def test_an_exponential_delay_doubles(base: int, retry: int) -> None:
    delay = Delay(growth=Growth.EXPONENTIAL, base_us=base, cap_us=2**60)

    whole = base * 2 ** (retry - 1)
    assert _ends(delay.wait(retry, 0)) == (whole, whole)


@given(st.lists(BASES, min_size=1, max_size=5), RETRIES, st.sampled_from(Growth))
def test_listed_pauses_come_in_turn_and_the_last_one_goes_on(
    pauses: list[int], retry: int, growth: Growth
) -> None:
    delay = Delay(growth=growth, base_us=pauses[0], cap_us=2**60, pauses_us=tuple(pauses))

    pause = [*pauses, *[pauses[-1]] * retry][retry - 1]
    assert _ends(delay.wait(retry, 0)) == (pause, pause)


@given(BASES, BASES, RETRIES, st.sampled_from(Growth), st.sampled_from(Jitter), BASES, SHARES)
def test_no_delay_exceeds_its_cap_however_many_retries(
    base: int, cap: int, retry: int, growth: Growth, jitter: Jitter, before: int, share: float
) -> None:
    delay = Delay(growth=growth, base_us=base, cap_us=cap, jitter=jitter)

    assert 0 <= delay.wait(retry, before).at(share) <= cap


@given(BASES, st.integers(min_value=1, max_value=20))
def test_full_jitter_spreads_from_nothing_to_the_whole(base: int, retry: int) -> None:
    delay = Delay(growth=Growth.EXPONENTIAL, base_us=base, cap_us=2**60, jitter=Jitter.FULL)

    assert _ends(delay.wait(retry, 0)) == (0, base * 2 ** (retry - 1))


@given(BASES, st.integers(min_value=1, max_value=20))
def test_equal_jitter_keeps_one_half_and_spreads_the_other(base: int, retry: int) -> None:
    delay = Delay(growth=Growth.EXPONENTIAL, base_us=base, cap_us=2**60, jitter=Jitter.EQUAL)

    whole = base * 2 ** (retry - 1)
    assert _ends(delay.wait(retry, 0)) == (whole // 2, whole)


@given(BASES, BASES)
def test_decorrelated_jitter_spreads_from_the_base_to_three_times_the_last(
    base: int, before: int
) -> None:
    delay = Delay(base_us=base, cap_us=2**60, jitter=Jitter.DECORRELATED)

    assert _ends(delay.wait(2, before)) == (base, 3 * max(base, before))


@given(BASES)
def test_decorrelated_jitter_starts_from_the_base(base: int) -> None:
    delay = Delay(base_us=base, cap_us=2**60, jitter=Jitter.DECORRELATED)

    assert _ends(delay.wait(1, 0)) == (base, 3 * base)


@given(BASES, BASES, st.sampled_from(Jitter), SHARES)
def test_what_the_server_asks_for_is_the_least_pause(
    base: int, least: int, jitter: Jitter, share: float
) -> None:
    delay = Delay(base_us=base, jitter=jitter)

    assert delay.wait(1, 0, least).at(share) >= least


@given(st.integers(0, 10**9), st.integers(0, 10**9), SHARES, SHARES)
def test_a_greater_share_never_draws_a_shorter_delay(
    low: int, spread: int, one: float, other: float
) -> None:
    wait = Wait(low, low + spread, 10**12)

    assert (wait.at(one) <= wait.at(other)) or one > other


def test_only_a_range_needs_a_draw() -> None:
    assert not Wait(5, 5, 10).is_drawn
    assert Wait(5, 6, 10).is_drawn


# --- the policy in the client ---------------------------------------------------------------------


def budget(tokens: int, **changes: int) -> RetryPolicy:
    return RetryPolicy(max_attempts=9, budget=Budget(tokens=tokens, **changes))


def test_each_retry_costs_a_token_and_none_is_made_without() -> None:
    hand = Hand(retry=budget(2_000)).launched()
    for _ in range(2):
        hand.unknown()
        hand.ring()
    hand.unknown()
    hand.ring()

    assert [send.attempt for send in hand.sent] == [1, 2, 3]
    assert len(hand.queries) == 1


def test_a_first_attempt_costs_nothing() -> None:
    hand = Hand(retry=budget(0))

    assert hand.launched().phase is Phase.AWAITING_ACK


def test_an_acknowledgement_refunds_its_part_up_to_the_bucket_s_size() -> None:
    hand = Hand(retry=budget(1_000, refund=400)).launched("a").unknown()
    hand.ring()
    assert hand.state.tokens == 0
    hand.ack()
    assert hand.state.tokens == 400
    for text in "bcd":
        hand.launched(text)
        hand.ack()

    assert hand.state.tokens == 1_000


def test_a_save_that_brings_a_retry_forward_does_not_pay_twice() -> None:
    hand = Hand(retry=budget(1_000)).launched().unknown()

    assert hand.save().row is Row.SAVE_RETRIES_NOW
    assert hand.state.tokens == 0


def test_a_throttled_answer_that_moves_a_due_retry_does_not_pay_twice() -> None:
    hand = Hand(retry=budget(2_000)).launched().unknown()
    hand.refuse(RefusalKind.THROTTLED, retry_after_us=5 * SECOND)
    hand.ring()

    assert hand.op.attempt == 2
    assert hand.state.tokens == 1_000


def test_no_retry_starts_after_the_deadline() -> None:
    policy = RetryPolicy(max_attempts=9, deadline_us=5 * SECOND)
    hand = Hand(retry=policy).launched()
    while hand.phase is not Phase.RECOVERY_REQUIRED:
        hand.ring()

    # 2 s timeout and 0.5 s pause: the retries start at 2.5 s and, exactly on the deadline, at 5 s.
    assert [send.attempt for send in hand.sent] == [1, 2, 3]


def test_a_pause_that_the_server_asks_for_counts_against_the_deadline() -> None:
    policy = RetryPolicy(max_attempts=9, deadline_us=5 * SECOND)
    hand = Hand(retry=policy).launched()

    hand.error(503, retry_after_us=6 * SECOND)
    while hand.phase is not Phase.RECOVERY_REQUIRED:
        hand.ring()

    assert len(hand.sent) == 1


def test_no_drawn_delay_starts_a_retry_after_the_deadline() -> None:
    delay = Delay(base_us=20 * SECOND, jitter=Jitter.FULL)
    policy = RetryPolicy(max_attempts=9, delay=delay, deadline_us=5 * SECOND)
    hand = Hand(retry=policy).launched().unknown()
    retry = hand.op.due
    assert retry is not None
    hand.now_us += 20 * SECOND

    hand.feed(TimerFired(retry, 20 * SECOND))

    assert len(hand.sent) == 1


def test_the_breaker_opens_after_so_many_failures_and_holds_retries_back() -> None:
    policy = RetryPolicy(max_attempts=9, breaker=Breaker(failures=2, open_us=10 * SECOND))
    hand = Hand(retry=policy).launched().unknown()
    hand.ring()
    hand.unknown()
    opened_us = hand.now_us

    assert hand.ring().row is Row.RETRY_HELD_BACK
    assert len(hand.sent) == 2
    assert hand.ring().row is Row.RETRY_DUE
    assert hand.now_us == opened_us + 10 * SECOND


def test_an_open_breaker_never_holds_a_first_save_back() -> None:
    policy = RetryPolicy(max_attempts=1, breaker=Breaker(failures=1, open_us=10 * SECOND))
    hand = Hand(retry=policy).launched("a")
    hand.breaks(TransportError.DNS)
    assert hand.phase is Phase.IDLE

    assert hand.save().row is Row.SAVE_LAUNCHED


def test_an_acknowledgement_closes_the_breaker() -> None:
    policy = RetryPolicy(max_attempts=9, breaker=Breaker(failures=2, open_us=10 * SECOND))
    hand = Hand(retry=policy).launched("a").unknown()
    hand.ack()
    hand.launched("b").unknown()

    assert hand.ring().row is Row.RETRY_DUE


@pytest.mark.parametrize("attempts", [2, 3, 7])
def test_a_decorrelated_delay_grows_from_the_delay_that_was_drawn(attempts: int) -> None:
    delay = Delay(base_us=SECOND, jitter=Jitter.DECORRELATED)
    hand = Hand(retry=RetryPolicy(max_attempts=attempts, delay=delay)).launched()
    before = SECOND
    for _ in range(attempts - 1):
        armed = next(e for e in hand.unknown().last.effects if isinstance(e, Arm))
        assert (armed.wait.low_us, armed.wait.high_us) == (SECOND, 3 * before)
        before = armed.wait.high_us
        hand.feed(TimerFired(armed.timer, before))
