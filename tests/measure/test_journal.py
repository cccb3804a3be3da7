"""What is finished survives: kills, torn lines, full disks, and other people's journals."""

import errno
import hashlib
import os
from pathlib import Path

import pytest

from sim.measure import journal as module
from sim.measure.files import files
from sim.measure.journal import NAME, Begun, Journal, JournalError, begun
from sim.measure.measuring import Finished, alone
from sim.measure.work import Work
from tests.measure.samples import CROWD, LOSSY, counted, never, no_clock, plan_of

PLAN = plan_of(LOSSY, CROWD, runs=6)


def _checksum(line: str) -> str:
    return hashlib.sha256(f"{line}\n".encode()).hexdigest()[:8]


@pytest.fixture(scope="module")
def chunks() -> list[Finished]:
    return list(alone(PLAN, Work(PLAN, runs_in_a_chunk=2), never, no_clock))


@pytest.fixture
def path(tmp_path: Path, chunks: list[Finished]) -> Path:
    """A journal with the first three of six chunks."""
    with Journal(tmp_path / NAME, PLAN, resume=False) as journal:
        for finished in chunks[:3]:
            journal.add(finished)
    return tmp_path / NAME


def test_what_is_written_is_read_again(path: Path, chunks: list[Finished]) -> None:
    with Journal(path, PLAN, resume=True) as journal:
        assert list(journal.finished) == chunks[:3]


def test_going_on_ends_with_the_same_bytes(path: Path) -> None:
    whole = counted(PLAN)
    with Journal(path, PLAN, resume=True) as journal:
        resumed = counted(PLAN, before=journal.finished)

    assert files(PLAN, resumed.results()) == files(PLAN, whole.results())


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_torn_last_line_is_cut_off(path: Path, chunks: list[Finished], cut: int) -> None:
    path.write_bytes(path.read_bytes()[:-cut])

    with Journal(path, PLAN, resume=True) as journal:
        assert list(journal.finished) == chunks[:2]
        journal.add(chunks[2])
    with Journal(path, PLAN, resume=True) as journal:
        assert list(journal.finished) == chunks[:3]


@pytest.mark.parametrize(
    "line", ["{}", "[1]", "no json", '{"chunk":[9,0,2]}', '{"chunk":[0,0,2],"runs":2}']
)
def test_a_line_that_is_no_chunk_is_passed_over(
    path: Path, chunks: list[Finished], line: str
) -> None:
    lines = path.read_text().splitlines()
    lines[1] = f"{_checksum(line)} {line}"
    path.write_text("\n".join(lines) + "\n")

    with Journal(path, PLAN, resume=True) as journal:
        assert list(journal.finished) == chunks[1:3]


def test_a_line_with_a_changed_number_is_passed_over(path: Path, chunks: list[Finished]) -> None:
    head, first, *others = path.read_text().splitlines(keepends=True)
    changed = first.replace('"runs":2', '"runs":3')
    path.write_text("".join([head, changed, *others]))

    assert changed != first
    with Journal(path, PLAN, resume=True) as journal:
        assert list(journal.finished) == chunks[1:3]


def test_no_run_is_counted_twice(path: Path, chunks: list[Finished]) -> None:
    held = path.read_text().splitlines()
    path.write_text("\n".join([*held, *held[1:]]) + "\n")

    with Journal(path, PLAN, resume=True) as journal:
        assert list(journal.finished) == chunks[:3]


def test_a_journal_of_another_plan_is_refused(path: Path) -> None:
    with pytest.raises(JournalError, match="other scenarios, runs or seed"):
        Journal(path, plan_of(LOSSY, CROWD, runs=7), resume=True)


def test_a_journal_of_other_versions_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "versions", lambda: {"lostack": "9.9"})

    with pytest.raises(JournalError, match="made by other versions: lostack 0"):
        Journal(path, PLAN, resume=True)


def test_finished_work_is_not_thrown_away_unasked(path: Path) -> None:
    before = path.read_bytes()

    with pytest.raises(JournalError, match="an unfinished measurement lies here"):
        Journal(path, PLAN, resume=False)

    assert path.read_bytes() == before


@pytest.mark.parametrize("notes", ["my notes\nof today\n", "my notes\n", "my notes", "{}"])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path, notes: str) -> None:
    path = tmp_path / NAME
    path.write_text(notes)

    with pytest.raises(JournalError, match="no journal of a measurement"):
        Journal(path, PLAN, resume=True)

    assert path.read_text() == notes


@pytest.mark.parametrize("torn", ["", "{", '{"lostack_journal":1,"pl'])
def test_a_journal_that_was_killed_in_its_first_line_begins_anew(tmp_path: Path, torn: str) -> None:
    path = tmp_path / NAME
    path.write_text(torn)

    with Journal(path, PLAN) as journal:
        assert not list(journal.finished)


def test_finished_work_is_thrown_away_where_that_is_asked_for(path: Path) -> None:
    with Journal(path, PLAN, replace=True) as journal:
        assert not list(journal.finished)


def test_a_journal_is_begun_when_a_chunk_of_its_plan_is_finished(path: Path) -> None:
    (header, *_) = path.read_bytes().splitlines(keepends=True)

    assert begun(path, PLAN) == Begun(may_replace=False, writes=())
    assert begun(path, plan_of(LOSSY, CROWD, runs=7)) is None
    path.write_bytes(header + b'{"chunk":')
    assert begun(path, PLAN) is None


def test_a_journal_tells_what_its_measurement_writes_and_may_replace(
    tmp_path: Path, chunks: list[Finished]
) -> None:
    with Journal(tmp_path / NAME, PLAN, replace=True) as journal:
        journal.add(chunks[0])
        journal.note({"results.csv": "a digest"})

    assert begun(tmp_path / NAME, PLAN) == Begun(True, (("results.csv", "a digest"),))


def test_two_measurements_cannot_write_one_journal(path: Path) -> None:
    with Journal(path, PLAN, resume=True), pytest.raises(JournalError, match="another measurement"):
        Journal(path, PLAN, resume=True)


def test_going_on_from_nothing_begins(tmp_path: Path) -> None:
    with Journal(tmp_path / NAME, PLAN, resume=True) as journal:
        assert list(journal.finished) == []


def test_a_full_disk_loses_no_finished_chunk(
    path: Path, chunks: list[Finished], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a line is written before the disk is full."""
    real = os.pwrite

    def full(file: int, data: bytes, at: int) -> int:
        if len(data) < 100:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data[: len(data) // 2], at)

    with Journal(path, PLAN, resume=True) as journal:
        monkeypatch.setattr(os, "pwrite", full)
        with pytest.raises(OSError, match="No space left"):
            journal.add(chunks[3])
        monkeypatch.setattr(os, "pwrite", real)

    with Journal(path, PLAN, resume=True) as journal:
        assert list(journal.finished) == chunks[:3]
