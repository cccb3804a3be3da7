"""Every mistake that the simulator can make on purpose, in one table.

A mistake is one switch of the rules and one row here: what it does, how it shows, why code comes
to do it, what to check, what to change, and what all that does not prove. ``lostack explain``,
the diagnosis and ``docs/mistakes.md`` are made from these rows.
"""

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from sim.contract.mistake import Mistake, Side
from sim.contract.mistakes_client import CLIENT_MISTAKES
from sim.contract.mistakes_server import SERVER_MISTAKES
from sim.contract.rules import ClientRules, ServerRules

__all__ = ["MISTAKES", "Mistake", "Side", "by_name", "client_rules", "server_rules"]

MISTAKES: tuple[Mistake, ...] = CLIENT_MISTAKES + SERVER_MISTAKES

_BY_NAME: Final = {mistake.name: mistake for mistake in MISTAKES}


def by_name(name: str) -> Mistake:
    """Return the row of one mistake.

    Raises:
        ValueError: There is no such mistake; the message suggests the nearest names.
    """
    if name in _BY_NAME:
        return _BY_NAME[name]
    near = get_close_matches(name, _BY_NAME, n=2)
    hint = f"; did you mean {' or '.join(repr(other) for other in near)}?" if near else ""
    raise ValueError(f"unknown mistake {name!r}{hint}")


def client_rules(names: Iterable[str]) -> ClientRules:
    """Return the rules of a client that makes these mistakes.

    Raises:
        ValueError: A name is unknown, or is a mistake of servers.
    """
    return replace(ClientRules(), **_switched_off(names, Side.CLIENT))


def server_rules(names: Iterable[str]) -> ServerRules:
    """Return the rules of a server that makes these mistakes.

    Raises:
        ValueError: A name is unknown, or is a mistake of clients.
    """
    return replace(ServerRules(), **_switched_off(names, Side.SERVER))


def _switched_off(names: Iterable[str], side: Side) -> dict[str, bool]:
    rows = [by_name(name) for name in names]
    for row in rows:
        if row.side is not side:
            raise ValueError(f"{row.name!r} is a mistake of a {row.side}, not of a {side}")
    return {row.field: False for row in rows}
