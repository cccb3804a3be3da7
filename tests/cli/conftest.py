"""The command, run in this process, in an empty folder of the test's own."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from sim.cli.main import cli
from tests.cli.samples import TEXTS, Ended, Run, Write


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LOSTACK_DEBUG", raising=False)
    return tmp_path


@pytest.fixture
def lostack() -> Run:
    def run(*arguments: str | Path) -> Ended:
        done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return Ended(done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def write(folder: Path) -> Write:
    def written(*names: str) -> list[str]:
        paths = [folder / f"{name}.yaml" for name in names]
        for path in paths:
            path.write_text(TEXTS[path.stem], encoding="utf-8")
        return [str(path) for path in paths]

    return written
