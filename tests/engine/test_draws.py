"""Named random decisions: the published generator, and values that depend on the name alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine import draws as module
from sim.engine.draws import Draws, Purpose, packed
from sim.engine.philox import philox
from sim.engine.philox_native import drawn

WORDS = st.integers(0, 2**64 - 1)
NAMES = st.tuples(st.sampled_from(Purpose), st.integers(0, 50), st.integers(0, 2**40))
ONES = 2**64 - 1


def numpy_words(counter: tuple[int, int, int, int], key: int) -> list[int]:
    """Return NumPy's words at a counter: NumPy counts up by one before it computes."""
    whole = sum(word << (64 * place) for place, word in enumerate(counter))
    generator = np.random.Philox(key=key, counter=(whole - 1) % 2**256)
    return [int(word) for word in generator.random_raw(4)]


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        (
            (0, 0, 0, 0),
            0,
            (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B),
        ),
        (
            (ONES, ONES, ONES, ONES),
            (ONES << 64) | ONES,
            (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0),
        ),
        (
            (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
            (0xBE5466CF34E90C6C << 64) | 0x452821E638D01377,
            (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6),
        ),
    ],
)
def test_philox_gives_the_known_answers_of_its_authors(
    counter: tuple[int, int, int, int], key: int, words: tuple[int, ...]
) -> None:
    assert philox(counter, key) == words
    assert drawn(key, *counter) == tuple((word >> 11) * 2.0**-53 for word in words)


@given(st.tuples(WORDS, WORDS, WORDS, WORDS), st.integers(0, 2**128 - 1))
def test_philox_equals_numpy_s(counter: tuple[int, int, int, int], key: int) -> None:
    words = numpy_words(counter, key)

    assert list(philox(counter, key)) == words
    assert drawn(key, *counter) == tuple((word >> 11) * 2.0**-53 for word in words)


@given(NAMES, st.integers(0, 2**63), st.integers(0, 2**40))
def test_a_block_is_numpy_s_doubles_at_the_counter_that_the_name_says(
    name: tuple[Purpose, int, int], seed: int, number: int
) -> None:
    purpose, client, which = name
    counter = number | which << 64 | client << 128 | int(purpose) << 192
    generator = np.random.Generator(np.random.Philox(key=seed, counter=(counter - 1) % 2**256))

    assert Draws(seed, number).block(purpose, client, which) == tuple(generator.random(4))


@given(st.lists(NAMES, min_size=2, max_size=20), st.randoms(use_true_random=False))
def test_a_draw_depends_on_its_name_and_not_on_the_order(
    names: list[tuple[Purpose, int, int]], shuffled: object
) -> None:
    straight = Draws(1, 0)
    expected = {name: straight.block(*name) for name in names}
    shuffled.shuffle(names)  # type: ignore[attr-defined]
    again = Draws(1, 0)

    assert {name: again.block(*name) for name in names} == expected


@given(NAMES)
def test_a_draw_is_the_same_however_often_it_is_asked_for(name: tuple[Purpose, int, int]) -> None:
    draws = Draws(1, 0)

    assert draws.block(*name) == draws.block(*name)


def test_drawing_for_many_intents_at_once_gives_what_each_would_be_given_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [(Purpose.WRITE, 0, packed(n, nth)) for n in range(200) for nth in (1, 2)]
    monkeypatch.setattr(module, "_MANY", packed(1_000, 1))
    plain = [Draws(9, 3).block(*name) for name in names]
    monkeypatch.undo()
    monkeypatch.setattr(module, "_CACHE_MAX", 5)
    draws = Draws(9, 3)

    assert [draws.block(*name) for name in names] == plain


@given(NAMES, st.integers(0, 1000))
def test_other_runs_seeds_clients_and_purposes_draw_other_numbers(
    name: tuple[Purpose, int, int], number: int
) -> None:
    purpose, client, which = name
    blocks = {
        Draws(1, number).block(*name),
        Draws(2, number).block(*name),
        Draws(1, number + 1).block(*name),
        Draws(1, number).block(purpose, client + 1, which),
        Draws(1, number).block(purpose, client, which + 1),
    }

    assert len(blocks) == 5


@given(
    st.integers(0, 2**30),
    st.integers(0, 2**23),
    st.integers(0, 255),
    st.tuples(st.integers(0, 2**30), st.integers(0, 2**23), st.integers(0, 255)),
)
def test_intent_message_and_copy_are_packed_without_collisions(
    intent: int, nth: int, copy: int, other: tuple[int, int, int]
) -> None:
    assert (packed(intent, nth, copy) == packed(*other)) == ((intent, nth, copy) == other)


def test_ten_thousand_draws_are_uniform() -> None:
    draws = Draws(1, 0)
    values = [v for n in range(2_500) for v in draws.block(Purpose.WRITE, 0, packed(n, 1))]
    counts = np.histogram(values, bins=10, range=(0, 1))[0]

    # Chi-square with 9 degrees of freedom: 27.9 is exceeded once in a thousand seeds.
    assert sum((int(count) - 1_000) ** 2 / 1_000 for count in counts) < 27.9
