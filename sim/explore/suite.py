"""A fixed suite of small worlds over which every mistake has to show.

Each is one situation that the contract has a rule for, with nothing more in it than that takes.
None of them makes a mistake, so no schedule may break an invariant in any of them.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from sim.contract.mistakes import Side, by_name, client_rules, server_rules
from sim.scenario.load import load_text
from sim.scenario.model import World


class Situation(NamedTuple):
    """One small world; ``faults`` bounds what goes wrong in it besides its own."""

    name: str
    faults: int
    text: str


_SAVE = """
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 0s, save: note}
"""

SUITE: tuple[Situation, ...] = (
    Situation(
        "one-put",
        2,
        "server: {resources: {note: {version: 4}}}" + _SAVE,
    ),
    Situation(
        "one-post",
        2,
        "server: {resources: {note: {kind: post, version: 4}}}" + _SAVE,
    ),
    Situation(
        "asks-first",
        2,
        """
server: {resources: {note: {kind: post, version: 4}}}
client: {on_unknown: status, status: {max: 2}}
"""
        + _SAVE,
    ),
    Situation(
        "payment",
        2,
        """
server: {resources: {note: {kind: post, version: 4, irreversible: yes}}}
client: {status: {max: 2}}
"""
        + _SAVE,
    ),
    Situation(
        "busy-server",
        1,
        "server: {resources: {note: {kind: post, version: 4}}, capacity: {time: 50ms}}" + _SAVE,
    ),
    Situation(
        "short-memory-of-a-put",
        1,
        """
server: {resources: {note: {version: 4}}, retention: 24s, tombstone: 1d}
client: {recovery_window: 20s}
"""
        + _SAVE,
    ),
    Situation(
        "short-memory-of-a-post",
        1,
        """
server: {resources: {note: {kind: post, version: 4}}, retention: 24s, tombstone: 1d}
client: {recovery_window: 20s}
"""
        + _SAVE,
    ),
    Situation(
        "wrong-answer",
        1,
        "server: {resources: {note: {version: 4}}}"
        + _SAVE
        + "faults:\n  - {corrupt: ack, attempt: 1, set: {accepted_version: 1}}\n",
    ),
    Situation(
        "types-on",
        1,
        """
server: {resources: {note: {version: 4}}}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 0s, save: note}
  - {at: 20ms, edit: note, body: {text: newer}}
  - {at: 30ms, save: note}
  - {at: 9s, save: note}
""",
    ),
    Situation(
        "saves-again",
        1,
        """
server: {resources: {note: {kind: post, version: 4}}}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 0s, save: note}
  - {at: 2100ms, save: note}
  - {at: 9s, save: note}
""",
    ),
    Situation(
        "reloads",
        1,
        """
server: {resources: {note: {version: 4}}}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 0s, save: note}
  - {at: 20ms, reload: }
""",
    ),
    Situation(
        "offline-hint",
        1,
        """
server: {resources: {note: {version: 4}}}
user:
  - {at: 0s, hint: offline}
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 1s, save: note}
""",
    ),
    Situation(
        "next-owner",
        1,
        """
server: {resources: {note: {version: 4}}}
client: {owner: ann}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 0s, save: note}
  - {at: 20ms, sign_in: bob}
""",
    ),
    Situation(
        "two-tabs",
        1,
        """
server: {resources: {note: {version: 4}}}
clients: {left: {owner: ann}, right: {owner: ann}}
user:
  - {at: 0s, client: right, edit: note, body: {text: right}}
  - {at: 0s, client: right, save: note}
  - {at: 1s, client: left, edit: note, body: {text: left}}
  - {at: 1s, client: left, save: note}
  - {at: 1500ms, client: right, reload: }
  - {at: 9s, client: right, save: note}
""",
    ),
    Situation(
        "one-instant",
        1,
        """
server: {resources: {note: {version: 4}}}
clients: {left: {owner: ann}, right: {owner: ann}}
user:
  - {at: 0s, client: left, edit: note, body: {text: left}}
  - {at: 0s, client: left, save: note}
  - {at: 0s, client: right, edit: note, body: {text: right}}
  - {at: 0s, client: right, save: note}
  - {at: 1s, client: right, save: note}
""",
    ),
    Situation(
        "known-id",
        1,
        """
server: {resources: {note: {kind: post, version: 4}}}
clients: {ann: {}, bob: {}}
user:
  - {at: 0s, client: ann, edit: note, body: {text: new}}
  - {at: 0s, client: ann, save: note}
  - {at: 1s, client: bob, edit: note, body: {text: new}}
  - {at: 1s, client: bob, send: note, id: op-1, expected_version: 4}
  - {at: 2s, client: ann, send: note, id: op-1, body: {text: other}}
""",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One situation with at most one mistake in it."""

    situation: str
    mistake: str
    """Empty: the contract."""
    faults: int
    world: World


def cases(mistake: str = "", faults: int | None = None) -> tuple[Case, ...]:
    """Return the suite with a mistake switched on, wherever it can be made.

    Args:
        mistake: Its name; empty: the contract as it is.
        faults: A bound for all situations in place of their own.
    """
    return tuple(
        Case(
            situation=one.name,
            mistake=mistake,
            faults=one.faults if faults is None else faults,
            world=with_mistake(situation(one), mistake),
        )
        for one in SUITE
    )


@cache
def situation(one: Situation) -> World:
    """Return the small world of a situation, without a mistake in it."""
    text = "\n".join([f"title: {one.name}", one.text.lstrip()])
    return load_text(text, one.name, f"{one.name}.yaml").worlds[0]


def with_mistake(world: World, mistake: str) -> World:
    """Return the world with one mistake, and no other of its side, switched on; "": none."""
    if not mistake:
        return world
    if by_name(mistake).side is Side.SERVER:
        rules = server_rules([mistake])
        return replace(world, server=replace(world.server, rules=rules, mistakes=(mistake,)))
    clients = tuple(
        replace(client, rules=client_rules([mistake]), mistakes=(mistake,))
        for client in world.clients
    )
    return replace(world, clients=clients)
