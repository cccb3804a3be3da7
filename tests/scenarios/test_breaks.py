"""What a row of the table of mistakes says that it breaks is what the shipped scenarios show."""

from collections.abc import Iterator

import pytest

from sim.contract.mistakes import MISTAKES, Mistake
from sim.judge.verdict import Verdict
from sim.scenario.model import Scenario


def _alone(shipped: list[tuple[Scenario, tuple[Verdict, ...]]]) -> Iterator[tuple[str, Verdict]]:
    """The runs with exactly one mistake on, and its name."""
    for verdict in (verdict for _, verdicts in shipped for verdict in verdicts):
        of_clients = [name for client in verdict.world.clients for name in client.mistakes]
        made = dict.fromkeys([*of_clients, *verdict.world.server.mistakes])
        if len(made) == 1:
            yield next(iter(made)), verdict


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])
def test_a_row_names_every_invariant_that_its_mistake_alone_breaks(
    mistake: Mistake, shipped: list[tuple[Scenario, tuple[Verdict, ...]]]
) -> None:
    broken = {
        name for made, verdict in _alone(shipped) if made == mistake.name for name in verdict.broken
    }

    assert broken
    assert broken <= set(mistake.breaks)
