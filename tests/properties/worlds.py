"""Random worlds without mistakes: scripts, clients, settings and fault schedules.

Times come from a coarse grid, so that ties are common; everything stays small, so that hundreds of
worlds run in seconds. A strategy is made once and not in each draw: Hypothesis looks through a new
one for longer than a world runs.
"""

from functools import cache, lru_cache
from typing import TypeVar

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

T = TypeVar("T")


@lru_cache(maxsize=None, typed=True)
def among(*values: T) -> st.SearchStrategy[T]:
    """One of these values; what stands twice comes up more often."""
    return st.sampled_from(values)


yes_or_no = st.booleans()
grid = st.integers(0, 40).map(lambda n: n * 250 * MS)
short = among(0, 1, 40 * MS, 250 * MS, 500 * MS, 1 * S, 2 * S, 5 * S)


@cache
@st.composite
def policies(draw: st.DrawFn) -> RetryPolicy:
    delay = Delay(
        growth=draw(among(*Growth)),
        base_us=draw(among(250 * MS, 500 * MS, 1 * S)),
        cap_us=draw(among(1 * S, 4 * S)),
        jitter=draw(among(*Jitter)),
    )
    return RetryPolicy(
        max_attempts=draw(among(1, 2, 3, 4)),
        delay=delay,
        deadline_us=draw(among(None, None, 3 * S)),
        retry_after=draw(yes_or_no),
        budget=draw(among(None, None, Budget(tokens=1_000))),
        breaker=draw(among(None, None, Breaker(failures=2, open_us=2 * S))),
        confirm=draw(among(False, False, False, True)),
    )


@cache
@st.composite
def links(draw: st.DrawFn) -> Link:
    def direction() -> Direction:
        latency_us = draw(among(0, 40 * MS, 40 * MS, 250 * MS, 1_200 * MS))
        lossy = draw(among(0.0, 0.0, 0.3))
        return Direction(
            latency=Latency.constant(latency_us),
            loss=lossy,
            duplicate=draw(among(0.0, 0.0, 0.3)),
            corrupt=draw(among(0.0, 0.0, 0.3)),
        )

    return Link(request=direction(), ack=direction())


