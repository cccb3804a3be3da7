"""An output that cannot be written is told before any work is done for it."""

from pathlib import Path

import pytest

from tests.cli.samples import Run, Write


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command that begins to work fail loudly."""

    def work(*_: object, **__: object) -> None:
        raise AssertionError("the work has begun")

    for place in (
        "sim.cli.running.perform",
        "sim.cli.explore_all.explore",
        "sim.cli.explore_run.simulate",
    ):
        monkeypatch.setattr(place, work)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("option", ["--trace", "--as-scenario"])
@pytest.mark.parametrize("file", ["", ".", "nowhere/file", "a-file/file"])
def test_run_refuses_a_file_that_cannot_be_written(
    lostack: Run, write: Write, option: str, file: str
) -> None:
    Path("a-file").write_text("mine", encoding="utf-8")

    ended = lostack("run", *write("passing"), option, file)

    assert ended.status == 2
    assert "fix: name " in ended.err
    assert ended.out == ""


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("more", [(), ("--from-run", "0")])
@pytest.mark.parametrize("place", ["", "a-file", "a-file/found"])
def test_explore_refuses_a_folder_that_cannot_be_written(
    lostack: Run, write: Write, more: tuple[str, ...], place: str
) -> None:
    Path("a-file").write_text("mine", encoding="utf-8")

    ended = lostack("explore", *write("passing"), *more, "--save", place)

    assert ended.status == 2
    assert "fix: name " in ended.err
    assert ended.out == ""
    assert Path("a-file").read_text(encoding="utf-8") == "mine"
