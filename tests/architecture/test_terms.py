"""The plain words of the field can be looked up, and no word stands for two things."""

import pytest

from sim.explore.choice import Kind
from sim.explore.safety import Safety
from sim.judge.catalog import ALIASES, Entry, EntryKind, UnknownNameError, entries, lookup
from sim.report.claims import CLAIMS
from sim.scenario.find import shipped
from sim.scenario.load import load_text

VOCABULARY = (
    "draft", "draft_version", "intent", "operation", "operation_id", "snapshot", "attempt",
    "attempt_id", "resource", "version", "base version", "expected_version", "acknowledgement",
    "ack", "accepted_version", "resource_version", "replayed", "refusal", "invalid",
    "unauthenticated", "conflict", "in-flight", "mismatch", "expired", "throttled",
    "server error", "answer", "transport error", "network-error", "opaque", "detailed", "session",
    "owner", "registry", "delivery", "effect", "put", "post", "irreversible", "settled",
    "abandoned", "surrogate",
)  # fmt: skip
"""Every word that the contract's vocabulary defines, as people type it."""

TERMS = [entry for entry in entries() if entry.kind is EntryKind.TERM]
NAMES = [entry.name for entry in TERMS]
BASE = """\
server: {resources: {note: {}, comments: {kind: post}, payments: {kind: post}}}
client: {owner: ann}
user:
  - {at: 0s, edit: note}
  - {at: 0s, save: note}
  - {at: 0s, edit: comments}
  - {at: 0s, save: comments}
"""


@pytest.mark.parametrize("word", VOCABULARY)
def test_every_word_of_the_vocabulary_is_explained(word: str) -> None:
    assert lookup(word).what


@pytest.mark.parametrize("word", [*Kind, *(one.value for one in Safety)])
def test_what_a_search_and_a_verdict_call_things_is_explained(word: str) -> None:
    assert lookup(word).what


def test_an_alias_leads_to_an_entry_and_is_the_name_of_nothing_else() -> None:
    names = {entry.name for entry in entries()}

    assert [alias for alias, name in ALIASES.items() if name not in names] == []
    assert [alias for alias in ALIASES if alias in {name.replace("_", "-") for name in names}] == []


def test_no_term_and_no_alias_hides_a_scenario_or_a_claim() -> None:
    others = {*shipped(), *(claim.tag for claim in CLAIMS)}

    assert [word for word in (*NAMES, *ALIASES) if word in others] == []


@pytest.mark.parametrize("entry", TERMS, ids=NAMES)
def test_the_texts_of_a_term_are_sentences(entry: Entry) -> None:
    for text in (entry.what, entry.shows, entry.does_not_prove, entry.do):
        assert text[0].isupper() or text[0] in "'0123456789", text
        assert text[-1] in ".'", text


@pytest.mark.parametrize("entry", [one for one in TERMS if one.example], ids=lambda one: one.name)
def test_the_example_of_a_term_stands_in_a_scenario_that_loads(entry: Entry) -> None:
    assert load_text(BASE + placed(entry.example), "example", "example.yaml").worlds


def placed(example: str) -> str:
    """Return a line of a scenario where such a line belongs."""
    match example.partition(":")[0]:
        case "seed" | "runs" | "sweep":
            return example
        case "server" | "client" | "network" | "expect":
            return f"variants: {{it: {{{example}}}}}"
        case "retry":
            return f"variants: {{it: {{client: {{{example}}}}}}}"
        case "resources":
            return f"variants: {{it: {{server: {{{example}}}}}}}"
        case "{at":
            return f"variants: {{it: {{user: [{example}]}}}}"
        case _:
            return f"faults: [{example}]"


def test_an_alias_and_its_name_are_one_entry() -> None:
    assert lookup("idempotency_key") is lookup("Operation")


def test_a_misspelt_alias_is_told_as_it_is_written() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'idempotency-key'"):
        lookup("idempotancy-key")
