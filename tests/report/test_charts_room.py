"""Charts with many values or long names: what is written stays apart."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import combinations

import pytest
from matplotlib.text import Text

from sim.measure.results import CellResult
from sim.report.charts import Sheet, sheets
from sim.report.charts.sheet import laid_out
from tests.report.charted import measured

RUNS = 6
FIELDS = ("unknown_outcome_rate", "attempts_per_operation", "time_to_certainty.p90")


def _named(name: str) -> Sheet:
    """Times of the crowd and one long one, which makes many ticks; with other variants' names."""
    results = []
    for number, one in enumerate(measured("crowd")):
        world = replace(one.cell.world, variant=f"{name}-{number}")
        tally = deepcopy(one.tally)
        tally.certainty.add(40_000_000)
        results.append(replace(one, cell=replace(one.cell, world=world), tally=tally))
    return next(one for one in sheets(results) if "--time-to-certainty" in one.name)


def _overlapping(texts: list[Text]) -> list[tuple[str, str]]:
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts if text.get_text()]
    return [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]


@pytest.mark.parametrize("measure", FIELDS)
def test_what_stands_in_narrow_fields_stays_within_them(measure: str) -> None:
    made = {one.name: one for one in sheets(measured("wide", RUNS))}

    with laid_out(made[f"wide--{measure}--over-client.timeout"]) as figure:
        texts = list(figure.axes[0].texts)

        assert len(texts) >= 24
        assert _overlapping(texts) == []


@pytest.mark.parametrize("many", [1, 2])
def test_the_label_beside_few_panels_of_load_is_no_longer_than_they_are(many: int) -> None:
    made = sheets(measured("crowd")[:many])

    with laid_out(next(one for one in made if one.name == "crowd--load")) as figure:
        label = figure.get_supylabel()
        boxes = [text.get_window_extent() for text in figure.texts if text.get_text() != label]
        (own,) = [t.get_window_extent() for t in figure.texts if t.get_text() == label]

    assert not [box for box in boxes if box.overlaps(own)]


def test_only_a_capacity_that_is_drawn_is_explained() -> None:
    above = measured("crowd")[0]
    server = above.cell.world.server
    slow = replace(server, capacity=replace(server.capacity, time_us=2_000_000))
    within = replace(above, cell=replace(above.cell, world=replace(above.cell.world, server=slow)))

    drawn, left_out = (
        next(sheet for sheet in sheets([each]) if "--load" in sheet.name)
        for each in (within, above)
    )

    assert "dashed: what the server can do" in drawn.notes[0]
    assert "dashed" not in left_out.notes[0]


@pytest.mark.parametrize("name", ["short", "a-name-of-a-variant-that-goes-on-and-on-for-ever"])
def test_ticks_of_time_stay_apart_beside_a_legend(name: str) -> None:
    with laid_out(_named(name)) as figure:
        ticks = figure.axes[0].get_xticklabels()

        assert len(ticks) >= 2
        assert _overlapping(ticks) == []


LONG = "one-attempt-and-then-a-person-decides-about-it"


def _swept_of(*names: str) -> list[CellResult]:
    """The swept measurement once for each of some variants."""
    return [
        replace(one, cell=replace(one.cell, world=replace(one.cell.world, variant=name)))
        for name in names
        for one in measured("swept")
    ]


def test_panels_of_time_to_certainty_are_all_drawn_and_none_writes_into_another() -> None:
    made = [s for s in sheets(_swept_of(LONG, "two", "three")) if "--time-to-certainty" in s.name]
    titles = []

    for sheet in made:
        with laid_out(sheet) as figure:
            panels = [axes for axes in figure.axes if axes.axison]
            texts = [text for axes in panels for text in (axes.title, axes._left_title)]
            shown = [text for text in texts if text.get_text()]
            titles += [text.get_text().replace("\n", "") for text in shown]
            assert _overlapping([*shown, *(axes.xaxis.label for axes in panels)]) == []
            assert all(text.get_window_extent().x1 <= figure.bbox.x1 for text in shown)

    assert [sheet.name for sheet in made] == [f"swept--time-to-certainty-{n}" for n in (1, 2)]
    assert len(titles) == 6
    assert not [note for sheet in made for note in sheet.notes if "left out" in note]


def _without_times(results: Sequence[CellResult]) -> list[CellResult]:
    """Results whose first cell settled nothing."""
    tally = deepcopy(results[0].tally)
    tally.certainty = type(tally.certainty)()
    return [replace(results[0], tally=tally), *results[1:]]


def test_a_field_without_a_value_is_hatched_and_explained() -> None:
    made = {one.name: one for one in sheets(_without_times(measured("swept")))}
    sheet = made["swept--time_to_certainty.p90--over-client.timeout"]

    with laid_out(sheet) as figure:
        hatched = [patch for patch in figure.axes[0].patches if patch.get_hatch()]
        said = [text.get_text() for text in figure.axes[0].texts]

    assert [patch.get_xy() for patch in hatched] == [(0, 0)]
    assert said.count("—") == 1
    assert "hatched, —: no value, because no operation was settled" in sheet.notes


