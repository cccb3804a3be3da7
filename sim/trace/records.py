"""The trace: every event a machine receives and every effect it asks for, in order.

A record is a named tuple, cheap enough to be made in the hot path. ``seq`` orders the records;
``at_us`` does not, because several may share an instant. Records hold surrogates (``op-1``),
never ids or tokens.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from sim.contract.body import Json

VERSION = 1
"""Version of the JSON Lines form; it rises when a reader would misread an older file."""


class Rec(StrEnum):
    """What a record is about. The comment lists the keys of ``data``."""

    # What reaches a client's machine. ``rule`` is the row of the contract that decided.
    EDIT = "edit"  # body, draft_version, changed
    SAVE = "save"  # body, draft_version, new_intent, launches (bool)
    RETRY = "retry"  # launches
    CHECK = "check"  # asks
    DISCARD = "discard"  # done
    MERGE = "merge"  # done, body
    RELOAD = "reload"
    CLOSE = "close"
    OPEN = "open"
    SIGN_IN = "sign-in"  # owner
    SIGN_OUT = "sign-out"
    HINT = "hint"  # online
    STOP_WORKER = "stop-worker"
    START_WORKER = "start-worker"
    TIMER = "timer"  # timer, number, live (false: it outlived what it was armed for)
    BROKEN = "broken"  # message, number, error (what the client sees), cause, live
    ANSWER = "answer"  # msg, message, answer, names, names_attempt, verdict, changed, ...
    # What a client's machine asks for.
    LAUNCH = "launch"  # body, draft_version, expected_version, owner, kind, irreversible, wire, cause
    ASK = "ask"  # query, by (person or client)
    ARM = "arm"  # timer, number, delay_us
    SHOW = "show"  # phase, reason, says, body, draft_version, dirty, base_version, owner, read_version
    # The link.
    SENT = "sent"  # msg, message, copy, number, raw
    LOST = "lost"  # msg, message, copy, why
    HELD = "held"  # msg, message, copy, until
    ARRIVED = "arrived"  # msg, message, copy, sent_us
    FAULT = "fault"  # clause, action, msg
    # The server.
    DECIDED = "decided"  # msg, decision, names, owner, + version / code / ...
    COMMIT = "commit"  # effect, owner, version, replaced, expected_version, body, draft_version, kind, msg
    RECORDED = "recorded"  # state (running, completed, released, error), owner
    CRASH = "crash"  # point
    RESTART = "restart"  # registry (kept or lost)
    EXPIRE = "expire"  # owner: sessions of that owner end
    # The run.
    START = "start"  # per client and resource: version, body, owner; or the whole run's settings
    END = "end"  # why (quiet, horizon, limit)


class Record(NamedTuple):
    """One observable event.

    ``op`` is the number of an operation's surrogate (0: none), ``attempt`` its attempt's number
    (0: none), ``rule`` the rule of the contract that decided ("" where none had to).
    """

    seq: int
    at_us: int
    kind: Rec
    client: str
    resource: str
    op: int
    attempt: int
    rule: str
    data: Mapping[str, Json]


def surrogate(op: int) -> str:
    """Return what people read instead of an operation id: ``op-1``."""
    return f"op-{op}"