@cache
@st.composite
def clients(draw: st.DrawFn, name: str, retention_us: int) -> ClientSpec:
    return ClientSpec(
        name=name,
        owner=draw(among(*OWNERS)),
        timeout_us=draw(among(500 * MS, 1 * S, 2 * S)),
        retry=draw(policies()),
        on_unknown=draw(among(*OnUnknown)),
        status_max=draw(among(1, 2, 3)),
        status_delay_us=draw(among(250 * MS, 1 * S)),
        recovery_window_us=draw(among(retention_us - 1, retention_us // 2)),
        ack_rule=draw(among(*AckRule)),
        detailed=draw(yes_or_no),
        has_ids=draw(among(*[True] * 9, False)),
        link=draw(links()),
    )


@cache
@st.composite
def servers(draw: st.DrawFn) -> ServerSpec:
    retention_us = draw(among(4 * S, 20 * S, 3_600 * S))
    slow, crowded = Capacity(time_us=300 * MS), Capacity(workers=1, queue=1, time_us=300 * MS)
    resource = ResourceSpec(
        name=NAME,
        kind=draw(among(*Kind)),
        version=4,
        body=freeze({"text": "first"}),
        irreversible=draw(yes_or_no),
        accepts=draw(among((), (), (("text", (freeze("a"), freeze("b"))),))),
    )
    return ServerSpec(
        resources=(resource,),
        retention_us=retention_us,
        tombstone_us=2 * 3_600 * S,
        replay_current=draw(yes_or_no),
        in_flight_waits=draw(yes_or_no),
        has_status=draw(yes_or_no),
        session_ttl_us=draw(among(None, None, 5 * S)),
        capacity=draw(among(Capacity(), Capacity(), slow, crowded)),
        gateway_timeout_us=draw(among(None, None, 200 * MS)),
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


@cache
@st.composite
def actions(draw: st.DrawFn, names: tuple[str, ...]) -> Action:
    do = draw(among(*_TO_A_FORM * 3, *_TO_A_PAGE))
    has_body = do in (Do.EDIT, Do.MERGE)
    has_owner = do in (Do.SIGN_IN, Do.EXPIRE_SESSION)
    return Action(
        when=Once(at_us=draw(grid)),
        do=do,
        client=draw(among(*names)),
        resource=NAME if do in _TO_A_FORM else "",
        body=draw(among(*BODIES, None)) if has_body else None,
        new_intent=draw(among(False, False, False, True)) if do is Do.SAVE else False,
        owner=draw(among(*OWNERS)) if has_owner else "",
        online=draw(yes_or_no) if do is Do.HINT else True,
    )


@cache
def scripts(names: tuple[str, ...]) -> st.SearchStrategy[list[Action]]:
    return st.lists(actions(names), max_size=10)


@cache
def targets(*kinds: MessageKind) -> st.SearchStrategy[Target]:
    return st.builds(
        Target,
        message=among(*kinds),
        operation=among(1, 1, 2, None),
        attempt=among(1, 1, 2, 3, None),
        copy=among(1, 1, 1, 2, None),
    )


happenings = st.builds(
    Happening,
    event=among(*HappeningKind),
    operation=among(1, 2, None),
    attempt=among(None, 1, 2),
)


def message_clauses() -> st.SearchStrategy[MessageClause]:
    """Anew in each call: of one strategy that stands twice in a choice Hypothesis drops one."""
    return st.builds(
        MessageClause,
        target=targets(*MessageKind),
        action=st.one_of(
            st.just(Drop()),
            short.map(DelayBy),
            st.builds(HoldUntil, happenings, short),
            short.map(Duplicate),
            short.map(Resend),
            st.just(Reset()),
        ),
        times=among(1, 1, 2, None),
    )


failing_clauses = st.builds(
    MessageClause,
    target=targets(MessageKind.REQUEST, MessageKind.STATUS, MessageKind.READ),
    action=among(TransportError.DNS, TransportError.REFUSED, TransportError.OFFLINE).map(Fail),
)
corrupting_clauses = st.builds(
    MessageClause,
    target=targets(MessageKind.ACK, MessageKind.STATUS_ANSWER),
    action=st.sampled_from(
        [
            Corrupt((("operation_id", "x"),)),
            Corrupt((("attempt_id", 7),)),
            Corrupt((("accepted_version", 99),)),
            Corrupt((("body", {"text": "z"}),)),
        ]
    ),
)
server_clauses = st.builds(
    ServerClause,
    target=targets(MessageKind.REQUEST),
    action=st.one_of(
        st.builds(Crash, among(*CrashPoint), short),
        st.builds(AnswerError, among(500, 502, 503, 504), yes_or_no),
        st.just(AnswerError(429, after_commit=False)),
        short.map(Slow),
        st.builds(Slow, short, short),
    ),
)


@st.composite
def cuts(draw: st.DrawFn) -> Cut:
    from_us = draw(grid)
    return Cut(draw(among(*CutWhat)), from_us, from_us + draw(short))


orders = st.builds(
    lambda pair, at_us: Order(*pair, at_us=at_us),
    st.sampled_from([(a, b) for a in TieClass for b in TieClass if a is not b]),
    st.none() | grid,
)
clauses: st.SearchStrategy[Clause] = st.one_of(
    message_clauses(),
    message_clauses(),
    failing_clauses,
    corrupting_clauses,
    server_clauses,
    cuts(),
    orders,
)
schedules = st.lists(clauses, max_size=4)


seeds = st.integers(1, 1_000)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Return a world in which nobody makes a mistake."""
    server = draw(servers())
    names = ("one", "two")[: draw(among(1, 2))]
    opening = (
        Action(when=Once(at_us=0), do=Do.EDIT, client="one", resource=NAME, body=BODIES[0]),
        Action(when=Once(at_us=0), do=Do.SAVE, client="one", resource=NAME),
    )
    return World(
        scenario="random",
        seed=draw(seeds),
        server=server,
        clients=tuple(draw(clients(name, server.retention_us)) for name in names),
        message_lifetime_us=3_600 * S,
        user=(*opening, *draw(scripts(names))),
        faults=tuple(draw(schedules)),
    )
