"""What the parts of a file become, and what they promise each other."""

import pytest

from sim.contract.messages import TransportError
from sim.contract.retry import Growth, Jitter
from sim.network.faults import (
    AnswerError,
    Corrupt,
    Cut,
    Fail,
    HappeningKind,
    HoldUntil,
    MessageKind,
    Order,
    ServerClause,
    Slow,
    TieClass,
)
from sim.network.weather import Burst, Latency
from sim.scenario.errors import ScenarioError
from sim.scenario.load import load_text
from sim.scenario.model import Do, Once, Repeatedly, World

ONE = "server: {resources: {m: {}}}\n"


def world(text: str) -> World:
    (one,) = load_text(text, "case", "case.yaml").worlds
    return one


def problem(text: str) -> str:
    with pytest.raises(ScenarioError) as caught:
        load_text(text, "case", "case.yaml")
    return caught.value.problem


def test_count_makes_clients_of_one_group() -> None:
    clients = world("client: {count: 3}\n").clients

    assert [client.name for client in clients] == ["client-1", "client-2", "client-3"]
    assert [client.owner for client in clients] == ["client-1", "client-2", "client-3"]
    assert {client.group for client in clients} == {"client"}


def test_a_counted_client_can_share_an_account() -> None:
    clients = world("clients: {tab: {count: 2, owner: anna}}\n").clients

    assert {client.owner for client in clients} == {"anna"}


def test_what_the_only_group_does_everybody_does() -> None:
    (action,) = world(ONE + "client: {count: 9}\nuser: [{at: 0s, save: m}]\n").user

    assert action.client == ""


def test_what_one_group_of_several_does_each_of_it_does() -> None:
    user = world(
        ONE + "clients: {a: {count: 2}, b: {}}\nuser: [{at: 0s, client: a, save: m}]\n"
    ).user

    assert [action.client for action in user] == ["a-1", "a-2"]


def test_one_of_a_group_can_be_named() -> None:
    (action,) = world(
        ONE + "clients: {a: {count: 12}, b: {}}\nuser: [{at: 0s, client: a-12, save: m}]\n"
    ).user

    assert action.client == "a-12"


@pytest.mark.parametrize("name", ["a-0", "a-13", "a-01", "a", "c", "a-"])
def test_a_fault_names_exactly_one_client_or_any(name: str) -> None:
    assert problem(
        f"clients: {{a: {{count: 12}}, b: {{}}}}\nfaults: [{{drop: ack, client: {name}}}]\n"
    )


def test_several_clients_need_to_be_named_in_faults() -> None:
    text = "clients: {a: {}, b: {}}\nfaults: [{drop: ack%s}]\n"

    assert "'client' is missing" in problem(text % "")
    assert world(text % ", client: any").faults[0].target.client is None


def test_a_client_s_own_network_lies_over_the_shared_one() -> None:
    one = world(
        "clients: {a: {network: {ack: {loss: 0.5}}}, b: {}}\n"
        "network: {request: {latency: 9ms}, ack: {latency: 7ms}}\n"
    )

    a, b = one.clients
    assert (a.link.ack.loss, a.link.ack.latency) == (0.5, Latency.constant(7_000))
    assert a.link.request == b.link.request
    assert b.link.ack.loss == 0


def test_a_delay_can_grow_and_be_spread() -> None:
    (client,) = world(
        "client: {retry: {delay: {exponential: 100ms, cap: 5s, jitter: decorrelated}}}\n"
    ).clients

    delay = client.retry.delay
    assert (delay.growth, delay.base_us, delay.cap_us) == (Growth.EXPONENTIAL, 100_000, 5_000_000)
    assert delay.jitter is Jitter.DECORRELATED


def test_tokens_are_kept_in_thousandths() -> None:
    (client,) = world("client: {retry: {budget: {tokens: 10, cost: 2.5}}}\n").clients

    budget = client.retry.budget
    assert (budget.tokens, budget.cost, budget.refund) == (10_000, 2_500, 100)


def test_a_burst_has_a_slot_and_a_loss_by_default() -> None:
    one = world("network: {ack: {burst: {mean_good: 30s, mean_bad: 2s}}}\n")

    assert one.clients[0].link.ack.burst == Burst(
        loss_good=0.0,
        loss_bad=1.0,
        mean_good_us=30_000_000,
        mean_bad_us=2_000_000,
        slot_us=100_000,
    )


def test_every_is_a_rate_or_a_pause() -> None:
    user = world(
        ONE + "user:\n"
        "  - {every: {poisson: 10/s}, from: 1s, until: 9s, save: m}\n"
        "  - {every: {fixed: 2s}, until: 9s, save: m}\n"
        "  - {at: 5s, reload}\n"
    ).user

    assert user[0].when == Repeatedly(
        every_us=100_000, poisson=True, from_us=1_000_000, until_us=9_000_000
    )
    assert user[1].when == Repeatedly(every_us=2_000_000, poisson=False, until_us=9_000_000)
    assert (user[2].when, user[2].do) == (Once(at_us=5_000_000), Do.RELOAD)


def test_a_raw_send_says_what_no_correct_client_sends() -> None:
    (_, send) = world(
        ONE + "user:\n  - {at: 0s, save: m}\n"
        "  - {at: 1s, send: m, id: op-1, body: ~, expected_version: 0, owner: eve}\n"
    ).user

    assert (send.operation, send.body, send.expected_version, send.owner) == (
        "op-1",
        "null",
        0,
        "eve",
    )


