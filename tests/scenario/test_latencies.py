"""Distributions as quantile tables: close to their closed forms, and the same everywhere."""

import math
from itertools import pairwise
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.network import distributions as d
from sim.network.weather import Latency
from sim.scenario.errors import ScenarioError
from sim.scenario.load import load_text
from sim.scenario.measured import read_latencies

SHARES = [n / 10_000 for n in range(5, 9_996, 5)]


def mean_us(table: Latency) -> float:
    """The exact mean of the table: trapezoids between its knots."""
    knots = list(zip(table.shares, table.values_us, strict=True))
    return sum((b - a) * (low + high) / 2 for (a, low), (b, high) in pairwise(knots))


@given(st.integers(1_000, 10**9))
@settings(max_examples=20, deadline=None)
def test_an_exponential_table_has_its_mean(mean: int) -> None:
    assert mean_us(d.exponential(mean)) == pytest.approx(mean, rel=0.002)


def test_an_exponential_table_is_close_to_its_quantiles() -> None:
    table = d.exponential(40_000)

    for share in SHARES:
        assert table.at(share) == pytest.approx(-40_000 * math.log1p(-share), rel=0.005, abs=2)


def test_a_pareto_table_is_close_to_its_quantiles() -> None:
    table = d.pareto(20_000, 1.5)

    for share in SHARES:
        assert table.at(share) == pytest.approx(20_000 * (1 - share) ** (-1 / 1.5), rel=0.03)


def test_a_lognormal_table_has_the_median_and_the_p99_that_were_asked_for() -> None:
    table = d.lognormal(40_000, 900_000)

    assert table.at(0.5) == 40_000
    assert table.at(0.99) == pytest.approx(900_000, rel=0.002)


def test_a_lognormal_table_is_close_to_its_quantiles() -> None:
    table = d.lognormal(40_000, 900_000)
    spread = math.log(900_000 / 40_000) / NormalDist().inv_cdf(0.99)

    for share in SHARES:
        exact = 40_000 * math.exp(spread * NormalDist().inv_cdf(share))
        assert table.at(share) == pytest.approx(exact, rel=0.005)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_uniform_table_keeps_its_ends(one: int, other: int) -> None:
    low, high = sorted((one, other))
    table = d.uniform(low, high)

    assert table.at(0.0) == low
    assert low <= table.at(0.999999) <= high
    assert table.is_constant == (low == high)


TABLES = {
    "exponential": d.exponential(40_000),
    "pareto": d.pareto(20_000, 0.1),
    "lognormal": d.lognormal(1, 3_000_000_000),
    "empirical": d.empirical([n * n for n in range(5_000)]),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_rises_from_share_0_to_share_1_in_whole_microseconds(name: str) -> None:
    table = TABLES[name]

    assert (table.shares[0], table.shares[-1]) == (0.0, 1.0)
    assert all(a < b for a, b in pairwise(table.shares))
    assert all(a <= b for a, b in pairwise(table.values_us))
    assert all(isinstance(value, int) for value in table.values_us)
    assert table.values_us[-1] <= d.VALUE_MAX_US


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_about_200_knots(name: str) -> None:
    assert 150 <= len(TABLES[name].shares) <= 250


def test_a_table_is_pinned_to_the_microsecond() -> None:
    """If this moves, every baseline that uses the distribution moves with it."""
    table = d.exponential(40_000)

    assert table.at(0.5) == 27_726
    assert table.at(0.999) == 276_310
    assert table.values_us[-1] == 644_724


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=50))
def test_measured_values_are_all_kept_while_they_are_few(values: list[int]) -> None:
    table = d.empirical(values)

    kept = (values[0],) if len(set(values)) == 1 else tuple(sorted(values))
    assert table.values_us == kept


def test_of_many_measured_values_the_quantiles_are_kept() -> None:
    table = d.empirical(range(100_001))

    for share in SHARES:
        assert table.at(share) == pytest.approx(share * 100_000, abs=1)


def loaded(tmp_path, csv: str) -> Latency:
    (tmp_path / "weather.csv").write_text(csv, encoding="utf-8")
    text = "network: {ack: {latency: {empirical: weather.csv}}}\n"
    scenario = load_text(text, "case", str(tmp_path / "case.yaml"))
    return scenario.worlds[0].clients[0].link.ack.latency


