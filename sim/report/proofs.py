"""``lostack run --proofs``: each claim, the scenarios that show it, and whether it holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sim.judge.verdict import Status, Verdict
from sim.report.claims import CAVEAT, CLAIMS, Claim
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
    """Return the table of proofs, with what no simulation proves below it."""
    made = Table(box=box.HORIZONTALS, show_lines=True, border_style="dim", header_style="dim")
    made.add_column("claim", ratio=5, overflow="fold")
    made.add_column("scenario and conditions", ratio=5, overflow="fold")
    made.add_column("holds", no_wrap=True)
    made.add_column("what this does not prove", ratio=5, overflow="fold", style="dim")
    for proof in proofs(outcomes):
        made.add_row(
            Text.assemble((f"{proof.claim.tag}  ", "bold"), proof.claim.says),
            _shown(proof),
            Text(proof.holds, _STYLES[proof.holds]),
            proof.claim.does_not_prove,
        )
    return Group(made, Text(CAVEAT, "dim"))


def _shown(proof: Proof) -> Text:
    text = Text()
    for outcome in proof.outcomes:
        text.append("\n" if text else "")
        text.append(outcome.scenario.name, "bold")
        for verdict in lawful(outcome)[:1]:
            text.append(f": {plain(outcome.scenario.title)}; {conditions(verdict.world)}")
    return text or Text("no scenario is tagged for it", "yellow")


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
