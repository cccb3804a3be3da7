"""Charts are the same bytes in every process, whatever the machine has configured."""

import hashlib
import os
import struct
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import pytest

from sim.report.charts import draw, sheets
from sim.report.charts.sheet import FORMATS
from sim.report.charts.sheet import draw as pictures
from sim.report.charts.style import SETTINGS
from tests.report.charted import CHOSEN, measured

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return draw(measured("crowd"), tmp_path_factory.mktemp("charts") / "new" / "folder")


ELSEWHERE = "font.size: 31\nlines.linewidth: 9\nsvg.fonttype: path\naxes.grid: False\n"
PROGRAM = "from tests.report.charted import digests; print(*digests())"


def test_another_process_with_another_hash_seed_draws_the_same_bytes(
    tmp_path: Path, drawn: list[Path]
) -> None:
    (tmp_path / "matplotlibrc").write_text(ELSEWHERE)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4711", "MATPLOTLIBRC": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    files = [drawn[0].with_name(f"{name}.{end}") for name in CHOSEN for end in FORMATS]
    here = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    assert len(here) == 4
    assert done.stdout.split() == here


def test_files_are_whole_and_carry_no_time_and_no_program(drawn: list[Path]) -> None:
    assert len(drawn) >= 8
    for path in drawn:
        data = path.read_bytes()
        assert b"Matplotlib" not in data
        if path.suffix == ".png":
            assert _chunks(data) <= {b"IHDR", b"tEXt", b"pHYs", b"IDAT", b"IEND"}
        else:
            assert b"<dc:date>" not in data
    assert sorted(path.name for path in drawn[0].parent.iterdir()) == sorted(
        path.name for path in drawn
    )


def _chunks(data: bytes) -> set[bytes]:
    found, at = set(), 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        found.add(data[at + 4 : at + 8])
        at += length + 12
    return found


def test_settings_of_this_process_are_left_as_they_were() -> None:
    before = {key: mpl.rcParams[key] for key in SETTINGS}

    pictures(next(iter(sheets(measured("crowd")))))

    assert {key: mpl.rcParams[key] for key in SETTINGS} == before
    assert "matplotlib.pyplot" not in sys.modules