def test_a_body_that_is_left_out_is_not_the_body_null() -> None:
    left_out, null = world(ONE + "user: [{at: 0s, edit: m}, {at: 0s, edit: m, body: ~}]\n").user

    assert (left_out.body, null.body) == (None, "null")


def test_faults_become_clauses() -> None:
    faults = world(
        "faults:\n"
        "  - {hold: request, until: {event: committed, attempt: 2}, then: 1ms}\n"
        "  - {corrupt: ack, set: {attempt_id: attempt-07, accepted_version: 3}}\n"
        "  - {fail: status, attempt: any, as: offline, times: all}\n"
        "  - {error: 503, at: after_commit}\n"
        "  - {cut: dns, to: 3s}\n"
        "  - {order: [timer, delivery]}\n"
    ).faults

    hold = faults[0].action
    assert isinstance(hold, HoldUntil)
    assert (hold.until.event, hold.until.client, hold.then_us) == (
        HappeningKind.COMMITTED,
        "client",
        1_000,
    )
    assert faults[1].action == Corrupt((("attempt_id", 7), ("accepted_version", 3)))
    assert (faults[2].action, faults[2].times) == (Fail(TransportError.OFFLINE), None)
    assert isinstance(faults[3], ServerClause)
    assert faults[3].action == AnswerError(503, after_commit=True)
    assert isinstance(faults[4], Cut)
    assert isinstance(faults[5], Order)


def test_a_tie_and_a_gateway_have_times_of_their_own_that_are_written_back() -> None:
    lines = ("order: [timer, delivery], at: 2s", "slow: server, attempt: 1, by: 3s, gateway: 1s")

    one = world("faults:\n" + "".join(f"  - {{{line}}}\n" for line in lines))

    assert one.faults[0] == Order(TieClass.TIMER, TieClass.DELIVERY, at_us=2_000_000)
    assert isinstance(one.faults[1], ServerClause)
    assert one.faults[1].action == Slow(3_000_000, 1_000_000)
    assert [sorted(told.split(", ")) for told in one.fault_lines] == [
        sorted(line.split(", ")) for line in lines
    ]


def test_a_fault_on_a_read_is_addressed_by_its_number_alone() -> None:
    (clause,) = world("faults: [{drop: read_answer, attempt: 2}]\n").faults

    assert clause.target.message is MessageKind.READ_ANSWER
    assert (clause.target.operation, clause.target.attempt) == (None, 2)


def test_a_clause_has_one_line_for_stories() -> None:
    one = world("faults:\n  - by: 0.5s\n    delay: ack\n  - {drop: request, times: all}\n")

    assert one.fault_lines == (
        "delay: ack, attempt: 1, by: 500ms",
        "drop: request, attempt: 1, times: all",
    )


def test_the_recovery_window_ends_before_the_retention() -> None:
    text = "server: {retention: 1h, mistakes: [%s]}\nclient: {recovery_window: 1h}\n"

    assert "not shorter than the server's retention" in problem(text % "")
    assert world(text % "retention-too-short").clients[0].recovery_window_us == 3_600_000_000


def test_the_tombstone_outlives_the_result() -> None:
    assert "ends before the result" in problem("server: {retention: 2h, tombstone: 1h}\n")


def test_no_message_outlives_the_tombstone() -> None:
    assert "outlive the tombstone" in problem("network: {message_lifetime: 31d}\n")


def test_what_never_ends_needs_a_horizon() -> None:
    text = "client: {mistakes: [unbounded-retry]}\n"

    assert "never ends by itself" in problem(text)
    assert world("horizon: 1h\n" + text).clients[0].mistakes == ("unbounded-retry",)


def test_repeating_for_ever_needs_a_horizon() -> None:
    text = ONE + "user: [{every: {fixed: 1s}, save: m}]\n"

    assert "never ends by itself" in problem(text)
    assert world("horizon: 1h\n" + text).user[0].when.until_us is None


def test_mistakes_stand_in_the_order_of_the_table() -> None:
    one = world("client: {mistakes: [conflict-means-failure, timeout-means-failure]}\n")

    assert one.clients[0].mistakes == ("timeout-means-failure", "conflict-means-failure")
    assert not one.clients[0].rules.timeout_is_unknown


def test_an_operation_that_nothing_makes_is_refused() -> None:
    text = ONE + "user: [{at: 0s, save: m}]\nfaults: [{drop: ack, operation: %d}]\n"

    assert world(text % 1)
    assert "there is no operation '2'" in problem(text % 2)


def test_with_a_mistake_any_number_of_operations_can_come() -> None:
    text = ONE + "client: {mistakes: [new-operation-per-retry]}\nuser: [{at: 0s, save: m}]\n"

    assert world(text + "faults: [{drop: ack, operation: 2}]\n")


def test_an_account_that_nobody_has_cannot_expire() -> None:
    text = "client: {owner: anna}\nuser: [{at: 0s, expire_session: %s}]\n"

    assert world(text % "anna")
    assert "unknown account 'ann'" in problem(text % "ann")


def test_a_resource_of_one_s_own_is_named_with_its_client() -> None:
    text = ONE + "clients: {a: {resource: %s}, b: {}}\nexpect: {resources: {m@a: {version: 2}}}\n"

    assert world(text % "own").expect.resources[0].name == "m@a"
    assert "unknown resource 'm@a'" in problem(text % "shared")
