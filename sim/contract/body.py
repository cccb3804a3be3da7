"""Bodies: JSON values, frozen as canonical text.

A snapshot freezes its body *deeply*, and bodies compare as JSON values. Both come for free
when a body is held as its canonical JSON text: text cannot change under a snapshot, and two
equal values have one text. (``1`` and ``1.0`` are one JSON number; ``true`` is not ``1``.)
"""

import json
from typing import Final, NewType, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"

Body = NewType("Body", str)


def _plain(value: object) -> Json:
    match value:
        case None | bool() | str() | int():
            return value
        case float():
            if value != value or value in (float("inf"), float("-inf")):
                raise ValueError(f"{value!r} is not a JSON number")
            return int(value) if value.is_integer() and abs(value) < 2**53 else value
        case dict():
            for key in value:
                if not isinstance(key, str):
                    raise ValueError(f"the key {key!r} is not a string")
            return {key: _plain(value[key]) for key in sorted(value)}
        case list() | tuple():
            return [_plain(item) for item in value]
        case _:
            raise ValueError(f"{value!r} is not a JSON value")


def freeze(value: object) -> Body:
    """Return the canonical text of a JSON value.

    Args:
        value: Anything that JSON can say: null, booleans, numbers, text, lists, maps.

    Raises:
        ValueError: ``value`` holds something JSON cannot say (NaN, a date, a key that is no text).
    """
    return Body(json.dumps(_plain(value), separators=(",", ":"), ensure_ascii=False))


def thaw(body: Body) -> Json:
    """Return the JSON value that ``body`` is the text of."""
    value: Json = json.loads(body)
    return value


EMPTY: Final = freeze(None)
