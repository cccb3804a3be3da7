"""What was found in one run, as plain sentences that every format shares."""

from dataclasses import dataclass
from enum import StrEnum

from sim.judge.diagnosis import bystanders
from sim.judge.verdict import Verdict, Violation
from sim.trace.words import count, duration


class Break(StrEnum):
    """How a broken (or whole) invariant compares with what the scenario expects."""

    EXPECTED = "as expected"
    UNEXPECTED = "unexpected"
    MISSING = "expected, but it holds"

    @property
    def sign(self) -> str:
        """The sign before it: one for what is as expected, another for what is not."""
        return "!" if self is Break.EXPECTED else "✗"


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """One invariant that broke, or should have; ``first`` is where it first broke."""

    invariant: str
    how: Break
    first: Violation | None = None
    times: int = 0

    @property
    def says(self) -> str:
        """One line: where it first broke and what happened."""
        if self.first is None:
            return "was expected to break and did not"
        again = f", {count(self.times, 'time')} in all" if self.times > 1 else ""
        who = f", {self.first.client}" if self.first.client else ""
        where = f"record {self.first.seq} at {duration(self.first.at_us)}{who}{again}"
        return f"{self.first.what}; {where}" if self.first.what else where


def broken(verdict: Verdict) -> tuple[Broken, ...]:
    """Return every invariant that broke, in the order of breaking, then those that should have."""
    expected = verdict.world.expect.violates
    first: dict[str, Violation] = {}
    times: dict[str, int] = {}
    for violation in sorted(verdict.violations, key=lambda violation: violation.seq):
        first.setdefault(violation.invariant, violation)
        times[violation.invariant] = times.get(violation.invariant, 0) + 1
    found = tuple(
        Broken(
            invariant=invariant,
            how=Break.EXPECTED if invariant in expected else Break.UNEXPECTED,
            first=first[invariant],
            times=times[invariant],
        )
        for invariant in first
    )
    missing = tuple(
        Broken(invariant=invariant, how=Break.MISSING)
        for invariant in dict.fromkeys(expected)
        if invariant not in first
    )
    return found + missing


def failures(verdict: Verdict) -> tuple[str, ...]:
    """Return why a run failed: one line for each check and invariant that is not as expected."""
    checks = tuple(
        f"{check.what}: expected {check.expected}, found {check.found}"
        for check in verdict.checks
        if not check.holds
    )
    invariants = tuple(
        f"{item.invariant} {'broke: ' if item.first else ''}{item.says}"
        for item in broken(verdict)
        if item.how is not Break.EXPECTED
    )
    return checks + invariants


def doubts(verdict: Verdict) -> tuple[str, ...]:
    """Return why a run proves nothing."""
    missed = tuple(f"this fault never matched a message: {clause}" for clause in verdict.unmatched)
    return missed + verdict.inconclusive


def aside(verdict: Verdict) -> str:
    """Return which switched-on mistakes the diagnosis does without; nothing where there is none."""
    names = ", ".join(bystanders(verdict.world, verdict.diagnoses))
    if not names:
        return ""
    if not verdict.violations:
        return f"switched on, and broke nothing here: {names}"
    return f"also switched on: {names}"
