"""Gilbert–Elliott loss against its closed form, and against a walk through every slot."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.draws import Block, Draws, Purpose
from sim.engine.routes import BurstChain
from sim.network.weather import Burst

SLOT_US = 100_000
BURST = Burst(
    loss_good=0.01, loss_bad=0.6, mean_good_us=3_000_000, mean_bad_us=1_000_000, slot_us=SLOT_US
)
SLOTS = 40_000


@cache
def losses(burst: Burst = BURST, seed: int = 1, slots: int = SLOTS) -> tuple[float, ...]:
    chain = BurstChain(burst, Draws(seed, 0), Purpose.BURST_REQUEST, 0)
    return tuple(chain.loss_at(slot * burst.slot_us) for slot in range(slots))


def test_the_mean_loss_is_that_of_the_stationary_states() -> None:
    found = sum(losses()) / SLOTS

    # 1/4 of the time is bad: 0.75 * 0.01 + 0.25 * 0.6 = 0.1575. Successive slots hang together
    # (correlation 1 - 1/30 - 1/10), so 40,000 of them are worth 2,860: 3 deviations are 0.0143.
    assert found == pytest.approx(0.1575, abs=0.0143)


@pytest.mark.parametrize(("loss", "mean_us"), [(0.6, 1_000_000), (0.01, 3_000_000)])
def test_a_stay_in_a_state_lasts_as_long_as_its_mean(loss: float, mean_us: int) -> None:
    seen = losses()
    starts = sum(seen[n] == loss and (n == 0 or seen[n - 1] != loss) for n in range(SLOTS))
    mean_slots = seen.count(loss) / starts

    # Stays are geometric; about a thousand of them: 3 deviations are a tenth of the mean.
    assert mean_slots == pytest.approx(mean_us / SLOT_US, rel=0.1)


def test_within_one_slot_the_loss_does_not_change() -> None:
    chain = BurstChain(BURST, Draws(1, 0), Purpose.BURST_REQUEST, 0)

    assert chain.loss_at(700_000) == chain.loss_at(799_999)


def test_the_state_of_a_slot_does_not_depend_on_which_slot_was_asked_for_first() -> None:
    expected = losses(slots=200)
    chain = BurstChain(BURST, Draws(1, 0), Purpose.BURST_REQUEST, 0)

    backwards = tuple(chain.loss_at(slot * SLOT_US) for slot in reversed(range(200)))
    assert backwards == expected[::-1]


def test_the_directions_have_bursts_of_their_own() -> None:
    chain = BurstChain(BURST, Draws(1, 0), Purpose.BURST_ACK, 0)

    assert tuple(chain.loss_at(n * SLOT_US) for n in range(500)) != losses(slots=500)


def test_the_first_slot_is_drawn_from_the_stationary_distribution() -> None:
    bad = sum(losses(seed=seed, slots=1)[0] == 0.6 for seed in range(4_000))

    # Binomial with 1/4: 3 deviations of 4,000 are 82.
    assert bad == pytest.approx(1_000, abs=82)


def walked(burst: Burst, draws: Draws, slots: int) -> list[float]:
    """Return the loss of every slot the plain way: each state from the one before it."""
    states: list[bool] = []
    for slot in range(slots):
        share = draws.block(Purpose.BURST_REQUEST, 0, slot)[0]
        if not states:
            bad = share < burst.mean_bad_us / (burst.mean_good_us + burst.mean_bad_us)
        elif states[-1]:
            bad = share >= burst.slot_us / burst.mean_bad_us
        else:
            bad = share < burst.slot_us / burst.mean_good_us
        states.append(bad)
    return [burst.loss_bad if bad else burst.loss_good for bad in states]


@given(
    good=st.integers(1, 12),
    bad=st.integers(1, 12),
    seed=st.integers(0, 2**64 - 1),
    slots=st.lists(st.integers(0, 150), min_size=1, max_size=12),
)
def test_a_slot_is_the_one_that_a_walk_through_all_slots_comes_to(
    good: int, bad: int, seed: int, slots: list[int]
) -> None:
    burst = Burst(loss_good=0, loss_bad=1, mean_good_us=good, mean_bad_us=bad, slot_us=1)
    chain = BurstChain(burst, Draws(seed, 0), Purpose.BURST_REQUEST, 0)

    found = [chain.loss_at(slot) for slot in slots]

    expected = walked(burst, Draws(seed, 0), 151)
    assert found == [expected[slot] for slot in slots]


class CountingDraws(Draws):
    made = 0

    def _make(self, purpose: Purpose, client: int, which: int) -> Block:
        self.made += 1
        return super()._make(purpose, client, which)


def test_a_long_silence_costs_a_few_draws_and_not_one_for_each_slot() -> None:
    draws = CountingDraws(1, 0)
    chain = BurstChain(BURST, draws, Purpose.BURST_REQUEST, 0)

    for day in range(1, 101):
        chain.loss_at(day * 24 * 3_600_000_000)

    # A draw leaves no doubt with 1/10 - 1/30: on average 15 of 864,000 slots are looked at.
    assert draws.made < 100 * 25
