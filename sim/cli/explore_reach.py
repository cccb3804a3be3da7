"""``lostack explore --reach``: what the shipped scenarios come to, and what none of them does."""

from sim.cli.choose import choose
from sim.cli.errors import say
from sim.cli.exits import Exit
from sim.cli.explore_tasks import do_all, show
from sim.cli.explore_wish import Wish
from sim.explore.reach import reach, visit
from sim.scenario.find import ALL_SHIPPED


def reach_all(wish: Wish) -> Exit:
    """Run the scenarios, show what they come to, and return the exit status."""
    from sim.report import reached, reached_json  # noqa: PLC0415 - shown when it is known

    chosen = choose(wish.paths or (ALL_SHIPPED,))
    if chosen.problems:
        for problem in chosen.problems:
            say(str(problem))
        return Exit.BAD_INPUT
    worlds = [world for scenario in chosen.scenarios for world in scenario.worlds]
    found = do_all(wish, "list of what is reached", visit, worlds, lambda one: one.scenario)
    if isinstance(found, Exit):
        return found
    made = reach(found)
    show(wish, lambda: reached_json.render(made), lambda: reached.reached(made))
    return Exit.OK if made.is_whole else Exit.FAILED
