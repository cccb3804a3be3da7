"""``lostack weather``: a browser's HAR file becomes latencies, and nothing else of it is kept."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.network.distributions import empirical
from sim.scenario.har import as_csv, weather
from sim.scenario.load import load_path
from sim.scenario.measured import read_latencies
from tests.cli.samples import Run

TRAIN = Path(__file__).with_name("train.har")
SCENARIO = """\
server: {resources: {note: {}}}
network: {request: {latency: {empirical: train.csv}}, ack: {latency: 0s}}
user: [{at: 0s, edit: note}, {at: 0s, save: note}]
"""


@pytest.fixture
def train(folder: Path) -> Path:
    return Path(shutil.copy(TRAIN, folder / "train.har"))


def test_latencies_go_out_and_the_summary_beside_them(lostack: Run, train: Path) -> None:
    ended = lostack("weather", train, "--host", "api.example.org")

    assert ended.status == 0
    assert ended.out.split() == ["latency_us", "84250", "96100", "203750", "412000", "1530004"]
    assert ended.err.startswith("train.har: 5 latencies of 12 entries\n")


def test_the_summary_says_quantiles_failures_and_what_is_left_out(
    lostack: Run, train: Path
) -> None:
    ended = lostack("weather", train, "--out", "train.csv")

    assert ended.out.splitlines() == [
        "train.har: 6 latencies of 12 entries",
        "  whole exchanges: p50 121 ms, p90 1.53 s, p99 1.53 s, max 1.53 s",
        "  failures: 1 of 7 requests (14.3 %)",
        "  left out: 2 not http or https (data:, blob:, extensions)",
        "  left out: 1 answered from the browser's cache",
        "  left out: 1 a WebSocket or event stream: it lasts as long as it is open",
        "  left out: 1 failed: no answer came",
        "  left out: 1 without a usable time",
        "written: train.csv",
    ]


def test_a_scenario_meets_the_measured_quantiles(lostack: Run, train: Path) -> None:
    lostack("weather", train, "--out", "train.csv")
    Path("train.yaml").write_text(SCENARIO)

    latency = load_path("train.yaml").worlds[0].clients[0].link.request.latency

    ordered = [84_250, 96_100, 120_500, 203_750, 412_000, 1_530_004]
    assert [latency.at(n / 5) for n in range(5)] == ordered[:5]
    assert latency.values_us[-1] == ordered[-1]


def test_half_of_each_duration_serves_both_directions(lostack: Run, train: Path) -> None:
    ended = lostack("weather", train, "--host", "www.example.org", "--half")

    assert ended.out.split() == ["latency_us", "60250"]
    assert "written is half of each" in ended.err


def test_only_the_asked_methods_count(lostack: Run, train: Path) -> None:
    ended = lostack("weather", train, "--method", "put", "--method", "post")

    assert ended.out.split()[1:] == ["84250", "96100", "412000", "1530004"]
    assert "failures: 1 of 5 requests" in ended.err


def test_nothing_private_is_copied(lostack: Run, train: Path) -> None:
    ended = lostack("weather", train, "--out", "train.csv")

    for word in ("secret", "example", "2026", "notes", "PUT"):
        assert word not in Path("train.csv").read_text()
        assert word not in ended.out


def test_a_host_that_is_not_there_brings_those_that_are(lostack: Run, train: Path) -> None:
    ended = lostack("weather", train, "--host", "nowhere.example")

    assert ended.status == 2
    assert "no latency is left" in ended.err
    assert "fix: its hosts are: api.example.org (9), www.example.org (1)" in ended.err
    assert not ended.out


BAD = {
    "empty": "",
    "no JSON": '{"log": {"entries": [}',
    "another JSON": '{"entries": []}',
    "a list": "[1, 2]",
    "no requests": '{"log": {"entries": []}}',
    "entries that are none": '{"log": {"entries": [1, null, "x", [], {}]}}',
    "a huge number": '{"log": {"entries": [' + "9" * 6000 + "]}}",
    "deep nesting": "[" * 100_000,
    "a broken address": '{"log": {"entries": [{"request": {"url": "http://[::1"}}]}}',
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_a_bad_har_is_told_with_a_fix(lostack: Run, text: str) -> None:
    Path("bad.har").write_text(text)

    ended = lostack("weather", "bad.har")

    assert ended.status == 2
    assert ended.err.startswith("bad.har")
    assert "fix: " in ended.err
    assert not ended.out


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x00", bytes(range(256))])
def test_a_binary_file_is_told_with_a_fix(lostack: Run, content: bytes) -> None:
    Path("bad.har").write_bytes(content)

    assert "fix: " in lostack("weather", "bad.har").err


def test_the_place_of_a_syntax_error_is_shown(lostack: Run) -> None:
    Path("bad.har").write_text('{\n "log": oops\n}\n')

    assert lostack("weather", "bad.har").err.startswith("bad.har:2:9: not JSON: expecting value")


def test_no_file_is_told(lostack: Run, train: Path) -> None:
    assert "did you mean 'train.har'" in lostack("weather", "trian.har").err


def test_an_output_that_cannot_be_written_is_told(lostack: Run, train: Path) -> None:
    ended = lostack("weather", train, "--out", "no/such/folder.csv")

    assert ended.status == 2
    assert "cannot be written" in ended.err


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=8), inner, max_size=2)
    ),
    max_leaves=4,
)
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "time": JSON,
        "request": st.fixed_dictionaries({}, optional={"url": JSON, "method": JSON}) | JSON,
        "response": st.fixed_dictionaries({}, optional={"status": JSON, "_error": JSON}) | JSON,
        "_fromCache": JSON,
        "_resourceType": JSON,
    },
)


@given(st.lists(ENTRIES | JSON, max_size=5))
def test_whatever_the_entries_hold_each_is_counted_once(entries: list[object]) -> None:
    found = weather(entries, hosts=["a"], methods=["GET"])

    assert found.entries == len(entries)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=60))
def test_latencies_survive_the_way_through_the_file(
    tmp_path_factory: pytest.TempPathFactory, values: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("weather")
    (folder / "x.csv").write_text(as_csv(sorted(values)))

    read = read_latencies(str(folder / "x.yaml"), "x.csv")

    assert empirical(read) == empirical(values)


def test_a_time_in_milliseconds_is_rounded_to_a_microsecond() -> None:
    entry = {"request": {"url": "http://a/"}, "response": {"status": 204}, "time": 1.2345678}

    assert weather([entry]).latencies_us == (1_235,)


def test_the_test_file_is_a_har_file() -> None:
    assert json.loads(TRAIN.read_text())["log"]["version"] == "1.2"


def test_the_har_file_is_not_written_over(lostack: Run, folder: Path) -> None:
    har = json.dumps({"log": {"entries": [_asked()]}})
    Path("own.har").write_text(har)

    ended = lostack("weather", "own.har", "--out", "own.har")

    assert (ended.status, ended.out) == (2, "")
    assert "'own.har' is a file that is read: it would be written over" in ended.err
    assert Path("own.har").read_text() == har


@pytest.mark.parametrize("arguments", [("",), ("own.har", "--out", "")])
def test_a_file_without_a_name_is_refused(lostack: Run, arguments: tuple[str, ...]) -> None:
    Path("own.har").write_text(json.dumps({"log": {"entries": [_asked()]}}))

    assert "no file is named\n  fix: name " in lostack("weather", *arguments).err


@pytest.mark.parametrize(
    ("options", "changes", "said"),
    [
        (("--method", "post"), {}, "1 by another method\n  fix: its methods are: PUT (1)"),
        (("--host", "b.example"), {}, "1 to another host\n  fix: its hosts are: a.example (1)"),
        ((), {"time": -1}, "1 without a usable time\n  fix: record a page that talks to a server"),
    ],
)
def test_where_nothing_is_left_the_fix_is_for_what_left_it_out(
    lostack: Run, options: tuple[str, ...], changes: dict[str, object], said: str
) -> None:
    Path("own.har").write_text(json.dumps({"log": {"entries": [_asked() | changes]}}))

    ended = lostack("weather", "own.har", *options)

    assert ended.status == 2
    assert said in ended.err


@pytest.mark.parametrize(
    ("options", "fix"),
    [
        ("--host b.example --method get", "fix: its methods are: POST (1)\n"),
        ("--method get", "fix: its methods are: PUT (2), POST (1)\n"),
        ("--method post", "fix: its methods are: PUT (2), POST (1); or record a page"),
        ("--host b.example", "fix: its hosts are: a.example (2), b.example (1); or record a page"),
    ],
)
def test_the_fix_is_for_those_that_got_furthest(lostack: Run, options: str, fix: str) -> None:
    other = {"request": {"method": "POST", "url": "https://b.example/"}, "response": {}}
    extension = {"request": {"method": "GET", "url": "chrome-extension://abc/x.js"}}
    entries = [_asked(), other, _asked(), *[extension] * 9]
    Path("own.har").write_text(json.dumps({"log": {"entries": entries}}))

    assert fix in lostack("weather", "own.har", *options.split()).err


def test_a_request_without_a_method_leaves_no_list_empty(lostack: Run) -> None:
    entry = _asked() | {"request": {"url": "https://a.example/"}}
    Path("own.har").write_text(json.dumps({"log": {"entries": [entry]}}))

    assert "fix: record a page" in lostack("weather", "own.har", "--method", "get").err


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_the_har_file_is_not_written_over_by_another_name(lostack: Run, train: Path, link) -> None:
    before = train.read_bytes()
    link(Path("other.csv"), train)

    assert lostack("weather", train, "--out", "other.csv").status == 2
    assert train.read_bytes() == before


def test_one_request_is_told_in_the_singular(lostack: Run) -> None:
    Path("own.har").write_text(json.dumps({"log": {"entries": [_asked()]}}))

    assert "failures: 0 of 1 request (0.0 %)\n" in lostack("weather", "own.har").err


@pytest.mark.parametrize("before", ["1,\r2", '"\u2028"', '"\x85"'])
def test_a_syntax_error_is_shown_in_the_line_that_json_counts(lostack: Run, before: str) -> None:
    Path("bad.har").write_bytes(f"[{before},\n oops]".encode())

    assert "\n   2 |  oops]\n" in lostack("weather", "bad.har").err


def test_a_number_of_thousands_of_digits_is_told_in_words(lostack: Run) -> None:
    Path("own.har").write_text(f'{{"log": {"9" * 5_000}}}')

    assert "own.har: it holds a number of thousands of digits" in lostack("weather", "own.har").err


def _asked() -> dict[str, object]:
    request = {"method": "PUT", "url": "https://a.example/save"}
    return {"time": 40, "request": request, "response": {"status": 200}}
