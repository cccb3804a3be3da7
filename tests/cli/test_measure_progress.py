"""The line that shows how far a measurement is, on a terminal."""

import contextlib
import io

import pytest

from sim.cli.measure_progress import Bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(*showings: tuple[float, int], total: int = 1_000, to: io.StringIO | None = None) -> str:
    """Show so many runs at so many seconds, and return the line as it is seen then."""
    terminal = Terminal() if to is None else to
    clock = iter([0.0, *(at_s for at_s, _ in showings)])
    with contextlib.redirect_stderr(terminal):
        bar = Bar(total, 0, lambda: next(clock))
        for _, done in showings:
            bar.show(done, "storm")
    return terminal.getvalue().rpartition("\x1b[2K")[2]


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def test_the_line_is_there_before_any_run_is_finished() -> None:
    said = _shown((0.0, 0))

    assert said == f"{'░' * 20}   0 %  0 of 1,000 runs  under way for 0 s  storm"


def test_a_run_that_takes_long_is_seen_to_be_under_way() -> None:
    said = _shown((0.0, 0), (0.2, 0), (65.0, 0))

    assert "0 of 1,000 runs  under way for 1 min 5 s" in said


def test_the_rate_and_what_it_leaves_are_those_of_the_last_moments() -> None:
    assert "250 of 1,000 runs  250 runs/s  3 s left" in _shown((0.0, 0), (1.0, 250))


def test_slow_runs_are_told_by_how_long_one_takes() -> None:
    since = [(20.0 + number / 5, 1) for number in range(201)]

    assert "1 of 3 runs  1 min a run  2 min left" in _shown((0.0, 0), *since, total=3)


def test_in_a_pipe_there_is_no_line() -> None:
    assert _shown((0.0, 0), (1.0, 250), to=io.StringIO()) == ""
