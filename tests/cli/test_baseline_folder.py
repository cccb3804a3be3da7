"""``--dir``: where baselines are, and what cannot be such a place."""

import json
from pathlib import Path

import pytest

from tests.cli.samples import PASSING, Run

LONG = "x" * 300


@pytest.fixture
def story(folder: Path, monkeypatch) -> Path:
    """A scenario, of which no run may be made."""
    monkeypatch.setattr("sim.cli.baseline_run.make", lambda *_, **__: pytest.fail("a run was made"))
    file = folder / "story.yaml"
    file.write_text(PASSING, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "no folder is named"),
        ("story.yaml", "'story.yaml' is a file, and baselines lie in a folder"),
        ("story.yaml/below", "'story.yaml/below' cannot be read: not a directory"),
        (LONG, f"'{LONG}' cannot be read: file name too long"),
    ],
)
def test_what_is_no_folder_of_baselines_is_bad_input(lostack: Run, story, name, said) -> None:
    ended = lostack("baseline", "check", "story.yaml", "--dir", name)

    assert (ended.status, ended.out) == (2, "")
    assert ended.err == f"{said}\n  fix: name the folder of the baselines (--dir)\n"


@pytest.mark.parametrize("name", ["", "story.yaml", "story.yaml/below", LONG])
def test_a_folder_that_cannot_be_written_is_told_before_any_run(lostack: Run, story, name) -> None:
    ended = lostack("baseline", "update", "story.yaml", "--dir", name)

    assert (ended.status, ended.out) == (2, "")
    wrong = name.partition("/")[0]
    said = f"'{wrong}' cannot be written: " if name else "no folder is named\n"
    assert ended.err.startswith(said)
    assert "\n  fix: name " in ended.err


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_folder_that_is_not_there_is_said_to_be_missing(lostack: Run, story, form) -> None:
    ended = lostack("baseline", "check", "story.yaml", "--dir", "nowhere", "--format", form)

    assert ended.status == 1
    assert ended.err == "the folder 'nowhere' does not exist, so there are no baselines in it\n"


def test_an_empty_folder_has_no_baselines_and_is_not_said_to_be_missing(
    lostack: Run, story, folder
) -> None:
    (folder / "held").mkdir()

    ended = lostack("baseline", "check", "story.yaml", "--dir", "held")

    assert (ended.status, ended.err) == (1, "")
    assert "no baseline: story" in ended.out


def test_an_update_makes_the_folder(lostack: Run, folder) -> None:
    (folder / "story.yaml").write_text(PASSING, encoding="utf-8")

    ended = lostack("baseline", "update", "story.yaml", "--dir", "new/held")

    assert ended.status == 0
    text = (folder / "new" / "held" / "story.json").read_text(encoding="utf-8")
    assert json.loads(text)["scenario"] == "story"


def test_the_advice_names_the_folder_as_a_shell_takes_it(lostack: Run, story) -> None:
    ended = lostack("baseline", "check", "story.yaml", "--dir", "my folder")

    assert "fix: make them: 'lostack baseline update PATH --dir \"my folder\"'" in ended.out
