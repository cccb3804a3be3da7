"""What can be explored, and what is taken out of a world first."""

import pytest

from sim.explore.calm import NotExplorableError, calm
from tests.explore.worlds import load, one_save

CROWD = """
title: A crowd
server: {resources: {note: {version: 1}}}
clients: {tab: {count: 3}}
user: [{at: 0s, client: all, edit: note}]
"""
HABIT = """
title: A habit
server: {resources: {note: {version: 1}}}
user: [{every: {fixed: 1s}, until: 5s, edit: note}]
"""
WEATHER = """
title: Weather
server: {resources: {note: {version: 1}}}
client: {retry: {delay: {exponential: 1s, jitter: full}}}
network: {ack: {loss: 0.5, latency: {uniform: [10ms, 30ms]}}}
user: [{at: 0s, edit: note}, {at: 0s, save: note}]
"""


def test_a_population_is_refused_by_its_name() -> None:
    with pytest.raises(NotExplorableError, match="'tab' stands for a population") as refused:
        calm(load(CROWD))

    assert "lostack measure" in refused.value.fix


def test_people_who_act_again_and_again_are_refused() -> None:
    with pytest.raises(NotExplorableError, match="repeated"):
        calm(load(HABIT))


def test_a_world_without_chance_stays_as_it_is() -> None:
    world = one_save()

    assert calm(world) == (world, ())


def test_chance_is_taken_out_and_that_is_said() -> None:
    world, notes = calm(load(WEATHER))

    link = world.clients[0].link
    assert link.request.is_certain
    assert link.ack.is_certain
    assert link.ack.latency.values_us == (20_000,)
    assert [note.split()[0] for note in notes] == ["the", "jitter"]


def test_the_run_that_draws_the_jitter_is_named() -> None:
    _, notes = calm(load(f"run: 7\n{WEATHER}"))

    assert notes[-1] == "jitter is drawn once, from seed 1 and run 7"
