"""The files of a measurement: tidy, complete, and the same whenever they are made."""

import csv
import hashlib
import io
import json

import pytest

from sim.measure.definitions import BY_NAME
from sim.measure.files import files
from sim.measure.measuring import Progress, alone
from sim.measure.results import rows
from sim.measure.work import Work
from tests.measure.samples import CROWD, SWEPT, VARIANTS, counted, never, no_clock, plan_of

PLAN = plan_of(VARIANTS, SWEPT, CROWD, runs=3)


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return files(PLAN, counted(PLAN).results())


def _table(made: dict[str, bytes], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(made[name].decode())))


def test_there_is_a_row_for_every_cell_and_measure(made: dict[str, bytes]) -> None:
    places = [
        (r["scenario"], r["variant"], r["cell"], r["measure"]) for r in _table(made, "results.csv")
    ]

    assert len(places) == len(set(places)) == 7 * len(BY_NAME)
    assert ("s1", "", "client.timeout=1s, network.ack.loss=0.4", "unresolved_rate") in places


def test_value_is_count_over_denominator(made: dict[str, bytes]) -> None:
    for row in _table(made, "results.csv"):
        if row["unit"] in ("share", "mean") and row["value"]:
            assert float(row["value"]) == int(row["count"]) / int(row["denominator"])


def test_where_the_denominator_is_0_there_is_no_value(made: dict[str, bytes]) -> None:
    empty = [row for row in _table(made, "results.csv") if row["denominator"] == "0"]

    assert empty
    assert {(row["value"], row["low"], row["high"]) for row in empty} == {("", "", "")}


def test_histograms_add_up_to_the_settled_operations(made: dict[str, bytes]) -> None:
    settled = {
        (r["scenario"], r["variant"], r["cell"]): int(r["count"])
        for r in _table(made, "results.csv")
        if r["measure"] == "time_to_certainty.max"
    }
    counts = dict.fromkeys(settled, 0)
    for row in _table(made, "histograms.csv"):
        counts[row["scenario"], row["variant"], row["cell"]] += int(row["operations"])

    assert counts == settled


def test_load_has_every_second_of_populations_alone(made: dict[str, bytes]) -> None:
    seconds = [(r["scenario"], int(r["second"])) for r in _table(made, "load.csv")]

    assert seconds == [("s2", second) for second in range(len(seconds))]


def test_beliefs_are_of_every_intent(made: dict[str, bytes]) -> None:
    many = sum(int(r["intents"]) for r in _table(made, "beliefs.csv") if r["scenario"] == "s0")

    assert many == 2 * 3


def test_the_manifest_vouches_for_the_other_files(made: dict[str, bytes]) -> None:
    manifest = json.loads(made["manifest.json"])

    assert manifest["whole"] is True
    assert (manifest["runs"], manifest["runs_planned"]) == (21, 21)
    assert manifest["files"] == {
        name: hashlib.sha256(data).hexdigest()
        for name, data in made.items()
        if name != "manifest.json"
    }
    assert set(manifest["versions"]) == {"lostack", "python", "numpy", "simpy"}


def test_parquet_holds_what_the_csv_holds(made: dict[str, bytes]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra 'data' is not installed")
    table = parquet.read_table(io.BytesIO(made["results.parquet"])).to_pylist()
    wanted = _table(made, "results.csv")

    shown = [{k: "" if v is None else str(v) for k, v in row.items()} for row in table]

    assert shown == wanted


def test_a_cut_measurement_has_counts_and_no_rates() -> None:
    progress, work = Progress(PLAN), Work(PLAN, runs_in_a_chunk=1)
    progress.take(next(alone(PLAN, work, never, no_clock)))

    first = next(iter(progress.results()))

    assert not first.is_whole
    assert all(row.value is None and row.low is None for row in rows(first))
    assert first.row("unresolved_rate").denominator == 1
    assert json.loads(files(PLAN, progress.results())["manifest.json"])["whole"] is False
