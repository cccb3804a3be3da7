"""The tables hold every row once, and nothing else."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from sim.contract import rules
from sim.contract.client.rows import Row
from sim.contract.messages import RefusalKind, Status
from sim.contract.mistakes import MISTAKES, Mistake, Side, by_name, client_rules, server_rules
from sim.contract.names import INVARIANT_NAMES, MEASURE_NAMES
from sim.contract.phases import Phase, Reason
from sim.contract.rules import ClientRules, ServerRules
from sim.contract.server.state import Step
from sim.judge.catalog import EntryKind, UnknownNameError, entries, lookup
from sim.network import faults

TEXTS = ("does", "symptom", "cause", "check", "remedy", "does_not_prove")
IDS = [mistake.name for mistake in MISTAKES]


def test_every_rule_of_the_client_has_its_mistake_in_order() -> None:
    rows = [mistake.field for mistake in MISTAKES if mistake.side is Side.CLIENT]

    assert rows == [field.name for field in fields(ClientRules)]


def test_every_rule_of_the_server_has_its_mistake_in_order() -> None:
    rows = [mistake.field for mistake in MISTAKES if mistake.side is Side.SERVER]

    assert rows == [field.name for field in fields(ServerRules)]


def test_the_comment_at_each_rule_names_its_mistake() -> None:
    source = Path(rules.__file__).read_text(encoding="utf-8")

    assert re.findall(r"True  # (\S+)", source) == [mistake.name for mistake in MISTAKES]


@pytest.mark.parametrize("mistake", MISTAKES, ids=IDS)
def test_a_mistake_turns_off_exactly_one_rule(mistake: Mistake) -> None:
    switch = client_rules if mistake.side is Side.CLIENT else server_rules

    made = switch([mistake.name])

    assert [f.name for f in fields(made) if not getattr(made, f.name)] == [mistake.field]


@pytest.mark.parametrize("mistake", MISTAKES, ids=IDS)
def test_the_texts_of_a_mistake_are_sentences(mistake: Mistake) -> None:
    for name in TEXTS:
        text = getattr(mistake, name)
        assert text[0] in "'‘" or text[0].isupper() or text[0].isdigit(), (name, text)
        assert text[-1] in ".?!", (name, text)


@pytest.mark.parametrize("mistake", MISTAKES, ids=IDS)
def test_a_mistake_breaks_invariants_that_exist(mistake: Mistake) -> None:
    assert mistake.breaks
    assert set(mistake.breaks) <= set(INVARIANT_NAMES)


def test_a_mistake_of_the_other_side_is_refused() -> None:
    with pytest.raises(ValueError, match="'no-registry' is a mistake of a server"):
        client_rules(["no-registry"])


def test_an_unknown_mistake_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ValueError, match="did you mean 'auto-rebase'"):
        by_name("auto-rebas")


def _names(kind: EntryKind) -> list[str]:
    return [entry.name for entry in entries() if entry.kind is kind]


def test_every_invariant_measure_and_phase_is_explained_in_order() -> None:
    assert _names(EntryKind.INVARIANT) == list(INVARIANT_NAMES)
    assert _names(EntryKind.MEASURE) == list(MEASURE_NAMES)
    assert _names(EntryKind.PHASE) == [phase.value for phase in Phase]


def test_every_fault_action_is_explained() -> None:
    actions = [*_members(faults.MessageAction), *_members(faults.ServerAction)]

    assert len(_names(EntryKind.FAULT)) == len(actions) + len([faults.Cut, faults.Order])


def test_every_rule_of_client_and_server_is_explained() -> None:
    assert sorted(_names(EntryKind.RULE)) == sorted(rule.value for rule in (*Row, *Step))


def test_every_refusal_and_every_reason_is_explained() -> None:
    words = [*_names(EntryKind.ANSWER), *_names(EntryKind.REASON)]

    expected = [*RefusalKind, *Status, *(reason for reason in Reason if reason is not Reason.NONE)]
    assert [str(one) for one in expected if str(one) not in words] == []


def test_no_two_entries_share_a_name() -> None:
    names = [entry.name for entry in entries()]

    assert len(set(names)) == len(names)


def _members(union: object) -> tuple[object, ...]:
    members: tuple[object, ...] = union.__args__  # type: ignore[attr-defined]
    return members


def test_every_invariant_can_be_broken_by_a_mistake() -> None:
    broken = {name for mistake in MISTAKES for name in mistake.breaks}

    assert broken == set(INVARIANT_NAMES)


def test_names_are_found_with_dashes_or_underscores() -> None:
    assert lookup("draft_kept") is lookup("Draft-Kept")


def test_an_unknown_name_brings_candidates() -> None:
    with pytest.raises(UnknownNameError, match="or 'retention-too-short'"):
        lookup("retentio")
