"""A fault as one line of a scenario file: for stories, messages and for writing files.

There is one spelling for each clause, so that a scenario that is written out and loaded again
tells the same story. What is left at its default is left out, but for the attempt.
"""

import json
from typing import assert_never

from sim.contract.body import Json
from sim.contract.messages import attempt_label
from sim.network.faults import (
    AnswerError,
    Clause,
    Corrupt,
    Crash,
    Cut,
    DelayBy,
    Drop,
    Duplicate,
    Fail,
    Happening,
    HoldUntil,
    MessageAction,
    MessageClause,
    MessageKind,
    Order,
    Resend,
    Reset,
    ServerAction,
    ServerClause,
    Slow,
    Target,
)
from sim.scenario.units import duration_text


def clause_keys(clause: Clause, only_client: str | None) -> dict[str, Json]:
    """Return a clause as the map that a scenario file would hold.

    Args:
        clause: The fault.
        only_client: The scenario's only client, which goes without saying; None if there are more.
    """
    match clause:
        case Cut():
            span: dict[str, Json] = {
                "cut": clause.what.value,
                "from": duration_text(clause.from_us),
                "to": duration_text(clause.to_us),
            }
            return span | _anyone(clause.client)
        case Order():
            pair: Json = [clause.first.value, clause.second.value]
            order: dict[str, Json] = {"order": pair}
            if clause.at_us is not None:
                order["at"] = duration_text(clause.at_us)
            return order | _anyone(clause.client)
        case ServerClause():
            return (
                _at_server(clause.action)
                | _address(clause.target, only_client)
                | _times(clause.times)
            )
        case MessageClause():
            first, rest = _on_the_way(clause.action, clause.target)
            return (
                {first: clause.target.message.value}
                | _address(clause.target, only_client)
                | rest
                | _times(clause.times)
            )
        case _:
            assert_never(clause)


def clause_text(clause: Clause, only_client: str | None) -> str:
    """Return a clause as one line, without braces: ``drop: ack, attempt: 1``."""
    return ", ".join(
        f"{key}: {_flow(value)}" for key, value in clause_keys(clause, only_client).items()
    )


def _flow(value: Json) -> str:
    match value:
        case str():
            return value
        case dict():
            return "{" + ", ".join(f"{key}: {_flow(value[key])}" for key in value) + "}"
        case list():
            return "[" + ", ".join(_flow(item) for item in value) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _anyone(client: str | None) -> dict[str, Json]:
    return {} if client is None else {"client": client}


def _nth(value: int | None) -> Json:
    return "any" if value is None else value


def _times(times: int | None) -> dict[str, Json]:
    return {} if times == 1 else {"times": "all" if times is None else times}


def _address(target: Target, only_client: str | None) -> dict[str, Json]:
    keys: dict[str, Json] = {}
    if target.client != only_client or only_client is None:
        keys["client"] = "any" if target.client is None else target.client
    is_read = target.message in (MessageKind.READ, MessageKind.READ_ANSWER)
    if target.operation != (None if is_read else 1):
        keys["operation"] = _nth(target.operation)
    keys["attempt"] = _nth(target.attempt)
    if target.copy != 1:
        keys["copy"] = _nth(target.copy)
    return keys


def _at_server(action: ServerAction) -> dict[str, Json]:
    match action:
        case Crash():
            restart = duration_text(action.restart_us)
            return {"crash": "server", "at": action.at.value, "restart": restart}
        case AnswerError():
            point = "after_commit" if action.after_commit else "before_commit"
            return {"error": action.code, "at": point}
        case Slow():
            slow: dict[str, Json] = {"slow": "server", "by": duration_text(action.by_us)}
            if action.gateway_us is not None:
                slow["gateway"] = duration_text(action.gateway_us)
            return slow
        case _:
            assert_never(action)


def _on_the_way(action: MessageAction, target: Target) -> tuple[str, dict[str, Json]]:
    """Return the action's key, and its other keys."""
    match action:
        case Drop():
            return "drop", {}
        case DelayBy():
            return "delay", {"by": duration_text(action.by_us)}
        case HoldUntil():
            keys: dict[str, Json] = {"until": _happening(action.until, target)}
            return "hold", keys | (
                {"then": duration_text(action.then_us)} if action.then_us else {}
            )
        case Duplicate():
            return "duplicate", {"after": duration_text(action.after_us)}
        case Resend():
            return "resend", {"after": duration_text(action.after_us)}
        case Corrupt():
            return "corrupt", {"set": dict(_field(*item) for item in action.fields)}
        case Reset():
            return "reset", {}
        case Fail():
            return "fail", {"as": action.error.value}
        case _:
            assert_never(action)


def _field(name: str, value: Json) -> tuple[str, Json]:
    is_attempt = name == "attempt_id" and isinstance(value, int)
    return name, attempt_label(int(str(value))) if is_attempt else value


def _happening(until: Happening, target: Target) -> Json:
    keys: dict[str, Json] = {"event": until.event.value}
    if until.client != target.client:
        keys["client"] = "any" if until.client is None else until.client
    if until.operation != 1:
        keys["operation"] = _nth(until.operation)
    if until.attempt is not None:
        keys["attempt"] = until.attempt
    return keys
