"""An installed lostack brings its scenarios along."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

pytest.importorskip("hatchling", reason="hatchling builds the wheel; 'make test' installs it")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_shipped_scenario(wheel: Path) -> None:
    shipped = [path.relative_to(ROOT).as_posix() for path in (ROOT / "scenarios").rglob("*.yaml")]

    held = set(zipfile.ZipFile(wheel).namelist())

    assert shipped
    assert {f"sim/_{name}" for name in shipped} <= held


def test_the_wheel_says_that_it_is_typed(wheel: Path) -> None:
    assert "sim/py.typed" in zipfile.ZipFile(wheel).namelist()


def test_a_shipped_scenario_runs_by_name_outside_the_repository(
    wheel: Path, tmp_path: Path
) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed"), "NO_COLOR": "1"}

    done = subprocess.run(
        [sys.executable, "-m", "sim", "run", "lost-ack"],
        cwd=elsewhere,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
