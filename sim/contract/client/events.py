"""What reaches a client's form: what its person does, what arrives, what the page lives through.

Every event is immutable and says what the driver saw, never what it means.
"""

from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from sim.contract.body import Body
from sim.contract.client.state import Timer
from sim.contract.messages import ReadAnswer, StatusAnswer, TransportError, WriteAnswer


class Moment:
    """When an event happens, and the ids at hand: None where there is no secure source."""

    __slots__ = ("ids", "us")

    def __init__(self, us: int, ids: tuple[str, str] | None) -> None:
        self.us: Final = us
        self.ids: Final = ids


class Edit(NamedTuple):
    """The person changes the draft."""

    body: Body


class Save(NamedTuple):
    """The person saves; ``new_intent`` where the same body is meant a second time."""

    new_intent: bool = False
    operation_id: str = ""
    """An id that the scenario dictates; "": one from the source."""


class PersonRetries(NamedTuple):
    """The person asks for another attempt."""


class PersonChecks(NamedTuple):
    """The person asks what became of the operation."""


class PersonDiscards(NamedTuple):
    """The person gives the operation up, knowing what is unknown."""


class PersonMerges(NamedTuple):
    """The person makes one draft of two; None: the draft as it is was meant."""

    body: Body | None


class Answered:
    """An answer to a write arrives."""

    __slots__ = ("answer",)

    def __init__(self, answer: WriteAnswer) -> None:
        self.answer: Final = answer


class StatusAnswered(NamedTuple):
    """An answer to a status query arrives."""

    answer: StatusAnswer


class ReadAnswered(NamedTuple):
    """The resource arrives."""

    answer: ReadAnswer


class ExchangeKind(StrEnum):
    """What a broken exchange was about."""

    REQUEST = "request"
    STATUS = "status"
    READ = "read"


class ExchangeBroken(NamedTuple):
    """An exchange breaks, as the client sees it."""

    exchange: ExchangeKind
    operation_id: str
    number: int
    """Attempt, query or read."""
    error: TransportError


class TimerFired:
    """A timer rings; ``waited_us`` is the delay that was drawn for it."""

    __slots__ = ("timer", "waited_us")

    def __init__(self, timer: Timer, waited_us: int) -> None:
        self.timer: Final = timer
        self.waited_us: Final = waited_us


class Reloaded(NamedTuple):
    """The page is loaded anew (or opened again): memory is gone, storage is not."""


class Closed(NamedTuple):
    """The page is closed."""


class WorkerStopped(NamedTuple):
    """The worker behind the page is stopped; its timers are gone."""


class WorkerStarted(NamedTuple):
    """The worker runs again."""


class SignedIn(NamedTuple):
    """A session of ``owner`` starts on this client."""

    owner: str


class SignedOut(NamedTuple):
    """The session ends; the next answer to a write will say so."""


class Hinted(NamedTuple):
    """The browser's hint about the network changes."""

    online: bool


Event: TypeAlias = (
    Edit
    | Save
    | PersonRetries
    | PersonChecks
    | PersonDiscards
    | PersonMerges
    | Answered
    | StatusAnswered
    | ReadAnswered
    | ExchangeBroken
    | TimerFired
    | Reloaded
    | Closed
    | WorkerStopped
    | WorkerStarted
    | SignedIn
    | SignedOut
    | Hinted
)
