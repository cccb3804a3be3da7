"""``lostack explore --suite``: the contract without a mistake breaks nothing, anywhere."""

from sim.cli.exits import Exit
from sim.cli.explore_tasks import do_all, show
from sim.cli.explore_wish import Wish
from sim.explore.proved import FAULTS, Proof, prove, prove_all


def prove_suite(wish: Wish) -> Exit:
    """Search the suite, show what that proves, and return the exit status."""
    from sim.report import proved, proved_json  # noqa: PLC0415 - shown when it is known

    most = FAULTS if wish.faults is None else wish.faults
    found = do_all(wish, "search of the suite", prove, prove_all(most), lambda one: one.situation)
    if isinstance(found, Exit):
        return found
    made = Proof(faults=most, situations=tuple(found))
    show(wish, lambda: proved_json.render(made), lambda: proved.proved(made))
    if made.broken:
        return Exit.FAILED
    return Exit.INCONCLUSIVE if made.doubtful else Exit.OK
