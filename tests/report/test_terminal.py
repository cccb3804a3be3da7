"""What stands around the stories: findings, summary, proofs."""

import io
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import RenderableType

from sim.judge.court import judge_records
from sim.judge.verdict import Belief
from sim.report.beside import beside
from sim.report.conditions import conditions as proof_conditions
from sim.report.console import make_console
from sim.report.proofs import Holds, proofs, table
from sim.report.summary import beliefs, findings
from sim.report.terminal import ending, outcome
from sim.report.total import total
from sim.scenario.model import Action, Do, ExpectedRate, Once, ServerSpec
from sim.trace.records import Rec
from tests.judge.doctor import PAYMENT, saved
from tests.report.verdicts import FAILED, PASSED, SHOWN, UNCLEAR
from tests.report.verdicts import outcome as made


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(what: RenderableType, width: int = 100) -> str:
    out = io.StringIO()
    make_console(out, width=width).print(what)
    return out.getvalue()


def test_a_failed_check_shows_what_was_expected_and_found() -> None:
    story = printed(findings(FAILED))

    assert "✗  effects: expected 1, found 2" in story
    assert "✓  as expected: phase acknowledged" in story


def test_a_broken_invariant_names_its_record_and_how_often() -> None:
    story = printed(findings(SHOWN), 200)

    assert "one-effect-per-intent" in story
    assert "as expected: the intent of op-1 has 2 effects" in story
    assert "record 19 at 2.54 s, client, 2 times in all" in story


def test_an_invariant_that_should_have_broken_is_named() -> None:
    lines = printed(findings(FAILED)).splitlines()

    assert any(
        "draft-kept" in line and "was expected to break and did not" in line for line in lines
    )


def test_a_diagnosis_leads_from_symptom_to_remedy() -> None:
    story = printed(findings(FAILED))

    places = [story.index(text) for text in ("symptom", "cause", "check  ", "remedy")]
    assert places == sorted(places)
    assert "the symptoms point at it" in story


def test_a_fault_that_missed_is_named() -> None:
    assert "this fault never matched a message: drop ack, attempt 9" in printed(findings(UNCLEAR))


def test_beliefs_are_set_against_effects_and_two_or_more_share_a_column() -> None:
    cells = (
        Belief(belief="unknown", effects=2, count=1),
        Belief(belief="unknown", effects=5, count=1),
    )
    story = printed(beliefs([replace(PASSED, beliefs=cells)]))

    assert story.splitlines()[1].split() == ["unknown", "·", "·", "2"]


def test_beliefs_under_a_mistake_stand_apart() -> None:
    world = replace(PASSED.world, server=ServerSpec(mistakes=("no-registry",)))
    lines = printed(beliefs([PASSED, replace(PASSED, world=world)])).splitlines()

    assert [line.split()[0] for line in lines[1:]] == ["no", "acknowledged", "a", "acknowledged"]


def test_the_summary_has_one_line_for_each_run_and_the_counts() -> None:
    story = printed(total([made(PASSED, SHOWN), made(FAILED), made(UNCLEAR)]))

    assert "3 scenarios, 4 runs: 2 passed, 1 failed, 1 inconclusive" in story
    assert sum(line.startswith(("✓", "✗", "?")) for line in story.splitlines()) == 3 + 4


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_summary_breaks_names_at_their_hyphens_alone(width: int) -> None:
    long = "a-deployment-empties-the-registry"
    found = made(PASSED, SHOWN)
    story = printed(total([replace(found, scenario=replace(found.scenario, name=long))]), width)

    names = [line[3:].strip().split("  ")[0] for line in story.splitlines()]
    assert max(map(cell_len, story.splitlines())) <= width
    assert long in "".join(names)
    assert [name for name in names if name.startswith("a-") and name[-1] not in "-y"] == []


def test_expected_rates_are_said_to_be_unchecked() -> None:
    expect = replace(PASSED.world.expect, rates=(ExpectedRate(measure="stale_ack_rate", max=0),))
    verdict = replace(PASSED, world=replace(PASSED.world, expect=expect))

    assert "'lostack measure' checks them" in printed(total([made(verdict)]))
    assert "lostack measure" not in printed(total([made(PASSED)]))


