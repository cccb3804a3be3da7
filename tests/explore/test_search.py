"""What the search says, when it stops, and that a run without its trace is the same run."""

import pickle
from collections.abc import Callable, Iterable, Iterator

import pytest

from sim.explore.bounds import Bounds
from sim.explore.choice import Kind, applied
from sim.explore.found import Redundant, Tally
from sim.explore.result import doubts
from sim.explore.run import run_schedule
from sim.explore.search import Batch, Progress, Stop, Task, explore, never
from sim.network.faults import Drop, Duplicate, HoldUntil, Order, TieClass
from sim.scenario.model import Do
from tests.explore.worlds import load, one_save, schedules, with_mistakes

TWO = Bounds(faults=2)


def elsewhere(do: Callable[[Task], Batch], tasks: Iterable[Task]) -> Iterator[Batch]:
    """Do the tasks as another process would: on copies."""
    for task in tasks:
        yield pickle.loads(pickle.dumps(do(pickle.loads(pickle.dumps(task)))))


def test_the_contract_holds_in_every_schedule_of_two_faults() -> None:
    explored = explore(one_save(), TWO)

    assert explored.tally.broken == {}
    assert explored.is_conclusive


def test_a_mistake_is_found_with_the_fewest_faults_that_show_it() -> None:
    explored = explore(with_mistakes(one_save(), server=["version-before-registry"]), TWO)

    sizes = {name: one.example.size[0] for name, one in explored.tally.broken.items()}
    assert sizes == {"no-false-conflict": 1, "answer-confirms": 1, "no-false-failure": 2}


def test_work_done_elsewhere_gives_the_same_result() -> None:
    world = with_mistakes(one_save(), server=["no-registry"])

    assert explore(world, TWO, run_all=elsewhere) == explore(world, TWO)


@pytest.mark.parametrize("most", [1, 2, 18, 100])
def test_a_limit_is_kept_exactly_and_makes_the_search_inconclusive(most: int) -> None:
    explored = explore(one_save(), TWO, stop=Stop(never, most))

    assert explored.tally.runs == most
    assert not explored.is_conclusive
    assert doubts(explored) == (f"the limit of {most:,} runs is reached",)


def test_whoever_is_asked_can_stop_the_search() -> None:
    asked: list[Progress] = []

    def enough(progress: Progress) -> str:
        asked.append(progress)
        return "enough" if len(asked) == 3 else ""

    explored = explore(one_save(), TWO, stop=Stop(enough))

    assert explored.stopped == "enough"
    assert [progress.size for progress in asked] == [1, 2, 2]


def test_with_no_fault_allowed_there_is_one_schedule() -> None:
    assert explore(one_save(), Bounds(faults=0)).tally.tried == {0: 1}


def test_a_run_without_its_trace_is_judged_like_one_with_it() -> None:
    world = with_mistakes(one_save(), client=["stale-ack-becomes-phase"])
    for breakage in explore(world, TWO).tally.broken.values():
        schedule = breakage.example.schedule

        kept, bare = (run_schedule(world, schedule, keep=keep) for keep in (True, False))

        assert bare == kept._replace(records=())
        assert bare.length == len(kept.records)


def test_a_message_whose_turn_never_comes_is_not_counted_beside_the_lost_one() -> None:
    explored = explore(one_save(attempts=2), Bounds(faults=2, kinds=(Kind.LATE,)))

    assert explored.tally.redundant[Redundant.HELD] > 0


def test_of_two_answers_to_one_attempt_the_second_alone_can_be_lost() -> None:
    """The request is copied; both answers have one address, so the first is let through."""
    world = one_save()
    bounds = Bounds(faults=2, kinds=(Kind.DUPLICATED, Kind.LOST))

    tried = [applied(world, schedule).faults for schedule in schedules(world, bounds)]

    actions = [[type(one.action) for one in faults] for faults in tried if len(faults) == 3]
    assert [Duplicate, HoldUntil, Drop] in actions


def test_a_tie_is_tried_in_the_other_order() -> None:
    """The answer arrives at the very instant at which the client gives up waiting for it."""
    world = load(
        "title: A tie\n"
        "server: {resources: {note: {version: 1}}}\n"
        "client: {timeout: 80ms}\n"
        "user: [{at: 0s, edit: note, body: 1}, {at: 0s, save: note}]\n"
    )

    made = [applied(world, one).faults for one in schedules(world, Bounds(faults=1))]

    assert (Order(TieClass.TIMER, TieClass.DELIVERY, "client", 80_000),) in made
    assert explore(world, Bounds(faults=2, kinds=(Kind.ORDER,))).tally.schedules > 1


def test_people_act_at_every_point_within_their_own_bound() -> None:
    bounds = Bounds(faults=0, acts=1, also=(Do.RELOAD, Do.EDIT))

    explored = explore(one_save(), bounds)

    # The story has four instants: 0 s, 40 ms, 80 ms, and 2 s, when the old timer rings.
    assert explored.tally.tried == {0: 1, 1: 8}
    assert explored.tally.broken == {}


def test_an_act_that_nobody_scripted_shows_a_mistake_that_needs_it() -> None:
    world = with_mistakes(one_save(), client=["pending-in-memory"])

    assert explore(world, Bounds(faults=2)).tally.broken == {}
    acts = Bounds(faults=0, acts=1, also=(Do.RELOAD,))
    assert "unknown-is-visible" in explore(world, acts).tally.broken


def test_adding_up_in_parts_keeps_the_first_of_equals() -> None:
    world = with_mistakes(one_save(), server=["no-registry"])
    whole = explore(world, Bounds(faults=1)).tally

    added = Tally()
    added.add(whole)
    added.add(whole)

    assert added.schedules == 2 * whole.schedules
    assert {name: one.example for name, one in added.broken.items()} == {
        name: one.example for name, one in whole.broken.items()
    }
