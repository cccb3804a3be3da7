"""Charts: every kind says what its numbers are worth, and nothing is cut or in the way."""

import re
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest
from matplotlib.transforms import Bbox

from sim.measure.definitions import BY_NAME
from sim.report.charts import Difference, Pairing, Sheet, draw, sheets
from sim.report.charts.paired import sheet as paired_sheet
from sim.report.charts.sheet import _picture, laid_out
from sim.report.charts.style import PENS, SETTINGS, Pen
from tests.report.charted import measured

PAIRING = Pairing(
    name="swept",
    title="How long to wait",
    measure=BY_NAME["unresolved_rate"],
    baseline="patient",
    seed=1,
    runs=30,
    denominator="30 operations",
    differences=(
        Difference(name="hasty", difference=0.12, low=0.08, high=0.16, unpaired_low=0.01,
                   unpaired_high=0.23),
        Difference(name="unclear", difference=0.03, low=-0.01, high=0.07),
        Difference(name="alone", difference=-0.02, low=None, high=None),
    ),
)  # fmt: skip
KINDS = {
    "a rate against a swept value": ("swept", "swept--unknown_outcome_rate--by-client.timeout"),
    "a time against a swept value": ("swept", "swept--time_to_certainty.p90--by-client.timeout"),
    "a heat map": ("swept", "swept--unknown_outcome_rate--over-client.timeout"),
    "a trade-off": ("swept", "swept--tradeoff"),
    "outcome shares": ("swept", "swept--outcomes"),
    "time to certainty": ("swept", "swept--time-to-certainty"),
    "load over time": ("crowd", "crowd--load"),
    "variants": ("crowd", "crowd--variants-1"),
    "paired differences": ("", "swept--unresolved_rate--differences"),
}


def _sheet(kind: str) -> Sheet:
    measurement, name = KINDS[kind]
    if not measurement:
        return paired_sheet(PAIRING)
    return next(sheet for sheet in sheets(measured(measurement)) if sheet.name == name)


class Drawn(NamedTuple):
    """A sheet as it is drawn: its SVG, and where the page, axes and texts outside them are."""

    svg: str
    page: Bbox
    axes: list[Bbox | None]
    texts: list[Bbox]


@cache
def _drawn(kind: str) -> Drawn:
    """Draw a sheet once for all tests: laying it out takes long."""
    sheet = _sheet(kind)
    with laid_out(sheet) as figure:
        figure.canvas.draw()
        return Drawn(
            svg=_picture(figure, "svg", sheet).decode(),
            page=figure.bbox.padded(0.5),
            axes=[axes.get_tightbbox() for axes in figure.axes if axes.axison],
            texts=[text.get_window_extent() for text in figure.texts],
        )


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_says_title_denominator_seed_and_runs(kind: str) -> None:
    texts = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", _drawn(kind).svg))

    assert re.search(r"How long to wait|A crowd and an outage", texts)
    assert re.search(
        r"\d (operations|intents|effects|acks)|% of operations|\d of \d+ in each", texts
    )
    assert re.search(r"(swept|crowd) · seed 1 · 30 runs of each (cell|variant)", texts)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_cut_and_nothing_writes_over_the_small_print(kind: str) -> None:
    _, page, drawn, frames = _drawn(kind)

    assert all(box is not None for box in drawn)
    for box in [*drawn, *frames]:
        assert box is not None
        assert page.x0 <= box.x0 <= box.x1 <= page.x1
        assert page.y0 <= box.y0 <= box.y1 <= page.y1
    assert not [text for text in frames for box in drawn if box is not None and box.overlaps(text)]


def test_a_quantile_of_times_says_how_many_operations_were_settled() -> None:
    made = {sheet.name: sheet for sheet in sheets(measured("swept"))}
    settled = sorted(result.tally.certainty.total for result in measured("swept"))
    said = f"of the settled operations, {settled[0]} to {settled[-1]} of 30 in each cell"

    assert 0 < settled[0] < settled[-1] <= 30
    for kind in ("over", "by"):
        note = made[f"swept--time_to_certainty.p90--{kind}-client.timeout"].notes[0]
        assert note.startswith(said)
    assert f"{settled[0]} to {settled[-1]} of them settled" in made["swept--tradeoff"].notes[0]


def test_every_bar_of_a_trade_off_ends_within_the_axes() -> None:
    times = [result.row("time_to_certainty.p90") for result in measured("swept")]
    bounds = [bound for row in times for bound in (row.low, row.high) if bound is not None]

    with laid_out(_sheet("a trade-off")) as figure:
        low, high = figure.axes[0].get_xlim()
        arrows = [line for line in figure.axes[0].lines if line.get_marker() == ">"]

    assert len(arrows) == sum(row.low is not None and row.high is None for row in times) > 0
    assert low < min(bounds) < max(bounds) < high


def test_no_name_of_a_point_writes_over_another_or_over_a_marker() -> None:
    with laid_out(_sheet("a trade-off")) as figure:
        axes = figure.axes[0]
        names = [text.get_window_extent() for text in axes.texts]
        marked = [line for line in axes.lines if line.get_marker() in {pen.marker for pen in PENS}]
        marks = [axes.transData.transform(line.get_xydata()) for line in marked]

    assert len(names) >= 4
    assert not [1 for one, other in combinations(names, 2) if one.overlaps(other)]
    assert not [1 for name in names for points in marks for at in points if name.contains(*at)]


