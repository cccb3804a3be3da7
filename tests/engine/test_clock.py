"""Order at one instant, and the end of a run."""

from heapq import heapify, heappop, heappush
from itertools import count, islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.clock import DELIVERY, PERSON, TIMER, Clock, Wake
from sim.trace.records import Rec
from tests.engine.worlds import BASE, faulty, of, phases, run, verdicts

KINDS = st.sampled_from([DELIVERY, TIMER, PERSON])
TIE = """
network:
  request: {latency: 1s}
  ack: {latency: 1s}
"""
"""The ack arrives in the very microsecond in which the attempt times out."""


@given(st.lists(st.tuples(st.integers(0, 3), KINDS), max_size=20))
def test_instants_then_kinds_then_the_order_of_scheduling(wakes: list[tuple[int, int]]) -> None:
    clock = Clock([], lambda _: None)
    seen: list[tuple[int, int, int]] = []
    for number, (at_us, kind) in enumerate(wakes):
        mark = (at_us, kind, number)
        clock.at(at_us, kind, "phone", lambda event: seen.append(event.what), mark)
    clock.run(10)

    assert seen == sorted(seen)
    assert len(seen) == len(wakes)


@given(
    st.lists(st.tuples(st.integers(0, 3), KINDS), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 2), KINDS), max_size=30),
)
def test_what_is_scheduled_meanwhile_takes_its_place(
    first: list[tuple[int, int]], later: list[tuple[int, int]]
) -> None:
    """As from one heap of times, kinds and numbers."""
    clock = Clock([], lambda _: None)
    seen: list[int] = []
    more, numbers = iter(later), count()

    def act(wake: Wake) -> None:
        seen.append(wake.what)
        for after_us, kind in islice(more, 2):
            clock.at(wake.at_us + after_us, kind, "phone", act, next(numbers))

    for at_us, kind in first:
        clock.at(at_us, kind, "phone", act, next(numbers))
    clock.run(100)

    assert seen == _from_one_heap(first, later)


def _from_one_heap(first: list[tuple[int, int]], later: list[tuple[int, int]]) -> list[int]:
    heap = [(at_us, kind, number) for number, (at_us, kind) in enumerate(first)]
    heapify(heap)
    more, numbers, seen = iter(later), count(len(first)), []
    while heap:
        now_us, _, number = heappop(heap)
        seen.append(number)
        for after_us, kind in islice(more, 2):
            heappush(heap, (now_us + after_us, kind, next(numbers)))
    return seen


def test_an_ack_at_the_instant_of_the_timeout_comes_first() -> None:
    done = run(TIE)

    assert phases(done) == ["idle", "awaiting-ack", "acknowledged"]
    assert verdicts(done) == [(1, "accepted")]


def test_an_order_clause_turns_that_tie_round() -> None:
    done = faulty("order: [timer, delivery]", more=TIE)

    assert phases(done) == ["idle", "awaiting-ack", "unknown-outcome", "acknowledged"]
    assert verdicts(done) == [(1, "accepted")]
    assert done.unmatched == ()


def test_an_order_clause_that_met_no_tie_never_matched() -> None:
    assert faulty("order: [timer, delivery]").unmatched == (0,)


def test_an_order_clause_turns_one_tie_only() -> None:
    again = """
    network: {request: {latency: 1s}, ack: {latency: 1s}}
    user:
      - {at: 0s, edit: note, body: {n: 2}}
      - {at: 0s, save: note}
      - {at: 10s, edit: note, body: {n: 3}}
      - {at: 10s, save: note}
    """
    done = faulty("order: [timer, delivery]", more=again)

    assert phases(done).count("unknown-outcome") == 1


@pytest.mark.parametrize(("at", "unknown"), [("2s", [2_000_000]), ("12s", [12_000_000])])
def test_an_order_clause_can_name_the_instant_of_its_tie(at: str, unknown: list[int]) -> None:
    again = """
    network: {request: {latency: 1s}, ack: {latency: 1s}}
    user:
      - {at: 0s, edit: note, body: {n: 2}}
      - {at: 0s, save: note}
      - {at: 10s, edit: note, body: {n: 3}}
      - {at: 10s, save: note}
    """
    done = faulty(f"order: [timer, delivery], at: {at}", more=again)

    shown = [one.at_us for one in of(done, Rec.SHOW) if one.data["phase"] == "unknown-outcome"]
    assert shown == unknown
    assert done.unmatched == ()


def test_an_order_clause_for_an_instant_without_a_tie_never_matched() -> None:
    assert faulty("order: [timer, delivery], at: 3s", more=TIE).unmatched == (0,)


def test_a_person_acts_after_the_delivery_of_the_same_instant() -> None:
    done = run(
        """
        user:
          - {at: 0s, edit: note, body: {n: 2}}
          - {at: 0s, save: note}
          - {at: 80ms, edit: note, body: {n: 3}}
        """
    )

    assert phases(done)[-2:] == ["acknowledged", "acknowledged-newer-draft-retained"]


def test_an_order_clause_lets_the_person_be_first() -> None:
    late = """
    user:
      - {at: 0s, edit: note, body: {n: 2}}
      - {at: 0s, save: note}
      - {at: 80ms, edit: note, body: {n: 3}}
    """
    done = faulty("order: [person, delivery]", more=late)

    assert phases(done) == ["idle", "awaiting-ack", "acknowledged-newer-draft-retained"]
    assert done.unmatched == ()


@pytest.mark.parametrize(("horizon", "fires"), [("2s", True), ("1999999us", False)])
def test_the_horizon_is_inclusive_to_the_microsecond(horizon: str, fires: bool) -> None:
    done = faulty("drop: request", more=f"horizon: {horizon}")

    assert bool(of(done, Rec.TIMER)) is fires
    assert done.ended == "horizon"


def test_a_run_in_which_nothing_is_left_to_happen_is_quiet() -> None:
    done = run()

    assert done.ended == "quiet"
    assert done.records[-1].data["why"] == "quiet"


def test_actions_of_one_instant_keep_the_order_of_the_file() -> None:
    text = BASE.replace(
        "  - {at: 0s, save: note}\n",
        "  - {at: 0s, save: note}\n  - {at: 0s, edit: note, body: {n: 9}}\n",
    )
    done = run(base=text)

    kinds = [r.kind for r in done.records if r.kind in (Rec.EDIT, Rec.SAVE)]
    assert kinds == [Rec.EDIT, Rec.SAVE, Rec.EDIT]


def test_records_are_numbered_from_1_and_never_go_back_in_time() -> None:
    records = run().records

    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    assert all(a.at_us <= b.at_us for a, b in pairwise(records))
