"""Random worlds without mistakes: scripts, clients, settings and fault schedules.

Times come from a coarse grid, so that ties are common; everything stays small, so that hundreds of
worlds run in seconds.
"""

from hypothesis import strategies as st

from sim.contract.body import Body, freeze
from sim.contract.messages import Kind, TransportError
from sim.contract.retry import Breaker, Budget, Delay, Growth, Jitter, OnUnknown, RetryPolicy
from sim.network.faults import (
    AnswerError,
    Clause,
    Corrupt,
    Crash,
    CrashPoint,
    Cut,
    CutWhat,
    DelayBy,
    Drop,
    Duplicate,
    Fail,
    Happening,
    HappeningKind,
    HoldUntil,
    MessageClause,
    MessageKind,
    Order,
    Resend,
    Reset,
    ServerClause,
    Slow,
    Target,
    TieClass,
)
from sim.network.weather import Direction, Latency, Link
from sim.scenario.model import (
    AckRule,
    Action,
    Capacity,
    ClientSpec,
    Do,
    Once,
    ResourceSpec,
    ServerSpec,
    World,
)

MS = 1_000
S = 1_000_000
NAME = "note"
OWNERS = ("ann", "bob")
BODIES: tuple[Body, ...] = tuple(freeze({"text": word}) for word in ("a", "b", "c"))

grid = st.integers(0, 40).map(lambda n: n * 250 * MS)
short = st.sampled_from([0, 1, 40 * MS, 250 * MS, 500 * MS, 1 * S, 2 * S, 5 * S])
attempts = st.sampled_from([1, 1, 2, 3, None])


@st.composite
def policies(draw: st.DrawFn) -> RetryPolicy:
    delay = Delay(
        growth=draw(st.sampled_from(Growth)),
        base_us=draw(st.sampled_from([250 * MS, 500 * MS, 1 * S])),
        cap_us=draw(st.sampled_from([1 * S, 4 * S])),
        jitter=draw(st.sampled_from(Jitter)),
    )
    return RetryPolicy(
        max_attempts=draw(st.integers(1, 4)),
        delay=delay,
        deadline_us=draw(st.sampled_from([None, None, 3 * S])),
        retry_after=draw(st.booleans()),
        budget=draw(st.sampled_from([None, None, Budget(tokens=1_000)])),
        breaker=draw(st.sampled_from([None, None, Breaker(failures=2, open_us=2 * S)])),
        confirm=draw(st.sampled_from([False, False, False, True])),
    )


@st.composite
def links(draw: st.DrawFn) -> Link:
    def direction() -> Direction:
        latency_us = draw(st.sampled_from([0, 40 * MS, 40 * MS, 250 * MS, 1_200 * MS]))
        lossy = draw(st.sampled_from([0.0, 0.0, 0.3]))
        return Direction(
            latency=Latency.constant(latency_us),
            loss=lossy,
            duplicate=draw(st.sampled_from([0.0, 0.0, 0.3])),
            corrupt=draw(st.sampled_from([0.0, 0.0, 0.3])),
        )

    return Link(request=direction(), ack=direction())


