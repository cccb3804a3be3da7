"""A whole scenario file."""

from typing import Annotated, Any

from pydantic import Field, SkipValidation

from sim.scenario.grammar.base import LongerThanZero, Name, Part, Positive
from sim.scenario.grammar.client import ClientPart
from sim.scenario.grammar.expect import ExpectPart
from sim.scenario.grammar.faults import Fault
from sim.scenario.grammar.network import NetworkPart
from sim.scenario.grammar.server import ServerPart
from sim.scenario.grammar.user import UserLine
from sim.scenario.model import TITLE_MAX
from sim.scenario.scalars import INT_MAX


class WorldPart(Part):
    """What a variant may change: everything from ``server`` on."""

    server: Annotated[
        ServerPart | None,
        Field(
            description="The server.",
            examples=[{"resources": {"markdown": {"version": 4}}, "retention": "24h"}],
        ),
    ] = None
    client: Annotated[
        ClientPart | None,
        Field(
            description="The only client.",
            examples=[{"timeout": "2s", "retry": {"max_attempts": 3}}],
        ),
    ] = None
    clients: Annotated[
        dict[Name, ClientPart] | None,
        Field(
            description="Several clients, by name.",
            examples=[{"left": {"owner": "ann"}, "right": {"owner": "ann"}}],
        ),
    ] = None
    network: Annotated[
        NetworkPart | None, Field(description="The network.", examples=[{"ack": {"loss": 0.05}}])
    ] = None
    user: Annotated[
        list[UserLine] | None,
        Field(
            description="What people do, and what happens to browsers.",
            examples=[[{"at": "0s", "edit": "markdown"}, {"at": "1s", "save": "markdown"}]],
        ),
    ] = None
    faults: Annotated[
        list[Fault] | None,
        Field(
            description="What goes wrong; for each message the first clause that matches wins. "
            "A clause that never matched makes a run inconclusive.",
            examples=[[{"drop": "ack", "attempt": 1}]],
        ),
    ] = None
    expect: Annotated[
        ExpectPart | None,
        Field(description="What is expected.", examples=[{"phase": "acknowledged", "effects": 1}]),
    ] = None


class Document(WorldPart):
    """A scenario of lostack: who saves what, what goes wrong, and what must come of it."""

    title: Annotated[
        str | None,
        Field(
            max_length=TITLE_MAX,
            description="One line; the file's name without one.",
            examples=["The acknowledgement was lost"],
        ),
    ] = None
    about: Annotated[
        str | None,
        Field(
            max_length=4000,
            description="What it shows, in a sentence or three.",
            examples=["The save is done; its answer never arrives."],
        ),
    ] = None
    source: Annotated[
        str | None,
        Field(
            max_length=2000,
            description="Where the case comes from.",
            examples=["a support ticket of spring"],
        ),
    ] = None
    tags: Annotated[
        list[str] | None,
        Field(description="Words to find it by.", examples=[["retention", "reload"]]),
    ] = None
    seed: Annotated[
        int | None,
        Field(
            ge=0, le=INT_MAX, description="The seed of all draws.", json_schema_extra={"default": 1}
        ),
    ] = None
    run: Annotated[
        int | None,
        Field(
            ge=0,
            le=INT_MAX,
            description="Which run of the seed it tells where something is drawn and no '--run' "
            "says otherwise; 'lostack measure' makes runs from 0 on all the same.",
            examples=[4711],
            json_schema_extra={"default": 0},
        ),
    ] = None
    runs: Annotated[
        Positive | None,
        Field(description="How many runs 'lostack measure' makes unless told.", examples=[1000]),
    ] = None
    horizon: Annotated[
        LongerThanZero | None,
        Field(
            description="When a run ends at the latest (inclusive); needed where something never "
            "ends by itself.",
            json_schema_extra={"default": "60d"},
        ),
    ] = None
    variants: Annotated[
        dict[Name, SkipValidation[WorldPart]] | None,
        Field(
            description="Variants by name: what each one changes. Maps merge, lists replace.",
            examples=[{"careless": {"client": {"mistakes": ["timeout-means-failure"]}}}],
        ),
    ] = None
    sweep: Annotated[
        dict[str, list[Any]] | None,
        Field(
            description="Paths of this file and the values that each takes; all combinations "
            "are measured.",
            examples=[{"client.timeout": ["1s", "2s", "5s"]}],
        ),
    ] = None
