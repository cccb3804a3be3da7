"""A counterexample as a scenario: a commented file that replays to the same violation."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from textwrap import wrap

from sim.engine.world import simulate
from sim.explore.shrink import NAME, Shrunk
from sim.judge.court import judge_records
from sim.judge.verdict import Verdict, Violation
from sim.scenario.dump import SCHEMA_LINE, dump_world
from sim.scenario.load import load_text
from sim.scenario.model import Scenario, World
from sim.trace.words import duration

_WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """The smallest story in which an invariant breaks."""

    invariant: str
    scenario: Scenario
    verdict: Verdict
    text: str
    """The scenario file."""
    run: int = 0
    """The run under which it replays; 0: nothing in it is drawn."""

    @property
    def faults(self) -> tuple[str, ...]:
        """What goes wrong, each as a line of the file."""
        return self.verdict.world.fault_lines

    @property
    def violation(self) -> Violation:
        """Where the invariant first breaks."""
        return next(one for one in self.verdict.violations if one.invariant == self.invariant)

    @property
    def file_name(self) -> str:
        """A name that tells what breaks where."""
        return f"{self.scenario.name}.yaml"


def counterexample(shrunk: Shrunk, found_in: World, how: str, run: int = 0) -> Counterexample:
    """Return a shrunk world as a scenario that expects what breaks in it.

    Args:
        shrunk: The world and the invariant.
        found_in: Where it was found; it gives the counterexample its name.
        how: The command that found it.
        run: The run under which it breaks.
    """
    parts = [found_in.scenario, found_in.variant, shrunk.invariant]
    name = "-".join(part for part in parts if part)
    expect = replace(shrunk.world.expect, violates=shrunk.broken)
    world = replace(shrunk.world, expect=expect)
    title = f"{shrunk.invariant} breaks"
    about = (
        f"The smallest story of '{found_in.scenario}' in which {shrunk.invariant} breaks, found by "
        f"'{how}'. Every part of it is needed: without any one of them the invariant holds."
    )
    text = dump_world(world, title, about)
    scenario = load_text(text, name, NAME)
    verdict = _judged(scenario.worlds[0], run)
    commented = SCHEMA_LINE + "".join(_comments(verdict, shrunk, run)) + text[len(SCHEMA_LINE) :]
    return Counterexample(
        invariant=shrunk.invariant, scenario=scenario, verdict=verdict, text=commented, run=run
    )


def _judged(world: World, run: int) -> Verdict:
    done = simulate(world, run=run)
    return judge_records(
        world,
        done.records,
        unmatched=done.unmatched,
        still_held=done.still_held,
        ended=done.ended,
    )


def _comments(verdict: Verdict, shrunk: Shrunk, run: int) -> Iterator[str]:
    """Yield what a reader has to know, as comments above the scenario."""
    violation = shrunk.violation
    yield from _comment(
        f"{shrunk.invariant} breaks at {duration(violation.at_us)}:", violation.what
    )
    for row in verdict.diagnoses[:1]:
        how = "The mistake" if row.switched_on else "The symptoms point at"
        yield from _comment(f"{how}: {row.mistake}.", row.symptom)
        yield from _comment("cause:", row.cause)
        yield from _comment("check:", row.check)
        yield from _comment("remedy:", row.remedy)
    again = f" --run {run}" if run else ""
    yield from _comment("Replay it:", f"'lostack run FILE{again}'.")


def _comment(label: str, text: str) -> Iterator[str]:
    for line in wrap(f"{label} {text}", _WIDTH - 2):
        yield f"# {line}\n"