@st.composite
def clients(draw: st.DrawFn, name: str, retention_us: int) -> ClientSpec:
    return ClientSpec(
        name=name,
        owner=draw(st.sampled_from(OWNERS)),
        timeout_us=draw(st.sampled_from([500 * MS, 1 * S, 2 * S])),
        retry=draw(policies()),
        on_unknown=draw(st.sampled_from(OnUnknown)),
        status_max=draw(st.integers(1, 3)),
        status_delay_us=draw(st.sampled_from([250 * MS, 1 * S])),
        recovery_window_us=draw(st.sampled_from([retention_us - 1, retention_us // 2])),
        ack_rule=draw(st.sampled_from(AckRule)),
        detailed=draw(st.booleans()),
        has_ids=draw(st.sampled_from([True] * 9 + [False])),
        link=draw(links()),
    )


@st.composite
def servers(draw: st.DrawFn) -> ServerSpec:
    retention_us = draw(st.sampled_from([4 * S, 20 * S, 3_600 * S]))
    capacity = draw(
        st.sampled_from(
            [
                Capacity(),
                Capacity(),
                Capacity(time_us=300 * MS),
                Capacity(workers=1, queue=1, time_us=300 * MS),
            ]
        )
    )
    resource = ResourceSpec(
        name=NAME,
        kind=draw(st.sampled_from(Kind)),
        version=4,
        body=freeze({"text": "first"}),
        irreversible=draw(st.booleans()),
        accepts=draw(st.sampled_from([(), (), (("text", (freeze("a"), freeze("b"))),)])),
    )
    return ServerSpec(
        resources=(resource,),
        retention_us=retention_us,
        tombstone_us=2 * 3_600 * S,
        replay_current=draw(st.booleans()),
        in_flight_waits=draw(st.booleans()),
        has_status=draw(st.booleans()),
        session_ttl_us=draw(st.sampled_from([None, None, 5 * S])),
        capacity=capacity,
        gateway_timeout_us=draw(st.sampled_from([None, None, 200 * MS])),
    )


_TO_A_FORM = (Do.EDIT, Do.EDIT, Do.SAVE, Do.SAVE, Do.SAVE, Do.RETRY, Do.CHECK, Do.DISCARD, Do.MERGE)
_TO_A_PAGE = (
    Do.RELOAD,
    Do.CLOSE,
    Do.OPEN,
    Do.SIGN_IN,
    Do.SIGN_OUT,
    Do.EXPIRE_SESSION,
    Do.HINT,
    Do.STOP_WORKER,
    Do.START_WORKER,
)


@st.composite
def actions(draw: st.DrawFn, names: tuple[str, ...]) -> Action:
    do = draw(st.sampled_from(_TO_A_FORM * 3 + _TO_A_PAGE))
    has_body = do in (Do.EDIT, Do.MERGE)
    return Action(
        when=Once(at_us=draw(grid)),
        do=do,
        client=draw(st.sampled_from(names)),
        resource=NAME if do in _TO_A_FORM else "",
        body=draw(st.sampled_from((*BODIES, None))) if has_body else None,
        new_intent=draw(st.sampled_from([False, False, False, True])) if do is Do.SAVE else False,
        owner=draw(st.sampled_from(OWNERS)),
        online=draw(st.booleans()),
    )


@st.composite
def targets(draw: st.DrawFn, kinds: tuple[MessageKind, ...] = tuple(MessageKind)) -> Target:
    return Target(
        message=draw(st.sampled_from(kinds)),
        operation=draw(st.sampled_from([1, 1, 2, None])),
        attempt=draw(attempts),
        copy=draw(st.sampled_from([1, 1, 1, 2, None])),
    )


@st.composite
def message_clauses(draw: st.DrawFn) -> MessageClause:
    happening = Happening(
        event=draw(st.sampled_from(HappeningKind)),
        operation=draw(st.sampled_from([1, 2, None])),
        attempt=draw(st.sampled_from([None, 1, 2])),
    )
    action = draw(
        st.sampled_from(
            [
                Drop(),
                DelayBy(draw(short)),
                HoldUntil(happening, draw(short)),
                Duplicate(draw(short)),
                Resend(draw(short)),
                Reset(),
            ]
        )
    )
    times = draw(st.sampled_from([1, 1, 2, None]))
    return MessageClause(target=draw(targets()), action=action, times=times)


@st.composite
def failing_clauses(draw: st.DrawFn) -> MessageClause:
    asked = (MessageKind.REQUEST, MessageKind.STATUS, MessageKind.READ)
    error = draw(
        st.sampled_from([TransportError.DNS, TransportError.REFUSED, TransportError.OFFLINE])
    )
    return MessageClause(target=draw(targets(asked)), action=Fail(error))


@st.composite
def corrupting_clauses(draw: st.DrawFn) -> MessageClause:
    answers = (MessageKind.ACK, MessageKind.STATUS_ANSWER)
    field = draw(
        st.sampled_from(
            [
                ("operation_id", "x"),
                ("attempt_id", 7),
                ("accepted_version", 99),
                ("body", {"text": "z"}),
            ]
        )
    )
    return MessageClause(target=draw(targets(answers)), action=Corrupt((field,)))


@st.composite
def server_clauses(draw: st.DrawFn) -> ServerClause:
    action = draw(
        st.sampled_from(
            [
                Crash(draw(st.sampled_from(CrashPoint)), draw(short)),
                AnswerError(draw(st.sampled_from([500, 502, 503, 504])), draw(st.booleans())),
                AnswerError(429, after_commit=False),
                Slow(draw(short)),
                Slow(draw(short), draw(short)),
            ]
        )
    )
    return ServerClause(target=draw(targets((MessageKind.REQUEST,))), action=action)


@st.composite
def cuts(draw: st.DrawFn) -> Cut:
    from_us = draw(grid)
    return Cut(draw(st.sampled_from(CutWhat)), from_us, from_us + draw(short))


orders = st.builds(
    lambda pair, at_us: Order(*pair, at_us=at_us),
    st.sampled_from([(a, b) for a in TieClass for b in TieClass if a is not b]),
    st.none() | grid,
)
clauses: st.SearchStrategy[Clause] = st.one_of(
    message_clauses(),
    message_clauses(),
    failing_clauses(),
    corrupting_clauses(),
    server_clauses(),
    cuts(),
    orders,
)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Return a world in which nobody makes a mistake."""
    server = draw(servers())
    names = ("one", "two")[: draw(st.integers(1, 2))]
    opening = (
        Action(when=Once(at_us=0), do=Do.EDIT, client="one", resource=NAME, body=BODIES[0]),
        Action(when=Once(at_us=0), do=Do.SAVE, client="one", resource=NAME),
    )
    return World(
        scenario="random",
        seed=draw(st.integers(1, 1_000)),
        server=server,
        clients=tuple(draw(clients(name, server.retention_us)) for name in names),
        message_lifetime_us=3_600 * S,
        user=(*opening, *draw(st.lists(actions(names), max_size=10))),
        faults=tuple(draw(st.lists(clauses, max_size=4))),
    )
