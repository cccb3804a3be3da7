"""What is drawn for several runs at once is what each of them draws alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine import draws as module
from sim.engine.draws import Ahead, Draws, Purpose, packed
from sim.engine.philox import BATCH, philox, philox_runs

WORDS = st.integers(0, 2**64 - 1)
NAMES = st.tuples(
    st.sampled_from(Purpose),
    st.integers(0, 3),
    st.builds(packed, st.integers(0, 12), st.integers(1, 3), st.integers(1, 2)),
)


@given(
    run=st.integers(0, 2**40),
    others=st.tuples(WORDS, WORDS, WORDS),
    key=st.integers(0, 2**128 - 1),
    many=st.integers(1, BATCH),
)
def test_the_words_of_many_runs_are_those_of_each(
    run: int, others: tuple[int, int, int], key: int, many: int
) -> None:
    found = list(zip(*philox_runs((run, *others), key, many), strict=True))

    assert found == [
        tuple(word >> 11 for word in philox((run + at, *others), key)) for at in range(many)
    ]


@given(
    seed=st.integers(0, 2**63),
    first=st.integers(0, 10**9),
    wanted=st.lists(st.lists(NAMES, max_size=6), min_size=1, max_size=5),
)
def test_a_draw_ahead_is_the_draw_of_its_run(
    seed: int, first: int, wanted: list[list[tuple[Purpose, int, int]]]
) -> None:
    ahead = Ahead(seed, first, len(wanted))
    for run, names in enumerate(wanted, start=first):
        draws = Draws(seed, run, ahead)

        assert [draws.block(*name) for name in names] == [
            Draws(seed, run).block(*name) for name in names
        ]


def test_no_more_is_drawn_ahead_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_AHEAD_MAX", 10)
    ahead = Ahead(1, 0, 8)
    draws = Draws(1, 0, ahead)

    found = [draws.block(Purpose.WRITE, client, packed(1, 1)) for client in range(4)]

    assert not ahead.has_room
    assert sum(len(ahead.take(run)) for run in range(1, 8)) == 14
    assert found == [Draws(1, 0).block(Purpose.WRITE, client, packed(1, 1)) for client in range(4)]
