"""Measuring on a Dask cluster: a scheduler and two workers in processes of their own."""

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.samples import Run
from tests.cli.test_measure import LOSSY
from tests.cli.test_measure_process import _begun, _bytes, _words
from tests.cli.test_process import COMMAND, ENVIRONMENT

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="the extra 'cluster' is not installed: pip install 'lostack[cluster]'",
)


class Cluster(NamedTuple):
    address: str
    workers: list["subprocess.Popen[bytes]"]


def _dask(folder: Path, kind: str, *arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "dask", kind, *arguments, "--no-dashboard"]
    with (folder / f"{kind}.log").open("ab") as log:
        return subprocess.Popen(command, env=ENVIRONMENT, stdout=log, stderr=log)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    local = ("--scheduler-file", str(file))
    processes = [_dask(folder, "scheduler", *local, "--host", "127.0.0.1", "--port", "0")]
    for _ in range(2):
        one = ("--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
        processes.append(_dask(folder, "worker", *local, *one))
    try:
        yield Cluster(_address(file, folder), processes[1:])
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _address(file: Path, folder: Path) -> str:
    """Wait until the scheduler runs and both workers have registered."""
    for _ in range(1_200):
        log = (folder / "scheduler.log").read_text()
        if file.exists() and log.count("Register worker") >= 2:
            address = json.loads(file.read_text())["address"]
            assert isinstance(address, str)
            return address
        time.sleep(0.05)
    raise AssertionError(log, (folder / "worker.log").read_text())


@needs_dask
def test_a_cluster_gives_the_same_bytes_though_a_worker_is_killed(
    cluster: Cluster, folder: Path, lostack: Run
) -> None:
    (folder / "lossy.yaml").write_text(LOSSY)

    process = _begun("there", "--cluster", cluster.address)
    cluster.workers[0].kill()
    there, complaint = process.communicate(timeout=120)
    here = lostack(*_words("here", "--workers", "1"))

    assert process.returncode == 0, complaint
    assert there == here.out
    assert _bytes("there") == _bytes("here")


@needs_dask
def test_nobody_at_the_address_is_2(folder: Path) -> None:
    (folder / "lossy.yaml").write_text(LOSSY)

    done = subprocess.run(
        [*COMMAND, *_words("nowhere", "--cluster", "tcp://127.0.0.1:1")],
        env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 2
    assert "no scheduler answers at 'tcp://127.0.0.1:1'" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_extra_the_option_says_how_to_install_it(
    lostack: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "lossy.yaml").write_text(LOSSY)
    monkeypatch.setitem(sys.modules, "distributed", None)

    done = lostack("measure", "lossy.yaml", "--cluster", "tcp://127.0.0.1:1")

    assert done.status == 2
    assert "needs Dask, which is not installed\n  fix: pip install 'lostack[cluster]'" in done.err
