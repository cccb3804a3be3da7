"""Whatever is given, people get a place and a fix, and never a traceback."""

from pathlib import Path

import pytest

from tests.cli.samples import PASSING, Run, Write

FILES = {
    "empty": b"",
    "only a comment": b"# nothing\n",
    "binary": bytes(range(256)) * 8,
    "bad YAML": b"server: {resources: [\n",
    "a list": b"- 1\n- 2\n",
    "wrong types": b"server: 5\nuser: yes\nfaults: {}\n",
    "huge numbers": b"seed: " + b"9" * 6000 + b"\n",
    "a huge duration": b"server: {retention: 99999999999999999999999d}\n",
    "deep nesting": b"[" * 5000,
    "an alias bomb": b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n",
    "a tag": b"server: !!python/object:os.system {}\n",
    "a lone surrogate": b'title: "\\ud800"\nnope: 1\n',
    "a null byte": b"title: a\x00b\n",
    "not UTF-8": PASSING.replace("works", "w\xf6rks").encode("latin-1"),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES.keys())
def test_a_bad_file_is_told_with_a_fix(lostack: Run, folder: Path, content: bytes) -> None:
    Path("given.yaml").write_bytes(content)

    ended = lostack("run", "given.yaml")

    assert ended.status == 2
    assert ended.err.startswith("given.yaml")
    assert "fix: " in ended.err
    assert "Traceback" not in ended.err
    assert not ended.out


PATHS = ["nowhere.yaml", "no/such/folder", "lost-akc", ".", "", "a\x00b", "x" * 5000, "/dev/null"]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_without_a_scenario_is_told_with_a_fix(lostack: Run, path: str) -> None:
    ended = lostack("run", path)

    assert ended.status == 2
    assert "fix: " in ended.err
    assert not ended.out


def test_a_link_that_leads_to_nothing_is_called_that(lostack: Run) -> None:
    Path("link.yaml").symlink_to("nowhere.yaml")

    assert "link.yaml: this link leads to nothing" in lostack("run", "link.yaml").err


@pytest.mark.parametrize("command", ["explore", "measure", "verdict"])
@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "1e9", "soon"])
def test_seconds_that_limit_nothing_are_refused(lostack: Run, command: str, seconds: str) -> None:
    ended = lostack(command, "lost-ack", "--max-seconds", seconds)

    assert ended.status == 2
    assert f"'--max-seconds': '{seconds}' is not " in ended.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("explore", "lost-ack", "--save", ""),
        ("explore", "lost-ack", "--save", "a-file"),
        ("explore", "lost-ack", "--from-run", "1", "--save", "a-file"),
        ("run", "lost-ack", "--trace", ""),
        ("run", "lost-ack", "--trace", "a-file/below"),
        ("run", "lost-ack", "--as-scenario", "no/such/folder/x"),
    ],
)
def test_an_output_that_cannot_be_written_is_told_before_the_work(
    lostack: Run, arguments: tuple[str, ...]
) -> None:
    Path("a-file").write_text("mine")

    ended = lostack(*arguments)

    assert (ended.status, ended.out) == (2, "")
    assert "fix: name " in ended.err
    assert Path("a-file").read_text() == "mine"


def test_every_bad_file_is_told_before_anything_runs(lostack: Run, write: Write) -> None:
    (good, bad) = write("passing", "bad")
    Path("worse.yaml").write_text("[")

    ended = lostack("run", bad, good, "worse.yaml", "nowhere")

    assert [ended.err.count(word) for word in ("bad.yaml:2", "worse.yaml:", "nowhere: no")] == [
        1,
        1,
        1,
    ]
    assert "1 scenario, 1 run: 1 passed" in ended.out


def test_a_name_that_is_nearly_right_is_suggested(lostack: Run) -> None:
    assert "did you mean 'lost-ack'?" in lostack("run", "lost-akc").err


USAGE = {
    ("run",): "no scenario is named",
    ("rnu", "lost-ack"): "did you mean 'lostack run'?",
    ("run", "lost-ack", "--frmat", "json"): "no such option '--frmat'",
    ("run", "lost-ack", "--format", "jsn"): "'jsn' is not one of",
    ("run", "lost-ack", "--run", "1e3"): "'1e3' is not a whole number",
    ("measure", "lost-ack", "--runs", "1e3"): "'1e3' is not a whole number",
    ("run", "lost-ack", "--trace"): "'--trace' requires an argument",
    ("explain",): "missing argument 'NAME'",
    ("list", "mistake"): "'mistake' is not one of",
}


@pytest.mark.parametrize(("arguments", "said"), USAGE.items(), ids=map(" ".join, USAGE))
def test_wrong_usage_is_told_with_a_fix(
    lostack: Run, arguments: tuple[str, ...], said: str
) -> None:
    ended = lostack(*arguments)

    assert ended.status == 2
    assert said in ended.err
    assert "fix: " in ended.err
    assert not ended.out


def test_without_a_command_the_help_is_shown_as_an_error(lostack: Run) -> None:
    ended = lostack()

    assert ended.status == 2
    assert "Usage: " in ended.err
    assert not ended.out
