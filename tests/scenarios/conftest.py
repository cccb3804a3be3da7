"""The shipped scenarios, each run and judged once for all tests of this folder."""

from collections.abc import Callable
from functools import cache

import pytest

from sim.engine.world import simulate
from sim.judge.court import judge_records
from sim.judge.verdict import Verdict
from sim.scenario.model import Scenario, World
from tests import shipped as held

Judged = tuple[Scenario, tuple[Verdict, ...]]
"""A scenario, and the verdict on each of its variants in the file's order."""


def _verdict(world: World) -> Verdict:
    run = simulate(world)
    return judge_records(
        world, run.records, unmatched=run.unmatched, still_held=run.still_held, ended=run.ended
    )


@cache
def judge_file(name: str) -> Judged:
    """Return a shipped file (``recovery/lost-ack.yaml``), run and judged."""
    scenario = held.scenario(name)
    return scenario, tuple(_verdict(world) for world in scenario.worlds)


def shipped_files() -> list[str]:
    """Return every shipped scenario file, below ``scenarios``, sorted."""
    return held.files()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for ``file`` runs for every shipped scenario."""
    if "file" in metafunc.fixturenames:
        metafunc.parametrize("file", shipped_files())


@pytest.fixture
def judged(file: str) -> Judged:
    """The scenario of ``file`` with its verdicts."""
    return judge_file(file)


@pytest.fixture
def judge() -> Callable[[str], Judged]:
    """Run and judge one shipped file by its name below ``scenarios``."""
    return judge_file


@pytest.fixture
def shipped() -> list[Judged]:
    """Every shipped scenario, run and judged."""
    return [judge_file(name) for name in shipped_files()]
