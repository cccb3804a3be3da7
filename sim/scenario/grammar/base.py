"""What all parts of the grammar share: strict maps, and the small types that values have.

A part is a map with known keys. A key whose value is null counts as not written, so that a
variant can take a setting of its base back; where null is a value of its own (a body, an action
without an argument) the part says so in ``NULLS``.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    ModelWrapValidatorHandler,
    PlainValidator,
    Tag,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from sim.scenario.units import (
    DURATION_PATTERN,
    RATE_PATTERN,
    UnitError,
    duration_us,
    pause_us,
)

REFUSED = "scenario"
"""The type of errors whose text is ours: their context holds ``problem``, ``fix`` and ``at``."""


def refuse(problem: str, fix: str, at: str = "value") -> PydanticCustomError:
    """Return a validation error in our own words.

    Args:
        problem: What is wrong, lower case, without a full stop.
        fix: What to write instead.
        at: What it points to: the ``value``, its ``key``, or a key inside it (``in:NAME``).
    """
    return PydanticCustomError(REFUSED, "{problem}", {"problem": problem, "fix": fix, "at": at})


class Part(BaseModel):
    """A map of the file: unknown keys are refused with the known ones, each with its own error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)

    NULLS: ClassVar[frozenset[str]] = frozenset()
    """Keys where null is a value."""

    @classmethod
    def keys(cls) -> list[str]:
        """Return the keys that this map may have, as they are written."""
        return [field.alias or name for name, field in cls.model_fields.items()]

    @model_validator(mode="wrap")
    @classmethod
    def _known_keys(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, dict):
            return handler(data)
        known = cls.keys()
        strays = [_stray(key, known) for key in data if key not in known]
        kept = {
            key: value
            for key, value in data.items()
            if key in known and (value is not None or key in cls.NULLS)
        }
        try:
            part = handler(kept)
        except ValidationError as error:
            if not strays:
                raise
            strays.extend(_carried(error))
            raise ValidationError.from_exception_data(cls.__name__, strays) from None
        if strays:
            raise ValidationError.from_exception_data(cls.__name__, strays)
        return part


def refuse_unknown(what: str, name: str, known: Sequence[str], at: str) -> PydanticCustomError:
    """Return an error about a name; its suggestion is looked for when it is shown."""
    context = {"problem": f"unknown {what} '{name[:60]}'", "name": name, "known": list(known)}
    return PydanticCustomError(REFUSED, "{problem}", {**context, "at": at})


def _stray(key: object, known: list[str]) -> InitErrorDetails:
    name = str(key)
    error = refuse_unknown("key", name, known, "key")
    if name == "<<":
        error = refuse(
            "the merge key '<<' is no part of YAML 1.2", "write the keys, or a variant", "key"
        )
    return InitErrorDetails(type=error, loc=(name,), input=None)


def _carried(error: ValidationError) -> list[InitErrorDetails]:
    """Return the errors of a part so that they can be raised again together with others."""
    return [
        InitErrorDetails(
            type=PydanticCustomError(REFUSED, "{problem}", one["ctx"])
            if one["type"] == REFUSED
            else one["type"],
            loc=one["loc"],
            input=one["input"],
            ctx=one.get("ctx", {}),
        )
        for one in error.errors(include_url=False)
    ]


def exactly_one(part: Part, names: tuple[str, ...]) -> None:
    """Refuse a part that has none or several of the keys, of which it needs exactly one."""
    given = [name for name in names if getattr(part, name) is not None]
    if not given:
        said = "' or '".join(names)
        raise refuse(f"'{said}' is missing", f"add one of: {', '.join(names)}")
    if len(given) > 1:
        raise refuse(f"'{given[0]}' and '{given[1]}' exclude each other", "keep one of the two")


def _read_duration(value: object) -> int:
    return _read(value, duration_us, "a duration", "write a number and a unit, as 40ms, 2s, 24h")


def _read_pause(value: object) -> int:
    return _read(value, pause_us, "a rate", "write a rate, as 10/s or 3/m, or a pause, as 2s")


