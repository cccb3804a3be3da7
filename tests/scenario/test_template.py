"""The scenario that a newcomer starts from loads, runs and holds."""

from sim.engine.world import simulate
from sim.judge.court import judge_records
from sim.judge.verdict import Status
from sim.scenario.load import load_text
from sim.scenario.template import template


def test_the_template_runs_and_all_that_it_expects_holds() -> None:
    (world,) = load_text(template("My first"), "my-first", "my-first.yaml").worlds
    run = simulate(world)

    verdict = judge_records(
        world, run.records, unmatched=run.unmatched, still_held=run.still_held, ended=run.ended
    )
    assert verdict.status is Status.PASSED
    assert len(verdict.checks) >= 5


def test_each_line_that_is_commented_out_works_when_it_is_switched_on() -> None:
    lines = template("x").splitlines()
    starts = ("  # policy:", "  # mistakes:", "  # - {", "  # violates:", "# variants", "#   ")
    switched = [line.replace("# ", "", 1) if line.startswith(starts) else line for line in lines]

    scenario = load_text("\n".join(switched), "x", "x.yaml")
    (world,) = scenario.worlds
    assert world.variant == "lost-request"
    assert world.clients[0].mistakes == ("timeout-means-failure",)
    assert len(world.faults) == 1
