"""Whose result is whose: an answer discloses something only where it is another owner's."""

import pytest

from sim.judge.court import judge_records
from sim.judge.verdict import Verdict
from sim.trace.records import Rec
from tests.engine.worlds import run
from tests.judge.doctor import Trace

KNOWN_ID = """
server: {{resources: {{note: {{kind: post, version: 4}}}}, mistakes: [{mistake}]}}
clients: {{ann: {{}}, bob: {{}}}}
user:
  - {{at: 0s, client: ann, edit: note, body: {{text: new}}}}
  - {{at: 0s, client: ann, save: note}}
  - {{at: 1s, client: bob, edit: note, body: {{text: new}}}}
  - {{at: 1s, client: bob, send: note, id: op-1, expected_version: 4}}
faults: [{{{fault}}}]
"""
"""Bob knows the id of Ann's operation and sends it under his own name, which is his to do."""
OWN_RESULT = {
    "record-before-commit": "crash: server, at: after_claim, restart: 20ms, client: ann",
    "error-recorded-as-result": "error: 503, at: before_commit, client: ann",
}
"""These record a result for Ann that never was one; it is hers all the same."""


def known_id(mistake: str) -> Trace:
    done = run(KNOWN_ID.format(mistake=mistake, fault=OWN_RESULT[mistake]))
    return Trace(done.world, done.records)


def judged(trace: Trace) -> Verdict:
    return judge_records(trace.world, trace.records)


@pytest.mark.parametrize("mistake", OWN_RESULT)
def test_a_wrong_result_of_one_s_own_is_no_disclosure(mistake: str) -> None:
    trace = known_id(mistake)
    effects = [record.data["owner"] for record in trace.records if record.kind is Rec.COMMIT]

    assert effects == ["bob"]
    assert "completed-means-committed" in judged(trace).broken
    assert "owner-isolation" not in judged(trace).broken


def test_the_same_answer_to_a_third_owner_is_a_disclosure() -> None:
    trace = known_id("record-before-commit")
    told = trace.find(Rec.DECIDED, decision="replay")
    arrived = trace.find(Rec.ARRIVED, msg=trace.records[told].data["msg"])

    trace.change(arrived, owner="eve")

    assert "owner-isolation" in judged(trace).broken


def test_another_account_s_result_under_a_key_without_owner_is_a_disclosure() -> None:
    text = KNOWN_ID.format(mistake="key-without-owner", fault="drop: ack, client: ann")
    done = run(text)

    violations = judged(Trace(done.world, done.records)).violations

    assert [v.what for v in violations if v.invariant == "owner-isolation"] == [
        "bob is shown the result of op-1, which belongs to ann"
    ]
