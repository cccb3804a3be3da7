"""Files are written whole or not at all, and results are plain where nobody looks."""

import stat
from pathlib import Path

import pytest

from sim.cli.errors import CommandError
from sim.cli.output import write_text
from tests.cli.samples import Run, Write

UNWRITABLE = {
    "/dev/full": "no space left on device",
    "no/such/folder/x": "no such file or directory",
    ".": "is a directory",
    "a\x00b": "null",
}


@pytest.mark.parametrize(("path", "why"), UNWRITABLE.items(), ids=["full", "no", "folder", "null"])
def test_a_trace_that_cannot_be_written_is_2(
    lostack: Run, write: Write, path: str, why: str
) -> None:
    files = write("passing")

    ended = lostack("run", *files, "--trace", path)

    assert ended.status == 2
    assert "cannot be written: " in ended.err
    assert why in ended.err
    assert [path.name for path in Path().iterdir()] == ["passing.yaml"]


def test_a_file_that_cannot_be_written_leaves_the_old_one(folder: Path) -> None:
    target = folder / "old.txt"
    target.write_text("old")

    with pytest.raises(CommandError):
        write_text(str(target / "below"), "new")

    assert target.read_text() == "old"
    assert [path.name for path in folder.iterdir()] == ["old.txt"]


def test_a_link_is_followed_and_kept(folder: Path) -> None:
    (folder / "real.txt").write_text("old")
    (folder / "link.txt").symlink_to("real.txt")

    write_text("link.txt", "new")

    assert (folder / "link.txt").is_symlink()
    assert (folder / "real.txt").read_text() == "new"


def test_a_written_file_is_as_open_as_others(folder: Path) -> None:
    (folder / "other.txt").touch()

    write_text("made.txt", "text")

    modes = [stat.S_IMODE(Path(name).stat().st_mode) for name in ("other.txt", "made.txt")]
    assert modes[0] == modes[1]


@pytest.mark.parametrize("arguments", [("list",), ("explain", "settles"), ("run", "lost-ack")])
def test_there_is_no_colour_in_a_pipe(lostack: Run, arguments: tuple[str, ...]) -> None:
    assert "\x1b" not in lostack(*arguments).out


def test_progress_is_for_terminals(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("passing", "failing", "inconclusive", "variants"))

    assert not ended.err
