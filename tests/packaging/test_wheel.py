"""An installed lostack brings its scenarios along."""

import os
import subprocess
import sys
import sysconfig
import venv
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
        # Compiling it takes a minute, and is a stage of its own.
        env={**os.environ, "LOSTACK_PURE": "1"},
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


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel installed; its dependencies are those of this one."""
    prefix = tmp_path_factory.mktemp("environment")
    venv.create(prefix, symlinks=True, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(prefix / "bin" / "python"), "install"]
    offline = ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check", "-qq"]
    subprocess.run([*pip, *offline, str(wheel)], check=True, capture_output=True)
    (site,) = prefix.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return prefix


def _typed(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [installed / "bin" / words[0], *words[1:]],
        cwd=folder, env={**bare, "NO_COLOR": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_installed_command_runs_a_shipped_scenario_by_name(
    installed: Path, tmp_path: Path
) -> None:
    done = _typed(installed, tmp_path, "lostack", "run", "lost-ack")

    assert (done.returncode, done.stderr) == (0, "")
    assert "1 scenario, 1 run: 1 passed" in done.stdout


def test_the_installed_command_is_the_installed_code(installed: Path, tmp_path: Path) -> None:
    done = _typed(installed, tmp_path, "python", "-c", "import sim; print(sim.__file__)")

    assert Path(done.stdout.strip()).is_relative_to(installed)