def _read(value: object, reader: Callable[[str], int], what: str, fix: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise refuse(f"expected {what}", fix)
    try:
        return reader(str(value))
    except UnitError as error:
        raise refuse(error.problem, error.fix) from None


def _read_positive(value: object) -> int:
    read = _read_duration(value)
    if read == 0:
        raise refuse("this duration must be longer than zero", "use at least 1us")
    return read


DURATION_SCHEMA: dict[str, Any] = {
    "anyOf": [{"type": "string", "pattern": DURATION_PATTERN}, {"const": 0}],
    "description": "A duration with its unit: 250us, 40ms, 2s, 5m, 24h, 30d.",
}

Duration: TypeAlias = Annotated[
    int, BeforeValidator(_read_duration), WithJsonSchema(DURATION_SCHEMA)
]
"""Microseconds; in the file a number with a unit."""

LongerThanZero: TypeAlias = Annotated[
    int, BeforeValidator(_read_positive), WithJsonSchema(DURATION_SCHEMA)
]

Pause: TypeAlias = Annotated[
    int,
    BeforeValidator(_read_pause),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": RATE_PATTERN},
                {"type": "string", "pattern": DURATION_PATTERN},
            ],
            "description": "A rate (10/s, 3/m) or the (mean) pause between two (100ms).",
        }
    ),
]
"""Microseconds between two; in the file a rate or a pause."""


def _read_share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise refuse(
            "expected a probability", "write a number from 0 to 1, as 0.05 for five in a hundred"
        )
    if not 0 <= value <= 1:
        raise refuse(f"'{value}' is not a probability", "use a number from 0 to 1")
    return float(value)


Share: TypeAlias = Annotated[
    float,
    BeforeValidator(_read_share),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]
"""A probability."""


def _read_number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise refuse("expected a number", "write a number, as 3 or 0.05")
    return float(value)


Number: TypeAlias = Annotated[
    float, BeforeValidator(_read_number), WithJsonSchema({"type": "number"})
]

_YES = {True: True, False: False, "yes": True, "no": False}


def _read_yes(value: object) -> bool:
    if isinstance(value, (bool, str)) and value in _YES:
        return _YES[value]
    raise refuse("expected yes or no", "use one of: yes, no")


YesNo: TypeAlias = Annotated[
    bool,
    BeforeValidator(_read_yes),
    WithJsonSchema({"enum": ["yes", "no", True, False]}),
]

THOUSANDTHS_MAX = 1_000_000_000


def _read_thousandths(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise refuse("expected a number", "write a number, as 10 or 0.1")
    if not 0 <= value <= THOUSANDTHS_MAX / 1000:
        raise refuse(f"'{value}' is out of range", "use a number from 0 to 1000000")
    read = round(value * 1000)
    if abs(read - value * 1000) > 1e-6:
        raise refuse(f"'{value}' is finer than a thousandth", "use at most three decimals")
    return read


Thousandths: TypeAlias = Annotated[
    int,
    BeforeValidator(_read_thousandths),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1_000_000}),
]
"""A number of tokens, in thousandths; in the file a plain number."""

NAME_PATTERN = r"^[^\s@:,/\[\]{}#*&!|>'%`" + '"]{1,60}$'
RESERVED = ("any", "all")

Name: TypeAlias = Annotated[str, Field(pattern=NAME_PATTERN)]
"""A resource, a client, an account."""

Natural: TypeAlias = Annotated[int, Field(ge=0, le=10**12)]
Positive: TypeAlias = Annotated[int, Field(ge=1, le=10**12)]

ANY = "any"


def _read_nth(value: object) -> int | str:
    if value == ANY:
        return ANY
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10**9:
        raise refuse("expected a number of which one, or any", "count from 1, or write any")
    return value


Nth: TypeAlias = Annotated[
    int | Literal["any"],
    PlainValidator(
        _read_nth,
        json_schema_input_type=Annotated[int, Field(ge=0)] | Literal["any"],
    ),
]
"""The n-th, or any; 0 has a meaning of its own (an attempt: a raw send)."""

NthFromOne: TypeAlias = Annotated[
    int | Literal["any"],
    PlainValidator(
        _read_nth,
        json_schema_input_type=Annotated[int, Field(ge=1)] | Literal["any"],
    ),
]
"""The n-th, or any, where there is no 0; whoever builds it names the key that holds one."""


def _shape(value: object) -> str:
    return "map" if isinstance(value, (dict, Part)) else "value"


MAP = Tag("map")
VALUE = Tag("value")
BY_SHAPE = Discriminator(_shape)
"""Tells ``40ms`` from ``{uniform: [20ms, 60ms]}`` before either is looked into."""
