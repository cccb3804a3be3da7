"""What is left out changes nothing: plain and pruned search find the same."""

from dataclasses import replace

import pytest

from sim.explore.bounds import Bounds
from sim.explore.found import Tally
from sim.explore.inert import at_rest_from
from sim.explore.run import run_schedule
from sim.explore.search import explore
from sim.explore.suite import cases
from sim.scenario.model import World
from tests.explore.worlds import one_save, with_mistakes


def _broken(tally: Tally) -> dict[str, tuple[int, int, int, int]]:
    return {name: breakage.example.size for name, breakage in tally.broken.items()}


def _situation(name: str, mistake: str) -> World:
    return next(case.world for case in cases(mistake) if case.situation == name)


@pytest.mark.parametrize(
    ("situation", "mistake", "faults"),
    [
        ("one-put", "", 2),
        ("one-post", "no-registry", 2),
        ("known-id", "", 1),
        ("known-id", "registry-in-memory", 1),
        ("next-owner", "version-before-registry", 2),
        ("busy-server", "check-then-act", 2),
    ],
)
def test_plain_and_pruned_search_find_the_same(situation: str, mistake: str, faults: int) -> None:
    world, bounds = _situation(situation, mistake), Bounds(faults=faults)

    pruned = explore(world, bounds).tally
    plain = explore(world, replace(bounds, plain=True)).tally

    assert pruned.inert > 0
    assert pruned.schedules < plain.schedules
    assert _broken(pruned) == _broken(plain)
    assert list(dict.fromkeys(pruned.endings)) == list(dict.fromkeys(plain.endings))


def test_a_client_comes_to_rest_with_its_last_answer_that_counts() -> None:
    world = one_save()
    records = run_schedule(world).records

    shown = [record.seq for record in records if record.kind == "show"]
    assert at_rest_from(world, records) == {"client": shown[-1]}


def test_a_client_that_makes_a_mistake_never_comes_to_rest() -> None:
    world = with_mistakes(one_save(), client=["ack-matched-by-form"])

    assert at_rest_from(world, run_schedule(world).records) == {}


def test_a_client_that_waits_for_a_person_does_not_come_to_rest() -> None:
    """A late acknowledgement still counts in recovery-required."""
    world = one_save(attempts=1, on_unknown="person")
    dropped = replace(world, message_lifetime_us=1)

    assert at_rest_from(dropped, run_schedule(dropped).records) == {}
