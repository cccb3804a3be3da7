"""One scenario, run and judged."""

from sim.engine.world import simulate
from sim.judge.court import judge_records
from sim.judge.verdict import Verdict
from sim.report.outcome import Outcome
from sim.scenario.model import Scenario, World
from sim.trace.jsonl import Header, Trace


def perform(scenario: Scenario) -> Outcome:
    """Return what each variant of a scenario came to.

    Args:
        scenario: The scenario; its worlds say which run of which seed.
    """
    verdicts = tuple(perform_one(world) for world in scenario.worlds)
    return Outcome(scenario=scenario, verdicts=verdicts)


def perform_one(world: World, run: int | None = None) -> Verdict:
    """Return what one world came to.

    Args:
        world: What is run.
        run: The number of the run, in place of the world's own.
    """
    done = simulate(world, run=run)
    return judge_records(
        world,
        done.records,
        unmatched=done.unmatched,
        still_held=done.still_held,
        ended=done.ended,
    )


def traces(outcome: Outcome) -> list[Trace]:
    """Return the trace of each variant."""
    scenario = outcome.scenario
    return [
        Trace(
            Header(
                scenario=scenario.name,
                variant=verdict.world.variant,
                seed=verdict.world.seed,
                run=verdict.world.run,
                scenario_digest=scenario.digest,
            ),
            verdict.records,
        )
        for verdict in outcome.verdicts
    ]
