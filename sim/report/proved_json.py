"""What the contract breaks over the suite, as JSON.

::

    {"lostack_suite": 1,                 the version of this form; keys may be added within one
     "holds": true or false,             every invariant holds in all, and all was searched
     "faults": number,                   the bound, besides each situation's own faults
     "kinds": [text],                    the kinds of fault that were tried
     "schedules": number,
     "situations": [{"name": text, "own_faults": number, "schedules": number,
                     "sizes": [number],  schedules of 0, 1, 2 … faults
                     "breaks": {invariant: {"faults": number, "clauses": [text]}},
                     "doubts": [text]}]}

Every key is always there; ``faults`` of what breaks counts the situation's own as well.
"""

import json

from sim.explore.choice import FAULTS
from sim.explore.proved import Proof, Proved

VERSION = 1


def render(found: Proof) -> str:
    """Return the proof as one JSON value, indented, in the order of the suite."""
    value = {
        "lostack_suite": VERSION,
        "holds": not found.broken and not found.doubtful,
        "faults": found.faults,
        "kinds": [kind.value for kind in FAULTS],
        "schedules": found.schedules,
        "situations": [_situation(one) for one in found.situations],
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _situation(one: Proved) -> dict[str, object]:
    return {
        "name": one.situation,
        "own_faults": one.own,
        "schedules": one.schedules,
        "sizes": list(one.sizes),
        "breaks": {
            name: {"faults": shown.faults, "clauses": list(shown.clauses)}
            for name, shown in one.exposures.items()
        },
        "doubts": list(one.doubts),
    }