@pytest.mark.parametrize(
    "csv",
    [
        "40ms\n20ms\n60ms\n",
        "latency\n40ms\n20ms\n60ms\n",
        "url,latency_ms\n/a,40\n/b,20\n\n/c,60\n",
        "when,Latency\r\n1,0.04s\r\n2,20ms\r\n3,60ms\r\n",
        "pause\n40ms\n20ms\n60ms",
        "latency_ms\r40\r20\r60\r",
        "ms\n40\n20\n60\n",
        "\n\nms\n40\n20\n60\n",
        "us,\n40000,\n20000,\n60000,\n",
        "ms\n40,\n20 ,\n60\n",
        "s\n0.04\n0.02\n0.06\n",
    ],
)
def test_latencies_are_read_from_a_csv_file(tmp_path, csv: str) -> None:
    assert loaded(tmp_path, csv) == Latency((0.0, 0.5, 1.0), (20_000, 40_000, 60_000))


@pytest.mark.parametrize(
    ("csv", "place", "problem"),
    [
        ("40ms\nfast\n", ":2:1", "'fast' is not a duration"),
        ("latency_ms\n40\n-1\n", ":3:1", "'-1' is no latency"),
        ("url,ms\n/a,40\n/b,# c\n", ":3:4", "'# c' is no latency"),
        ("latency_s\n1e3\n", ":2:1", "'1e3' is no latency"),
        ("a,latency\n1,40ms\n2\n", ":3:1", "this line has no latency"),
        (f'latency_ms\n"{"9" * 200_000}"\n', ":2:1", "not CSV: a field has more than 131,072"),
        ("latency_ms\n40\n  -1\n", ":3:3", "'-1' is no latency"),
        ('url,ms\n"/a,b",-1\n', ":2:8", "'-1' is no latency"),
        ('url,ms\n"/a\n""b",40\n\n/c,nan\n', ":5:4", "'nan' is no latency"),
        ('url,ms\n"/a\nb",-1\n', ":3:4", "'-1' is no latency"),
        ("ms,url\n,/a\n", ":2:1", "this line has no latency"),
        ("latency_ms\n5\x006\n", ":2:1", "'5\x006' is no latency"),
        ("ms,\n1,5\n", ":2:1", "'1,5' is no latency"),
        ("ms\n,5\n", ":2:1", "',5' is no latency"),
        ("-1ms\n40ms\n", ":1:1", "'-1ms' is not a duration"),
        ("10\n40ms\n", ":1:1", "the duration '10' has no unit"),
        ("ms\n0.0001\n", ":2:1", "'0.0001' is finer than a microsecond"),
        ("latency\n", "", "there is no latency in it"),
        ("", "", "there is no latency in it"),
    ],
)
def test_a_bad_line_of_a_csv_file_is_shown(tmp_path, csv: str, place: str, problem: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loaded(tmp_path, csv)

    assert problem in caught.value.problem
    assert "weather.csv" in str(caught.value)
    assert not place or str(caught.value.where).endswith(f"weather.csv{place}")


@pytest.mark.parametrize(
    ("csv", "fix"),
    [
        (
            "ms\n5ms\n",
            "milliseconds in plain digits, from 0 to 100 years: its unit is in the header",
        ),
        ("us\n0.5\n", "round it to a whole number"),
        ("Latency (ms)\n40\n", "name the column in the first line: latency_us, latency_ms or"),
        ("url,time_ms\n/a,40\n", "name the column in the first line: latency_us, latency_ms or"),
    ],
)
def test_what_a_column_may_hold_is_told(tmp_path, csv: str, fix: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loaded(tmp_path, csv)

    assert fix in caught.value.fix


@given(st.binary(max_size=60), st.sampled_from([b"", b"ms\n", b"a,latency\r"]))
def test_whatever_a_file_of_latencies_holds_it_is_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, header: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(header + content)

    try:
        found = len(read_latencies(str(path), "any.csv"))
    except ScenarioError as error:
        found = str(error).count("\n  fix: ")

    assert found


def test_a_table_of_quantiles_is_taken_as_it_is() -> None:
    text = "network: {ack: {latency: {quantiles: [[0, 1ms], [0.9, 2ms], [1, 9s]]}}}\n"

    (world,) = load_text(text, "case", "case.yaml").worlds
    assert world.clients[0].link.ack.latency == Latency((0.0, 0.9, 1.0), (1_000, 2_000, 9_000_000))
