"""Whatever can make a difference later makes a difference in the state; names make none."""

from collections.abc import Callable, Mapping

import pytest

from sim.contract.messages import Resource
from sim.contract.phases import Phase
from sim.contract.server.server import Server
from sim.engine import probe
from sim.engine.link import Network
from sim.engine.probe import Parts
from sim.engine.teller import fields
from sim.explore import books
from sim.judge.ledger import Ledger, Spot
from sim.network.faults import HappeningKind
from tests.explore.held import AT_US, look, told

Change = Callable[[Parts], object]
Rewrite = Callable[[Ledger], object]


def _serial(parts: Parts) -> None:
    form = parts.actors[0].forms["note"]
    form.state = form.state._replace(serial=9)


def _later(parts: Parts) -> None:
    number, line = parts.clock._lines.popitem()
    parts.clock._lines[number + 8] = line


def _committed_later(parts: Parts) -> None:
    next(iter(parts.server.registry.values())).committed_us += 1


def _sent_later(parts: Parts) -> None:
    form = parts.actors[0].forms["note"]
    assert form.state.operation is not None
    sent_us = form.state.operation.first_sent_us + 1
    later = form.state.operation._replace(first_sent_us=sent_us)
    form.state = form.state._replace(operation=later)


def _younger(parts: Parts) -> None:
    parts.network._held[0].message.born_us += 1


def _broken_exchange(parts: Parts) -> None:
    parts.network._held[0].message.exchange.is_broken = True


IN_THE_WORLD: Mapping[str, Change] = {
    "a client's form": _serial,
    "its page": lambda parts: setattr(parts.actors[0]._route, "page", 7),
    "its session": lambda parts: setattr(parts.actors[0], "session", "another"),
    "an id at hand": lambda parts: setattr(parts.actors[0], "_ids", ("id", "")),
    "how many ids it made": lambda parts: setattr(parts.actors[0], "_ids_made", 9),
    "its intents": lambda parts: parts.actors[0]._outbox.intents._unsettled.clear(),
    "the order of its operations": lambda parts: parts.actors[0]._outbox._ordinals.clear(),
    "what the server holds": lambda parts: parts.server.resources.update(
        note=Resource(9, parts.server.resources["note"].body)
    ),
    "what is registered": lambda parts: parts.server.registry.popitem(),
    "when it was committed": _committed_later,
    "the sessions there": lambda parts: parts.server.sign_out("done/1"),
    "what is claimed": lambda parts: parts.server.claims.clear(),
    "who works": lambda parts: setattr(parts.host._desk, "_busy", 0),
    "who queues": lambda parts: parts.host._desk._queue.clear(),
    "what is not answered": lambda parts: parts.host._deliveries.popitem(),
    "whom the gateway told": lambda parts: parts.host._given_up.clear(),
    "whether the server is up": lambda parts: setattr(parts.host, "_is_up", False),
    "whether an execution survived": lambda parts: setattr(parts.host, "_lives", 9),
    "what is due": lambda parts: parts.clock._lines.popitem(),
    "when it is due": _later,
    "what is held": lambda parts: parts.network._held.clear(),
    "a connection": _broken_exchange,
    "what has happened": lambda parts: parts.network._happened.append(
        (HappeningKind.TIMED_OUT, "done", 1, 1)
    ),
    "when a session ends": lambda parts: parts.server.sign_in("done/1", "done", AT_US + 9),
    "when an operation was sent first": _sent_later,
    "how old a message is": _younger,
    "when a link is cut": lambda parts: parts.faults._cuts.clear(),
    "how often a fault still strikes": lambda parts: parts.faults.use(1),
    "the names of operations": lambda parts: parts.surrogates.number_of("new"),
    "fresh texts": lambda parts: setattr(parts.people, "_edits", 9),
}


@pytest.mark.parametrize("change", IN_THE_WORLD.values(), ids=IN_THE_WORLD)
def test_a_world_in_which_one_thing_is_otherwise_is_another_state(change: Change) -> None:
    def see(parts: Parts, ledger: Ledger) -> tuple[str, str]:
        before = told(parts, ledger)
        change(parts)
        return before, told(parts, ledger)

    before, after = look(see)

    assert before != after


