"""``lostack explore --pairs``: mistakes that are harmless alone and harmful together."""

from sim.cli.exits import Exit
from sim.cli.explore_tasks import do_all, show
from sim.cli.explore_wish import Wish
from sim.explore.pairs import FAULTS, alone, alone_tasks, couple, couples, pairs


def mistake_pairs(wish: Wish) -> Exit:
    """Search the pairs, show those that do harm, and return the exit status."""
    from sim.report import mistake_pairs as text  # noqa: PLC0415 - shown when they are known
    from sim.report import mistake_pairs_json  # noqa: PLC0415 - the same

    most = FAULTS if wish.faults is None else wish.faults
    tasks = alone_tasks(most)
    shown = do_all(wish, "search of pairs", alone, tasks, lambda one: f"{one.mistake} alone")
    if isinstance(shown, Exit):
        return shown
    coupled = do_all(wish, "search of pairs", couple, couples(tasks, shown), lambda one: one.client)
    if isinstance(coupled, Exit):
        return coupled
    made = pairs(most, shown, coupled)
    show(wish, lambda: mistake_pairs_json.render(made), lambda: text.mistake_pairs(made))
    return Exit.OK