def test_values_for_which_fields_are_too_narrow_are_left_out_and_their_range_is_told() -> None:
    made = {one.name: one for one in sheets(measured("wider", RUNS))}
    sheet = made["wider--time_to_certainty.p90--over-client.timeout"]

    with laid_out(sheet) as figure:
        axes = figure.axes[0]
        assert [text for text in axes.texts if text.get_text() != "—"] == []
        assert _overlapping(axes.get_xticklabels()) == []
    assert "(light); the values are in the tables" in sheet.notes[1]


def _outcomes(results: Sequence[CellResult]) -> Sheet:
    return next(one for one in sheets(results) if "--outcomes" in one.name)


def test_outcome_bars_with_long_names_keep_half_of_the_width() -> None:
    with laid_out(_outcomes(_swept_of(LONG, "two"))) as figure:
        width = sum(axes.bbox.width for axes in figure.axes)
        texts = [text for axes in figure.axes for text in (axes._left_title, axes.xaxis.label)]
        ticks = [text for axes in figure.axes for text in axes.get_xticklabels()]
        names = figure.axes[0].get_yticklabels()

        assert width > 0.5 * figure.bbox.width
        for some in (texts, ticks, names):
            assert _overlapping(some) == []
        assert all(text.get_window_extent().x1 <= figure.bbox.x1 for text in texts)


def test_a_share_is_written_only_into_a_bar_that_holds_it() -> None:
    with laid_out(_outcomes(_swept_of(LONG, "two"))) as figure:
        for axes in figure.axes:
            bars = [bar.get_window_extent() for bar in axes.patches]
            for text in axes.texts:
                box = text.get_window_extent()
                assert [bar for bar in bars if bar.x0 <= box.x0 < box.x1 <= bar.x1]


@pytest.mark.parametrize(("lost", "panels"), [(5, 2), (30, 1)])
def test_the_rest_is_drawn_again_only_where_that_enlarges_it(lost: int, panels: int) -> None:
    tally = deepcopy(measured("swept")[0].tally)
    tally.beliefs = {("acknowledged", 1): 30 - lost, ("unknown", 1): lost}
    results = [replace(measured("swept")[0], tally=tally), *measured("swept")[1:2]]
    results[1] = replace(results[1], tally=deepcopy(results[1].tally))
    results[1].tally.beliefs = {("acknowledged", 1): 30}
    sheet = _outcomes(results)

    with laid_out(sheet) as figure:
        assert len(figure.axes) == panels
    assert ("a scale of its own" in sheet.notes[0]) == (panels == 2)


RATE = "swept--unknown_outcome_rate--by-client.timeout"


def _lines(*names: str) -> Sheet:
    only = [r for r in _swept_of(*names) if ("network.ack.loss", "0.4") in r.cell.world.cell]
    return next(one for one in sheets(only) if one.name == RATE)


def test_bands_that_lie_on_each_other_let_the_lines_be_seen() -> None:
    with laid_out(_lines(*"abcdefg")) as figure:
        through = 1.0
        for band in figure.axes[0].collections:
            through *= 1 - (band.get_alpha() or 0.0)

    assert 0.6 < through < 0.9


def test_no_band_leaves_its_axes() -> None:
    made = [one for one in sheets(measured("swept")) if "--by-" in one.name]

    assert len(made) >= 3
    for sheet in made:
        with laid_out(sheet) as figure:
            low, high = figure.axes[0].get_ylim()
            paths = [path for band in figure.axes[0].collections for path in band.get_paths()]
            assert paths
            assert all(low <= y <= high for path in paths for _, y in path.vertices)


def test_a_long_name_of_a_line_leaves_half_of_the_width_to_the_lines() -> None:
    with laid_out(_lines(LONG, f"{LONG}-alone", "two")) as figure:
        names = [text for text in figure.axes[0].texts if text.get_text()]

        assert figure.axes[0].bbox.width > 0.5 * figure.bbox.width
        assert len(names) == 3
        assert _overlapping(names) == []


@pytest.mark.parametrize("many", [1, 2])
def test_the_axis_of_load_says_that_it_counts_by_the_second(many: int) -> None:
    made = sheets(measured("crowd")[:many])

    with laid_out(next(one for one in made if one.name == "crowd--load")) as figure:
        label = figure.get_supylabel().replace("\n", " ")

    assert label == "requests arriving in each second"


def test_long_names_of_variants_leave_half_of_the_width_to_their_values() -> None:
    results = _swept_of(*(f"{LONG}-{n}" for n in "abc"))[:: len(measured("swept"))]

    with laid_out(next(one for one in sheets(results) if "--variants" in one.name)) as figure:
        assert sum(axes.bbox.width for axes in figure.axes) > 0.5 * figure.bbox.width
        assert _overlapping(figure.axes[0].get_yticklabels()) == []
