"""``lostack explain`` and ``lostack list``: every name can be found and is explained."""

import pytest

import sim.cli.listing
from sim.judge.catalog import SCENARIO_WORDS, Entry, EntryKind, entries, lookup
from sim.report.claims import CLAIMS, Claim
from sim.scenario.find import shipped
from tests.cli.samples import Run

ONE_OF_EACH = [next(one for one in entries() if one.kind is kind) for kind in EntryKind]


@pytest.mark.parametrize("entry", ONE_OF_EACH, ids=[entry.kind for entry in ONE_OF_EACH])
def test_a_name_of_each_kind_is_explained(lostack: Run, entry: Entry) -> None:
    ended = lostack("explain", entry.name)

    assert ended.status == 0
    assert ended.out.startswith(f"{entry.name}  {entry.kind}\n")
    said = " ".join(ended.out.split())
    for text in (entry.what, entry.shows, entry.does_not_prove, entry.do):
        assert " ".join(text.split()) in said


def test_dashes_and_underscores_are_alike(lostack: Run) -> None:
    assert lostack("explain", "NO_FALSE-success") == lostack("explain", "no-false-success")


def test_an_alias_is_explained_under_the_name_of_its_entry(lostack: Run) -> None:
    out = lostack("explain", "idempotency_key").out

    assert out.startswith("operation  term\n")
    assert "also found as\n  operation-id, idempotency-key" in out


@pytest.mark.parametrize(
    "name", ["conflict", "mismatch", "in-flight", "stale", "repeated", "replayed", "no-status",
             "person-decides", "completed", "not-found"]
)  # fmt: skip
def test_the_words_of_a_story_are_explained(lostack: Run, name: str) -> None:
    assert lostack("explain", name).out.startswith(f"{name}  ")


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.tag for claim in CLAIMS])
def test_a_claim_is_explained_with_where_it_comes_from(lostack: Run, claim: Claim) -> None:
    out = " ".join(lostack("explain", claim.tag).out.split())

    assert claim.says in out
    assert "article" in out
    assert "shown by lostack run " in out


def test_a_scenario_s_name_is_explained_by_what_it_shows(lostack: Run) -> None:
    out = lostack("explain", "lost-ack").out

    assert out.startswith("lost-ack  scenario\n")
    assert "lostack run lost-ack" in out


@pytest.mark.parametrize(
    ("typed", "entry"),
    [
        ("backoff", "backoff"),
        ("exponential backoff", "backoff"),
        ("idempotency", "operation"),
        ("double charge", "one-effect-per-intent"),
        ("offline", "hint"),
        ("timeout", "timeout"),
        ("If-Match", "base-version"),
        ("409", "conflict"),
    ],
)
def test_a_word_of_those_who_build_pages_leads_to_its_entry(
    lostack: Run, typed: str, entry: str
) -> None:
    assert lostack("explain", typed).out.startswith(f"{entry}  ")


@pytest.mark.parametrize(
    ("typed", "scenario"),
    [("jitter", "jitter"), ("Double click", "double-click"), ("lost_ack", "lost-ack")],
)
def test_a_scenario_called_by_a_word_of_the_field_explains_the_word_too(
    lostack: Run, typed: str, scenario: str
) -> None:
    out = lostack("explain", typed).out

    word = SCENARIO_WORDS[scenario]
    assert out.startswith(f"{scenario}  scenario\n")
    assert lookup(word).what.split(".")[0] in " ".join(out.split())
    assert f"'lostack explain {word}'" in " ".join(out.split())


def test_an_explained_mistake_names_scenarios_that_show_it(lostack: Run) -> None:
    out = lostack("explain", "record-before-commit").out

    shown = out.split("shown by\n  lostack run ")[1].split()
    assert "record-before-commit" in shown
    assert [name for name in shown if name not in shipped()] == []


@pytest.mark.parametrize("name", ["no-false-sucess", "gone", "x", "", "a" * 5000])
def test_an_unknown_name_is_told_with_what_may_be_meant(lostack: Run, name: str) -> None:
    ended = lostack("explain", name)

    assert ended.status == 2
    assert ended.err.startswith("nothing is called '")
    assert "fix: did you mean '" in ended.err or "'lostack list' shows every name" in ended.err


def test_a_misspelt_part_of_a_name_is_told_with_the_names_that_hold_it(lostack: Run) -> None:
    assert "fix: did you mean 'unknown" in lostack("explain", "unknwon").err


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A handful of the shipped scenarios: to load them all takes its time."""
    names = ["happy-path", "record-before-commit", "lost-ack", "lost-request"]
    paths = shipped()
    monkeypatch.setattr(sim.cli.listing, "shipped", lambda: {name: paths[name] for name in names})
    return names


def test_list_names_every_shipped_scenario_under_its_theme(lostack: Run, few: list[str]) -> None:
    lines = lostack("list", "scenarios").out.splitlines()

    themes = [line for line in lines if line and line[0] != " "][:-1]
    names = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    assert themes == ["basics", "crashes", "recovery"]
    assert names == few


@pytest.mark.usefixtures("few")
def test_list_says_what_a_variant_breaks(lostack: Run) -> None:
    said = " ".join(lostack("list").out.split())

    assert "record-before-commit acknowledged, 0 effects; breaks no-false-success" in said


@pytest.mark.usefixtures("few")
def test_list_shows_tags_when_asked_to(lostack: Run) -> None:
    assert "tags: " not in lostack("list", "scenarios").out
    assert "tags: " in lostack("list", "scenarios", "--tags").out


@pytest.mark.parametrize("kind", list(EntryKind))
def test_list_of_a_kind_names_all_of_it(lostack: Run, kind: EntryKind) -> None:
    out = lostack("list", f"{kind}s").out

    starts = [line.split()[0] for line in out.splitlines() if not line.startswith(" ")]
    assert starts == [entry.name for entry in entries() if entry.kind is kind]


@pytest.mark.usefixtures("few")
def test_list_names_everything_but_rules(lostack: Run) -> None:
    words = lostack("list").out.replace(",", " ").split()

    expected = [one.name for one in entries() if one.kind is not EntryKind.RULE]
    assert [name for name in expected if name not in words] == []
