"""How outcomes reach standard output: as stories, as another format, as proofs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from rich.console import Console
from rich.text import Text

from sim.cli.output import emit, results
from sim.judge.verdict import Status
from sim.report import proofs
from sim.report.outcome import Outcome
from sim.report.summary import counts
from sim.report.terminal import ending
from sim.report.terminal import outcome as told

HINT = "stories: 'lostack run NAME' tells one, --stories tells all of them"


class Presenter(Protocol):
    """Shows outcomes: each as it is made, and whatever needs all of them at the end."""

    def one(self, outcome: Outcome) -> None:
        """Show one scenario's outcome."""

    def done(self, outcomes: Sequence[Outcome]) -> None:
        """Show what stands below all of them."""


class Stories:
    """Text: the story and the findings of each scenario, then the summary.

    Args:
        console: Where to write.
        brief: No stories, and findings only where something is not as expected.
        full: Long stories are told whole.
        note: Stands in the last line: which run of which seed this is; nothing if it is empty.
    """

    def __init__(self, console: Console, *, brief: bool, full: bool, note: str = "") -> None:
        self._console, self._brief, self._full = console, brief, full
        self._notes = [note] if note else []
        if brief:
            self._notes.append(HINT)

    def one(self, outcome: Outcome) -> None:
        """Show one scenario; briefly, only those of its variants that are not as expected."""
        if self._brief:
            outcome = unexpected(outcome)
        if outcome.verdicts:
            with results():
                self._console.print(told(outcome, full=self._full, story=not self._brief))

    def done(self, outcomes: Sequence[Outcome]) -> None:
        """Show what clients believe against what is true, and one line for each run."""
        with results():
            self._console.print(ending(outcomes))
            for note in self._notes:
                self._console.print(Text(note, "dim"))


def unexpected(outcome: Outcome) -> Outcome:
    """Return the outcome with only those variants that are not as expected."""
    kept = tuple(verdict for verdict in outcome.verdicts if verdict.status is not Status.PASSED)
    return replace(outcome, verdicts=kept)


class Proofs:
    """The table of claims, after the findings of whatever is not as expected.

    Args:
        console: Where to write.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._findings = Stories(console, brief=True, full=False)

    def one(self, outcome: Outcome) -> None:
        """Show what is not as expected: a claim that it contradicts does not hold."""
        self._findings.one(outcome)

    def done(self, outcomes: Sequence[Outcome]) -> None:
        """Show the table."""
        with results():
            self._console.print(proofs.table(outcomes), Text(), counts(outcomes), sep="\n")


class Whole:
    """One document, written when all scenarios have run.

    Args:
        render: Makes the document.
    """

    def __init__(self, render: Callable[[Sequence[Outcome]], str]) -> None:
        self._render = render

    def one(self, outcome: Outcome) -> None:
        """Show nothing yet."""

    def done(self, outcomes: Sequence[Outcome]) -> None:
        """Write the document."""
        emit(self._render(outcomes))


class Silent:
    """Nothing: the trace itself goes to standard output."""

    def one(self, outcome: Outcome) -> None:
        """Show nothing."""

    def done(self, outcomes: Sequence[Outcome]) -> None:
        """Show nothing."""
