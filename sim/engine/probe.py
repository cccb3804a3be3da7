"""The state of a running world between two instants, as a plain value that can be compared.

Two runs with equal states go on equally. So everything that is held counts, whatever it is, but
for what ``LEFT_OUT`` names with the reason why nothing can depend on it. Messages and claims are
named by the order in which they are come to. Times stay as they are: recovery windows, retention
and people's scripts are measured against them, so that what has come to the same point at another
time has another future.
"""

from collections.abc import Collection, Mapping
from operator import attrgetter
from types import BuiltinMethodType, MethodType
from typing import Any, Final, NamedTuple

from sim.contract.server.capacity import Desk
from sim.contract.server.server import Server
from sim.contract.server.state import Claim, Waiter
from sim.engine.actor import ClientActor
from sim.engine.clock import Clock, Turn, Wake
from sim.engine.host import Execution, Host
from sim.engine.link import Held, Network
from sim.engine.mail import Exchange, Message
from sim.engine.outbox import Form, Outbox
from sim.engine.people import People
from sim.engine.routes import Route
from sim.engine.surrogates import Surrogates
from sim.engine.teller import Teller, Told, Way, Ways
from sim.engine.truth import Intent, Intents
from sim.network.faults import HappeningKind
from sim.network.matching import Faults

_WIRING: Final = "a part that is told by itself, or the same in every run of this world"
_NAMES: Final = "it makes new names, and nothing depends on what a thing is called"
_WEATHER: Final = "the name of a decision of the weather: no state is taken where there is any"


def _wiring(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, _WIRING)


LEFT_OUT: Final[Mapping[type, Mapping[str, str]]] = {
    Clock: {
        **_wiring("env", "_count", "_used", "_look"),
        "_queue": "told event by event",
        "_orders": "told among the faults that are left",
        "last_us": "when the run ended, if nothing more is recorded: then it is not gone on from",
    },
    Faults: {
        **_wiring("_cuts", "orders", "is_empty", "waits_for_expiry"),
        **dict.fromkeys(("_uses", "_messages", "_server"), "told as the faults that are left"),
    },
    Network: {
        **_wiring("_clock", "_draws", "_notes", "_faults", "_lifetime_us"),
        **_wiring("to_server", "to_client", "to_client_broken"),
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
    },
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


class Seen(NamedTuple):
    """A state, and the numbers of the messages in it, in the order of their names there."""

    state: Told
    numbers: tuple[int, ...]


def seen(parts: Parts, own: int, held_for: Collection[HappeningKind]) -> Seen:
    """Return the state of a world between two instants.

    Args:
        parts: A world that was run up to some instant.
        own: How many fault clauses are the world's own: they come first. Of all that come later
            only what they can still do counts.
        held_for: What a message can still be held for; whatever else has happened is forgotten.
    """
    teller = _Teller(parts.host, own)
    deliveries, given_up = _work(parts.host)
    happened = [one for one in _happened(parts.network) if one[0] in held_for]
    state = (
        teller.fields(parts.clock),
        tuple([_due(teller, *entry) for entry in sorted(_queue(parts.clock))]),
        teller.fields(parts.faults),
        _left(parts, own),
        teller.fields(parts.network),
        tuple(sorted(dict.fromkeys(happened))),
        teller.fields(parts.host),
        tuple([teller.tell(message) for message in deliveries.values()]),
        tuple(sorted(teller.name(number) for number in given_up)),
        teller.fields(parts.server),
        tuple([teller.tell(claim) for claim in parts.server.claims.values()]),
        tuple([_client(teller, actor) for actor in parts.actors]),
        teller.fields(parts.people),
        tuple(parts.surrogates.items()),
    )
    return Seen(state, teller.numbers)


_queue = attrgetter("_queue")
_happened = attrgetter("_happened")
_work = attrgetter("_deliveries", "_given_up")
_lives = attrgetter("_lives")
_clauses = attrgetter("_uses", "_messages", "_server")
_orders = attrgetter("_orders")
_waiting = attrgetter("_queue")


class _Teller(Teller):
    """Knows besides how many lives the server had, and whose the clauses are."""

    def __init__(self, host: Host, own: int) -> None:
        super().__init__(_WAYS)
        self.lives: int = _lives(host)
        self.own = own

    def fields(self, part: Any) -> Told:
        """Return what a part holds, where it is not only mentioned."""
        return _BY_FIELDS[type(part)](self, part)


def _due(teller: Teller, at_us: int, rank: int, _: int, event: Wake | Turn) -> Told:
    """Tell what is going to happen: when, to whom, and what is done then with what."""
    if isinstance(event, Turn):
        # The scenario says what is done; it is the same line for all who have come to this time.
        return (at_us, rank, event.owner)
    return (at_us, rank, event.owner, teller.tell(event.act), teller.tell(event.what))


def _left(parts: Parts, own: int) -> Told:
    """Tell the clauses that can still do something, and how often: the own ones by their places."""
    uses, messages, server = _clauses(parts.faults)
    unused = [
        (place, clause, None if clause.times is None else clause.times - uses[place])
        for place, clause in (*messages, *server)
        if clause.times is None or uses[place] < clause.times
    ]
    orders = [(place, clause, 1) for place, clause in _orders(parts.clock)]
    return tuple(
        [(place if place < own else clause, times) for place, clause, times in (*unused, *orders)]
    )


def _client(teller: _Teller, actor: ClientActor) -> Told:
    return (*[form.state for form in actor.forms.values()], teller.fields(actor))


def _message(teller: Teller, message: Message) -> Told:
    names = (teller.name(message.number), teller.name(message.reply_to))
    return (*names, _MESSAGE(teller, message))


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
_DESK: Final = _WAYS.by_fields(Desk)
_EXCHANGE: Final = _WAYS.by_fields(Exchange)
