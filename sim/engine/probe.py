"""The state of a running world between two instants, as a plain value that can be compared.

Two runs with equal states go on equally. So everything that is held counts, whatever it is, but
for what ``LEFT_OUT`` names with the reason why nothing can depend on it. Messages and claims are
named by the order in which they are come to.

Time is told from the present instant: when a timer rings or a message arrives, and how long it is
till something is over, be it a session, a retention or a recovery window. What is over is over,
however long since, and what is ``FAR_US`` off or farther is only that. So two states may be equal
that were come to at different times. They go on equally till then, moved by the difference;
whoever compares them has to see that nothing went on for so long. Where it might, every time counts
to the microsecond (see ``_counts``).
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from operator import attrgetter
from types import BuiltinMethodType, MethodType
from typing import Any, Final, NamedTuple

from sim.contract.client.state import ClientConfig, ClientState, Operation
from sim.contract.server.capacity import Desk
from sim.contract.server.server import Server
from sim.contract.server.state import Claim, Entry, Waiter
from sim.engine.actor import ClientActor
from sim.engine.clock import Clock, Turn, Wake
from sim.engine.host import Execution, Host
from sim.engine.link import Held, Network
from sim.engine.mail import Exchange, Message
from sim.engine.outbox import Form, Outbox
from sim.engine.people import People
from sim.engine.routes import Route
from sim.engine.surrogates import Surrogates
from sim.engine.teller import Instants, Teller, Told, Way, Ways
from sim.engine.truth import Intent, Intents
from sim.network.faults import HappeningKind
from sim.network.matching import Faults
from sim.scenario.model import HOUR

FAR_US: Final = 12 * HOUR
"""Half a day: shorter than retention and recovery windows are by default, and longer than most
things go on by themselves, which is a few hours where several messages are late."""
_WIRING: Final = "a part that is told by itself, or the same in every run of this world"
_INSTANT: Final = "told as what depends on it: how long it is till then"
_NAMES: Final = "it makes new names, and nothing depends on what a thing is called"
_WEATHER: Final = "the name of a decision of the weather: no state is taken where there is any"


def _wiring(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, _WIRING)


LEFT_OUT: Final[Mapping[type, Mapping[str, str]]] = {
    Clock: {
        **_wiring("env", "_count", "_used", "_look"),
        **dict.fromkeys(("_of_simpy", "_lines", "_sorted"), "told event by event"),
        "_orders": "told among the faults that are left",
        "last_us": "when the run ended, if nothing more is recorded: then it is not gone on from",
        "busy_until_us": "when the run ended, and only whoever compares states asks for that",
    },
    Faults: {
        **_wiring("orders", "is_empty", "waits_for_expiry"),
        **dict.fromkeys(
            ("_uses", "_messages", "_server", "_cuts"),
            "told as the faults that are left; whether a cut was ever met, no search asks",
        ),
    },
    Network: {
        **_wiring("ends", "_clock", "_draws", "_notes", "_faults", "_lifetime_us"),
        "is_calm": "whether there is any fault: no state is taken of a run that has none",
        "_messages": _NAMES,
        "_happened": "told as far as a message can still be held for it",
    },
    Host: {
        **_wiring("server", "_spec", "_clock", "_network", "_surrogates", "_notes", "_strikes"),
        **_wiring("_is_calm", "_has_desk"),
        "_deliveries": "told by message: its keys are the messages' numbers",
        "_given_up": "told by name",
        "_lives": "each execution is told with whether its server still lives",
    },
    Server: {
        **_wiring("config", "rules", "_kept_us"),
        "claims": "told by claim: its keys are the claims' numbers",
        "_claims_made": _NAMES,
        "registry": "told entry by entry",
        "sessions": "told with how long each still lasts",
    },
    Entry: {"committed_us": _INSTANT},
    Desk: {**_wiring("_workers", "_queue_max"), "_queue": "told by name"},
    ClientActor: {
        **_wiring("spec", "_index", "_ids_prefix", "_clock", "_draws", "_network"),
        **_wiring("_surrogates", "_notes"),
        "forms": "told by the state of each form",
    },
    Outbox: _wiring("_name", "_route", "_network", "_surrogates", "_notes"),
    Route: _wiring("client", "index", "request", "ack"),
    Intents: _wiring("nobody"),
    Intent: dict.fromkeys(("_requests", "_acks", "_others"), _WEATHER),
    People: _wiring(
        "_actors",
        "_in_order",
        "_server",
        "_spec",
        "_clock",
        "_draws",
        "_surrogates",
        "_notes",
        "_horizon_us",
    ),
    Exchange: {**_wiring("route"), "intent": _WEATHER},
    Message: {
        **_wiring("lane"),
        "number": "told by name",
        "reply_to": "told by name",
        "nth": _WEATHER,
        "born_us": _INSTANT,
        "sent_us": "it is only recorded; what can grow too old is as old as ``born_us`` says",
    },
}


class Parts(NamedTuple):
    """The parts of a running world that hold anything."""

    clock: Clock
    faults: Faults
    network: Network
    server: Server
    host: Host
    actors: tuple[ClientActor, ...]
    people: People
    surrogates: Surrogates


class Span(NamedTuple):
    """What is still to come of a world: from its next instant to its horizon, both inclusive."""

    now_us: int
    horizon_us: int


class Seen(NamedTuple):
    """A state, and from where its instants are told.

    ``numbers`` are those of the messages in it, in the order of their names there.
    """

    state: Told
    numbers: tuple[int, ...]
    instants: Instants


def seen(
    parts: Parts, own: int, held_for: Collection[HappeningKind], span: Span, *, exact: bool = False
) -> Seen:
    """Return the state of a world between two instants.

    Args:
        parts: A world that was run up to some instant.
        own: How many fault clauses are the world's own: they come first. Of all that come later
            only what they can still do counts.
        held_for: What a message can still be held for; whatever else has happened is forgotten.
        span: What is still to come.
        exact: Whether every time counts to the microsecond.
    """
    waiting = parts.clock.waiting()
    exact = exact or _counts(parts, [event for _, _, event in waiting])
    instants = Instants(span.now_us, None if exact else FAR_US)
    teller = _Teller(parts, own, instants)
    deliveries, given_up = _work(parts.host)
    happened = [one for one in _happened(parts.network) if one[0] in held_for]
    state = (
        instants.until(span.horizon_us + 1),
        teller.fields(parts.clock),
        tuple([_due(teller, *entry) for entry in waiting]),
        teller.fields(parts.faults),
        _left(teller, parts),
        teller.fields(parts.network),
        tuple(sorted(dict.fromkeys(happened))),
        teller.fields(parts.host),
        tuple([teller.tell(message) for message in deliveries.values()]),
        tuple(sorted(teller.name(number) for number in given_up)),
        teller.fields(parts.server),
        tuple([(key, teller.tell(entry)) for key, entry in parts.server.registry.items()]),
        tuple([_session(teller, *session) for session in parts.server.sessions.items()]),
        tuple([teller.tell(claim) for claim in parts.server.claims.values()]),
        tuple([_client(teller, actor) for actor in parts.actors]),
        teller.fields(parts.people),
        tuple(parts.surrogates.items()),
    )
    return Seen(state, teller.numbers, instants)


def _counts(parts: Parts, waiting: Collection[Wake | Turn]) -> bool:
    """Return whether every time counts to the microsecond.

    So it does while people are still to act, for they do so at times that the scenario says; where
    a message waits for the end of a retention, however far off; and where ids are made from the
    clock, which are others at any other time.
    """
    scripted = any(isinstance(event, Turn) for event in waiting)
    clocked = any(not actor.spec.rules.secure_ids for actor in parts.actors)
    return scripted or clocked or parts.faults.waits_for_expiry


_happened = attrgetter("_happened")
_work = attrgetter("_deliveries", "_given_up")
_lives = attrgetter("_lives")
_clauses = attrgetter("_uses", "_messages", "_server", "_cuts")
_lifetime = attrgetter("_lifetime_us")
_kept = attrgetter("_kept_us")
_orders = attrgetter("_orders")
_waiting = attrgetter("_queue")


class _Teller(Teller):
    """Knows besides how many lives the server had, whose the clauses are, what lasts how long."""

    def __init__(self, parts: Parts, own: int, instants: Instants) -> None:
        super().__init__(_WAYS, instants)
        self.lives: int = _lives(parts.host)
        self.own = own
        self.lifetime_us: int = _lifetime(parts.network)
        self.kept_us: int = _kept(parts.server)
        self.tombstone_us: int = parts.server.config.tombstone_us

    def fields(self, part: Any) -> Told:
        """Return what a part holds, where it is not only mentioned."""
        return _BY_FIELDS[type(part)](self, part)


def _due(teller: Teller, at_us: int, rank: int, event: Wake | Turn) -> Told:
    """Tell what is going to happen: when, to whom, and what is done then with what."""
    if isinstance(event, Turn):
        # The scenario says what is done; it is the same line for all who have come to this time.
        return (teller.instants.off(at_us), rank, event.owner)
    return (
        teller.instants.off(at_us),
        rank,
        event.owner,
        teller.tell(event.act),
        teller.tell(event.what),
    )


def _left(teller: _Teller, parts: Parts) -> Told:
    """Tell the clauses that can still do something, and how often, or when.

    The world's own are told by their places.
    """
    uses, messages, server, cuts = _clauses(parts.faults)
    instants = teller.instants
    unused = [
        (place, clause, None if clause.times is None else clause.times - uses[place])
        for place, clause in (*messages, *server)
        if clause.times is None or uses[place] < clause.times
    ]
    orders = [
        (place, replace(clause, at_us=None), clause.at_us and instants.off(clause.at_us))
        for place, clause in _orders(parts.clock)
    ]
    lasting = [
        (place, clause, (instants.until(clause.from_us), instants.until(clause.to_us)))
        for place, clause in cuts
        if instants.until(clause.to_us)
    ]
    return tuple(
        [
            (place if place < teller.own else clause, rest)
            for place, clause, rest in (*unused, *orders, *lasting)
        ]
    )


def _client(teller: _Teller, actor: ClientActor) -> Told:
    forms = [_state(teller, form.state, form.config) for form in actor.forms.values()]
    return (*forms, teller.fields(actor))


def _state(teller: _Teller, state: ClientState, config: ClientConfig) -> Told:
    """Tell what a form holds, and how long it is till its times come."""
    return (
        state._replace(operation=None, shelf=(), open_until_us=0),
        _operation(teller, state.operation, config),
        tuple(
            [
                (kept._replace(operation=None), _operation(teller, kept.operation, config))
                for kept in state.shelf
            ]
        ),
        teller.instants.until(state.open_until_us),
    )


def _operation(teller: _Teller, op: Operation | None, config: ClientConfig) -> Told:
    """Tell an operation; of one that was sent, also till when it may be sent again."""
    if op is None:
        return None
    what = op._replace(first_sent_us=0)
    if not op.tries:
        return what
    instants, deadline_us = teller.instants, config.retry.deadline_us
    too_late = instants.until(op.first_sent_us + config.recovery_window_us + 1)
    return (what, too_late, None if deadline_us is None else instants.off(op.first_sent_us))


def _entry(teller: _Teller, entry: Entry) -> Told:
    """Tell an entry of the registry; what has a result is kept for a time."""
    what = _ENTRY(teller, entry)
    if entry.result is None:
        return what
    until, after_us = teller.instants.until, entry.committed_us + 1
    return (what, until(after_us + teller.kept_us), until(after_us + teller.tombstone_us))


def _session(teller: Teller, name: str, held: tuple[str, int | None]) -> Told:
    owner, until_us = held
    return (name, owner, None if until_us is None else teller.instants.until(until_us))


def _message(teller: _Teller, message: Message) -> Told:
    names = (teller.name(message.number), teller.name(message.reply_to))
    too_old = teller.instants.until(message.born_us + teller.lifetime_us + 1)
    return (*names, too_old, _MESSAGE(teller, message))


def _exchange(teller: Teller, exchange: Exchange) -> Told:
    """Tell an exchange once: its messages share it, and what breaks it breaks it for all."""
    return teller.again(exchange) or (0, _EXCHANGE(teller, exchange))


def _held(teller: _Teller, held: Held) -> Told:
    return (teller.tell(held.message), held.hold, held.place < teller.own)


def _desk(teller: Teller, desk: Desk) -> Told:
    return (_DESK(teller, desk), *[teller.name(number) for number in _waiting(desk)])


def _execution(teller: _Teller, running: Execution) -> Told:
    """Tell what is being executed, and whether its server still lives."""
    what = (teller.tell(running.claim), teller.tell(running.message))
    return (*what, running.life == teller.lives)


def _method(teller: Teller, act: MethodType | BuiltinMethodType) -> Told:
    """Tell who does what; a method of a compiled class is a built-in one."""
    return (act.__qualname__, teller.tell(act.__self__))


def _mention(_: Teller, part: object) -> Told:
    return type(part).__name__


_WAYS: Final = Ways(
    {
        Message: _message,
        Exchange: _exchange,
        Held: _held,
        Desk: _desk,
        Claim: lambda teller, claim: (teller.name(claim.delivery), claim.request, claim.compares),
        Waiter: lambda teller, waiter: (teller.name(waiter.delivery), waiter.attempt),
        Entry: _entry,
        Form: lambda _, form: form.resource,
        ClientActor: lambda _, actor: actor.name,
        **dict.fromkeys((Clock, Network, Host, Server, People), _mention),
        Execution: _execution,
        MethodType: _method,
        BuiltinMethodType: _method,
    },
    LEFT_OUT,
)
_BY_FIELDS: Final[Mapping[type, Way]] = {
    part: _WAYS.by_fields(part)
    for part in (Clock, Faults, Network, Host, Server, ClientActor, People)
}
_MESSAGE: Final = _WAYS.by_fields(Message)
_ENTRY: Final = _WAYS.by_fields(Entry)
_DESK: Final = _WAYS.by_fields(Desk)
_EXCHANGE: Final = _WAYS.by_fields(Exchange)