@pytest.mark.parametrize(
    ("parts", "width", "at_once"), [(1, 240, 1), (2, 100, 1), (2, 179, 1), (2, 180, 2), (5, 200, 2)]
)
def test_variants_stand_side_by_side_where_each_has_room(
    parts: int, width: int, at_once: int
) -> None:
    assert beside(parts, width) == at_once


def test_two_variants_are_told_side_by_side_on_a_wide_terminal() -> None:
    lines = printed(outcome(made(FAILED, SHOWN)), 200).splitlines()

    assert sum(line.count("op-1 attempt-01") == 2 for line in lines) == 1


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_the_whole_report_keeps_to_its_width(width: int) -> None:
    outcomes = [made(PASSED, SHOWN, FAILED, UNCLEAR)]
    parts = (outcome(outcomes[0]), ending(outcomes), table(outcomes))
    story = "".join(printed(part, width) for part in parts)

    assert max(map(cell_len, story.splitlines())) <= width


def test_a_terminal_gets_colour_and_no_color_takes_it_away() -> None:
    shown = {}
    for name, environ in (("colour", {}), ("plain", {"NO_COLOR": "1"}), ("dumb", {"TERM": "dumb"})):
        out = Terminal()
        make_console(out, width=80, environ=environ).print(outcome(made(FAILED)))
        shown[name] = "\x1b[" in out.getvalue()

    assert shown == {"colour": True, "plain": False, "dumb": False}


def test_a_file_that_cannot_hold_box_drawing_gets_plain_signs() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="latin-1", write_through=True)

    make_console(out, width=80).print(outcome(made(PASSED)))

    assert b"request 01" in raw.getvalue()
    assert b"->|" in raw.getvalue()


def test_a_claim_holds_when_its_scenario_does() -> None:
    found = {
        proof.claim.tag: proof.holds
        for proof in proofs(
            [
                made(PASSED, SHOWN, tags=("proof-1",)),
                made(FAILED, tags=("proof-2",)),
                made(UNCLEAR, tags=("proof-3",)),
            ]
        )
    }

    assert found["proof-1"] is Holds.YES
    assert found["proof-2"] is Holds.NO
    assert found["proof-3"] is Holds.UNCLEAR
    assert found["article2-4"] is Holds.UNSHOWN


def test_each_claim_says_what_it_does_not_prove() -> None:
    lines = printed(table([made(PASSED, tags=("proof-1",))])).splitlines()

    first = " ".join(line.split("  ")[0].strip() for line in lines if line.strip())
    last = " ".join(line.split("  ")[-1].strip() for line in lines)
    assert "After a lost answer the draft stays available." in " ".join(first.split())
    assert "That your browser's storage keeps it: a full disk" in last
    assert "run against the real thing" in " ".join(last.split())


def test_the_conditions_of_a_proof_are_its_faults_its_policy_and_its_seed() -> None:
    said = proof_conditions(PASSED.world)

    assert said == "drop: ack, attempt: 1; timeout 2 s, at most 2 attempts; seed 1"


def test_what_a_person_does_beside_saving_is_a_condition() -> None:
    acts = [
        Action(when=Once(at_us=at_us), do=do, client="client", resource="markdown")
        for at_us, do in ((0, Do.EDIT), (0, Do.SAVE), (5, Do.EDIT), (9, Do.RELOAD))
    ]
    world = replace(PASSED.world, fault_lines=(), user=tuple(acts))

    assert proof_conditions(world).startswith("edit after a save; reload; timeout")


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_the_table_of_claims_keeps_to_its_width(width: int) -> None:
    named = made(PASSED, tags=("proof-1", "article2-3"))
    story = printed(table([named]), width)

    assert max(map(cell_len, story.splitlines())) <= width
    assert "…" not in story


def test_the_symptoms_of_a_doctored_trace_point_at_a_mistake_that_is_not_switched_on() -> None:
    trace = saved(PAYMENT)
    trace.again(trace.find(Rec.COMMIT), version=2, replaced=1)
    numbered = [record._replace(seq=n) for n, record in enumerate(trace.records, 1)]

    story = printed(findings(judge_records(trace.world, numbered)))

    assert "one-effect-per-intent" in story
    assert "the symptoms point at it" in story
    assert "switched on here" not in story
