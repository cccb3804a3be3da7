"""Pairs of mistakes that are harmless alone and harmful together, as JSON for a baseline.

::

    {"lostack_mistake_pairs": 1,         the version of this form; keys may be added within one
     "faults": number,                   the bound, besides each situation's own faults
     "pairs": number,                    of a client's and a server's mistake, that there are
     "searches": number,                 pairs in situations where both are harmless at first
     "schedules": number,
     "harmful": [{"client": mistake, "server": mistake,
                  "situations": [{"situation": text, "faults": number,
                                  "breaks": {invariant: [text]},
                                  "alone": {"client": [invariant], "server": [invariant]}}]}],
     "restless": [{"situation": text, "client": mistake, "server": mistake}]}

Every key is always there. ``faults`` of a situation is the fewest that do harm, ``breaks`` a
smallest set of faults for each harmful invariant, ``alone`` what each mistake alone breaks with as
many faults: nothing of it harms anybody. ``restless`` pairs never come to rest and were searched
without faults only.
"""

import json

from sim.explore.pairs import Harm, Pairs

VERSION = 1


def render(found: Pairs) -> str:
    """Return the pairs as one JSON value, indented, in the order of the tables of mistakes."""
    value = {
        "lostack_mistake_pairs": VERSION,
        "faults": found.faults,
        "pairs": found.many,
        "searches": found.tried,
        "schedules": found.schedules,
        "harmful": [
            {
                "client": client,
                "server": server,
                "situations": [_situation(one) for one in found.of(client, server)],
            }
            for client, server in found.names
        ],
        "restless": [
            {"situation": situation, "client": client, "server": server}
            for situation, client, server in found.cut
        ],
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _situation(one: Harm) -> dict[str, object]:
    return {
        "situation": one.situation,
        "faults": one.faults,
        "breaks": {name: list(clauses) for name, clauses in one.harms.items()},
        "alone": {"client": list(one.client_breaks), "server": list(one.server_breaks)},
    }
