"""The trace: every event a machine receives and every effect it asks for, in order.

A record is a named tuple, cheap enough to be made in the hot path. ``seq`` orders the records;
``at_us`` does not, because several may share an instant. Records hold surrogates (``op-1``),
never ids or tokens. Bodies are canonical JSON text.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from sim.contract.body import Json

VERSION: Final = 1
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
    BROKEN = "broken"  # message, error (what the client sees), cause (what happened)
    # msg, message, copy, sent_us, answer, verdict, changed; names, names_attempt (what it claims
    # to answer); accepted_version, version, body, replayed of an ack or a completed status
    ANSWER = "answer"
    # What a client's machine asks for.
    # intent, body, draft_version, expected_version, owner, irreversible; and sent_body,
    # sent_expected_version, wire where a mistake sends something else than was frozen
    LAUNCH = "launch"
    RAW = "raw"  # body, expected_version, owner: sent by hand, by no machine
    ASK = "ask"  # query, by (person or client)
    ARM = "arm"  # timer, number, delay_us
    # phase, reason, says, body, draft_version, dirty, base_version, owner, read_version
    SHOW = "show"
    # The link. Every one has msg, message, copy.
    SENT = "sent"
    LOST = "lost"  # why
    HELD = "held"  # until
    ARRIVED = "arrived"  # sent_us; at the server
    FAULT = "fault"  # clause, action
    # The server. Every one about a request has msg, copy.
    DECIDED = "decided"  # decision, names, addressed_to, version
    # version, replaced, expected_version, draft_version, body, kind, owner, names, on
    COMMIT = "commit"
    RECORDED = "recorded"  # state (running, completed, released, error), owner
    CRASH = "crash"  # point, clause
    RESTART = "restart"  # registry (kept or lost)
    EXPIRE = "expire"  # owner: sessions of that owner end
    # The run.
    START = "start"  # a page opens on a resource: version, holds, body, owner, kind
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


def named(number: int) -> str:
    """Return what is written instead of an id; one that nobody made is ``unknown``."""
    return surrogate(number) if number else "unknown"
