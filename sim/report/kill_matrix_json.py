"""The kill matrix as JSON, to be kept as a baseline.

::

    {"lostack_kill_matrix": 1,           the version of this form; keys may be added within one
     "clean": true or false,             every mistake caught, and the contract breaks nothing
     "situations": [{"name": text, "faults": number}],
     "contract": {"faults": number or null, "schedules": number, "breaks": {…}},
     "mistakes": [{"mistake": text, "schedules": number, "faults": number or null,
                   "breaks": {invariant: {"faults": number, "situation": text,
                                          "clauses": [text]}}}]}

Every key is always there; ``faults`` of the contract is null where each situation's own bound is
used, of a mistake where nothing exposes it.
"""

import json

from sim.explore.kill import Matrix, Row
from sim.explore.suite import SUITE

VERSION = 1


def render(found: Matrix) -> str:
    """Return the matrix as one JSON value, indented, in the order of the table of mistakes."""
    value = {
        "lostack_kill_matrix": VERSION,
        "clean": found.is_clean,
        "situations": [{"name": one.name, "faults": one.faults} for one in SUITE],
        "contract": {
            "faults": found.contract_faults,
            "schedules": found.contract.schedules,
            "breaks": _breaks(found.contract),
        },
        "mistakes": [
            {
                "mistake": row.mistake,
                "schedules": row.schedules,
                "faults": row.faults,
                "breaks": _breaks(row),
            }
            for row in found.rows
        ],
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _breaks(row: Row) -> dict[str, object]:
    return {
        name: {"faults": one.faults, "situation": one.situation, "clauses": list(one.clauses)}
        for name, one in row.exposures.items()
    }
