"""``lostack run --proofs``: each claim, the scenarios that show it, and whether it holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sim.judge.verdict import Status, Verdict
from sim.report.claims import CAVEAT, CLAIMS, LEGEND, Claim
from sim.report.outcome import Outcome
from sim.report.summary import is_mistaken
from sim.scenario.model import World
from sim.trace.words import count, duration, plain


class Holds(StrEnum):
    """What the scenarios say about a claim."""

    YES = "holds"
    NO = "does not hold"
    UNCLEAR = "inconclusive"
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
_NAME_WIDTH_MAX = 33


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
    """Return every claim with a line for each of its scenarios, and what no simulation proves."""
    made = proofs(outcomes)
    longest = max((len(one.scenario.name) for proof in made for one in proof.outcomes), default=0)
    parts: list[RenderableType] = [part for proof in made for part in _told(proof, longest)]
    return Group(*parts, Text(LEGEND, "dim"), Text(), Text(CAVEAT, "dim"))


def _told(proof: Proof, longest: int) -> Iterator[RenderableType]:
    """Yield a claim's block: whether it holds, where it is shown, what that leaves open."""
    head = Text.assemble((f"{proof.claim.tag}  ", "bold"), (proof.holds, _STYLES[proof.holds]))
    yield Rule(head, align="left", characters="─", style="dim")
    yield Text(proof.claim.says)
    if proof.outcomes:
        shown = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
        shown.add_column(min_width=min(longest, _NAME_WIDTH_MAX), overflow="fold", vertical="top")
        shown.add_column(overflow="fold", style="dim")
        for outcome in proof.outcomes:
            under = [conditions(verdict.world) for verdict in lawful(outcome)[:1]]
            name = Text(outcome.scenario.name, _OUTCOME_STYLES[outcome.status])
            shown.add_row(name, *(under or ["only with a mistake"]))
        yield Padding(shown, (0, 0, 0, 2))
    else:
        yield Padding(Text("no scenario is tagged for it", "yellow"), (0, 0, 0, 2))
    leaves = Text.assemble("not proved: ", _lower(proof.claim.does_not_prove))
    yield Padding(leaves, (0, 0, 1, 2), style="dim")


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def conditions(world: World) -> str:
    """Return under which conditions a run was made: faults, policy, seed."""
    faults = "; ".join(plain(line) for line in world.fault_lines) or "no faults"
    policies = dict.fromkeys(
        f"timeout {duration(client.timeout_us)}, at most "
        f"{count(client.retry.max_attempts, 'attempt')}"
        for client in world.clients
    )
    return "; ".join((faults, *policies, f"seed {world.seed}"))


def all_hold(outcomes: Sequence[Outcome]) -> bool:
    """Return whether every claim is shown and holds."""
    return all(proof.holds is Holds.YES for proof in proofs(outcomes))
