"""A counterexample as a scenario: a commented file that replays to the same violation."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from sim.engine.world import simulate
from sim.explore.shrink import NAME, Shrunk
from sim.judge.court import judge_records
from sim.judge.verdict import Verdict, Violation
from sim.scenario.dump import dump_world
from sim.scenario.load import load_text
from sim.scenario.model import Scenario, World
from sim.trace.words import duration

EASED = "settings that do not matter for it are back at their defaults"

_WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """The smallest story in which an invariant breaks, or several that break in the same one."""

    invariants: tuple[str, ...]
    scenario: Scenario
    verdict: Verdict
    text: str
    """The scenario file."""
    is_eased: bool = False
    """Whether settings of the scenario went back to their defaults."""
    besides: tuple[str, ...] = ()
    """What breaks in it, and did not break in the run that it was made of."""

    @property
    def faults(self) -> tuple[str, ...]:
        """What goes wrong, each as a line of the file."""
        return self.verdict.world.fault_lines

    @property
    def violation(self) -> Violation:
        """Where the first of the invariants breaks."""
        first = self.invariants[0]
        return next(one for one in self.verdict.violations if one.invariant == first)

    @property
    def file_name(self) -> str:
        """A name that tells what breaks where."""
        return f"{self.scenario.name}.yaml"


def counterexamples(
    found: Iterable[Shrunk],
    found_in: World,
    how: str,
    had: Sequence[str] | None = None,
) -> tuple[Counterexample, ...]:
    """Return shrunk worlds as scenarios that expect what breaks in them, each world once.

    Args:
        found: The worlds, each with the invariant that it was shrunk for.
        found_in: Where they were found; it gives the counterexamples their names.
        how: The command that found them.
        had: What broke in the one run that they were made of; None: they are of no one run.
    """
    same: list[tuple[Shrunk, list[str]]] = []
    for shrunk in found:
        for other, names in same:
            if other.world == shrunk.world:
                names.append(shrunk.invariant)
                break
        else:
            same.append((shrunk, [shrunk.invariant]))
    made = (_made(shrunk, tuple(names), found_in, how) for shrunk, names in same)
    if had is None:
        return tuple(made)
    return tuple(
        replace(one, besides=tuple(name for name in one.verdict.broken if name not in had))
        for one in made
    )


def _made(shrunk: Shrunk, invariants: tuple[str, ...], found_in: World, how: str) -> Counterexample:
    parts = [found_in.scenario, found_in.variant, invariants[0]]
    name = "-".join(part for part in parts if part)
    expect = replace(shrunk.world.expect, violates=shrunk.broken)
    many = len(invariants) > 1
    about = (
        f"The smallest story of '{found_in.scenario}' in which that happens: without any one part "
        f"of it, it does not. Found by '{how}'."
    )
    about += f" {EASED[0].upper()}{EASED[1:]}." if shrunk.is_eased else ""
    title = f"{' and '.join(invariants)} {'break' if many else 'breaks'}"
    text = dump_world(replace(shrunk.world, expect=expect), title, about)
    scenario = load_text(text, name, NAME)
    verdict = _judged(scenario.worlds[0])
    commented = "".join(_comments(verdict, invariants)) + "\n" + text
    return Counterexample(
        invariants=invariants,
        scenario=scenario,
        verdict=verdict,
        text=commented,
        is_eased=shrunk.is_eased,
    )


def _judged(world: World) -> Verdict:
    done = simulate(world)
    return judge_records(
        world,
        done.records,
        unmatched=done.unmatched,
        still_held=done.still_held,
        ended=done.ended,
    )


def _comments(verdict: Verdict, invariants: tuple[str, ...]) -> Iterator[str]:
    """Yield what a reader has to know, as comments above the scenario."""
    for name in invariants:
        violation = next(one for one in verdict.violations if one.invariant == name)
        yield from _comment(f"{name} breaks at {duration(violation.at_us)}:", violation.what)
    for row in verdict.diagnoses[:1]:
        how = "The mistake" if row.switched_on else "The symptoms point at"
        yield from _comment(f"{how}: {row.mistake}.", row.symptom)
        yield from _comment("cause:", row.cause)
        yield from _comment("check:", row.check)
        yield from _comment("remedy:", row.remedy)
    yield from _comment("Replay it:", "'lostack run FILE'.")


def _comment(label: str, text: str) -> Iterator[str]:
    for line in wrap(f"{label} {text}", _WIDTH - 2):
        yield f"# {line}\n"
