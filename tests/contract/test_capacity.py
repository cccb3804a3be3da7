"""Workers and a queue, against a plain list."""

from hypothesis import given
from hypothesis import strategies as st

from sim.contract.server.capacity import Admission, Desk


@given(
    st.integers(1, 3),
    st.integers(0, 3),
    st.lists(st.booleans(), max_size=40),
)
def test_a_desk_is_workers_and_a_queue_in_order(
    workers: int, queue: int, arrivals: list[bool]
) -> None:
    desk, busy, waiting = Desk(workers, queue), 0, list[int]()
    for number, arrives in enumerate(arrivals):
        if arrives:
            expected = (
                Admission.STARTS
                if busy < workers
                else Admission.QUEUES
                if len(waiting) < queue
                else Admission.TURNED_AWAY
            )
            assert desk.arrive(number) is expected
            busy += expected is Admission.STARTS
            waiting += [number] * (expected is Admission.QUEUES)
        elif busy:
            following = waiting.pop(0) if waiting else None
            assert desk.leave() == following
            busy -= following is None


def test_a_desk_without_limits_starts_everything() -> None:
    desk = Desk(None, None)

    assert {desk.arrive(number) for number in range(1_000)} == {Admission.STARTS}


def test_a_desk_without_a_queue_limit_turns_nothing_away() -> None:
    desk = Desk(1, None)
    admissions = [desk.arrive(number) for number in range(1_000)]

    assert admissions.count(Admission.QUEUES) == 999


def test_a_crash_forgets_all_work() -> None:
    desk = Desk(1, 5)
    desk.arrive(1)
    desk.arrive(2)
    desk.clear()

    assert desk.arrive(3) is Admission.STARTS
    assert desk.leave() is None
