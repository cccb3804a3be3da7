"""``lostack run --proofs``: each claim, the scenarios that show it, and whether it holds."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from sim.judge.verdict import Status, Verdict
from sim.report.claims import CAVEAT, CLAIMS, LEGEND, Claim
from sim.report.conditions import disturbances, settings, usual
from sim.report.outcome import Outcome
from sim.report.summary import is_mistaken


class Holds(StrEnum):
    """What the scenarios say about a claim."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"
    UNSHOWN = "not shown"


_STYLES = {
    Holds.YES: "green",
    Holds.NO: "bold red",
    Holds.UNCLEAR: "bold yellow",
    Holds.UNSHOWN: "bold yellow",
}

_OUTCOME_STYLES = {
    Status.PASSED: "bold",
    Status.FAILED: "bold red",
    Status.INCONCLUSIVE: "bold yellow",
}
_GAP = 2
_SHARES = (20, 29, 28, 23)
"""Of a hundred: what claim, scenario, conditions and the rest get of the width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A claim with the outcomes of the scenarios that carry its tag."""

    claim: Claim
    outcomes: tuple[Outcome, ...]

    @property
    def holds(self) -> Holds:
        """Whether each scenario is as expected, and at least one run keeps to the contract.

        A scenario of mistakes alone shows what breaks, never that the claim holds.
        """
        kept = [verdict for outcome in self.outcomes for verdict in lawful(outcome)]
        statuses = {outcome.status for outcome in self.outcomes}
        if Status.FAILED in statuses:
            return Holds.NO
        if Status.INCONCLUSIVE in statuses:
            return Holds.UNCLEAR
        return Holds.YES if kept else Holds.UNSHOWN


def lawful(outcome: Outcome) -> tuple[Verdict, ...]:
    """Return the runs without a mistake."""
    return tuple(verdict for verdict in outcome.verdicts if not is_mistaken(verdict))


def proofs(outcomes: Sequence[Outcome]) -> tuple[Proof, ...]:
    """Return every claim in the contract's order with the outcomes that are tagged for it."""
    return tuple(
        Proof(
            claim=claim,
            outcomes=tuple(found for found in outcomes if claim.tag in found.scenario.tags),
        )
        for claim in CLAIMS
    )


def table(outcomes: Sequence[Outcome]) -> RenderableType:
    """Return a row for every claim with its scenarios, and what no simulation proves."""
    made = proofs(outcomes)
    common = usual(verdict.world for proof in made for verdict in _shown(proof))
    said = f"conditions: where nothing else is said, {common}. " if common else ""
    caveat = Text(CAVEAT, "dim")
    return Group(_Rows(made, common), Text(), Text(said + LEGEND, "dim"), Text(), caveat)


def _shown(proof: Proof) -> Iterator[Verdict]:
    for outcome in proof.outcomes:
        yield from lawful(outcome)[:1]


class _Rows:
    """The table; each scenario's conditions stand beside it, within the row of its claim."""

    def __init__(self, made: Sequence[Proof], common: str) -> None:
        self._made, self._common = made, common

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        holds = max(len("holds"), *(len(proof.holds) for proof in self._made))
        room = options.max_width - holds - 4 * _GAP
        claim, scenario, under, _ = (room * share // 100 for share in _SHARES)
        claim = max(claim, *(len(proof.claim.tag) for proof in self._made))
        leaves = room - claim - scenario - under
        rows = Table(
            box=box.HORIZONTALS, show_edge=False, show_lines=True, pad_edge=False,
            padding=(0, _GAP - 1, 0, 0), border_style="dim", header_style="dim",
        )  # fmt: skip
        rows.add_column("claim", width=claim, overflow="fold")
        rows.add_column(self._pair(scenario, under, ("scenario", "conditions")))
        rows.add_column("holds", width=holds)
        rows.add_column("does not prove", width=leaves, style="dim", overflow="fold")
        for proof in self._made:
            says = Text.assemble((proof.claim.tag, "bold"), "\n", proof.claim.says)
            shown = self._pair(scenario, under, *self._scenarios(proof, scenario))
            held = Text(proof.holds, _STYLES[proof.holds])
            rows.add_row(says, shown, held, proof.claim.does_not_prove)
        yield rows

    def _pair(self, left: int, right: int, *cells: tuple[str | Text, str]) -> Table:
        pair = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
        pair.add_column(width=left, overflow="fold")
        pair.add_column(width=right, overflow="fold", style="dim")
        for row in cells:
            pair.add_row(*row)
        return pair

    def _scenarios(self, proof: Proof, room: int) -> Iterator[tuple[Text, str]]:
        """Yield each scenario with its conditions; a name is broken at its hyphens alone."""
        if not proof.outcomes:
            yield Text("no scenario is tagged for it", "yellow"), ""
        for outcome in proof.outcomes:
            broken = "\n".join(textwrap.wrap(outcome.scenario.name, room, subsequent_indent="  "))
            yield Text(broken, _OUTCOME_STYLES[outcome.status]), self._conditions(outcome)

    def _conditions(self, outcome: Outcome) -> str:
        for verdict in lawful(outcome)[:1]:
            own = settings(verdict.world)
            said = disturbances(verdict.world)
            return said if own == self._common else f"{said}; {own}"
        return "only with a mistake"


def all_hold(outcomes: Sequence[Outcome]) -> bool:
    """Return whether every claim is shown and holds."""
    return all(proof.holds is Holds.YES for proof in proofs(outcomes))
