"""What the judge says about one run: plain values that reports and exit statuses are made from."""

from dataclasses import dataclass
from enum import StrEnum

from sim.scenario.model import World
from sim.trace.records import Record


class Status(StrEnum):
    """How a run ended, seen from its scenario."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """An invariant that broke, at the record where it became true that it had broken."""

    invariant: str
    seq: int
    at_us: int
    client: str = ""
    resource: str = ""
    op: int = 0
    what: str = ""
    """One plain sentence: what happened, in this run's own names and versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One line of ``expect``, beside what the run showed."""

    what: str
    expected: str
    found: str
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """A row of the table of mistakes that explains what broke.

    ``switched_on`` tells a mistake that the scenario asked for from one that only the symptoms
    point at.
    """

    mistake: str
    symptom: str
    cause: str
    check: str
    remedy: str
    invariants: tuple[str, ...] = ()
    switched_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """One cell of the belief x truth matrix: how many intents, believed so, had so many effects."""

    belief: str
    effects: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """All that is known about one run of one world."""

    world: World
    violations: tuple[Violation, ...] = ()
    checks: tuple[Check, ...] = ()
    unmatched: tuple[str, ...] = ()
    """Fault clauses, as written in the file, that never matched a message."""
    inconclusive: tuple[str, ...] = ()
    """Other reasons, as sentences, why the run proves nothing (a limit was reached)."""
    diagnoses: tuple[Diagnosis, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    open_operations: int = 0
    """Operations still busy when the run ended at its horizon."""
    digest: str = ""
    """SHA-256 of the trace's record lines."""
    records: tuple[Record, ...] = ()

    @property
    def broken(self) -> tuple[str, ...]:
        """The names of the invariants that broke, each once, in alphabetical order."""
        return tuple(sorted({violation.invariant for violation in self.violations}))

    @property
    def holds(self) -> bool:
        """Whether every check holds and exactly the expected invariants broke."""
        expected = tuple(sorted(set(self.world.expect.violates)))
        return self.broken == expected and all(check.holds for check in self.checks)

    @property
    def status(self) -> Status:
        """Failed before inconclusive: what is known to be wrong is not excused by what is not."""
        if not self.holds:
            return Status.FAILED
        if self.unmatched or self.inconclusive:
            return Status.INCONCLUSIVE
        return Status.PASSED
