"""The ``user`` list: what people do, and what happens to their browsers."""

from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from sim.scenario.errors import listed
from sim.scenario.grammar.base import (
    Duration,
    Name,
    Natural,
    Part,
    Pause,
    exactly_one,
    refuse,
    refuse_unknown,
)

OPERATION_PATTERN = r"^(op-[1-9][0-9]{0,8}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"

OperationId: TypeAlias = Annotated[str, Field(pattern=OPERATION_PATTERN)]
"""A UUID, or ``op-1``: the id of an operation that the run made earlier."""

ResourceName: TypeAlias = Annotated[Name, Field(description="The resource.", examples=["markdown"])]


class EveryPart(Part):
    """Again and again: evenly, or as a Poisson process."""

    fixed: Annotated[
        Pause | None, Field(description="Evenly: a rate or a pause.", examples=["2/s"])
    ] = None
    poisson: Annotated[
        Pause | None,
        Field(description="At random: a mean rate or a mean pause.", examples=["10/s"]),
    ] = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        exactly_one(self, ("fixed", "poisson"))
        return self


class LinePart(Part):
    """What all lines of ``user`` have: when, and by whom."""

    at: Annotated[Duration | None, Field(description="When.", examples=["0s", "2.5s"])] = None
    every: Annotated[
        EveryPart | None, Field(description="Again and again.", examples=[{"poisson": "10/s"}])
    ] = None
    from_: Annotated[
        Duration | None,
        Field(
            alias="from",
            description="With every: from when on.",
            json_schema_extra={"default": "0s"},
        ),
    ] = None
    until: Annotated[
        Duration | None,
        Field(description="With every: until when; to the horizon without it.", examples=["5m"]),
    ] = None
    client: Annotated[
        Name | None,
        Field(
            description="Who: a client, a group of clients (its name in the file) or all; "
            "needed where there is more than one.",
            examples=["left"],
        ),
    ] = None

    @model_validator(mode="after")
    def _one_time(self) -> Self:
        exactly_one(self, ("at", "every"))
        if self.every is None and (self.from_ is not None or self.until is not None):
            raise refuse("'from' and 'until' belong to 'every'", "write every, or only at")
        if self.until is not None and self.until <= (self.from_ or 0):
            raise refuse("'until' is not after 'from'", "make until later than from")
        return self


def _shown(line: dict[str, Any]) -> dict[str, Any]:
    """Return what a line adds to the schema: itself, as one writes it."""
    return {"examples": [line]}


class EditLine(
    LinePart,
    json_schema_extra=_shown({"at": "0s", "edit": "markdown", "body": {"sessions_per_week": 3}}),
):
    """The person edits the draft."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"body"})

    edit: ResourceName
    body: Annotated[
        Any,
        Field(
            description="The new body; a fresh one without it.", examples=[{"sessions_per_week": 3}]
        ),
    ] = None


class SaveLine(LinePart, json_schema_extra=_shown({"at": "1s", "save": "markdown"})):
    """The person saves."""

    save: ResourceName
    intent: Annotated[
        Literal["same", "new"] | None,
        Field(
            description="new: a deliberate repeat, wanted once more.",
            json_schema_extra={"default": "same"},
        ),
    ] = None
    id: Annotated[
        OperationId | None,
        Field(description="The operation id to use; a fresh one without it.", examples=["op-1"]),
    ] = None


class SendLine(
    LinePart,
    json_schema_extra=_shown({"at": "1s", "send": "markdown", "id": "op-1", "expected_version": 4}),
):
    """A raw send: what a correct client never sends."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"body"})

    send: ResourceName
    id: Annotated[
        OperationId | None,
        Field(
            description="The operation id; op-1 names an operation made earlier.", examples=["op-1"]
        ),
    ] = None
    body: Annotated[
        Any,
        Field(description="The body; the draft without it.", examples=[{"sessions_per_week": 3}]),
    ] = None
    expected_version: Annotated[
        Natural | None,
        Field(description="The version; the client's base without it.", examples=[4]),
    ] = None
    owner: Annotated[
        Name | None,
        Field(
            description="Sent in a session of this account; of the client's own without it.",
            examples=["bob"],
        ),
    ] = None


class RetryLine(LinePart, json_schema_extra=_shown({"at": "30s", "retry": "markdown"})):
    """The person retries, in recovery-required."""

    retry: ResourceName


class CheckLine(LinePart, json_schema_extra=_shown({"at": "30s", "check": "markdown"})):
    """The person asks what became of the operation: one status query."""

    check: ResourceName


class DiscardLine(LinePart, json_schema_extra=_shown({"at": "30s", "discard": "markdown"})):
    """The person gives the operation up, knowing."""

    discard: ResourceName


