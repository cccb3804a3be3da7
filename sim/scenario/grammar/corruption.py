"""What a corrupted answer can say: fields that differ so that a client could tell."""

import re
from typing import Any

from sim.scenario.errors import listed
from sim.scenario.grammar.base import refuse, refuse_unknown

ANSWER_FIELDS = ("operation_id", "attempt_id", "accepted_version", "resource_version", "body")
_ATTEMPT = re.compile(r"attempt-0*([1-9][0-9]{0,8})", re.ASCII)
_VERSION_MAX = 10**12


def read_corruption(value: object) -> dict[str, Any]:
    """Return the fields that differ; an attempt as its number.

    Raises:
        PydanticCustomError: A field is unknown, has no such value, or nobody could tell.
    """
    if not isinstance(value, dict) or not value:
        raise refuse("expected the fields that differ", f"use one of: {listed(ANSWER_FIELDS)}")
    for name in value:
        if name not in ANSWER_FIELDS:
            raise refuse_unknown("field", str(name), ANSWER_FIELDS, f"in:{name}")
    if list(value) == ["resource_version"]:
        raise refuse(
            "'resource_version' is never corrupted alone: no client could tell",
            "corrupt operation_id, accepted_version or body beside it",
            "in:resource_version",
        )
    return {name: _corrupted(name, value[name]) for name in value}


def _corrupted(name: str, value: Any) -> Any:
    match name:
        case "operation_id":
            return _other_id(value)
        case "attempt_id":
            return _attempt(value)
        case "accepted_version" | "resource_version":
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            if not is_whole or not 0 <= value <= _VERSION_MAX:
                raise refuse(
                    f"'{name}' is a whole number",
                    "write the version that it shall say",
                    f"in:{name}",
                )
            return value
        case _:
            return value


def _other_id(value: Any) -> str:
    at = "in:operation_id"
    if not isinstance(value, str) or not value:
        raise refuse("a corrupted 'operation_id' is text", "write some id, in quotes", at)
    if re.fullmatch(r"op-[0-9]+", value):
        raise refuse(
            f"a corrupted 'operation_id' never equals a live one, as '{value[:40]}' does",
            "write some other text, as 'someone-elses-operation'",
            at,
        )
    return value


def _attempt(value: Any) -> int:
    match = _ATTEMPT.fullmatch(value) if isinstance(value, str) else None
    number = int(match[1]) if match else value
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number < 10**9:
        raise refuse("expected an attempt", "write attempt-07, or its number", "in:attempt_id")
    return number