def _screen(name: str, value: object) -> Rewrite:
    return lambda ledger: setattr(next(iter(ledger.screens.values())), name, value)


def _operation(name: str, value: object) -> Rewrite:
    return lambda ledger: setattr(next(iter(ledger.operations.values())), name, value)


IN_THE_BOOKS: Mapping[str, Rewrite] = {
    "what broke": lambda ledger: ledger.violated("settles", Spot(0, "", "", 0), ""),
    "a screen's phase": _screen("phase", Phase.REFUSED),
    "its draft": _screen("dirty", False),
    "what it waits for": _screen("pending", None),
    "what it keeps": lambda ledger: _screen("must_keep", (ledger.seq, "text"))(ledger),
    "what was acknowledged": lambda ledger: next(
        iter(ledger.screens.values())
    ).acknowledged_bodies.update(text=True),
    "an operation's effects": _operation("effects", 9),
    "its attempts": _operation("launches", 9),
    "what is known of them": _operation("fates", {}),
    "its messages under way": _operation("under_way", 9),
    "how often was asked": _operation("asked", 9),
    "when it was committed": _operation("committed_us", 9),
    "when it was launched": _operation("launched_us", 9),
    "what is believed": _operation("belief", "unknown"),
    "whether trouble came since its launch": _operation("launch_seq", 10**6),
    "an intent's effects": lambda ledger: setattr(ledger.intents["done", 1], "effects", 9),
    "the effects": lambda ledger: ledger.effects.clear(),
    "whose they are": lambda ledger: ledger.owners_of.clear(),
    "what is running": lambda ledger: ledger.running.clear(),
    "what the server holds": lambda ledger: ledger.resources.clear(),
    "what arrived": lambda ledger: ledger.arrived.clear(),
    "whom the gateway told": lambda ledger: ledger.given_up.clear(),
    "what is executed": lambda ledger: ledger.claimed.clear(),
    "which answer settles": lambda ledger: ledger.must_settle.update(dict.fromkeys(range(99), 1)),
    "which answer is clean": lambda ledger: ledger.clean_answers.update(
        dict.fromkeys(range(99), True)
    ),
}


@pytest.mark.parametrize("change", IN_THE_BOOKS.values(), ids=IN_THE_BOOKS)
def test_books_in_which_one_thing_is_otherwise_are_another_state(change: Rewrite) -> None:
    def see(parts: Parts, ledger: Ledger) -> tuple[str, str]:
        before = told(parts, ledger)
        change(ledger)
        return before, told(parts, ledger)

    before, after = look(see)

    assert before != after


def test_what_messages_and_claims_are_called_makes_no_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    as_they_are = look(told)
    for part, name in ((Network, "_messages"), (Server, "_claims_made")):
        monkeypatch.setattr(part, "__init__", _counting_on(part.__init__, name))

    assert look(told) == as_they_are


def _counting_on(begin: Callable[..., None], name: str) -> Callable[..., None]:
    def begin_late(part: object, *arguments: object) -> None:
        begin(part, *arguments)
        setattr(part, name, 100)

    return begin_late


def test_a_state_holds_no_address_of_this_process() -> None:
    assert " at 0x" not in look(told)


@pytest.mark.parametrize("part", [*probe.LEFT_OUT, *books.LEFT_OUT], ids=lambda part: part.__name__)
def test_what_is_left_out_is_there(part: type) -> None:
    """A reason for something that is gone would be believed of something else one day."""
    source = {**probe.LEFT_OUT, **books.LEFT_OUT}[part]

    held = _held(part)
    assert [name for name in source if name not in held] == []


def _held(part: type) -> list[str]:
    def see(parts: Parts, ledger: Ledger) -> list[str]:
        actor, message = parts.actors[0], parts.network._held[0].message
        outbox = actor._outbox
        things: list[object] = [
            *parts,
            *(actor, outbox, actor._route, *actor.forms.values(), outbox.intents),
            *(parts.host._desk, message, message.exchange, message.exchange.intent, ledger),
            *parts.server.registry.values(),
            *ledger.operations.values(),
            *ledger.screens.values(),
        ]
        thing = next(thing for thing in things if type(thing) is part)
        return fields(thing)

    return look(see)
