"""The story of a run as rows: what each record says to a person, without any layout.

A row is one line of a timeline: an instant, what happens at the client, one arrow or none, and
what happens at the server. ``timeline.py`` draws rows; a page or a picture could draw the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sim.trace.records import Rec

GLUE = "\u00a0"
"""Stands for a space at which a line should not be broken."""

_GLUED_MAX = 28


def glued(text: str) -> str:
    """Return a short text so that it stays on one line; a long one may be broken as it likes."""
    return text.replace(" ", GLUE) if len(text) <= _GLUED_MAX else text


class Tone(StrEnum):
    """What a piece of text means, for whoever colours it."""

    PLAIN = "plain"
    QUIET = "quiet"
    STRONG = "strong"
    BUSY = "busy"
    GOOD = "good"
    DOUBT = "doubt"
    BAD = "bad"
    DECIDES = "decides"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text."""

    text: str
    tone: Tone = Tone.PLAIN


class Stage(StrEnum):
    """Where on its way a message is."""

    SENT = "sent"
    ARRIVED = "arrived"
    LOST_AT_ONCE = "lost-at-once"
    LOST_LATER = "lost-later"
    HELD = "held"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """One message on its way.

    ``msg`` is its number in the trace: the rows of one message and direction belong together.
    ``about`` is the operation, where a story has several.
    ``late_us`` is how much later than usual it arrives (0: in time).
    """

    to_server: bool
    stage: Stage
    label: str
    msg: int = 0
    about: str = ""
    is_copy: bool = False
    late_us: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a timeline; ``seq`` is the record that it shows.

    ``about`` is what the words are about: of a request that is executed as it arrives, the commit.
    A row without it is no record's but a mark: an invariant breaks here.
    """

    seq: int
    at_us: int
    about: Rec | None = None
    client: str = ""
    left: tuple[Span, ...] = ()
    arrow: Arrow | None = None
    right: tuple[Span, ...] = ()

    @property
    def speaks_for_arrow(self) -> bool:
        """Whether the client's side says what became of an answer that does not get there."""
        arrow = self.arrow
        return arrow is not None and not arrow.to_server and arrow.stage is not Stage.ARRIVED


def spans(parts: Iterable[Span | str]) -> tuple[Span, ...]:
    """Return the parts as spans; plain text is a plain span, empty ones are left out."""
    made = (Span(part) if isinstance(part, str) else part for part in parts)
    return tuple(span for span in made if span.text)