class MergeLine(
    LinePart,
    json_schema_extra=_shown({"at": "30s", "merge": "markdown", "body": {"sessions_per_week": 3}}),
):
    """The person merges what was read into the draft."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"body"})

    merge: ResourceName
    body: Annotated[
        Any,
        Field(
            description="The merged body; the draft without it.",
            examples=[{"sessions_per_week": 3}],
        ),
    ] = None


Bare: TypeAlias = Annotated[
    Literal[True] | None,
    WithJsonSchema({"enum": [None, True], "description": "Takes no value.", "examples": [None]}),
]


class ReloadLine(LinePart, json_schema_extra=_shown({"at": "5s", "reload": None})):
    """The page is reloaded."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"reload"})

    reload: Bare


class CloseLine(LinePart, json_schema_extra=_shown({"at": "5s", "close": None})):
    """The page is closed."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"close"})

    close: Bare


class OpenLine(LinePart, json_schema_extra=_shown({"at": "2h", "open": None})):
    """The page is opened again."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"open"})

    open: Bare


class SignInLine(LinePart, json_schema_extra=_shown({"at": "2s", "sign_in": "bob"})):
    """An account signs in."""

    sign_in: Annotated[Name, Field(description="The account.", examples=["ann"])]


class SignOutLine(LinePart, json_schema_extra=_shown({"at": "1s", "sign_out": None})):
    """The account signs out."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"sign_out"})

    sign_out: Bare


class ExpireSessionLine(LinePart, json_schema_extra=_shown({"at": "1s", "expire_session": "ann"})):
    """The server ends an account's sessions."""

    expire_session: Annotated[Name, Field(description="The account.", examples=["ann"])]


class HintLine(LinePart, json_schema_extra=_shown({"at": "2s", "hint": "offline"})):
    """The browser's online/offline hint changes; it proves nothing."""

    hint: Annotated[Literal["online", "offline"], Field(description="What it says.")]


class StopWorkerLine(LinePart, json_schema_extra=_shown({"at": "1s", "stop_worker": None})):
    """The browser stops the worker: its timers are gone."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"stop_worker"})

    stop_worker: Bare


class StartWorkerLine(LinePart, json_schema_extra=_shown({"at": "5m", "start_worker": None})):
    """The worker runs again."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"start_worker"})

    start_worker: Bare


VERBS = (
    "edit", "save", "send", "retry", "check", "discard", "merge", "reload", "close", "open",
    "sign_in", "sign_out", "expire_session", "hint", "stop_worker", "start_worker",
)  # fmt: skip
"""In the order of the grammar; the first key of a line that is one of these is what it does."""

LINE_KEYS = (*LinePart.keys(), "body", "intent", "id", "expected_version", "owner")


def _verb(value: object) -> str | None:
    if isinstance(value, dict):
        return next((verb for verb in VERBS if verb in value), None)
    return next((verb for verb in VERBS if verb in getattr(value, "model_fields", {})), None)


def _one_verb(value: object) -> object:
    if not isinstance(value, dict):
        raise refuse("a line of 'user' is a map", "write it as {at: 1s, save: …}")
    given = [verb for verb in VERBS if verb in value]
    if len(given) > 1:
        raise refuse(
            f"this line does two things, '{given[0]}' and '{given[1]}'",
            "write a line for each",
            f"in:{given[1]}",
        )
    if not given:
        strays = [str(key) for key in value if key not in LINE_KEYS]
        if strays:
            raise refuse_unknown("action", strays[0], VERBS, f"in:{strays[0]}")
        raise refuse("this line does nothing", f"add one of: {listed(VERBS)}")
    return value


_Line: TypeAlias = Annotated[
    Annotated[EditLine, Tag("edit")]
    | Annotated[SaveLine, Tag("save")]
    | Annotated[SendLine, Tag("send")]
    | Annotated[RetryLine, Tag("retry")]
    | Annotated[CheckLine, Tag("check")]
    | Annotated[DiscardLine, Tag("discard")]
    | Annotated[MergeLine, Tag("merge")]
    | Annotated[ReloadLine, Tag("reload")]
    | Annotated[CloseLine, Tag("close")]
    | Annotated[OpenLine, Tag("open")]
    | Annotated[SignInLine, Tag("sign_in")]
    | Annotated[SignOutLine, Tag("sign_out")]
    | Annotated[ExpireSessionLine, Tag("expire_session")]
    | Annotated[HintLine, Tag("hint")]
    | Annotated[StopWorkerLine, Tag("stop_worker")]
    | Annotated[StartWorkerLine, Tag("start_worker")],
    Discriminator(_verb),
]

UserLine: TypeAlias = Annotated[_Line, BeforeValidator(_one_verb)]
"""One line of ``user``."""

BareLine: TypeAlias = (
    ReloadLine | CloseLine | OpenLine | SignOutLine | StopWorkerLine | StartWorkerLine
)
"""Lines whose action names nothing."""

ON_RESOURCE = ("edit", "save", "send", "retry", "check", "discard", "merge")
"""Actions that name a resource."""
