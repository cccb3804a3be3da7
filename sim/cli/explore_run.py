"""``lostack explore --from-run``: the smallest part of one run of a measurement."""

import sys
from collections.abc import Sequence
from dataclasses import replace

from sim.cli.choose import choose, only_variant, seeded
from sim.cli.errors import CommandError, say
from sim.cli.exits import Exit
from sim.cli.explore_wish import Wish
from sim.cli.output import emit, results
from sim.cli.scripted import script
from sim.engine.world import simulate
from sim.explore.counterexample import Counterexample, counterexamples
from sim.explore.shrink import Shrunk, shrink
from sim.judge.court import judge_records
from sim.scenario.load import load_text
from sim.scenario.model import Scenario, World


def shrink_run(wish: Wish, run: int) -> tuple[Exit, tuple[Counterexample, ...]]:
    """Return what a run breaks that is not declared, each invariant by its smallest story."""
    scenario, world = _one(wish)
    world = replace(world, run=run)
    done = simulate(world)
    verdict = judge_records(world, done.records, ended=done.ended)
    violations = sorted(verdict.violations, key=lambda violation: violation.seq)
    had = tuple(dict.fromkeys(violation.invariant for violation in violations))
    broken = [name for name in had if wish.every or name not in world.expect.violates]
    if not broken:
        say(f"run {run} of '{scenario.name}' breaks no invariant that is not declared")
        return Exit.OK, ()
    made = script(world, done.records, scenario.title)
    if made is None:
        raise CommandError(
            "this run cannot be shrunk: chance did two things to one message, and a fault clause "
            "does one",
            "take another run that breaks the invariant ('lostack measure' names them)",
        )
    scripted = load_text(made, world.scenario, "scripted.yaml").worlds[0]
    found: list[Shrunk] = []
    for name in broken:
        shrunk = shrink(scripted, name)
        if shrunk is None:
            say(f"{name}: the run does not repeat without its weather, and cannot be shrunk")
            return Exit.INCONCLUSIVE, ()
        found.append(shrunk)
    return Exit.FAILED, counterexamples(found, world, wish.command, had)


def _one(wish: Wish) -> tuple[Scenario, World]:
    """Return the only world that is meant."""
    chosen = choose(wish.paths)
    if chosen.problems:
        raise CommandError(chosen.problems[0].problem, chosen.problems[0].fix)
    scenarios = chosen.scenarios
    if wish.variant is not None:
        scenarios = only_variant(scenarios, wish.variant)
    if wish.seed is not None:
        scenarios = seeded(scenarios, wish.seed)
    worlds = [(scenario, world) for scenario in scenarios for world in scenario.worlds]
    if len(worlds) != 1:
        raise CommandError(
            f"--from-run shrinks one run, and {len(worlds)} are asked for",
            "name one scenario, and one of its variants with --variant",
        )
    return worlds[0]


def show(wish: Wish, found: Sequence[Counterexample]) -> None:
    """Write the counterexamples in the form that was asked for."""
    if wish.form == "json":
        from sim.report.explored_json import render_examples  # noqa: PLC0415 - one form is wanted

        emit(render_examples(found))
        return
    from sim.report import explored as report  # noqa: PLC0415 - the same
    from sim.report.console import make_console  # noqa: PLC0415 - the same

    console = make_console(sys.stdout, colour=wish.colour, width=wish.width)
    with results():
        console.print(report.smallest(found))
