"""The same world, the same trace: in another process, after other draws, with unused features."""

import os
import subprocess
import sys

import pytest

from sim.engine.world import simulate
from sim.judge.judge import Judge
from sim.trace.diff import first_difference
from sim.trace.jsonl import digest
from sim.trace.records import Rec, Record
from tests.architecture.sources import ROOT
from tests.engine.worlds import CROWDED, deliveries, faulty, latencies, of, run, world

WEATHER = """
network:
  request: {loss: 0.3, latency: {uniform: [10ms, 900ms]}}
  ack: {loss: 0.3, latency: {uniform: [10ms, 900ms]}}
"""
SPREAD = """
network:
  request: {latency: {uniform: [10ms, 900ms]}}
  ack: {latency: {uniform: [10ms, 900ms]}}
"""


def test_the_crowded_world_has_ties_operations_duplicates_and_losses() -> None:
    done = run(base=CROWDED)
    instants = [record.at_us for record in of(done, Rec.LAUNCH)]

    assert len({record.op for record in of(done, Rec.LAUNCH)}) > 20
    assert len(instants) > len(set(instants))
    assert any(record.data["copy"] == 2 for record in of(done, Rec.ARRIVED))
    assert {"loss", "page gone"} <= {str(record.data["why"]) for record in of(done, Rec.LOST)}
    assert done.unmatched == ()


def test_two_runs_of_one_world_are_equal() -> None:
    crowded = world(base=CROWDED)

    assert simulate(crowded).records == simulate(crowded).records


def _digest_in_a_new_process(hash_seed: int) -> str:
    code = (
        "from tests.engine.worlds import CROWDED, run\n"
        "from sim.trace.jsonl import digest\n"
        "print(digest(run(base=CROWDED).records))\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout.strip()


def test_a_run_does_not_depend_on_the_process() -> None:
    """Set and hash order differ between these processes; the trace must not."""
    digests = {_digest_in_a_new_process(hash_seed) for hash_seed in (1, 2)}

    assert digests == {digest(run(base=CROWDED).records)}


def test_another_run_of_the_same_seed_has_other_weather() -> None:
    crowded = world(base=CROWDED)

    assert digest(simulate(crowded, run=1).records) != digest(simulate(crowded, run=0).records)


def test_a_run_alone_equals_the_same_run_among_others() -> None:
    crowded = world(base=CROWDED)
    among = [digest(simulate(crowded, run=number).records) for number in range(4)]

    assert digest(simulate(crowded, run=3).records) == among[3]


def test_a_seed_given_to_the_run_is_the_world_s_own_seed() -> None:
    seeded = world("seed: 5", base=CROWDED)

    given = simulate(world(base=CROWDED), seed=5)
    assert first_difference(given.records, simulate(seeded).records) is None


UNUSED = {
    "no copies": ("loss: 0.3", "loss: 0.3, duplicate: 0"),
    "no corruption": ("loss: 0.3", "loss: 0.3, corrupt: 0"),
    "an empty list of faults": ("network:", "faults: []\nnetwork:"),
    "an expectation": ("network:", "expect: {effects: 1}\nnetwork:"),
    "tags": ("network:", "tags: [weather]\nnetwork:"),
}


@pytest.mark.parametrize("name", list(UNUSED))
def test_a_feature_that_is_not_used_does_not_move_the_digest(name: str) -> None:
    old, new = UNUSED[name]

    assert digest(run(WEATHER.replace(old, new)).records) == digest(run(WEATHER).records)


@pytest.mark.parametrize(
    "more", ["retention: 48h", "tombstone: 60d", "status: no", "session_ttl: 90d", "replay: stored"]
)
def test_a_setting_of_the_server_that_is_not_met_does_not_move_the_digest(more: str) -> None:
    server = f"server: {{resources: {{note: {{version: 4, body: {{n: 1}}}}}}, {more}}}\n"

    assert digest(run(server + WEATHER).records) == digest(run(WEATHER).records)


def test_a_fault_that_changes_nothing_moves_no_draw_of_what_comes_after() -> None:
    plain = faulty("drop: ack", more=SPREAD)
    other = faulty("drop: request", more=SPREAD)

    assert latencies(other)[2, 1] == latencies(plain)[2, 1]


def test_a_held_message_moves_no_draw_of_what_comes_after() -> None:
    plain = faulty("drop: ack", more=SPREAD)
    held = faulty("hold: request, until: {event: settled}, then: 1s", more=SPREAD)

    assert latencies(held)[2, 1] == latencies(plain)[2, 1]


def test_a_cut_moves_no_draw_of_what_comes_after() -> None:
    plain = faulty("drop: ack", more=SPREAD)
    cut = faulty("cut: request, from: 0s, to: 1s", more=SPREAD)

    assert latencies(cut)[2, 1] == latencies(plain)[2, 1]


@pytest.mark.parametrize("after", ["1ms", "2600ms", "4s"])
def test_a_copy_draws_by_its_own_name_whenever_it_leaves(after: str) -> None:
    drops = "drop: ack, attempt: any, copy: any, times: all"
    early = faulty(drops, "duplicate: request, after: 0s", more=SPREAD)
    late = faulty(drops, f"duplicate: request, after: {after}", more=SPREAD)

    assert latencies(late)[1, 2] == latencies(early)[1, 2]


def test_the_copies_of_two_attempts_have_draws_of_their_own() -> None:
    done = faulty(
        "drop: ack, attempt: any, copy: any, times: all",
        "duplicate: request, attempt: 1, after: 3s",
        "duplicate: request, attempt: 2, after: 1s",
        more=SPREAD,
    )
    seen = latencies(done)

    assert seen[1, 2] != seen[2, 2]


def test_two_policies_meet_the_same_weather() -> None:
    """Common random numbers: the n-th request of an intent fares alike, whatever the policy."""
    lossy = "\nnetwork: {request: {latency: {uniform: [10ms, 900ms]}}, ack: {loss: 1}}\n"
    quick = run("client: {retry: {max_attempts: 4, delay: 10ms}}" + lossy)
    slow = run("client: {timeout: 9s, retry: {max_attempts: 3, delay: 1m}}" + lossy)

    assert deliveries(slow) == 3
    for nth in (1, 2, 3):
        assert latencies(quick)[nth, 1] == latencies(slow)[nth, 1]


def test_another_client_moves_no_draw_of_the_first() -> None:
    def first(records: tuple[Record, ...]) -> list[tuple[int, str]]:
        return [(r.at_us, r.kind.value) for r in records if r.client == "client-1"]

    one = run("client: {count: 1, resource: own}" + WEATHER)
    three = run("client: {count: 3, resource: own}" + WEATHER)
    mine = first(three.records)

    assert mine
    assert mine == (
        first(one.records) or [(r.at_us, r.kind.value) for r in one.records if r.client == "client"]
    )


def test_keeping_no_trace_judges_the_same() -> None:
    crowded = world(base=CROWDED)
    kept, dropped = Judge(crowded), Judge(crowded)
    simulate(crowded, listeners=(kept.feed,))
    done = simulate(crowded, keep=False, listeners=(dropped.feed,))

    assert done.records == ()
    assert dropped.ledger.tally == kept.ledger.tally
    assert [v.invariant for v in dropped.violations] == [v.invariant for v in kept.violations]
