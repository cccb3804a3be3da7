"""``measure --out`` and ``compare --charts`` leave pictures beside the numbers."""

from pathlib import Path

import pytest

from sim.cli.charts import draw_measured
from tests.cli.samples import Run

STORY = """\
title: Two policies
server: {resources: {note: {}}, status: no}
network: {ack: {loss: 0.5}}
user: [{at: 0s, edit: note}, {at: 0s, save: note}]
"""
POLICIES = f"{STORY}variants: {{once: {{client: {{retry: {{max_attempts: 1}}}}}}, twice: {{}}}}\n"
FEW = ("--runs", "8", "--workers", "1")


@pytest.fixture(autouse=True)
def story(folder: Path) -> None:
    Path("story.yaml").write_text(STORY)


def _drawn(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).glob("*"))


def test_a_measurement_is_drawn_beside_its_files(lostack: Run) -> None:
    ended = lostack("measure", "story.yaml", *FEW, "--out", "out")

    assert ended.status == 0
    assert "story--outcomes.png" in _drawn("out/charts")
    assert "story--outcomes.svg" in _drawn("out/charts")
    assert f"charts: {len(_drawn('out/charts')) // 2} in out/charts" in ended.err


def test_charts_of_an_older_measurement_go(lostack: Run) -> None:
    Path("older.yaml").write_text(STORY)
    lostack("measure", "older.yaml", *FEW, "--out", "out")
    drawn = _drawn("out/charts")

    lostack("measure", "story.yaml", *FEW, "--out", "out", "--replace")

    assert _drawn("out/charts") == [name.replace("older", "story") for name in drawn]


@pytest.mark.parametrize("name", ["my--cat.png", "my--cat.svg", "mine.png"])
def test_pictures_that_no_measurement_drew_stay(lostack: Run, name: str) -> None:
    Path("out/charts").mkdir(parents=True)
    Path("out/charts", name).write_bytes(b"a picture of a cat")

    lostack("measure", "story.yaml", *FEW, "--out", "out")

    assert Path("out/charts", name).read_bytes() == b"a picture of a cat"


def test_no_charts_leaves_them_out(lostack: Run) -> None:
    ended = lostack("measure", "story.yaml", *FEW, "--out", "out", "--no-charts")

    assert ended.status == 0
    assert not Path("out/charts").exists()


def test_charts_that_cannot_be_written_are_told_after_the_numbers(lostack: Run) -> None:
    lostack("measure", "story.yaml", *FEW, "--out", "out")
    for drawn in list(Path("out/charts").iterdir()):
        drawn.unlink()
        drawn.mkdir()

    ended = lostack("measure", "story.yaml", *FEW, "--out", "out")

    assert ended.status == 2
    assert "'out/charts' cannot be written" in ended.err
    assert "unknown_outcome_rate" in ended.out


def test_a_comparison_draws_the_measures_that_were_asked_for(lostack: Run) -> None:
    Path("story.yaml").write_text(POLICIES)

    ended = lostack(
        "compare", "story.yaml", *FEW, "--measure", "unresolved_rate", "--charts", "new/charts"
    )

    assert ended.status == 0
    assert _drawn("new/charts") == [
        "story--unresolved_rate--differences.png",
        "story--unresolved_rate--differences.svg",
    ]


def test_whoever_interrupts_the_drawing_loses_no_chart(
    lostack: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    lostack("measure", "story.yaml", *FEW, "--out", "out")
    before = _drawn("out/charts")

    draw_measured([], "out", lambda: True)

    assert _drawn("out/charts") == before
    assert capsys.readouterr().err == "charts: none is drawn yet\n"
