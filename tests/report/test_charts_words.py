"""The small print of charts: what each measure is a rate of, and what its interval rests on."""

import pytest

from sim.report.charts import sheets
from sim.report.charts.words import broken, denominator_words, interval_words
from tests.report.charted import measured

SEVERAL = "are made from runs"


def test_the_load_of_a_peak_says_over_how_many_runs() -> None:
    words = denominator_words(measured("crowd"), ["peak_load", "deliveries_per_effect"])

    assert "effects; peak load: over 30 runs in each variant" in words


def test_intervals_of_operations_that_are_alone_in_their_run_say_so() -> None:
    words = interval_words(measured("swept"), ["unresolved_rate", "time_to_certainty.p90"])

    assert words == "95 % intervals; each run is one operation"


def test_intervals_of_acks_are_made_from_runs_however_few_the_operations() -> None:
    alone = interval_words(measured("swept"), ["stale_ack_rate"])
    mixed = interval_words(measured("swept"), ["unresolved_rate", "stale_ack_rate"])

    assert alone.startswith("95 % intervals made from runs: acks delivered to clients of one run")
    assert mixed.endswith(
        "each run is one operation; of acks delivered to clients, they " + SEVERAL
    )


@pytest.mark.parametrize("name", ["swept", "crowd"])
def test_charts_of_one_cell_do_not_speak_of_each(name: str) -> None:
    made = list(sheets(measured(name)[:1]))

    assert made
    assert not [note for sheet in made for note in sheet.notes if "each" in note.split(";")[0]]
    assert all(sheet.notes[-1].endswith("seed 1 · 30 runs") for sheet in made)


NAMES = ("short", "request.loss=0.5, retry.max_attempts=1", "one-attempt-and-then-more", "x" * 70)


@pytest.mark.parametrize("name", NAMES)
def test_a_long_name_is_broken_into_short_lines_and_keeps_every_letter(name: str) -> None:
    lines = broken(name, 20).split("\n")

    assert all(0 < len(line) <= 20 for line in lines)
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert (len(lines) == 1) == (len(name) <= 20)
