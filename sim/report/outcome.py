"""What a report is about: a scenario and what was found for each of its variants."""

from dataclasses import dataclass

from sim.judge.verdict import Status, Verdict
from sim.scenario.model import Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A scenario with the verdict on each of its worlds, in the file's order."""

    scenario: Scenario
    verdicts: tuple[Verdict, ...]

    @property
    def status(self) -> Status:
        """The worst of the variants: failed, then inconclusive, then passed."""
        found = {verdict.status for verdict in self.verdicts}
        for status in (Status.FAILED, Status.INCONCLUSIVE):
            if status in found:
                return status
        return Status.PASSED


def name(outcome: Outcome, verdict: Verdict) -> str:
    """Return ``lost-ack``, or ``lost-ack/no-registry`` for a variant."""
    variant = verdict.world.variant
    return f"{outcome.scenario.name}/{variant}" if variant else outcome.scenario.name