VARIANTS = ("crowd--variants-1", "crowd--variants-2", "crowd--variants-3")


def _of_crowd(name: str) -> Sheet:
    return next(one for one in sheets(measured("crowd")) if one.name == name)


@pytest.mark.parametrize("name", VARIANTS)
def test_each_value_of_a_variant_stands_over_the_middle_of_its_dot(name: str) -> None:
    with laid_out(_of_crowd(name)) as figure:
        for axes in figure.axes:
            values = [text for text in axes.texts if text.get_text() != "no value"]
            dots = [line for line in axes.lines if line.get_marker() == "o"]
            assert len(values) == len(dots)
            for text, dot in zip(values, dots, strict=True):
                box = text.get_window_extent()
                x = axes.transData.transform(dot.get_xydata())[0][0]
                assert (box.x0 + box.x1) / 2 == pytest.approx(x, abs=1)
                assert axes.bbox.x0 - 4 <= box.x0 <= box.x1 <= axes.bbox.x1 + 4


@pytest.mark.parametrize("name", VARIANTS)
def test_every_interval_of_a_variant_is_whole_or_has_an_arrow(name: str) -> None:
    sheet = _of_crowd(name)

    with laid_out(sheet) as figure:
        lines = [(axes, line) for axes in figure.axes for line in axes.lines]
        arrows = [line for _, line in lines if line.get_marker() == ">"]
        for axes, line in lines:
            low, high = axes.get_xlim()
            assert all(low <= x <= high for x in line.get_xdata())

    assert bool(arrows) == any("an arrow" in note for note in sheet.notes)


def test_the_axis_of_times_says_that_it_is_logarithmic() -> None:
    with laid_out(_sheet("time to certainty")) as figure:
        labels = {axes.get_xlabel() for axes in figure.axes}

    assert "time since the first send (logarithmic)" in labels


def test_only_a_difference_whose_interval_does_not_hold_0_is_bold_and_filled() -> None:
    with laid_out(_sheet("paired differences")) as figure:
        axes = figure.axes[0]
        weights = {text.get_text(): text.get_fontweight() for text in axes.texts}
        boxes = [patch.get_facecolor()[3] for patch in axes.patches]

    assert weights == {"+12": "bold", "+3": "normal", "−2": "normal"}
    assert boxes == [1.0, 0.0]


def test_the_interval_of_a_difference_stands_out_beside_its_dot_however_narrow() -> None:
    narrow = Difference(name="hasty", difference=0.12, low=0.1199, high=0.1201)
    pairing = replace(PAIRING, differences=(narrow, *PAIRING.differences))

    with laid_out(paired_sheet(pairing)) as figure:
        box = figure.axes[0].patches[0].get_window_extent()
        dot = figure.axes[0].lines[0].get_markersize() * figure.dpi / 72

    assert box.height > 1.5 * dot


def test_a_box_lies_within_the_axes() -> None:
    far = Difference(name="far", difference=-0.3, low=-0.301, high=-0.299)

    with laid_out(paired_sheet(replace(PAIRING, differences=(far,)))) as figure:
        assert figure.axes[0].get_xlim()[0] < -0.305


@pytest.mark.parametrize("pen", PENS)
def test_a_legend_shows_every_dash_of_a_line_beside_its_marker(pen: Pen) -> None:
    """The marker hides the middle; what is left and right of it must hold every stroke."""
    pattern = () if isinstance(pen.dashes, str) else pen.dashes[1]
    width, size = SETTINGS["lines.linewidth"], SETTINGS["lines.markersize"]
    handle = SETTINGS["legend.handlelength"] * SETTINGS["legend.fontsize"]
    period = sum(pattern) * width

    assert handle >= 1.75 * period
    assert (handle - 1.5 * size) >= period


def test_lines_are_told_apart_without_colour() -> None:
    assert len({pen.dashes for pen in PENS}) == len(PENS)
    assert len({pen.marker for pen in PENS}) == len(PENS)


def test_cells_that_are_not_whole_are_left_out_and_counted() -> None:
    first, *others = measured("swept")
    cut = replace(first, cell=replace(first.cell, runs=31))

    made = list(sheets([cut, *others]))

    assert made
    assert all("1 unfinished cells are left out" in sheet.notes[-1] for sheet in made)


def test_nothing_finished_draws_nothing(tmp_path: Path) -> None:
    cut = [replace(r, cell=replace(r.cell, runs=31)) for r in measured("swept")]

    assert draw(cut, tmp_path) == []


def test_scenarios_of_one_name_have_files_of_their_own() -> None:
    results = measured("crowd")
    elsewhere = [
        replace(r, cell=replace(r.cell, scenario=replace(r.cell.scenario, path="b/crowd.yaml")))
        for r in results
    ]

    names = [sheet.name for sheet in sheets([*results, *elsewhere])]

    assert len(set(names)) == len(names)
    assert {name.partition("--")[0] for name in names} == {"crowd", "crowd-2"}


def test_drawing_stops_when_asked(tmp_path: Path) -> None:
    assert draw(measured("crowd"), tmp_path, lambda: True) == []
