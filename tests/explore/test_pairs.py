"""A pair is harmful only where neither mistake is, and it is found with the fewest faults."""

import json
from collections.abc import Iterable

import pytest

from sim.explore.pairs import (
    CLIENTS,
    SERVERS,
    Alone,
    Coupled,
    Couples,
    Shown,
    alone,
    alone_tasks,
    couple,
    couples,
    pairs,
)
from sim.explore.safety import is_harmful
from sim.explore.suite import SUITE
from sim.report import mistake_pairs_json

PLACES = {one.name: place for place, one in enumerate(SUITE)}


def _alone(situation: str, mistake: str, faults: int = 1) -> Shown:
    return alone(Alone(PLACES[situation], mistake, faults))


def _together(situation: str, client: str, server: str, faults: int = 1) -> Coupled:
    by_server = (server, _alone(situation, server, faults))
    by_client = _alone(situation, client, faults)
    return couple(Couples(PLACES[situation], client, by_client, (by_server,), faults))


def test_two_harmless_halves_can_do_harm_with_no_fault_at_all() -> None:
    """The client's second id is known to no registry, so a registry would have to be missing."""
    (harm,) = _together("one-post", "two-id-sources", "no-registry").harms

    assert harm.faults == 0
    assert list(harm.harms) == ["one-effect-per-intent"]
    assert not any(map(is_harmful, (*harm.client_breaks, *harm.server_breaks)))


def test_a_conflict_that_is_believed_needs_a_server_that_says_it_wrongly() -> None:
    (harm,) = _together("one-put", "conflict-means-failure", "version-before-registry").harms

    assert harm.faults == 1
    assert "no-false-failure" in harm.harms
    assert harm.client_breaks == ()
    assert harm.server_breaks == ("no-false-conflict", "answer-confirms")


@pytest.mark.parametrize(
    ("client", "server"), [(CLIENTS[0], SERVERS[0]), ("auto-rebase", "no-registry")]
)
def test_within_as_many_faults_as_do_harm_together_neither_mistake_does(
    client: str, server: str
) -> None:
    for harm in _together("one-put", client, server).harms:
        needs = [_alone("one-put", one).faults for one in (client, server)]
        assert all(need is None or need > harm.faults for need in needs)


def test_a_mistake_that_does_harm_by_itself_is_in_no_pair() -> None:
    tasks = [Alone(PLACES["one-put"], name, 0) for name in ("success-before-ack", "no-registry")]

    assert couples(tasks, [alone(task) for task in tasks]) == []


def test_a_pair_that_never_comes_to_rest_is_told_and_not_searched_deeper() -> None:
    coupled = _together("wrong-answer", "unbounded-retry", "first-attempt-echoed")

    assert coupled.cut == (("wrong-answer", "unbounded-retry", "first-attempt-echoed"),)
    assert coupled.schedules == 1


def test_every_mistake_is_tried_alone_in_every_situation() -> None:
    assert len(alone_tasks(1)) == (len(CLIENTS) + len(SERVERS)) * len(SUITE)


def test_the_json_lists_a_pair_once_with_the_fewest_faults_first() -> None:
    names = ("conflict-means-failure", "no-registry")
    found = [_together(situation, *names) for situation in ("one-put", "wrong-answer")]

    told = json.loads(mistake_pairs_json.render(pairs(1, [], found)))

    (pair,) = told["harmful"]
    assert (pair["client"], pair["server"]) == names
    assert _of(pair["situations"], "situation") == ["wrong-answer", "one-put"]
    assert _of(pair["situations"], "faults") == [0, 1]


def _of(told: Iterable[dict[str, object]], key: str) -> list[object]:
    return [one[key] for one in told]
