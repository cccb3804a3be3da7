"""The shipped scenarios, each loaded once for all tests of a process."""

from functools import cache
from pathlib import Path

from sim.scenario.load import load_path
from sim.scenario.model import Scenario

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"


def files() -> list[str]:
    """Return every shipped scenario file, below ``scenarios``, sorted."""
    return sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.yaml"))


@cache
def scenario(name: str) -> Scenario:
    """Return the scenario of a shipped file (``recovery/lost-ack.yaml``)."""
    return load_path(str(FOLDER / name))


def scenarios() -> list[Scenario]:
    """Return every shipped scenario."""
    return [scenario(name) for name in files()]
