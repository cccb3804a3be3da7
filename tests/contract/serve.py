"""A server driven by hand: requests in, effects out, and the instants are given."""

from typing import Any

from sim.contract.body import freeze
from sim.contract.ids import named_id
from sim.contract.messages import (
    Ack,
    Kind,
    Refusal,
    Request,
    Resource,
    Snapshot,
    Status,
    StatusAnswer,
    StatusQuery,
    WriteAnswer,
)
from sim.contract.mistakes import server_rules
from sim.contract.server.server import Server
from sim.contract.server.state import (
    Claim,
    Committed,
    Effect,
    Reply,
    ResourceRules,
    ServerConfig,
    Work,
)

HOUR = 3_600_000_000
DAY = 24 * HOUR
NOTE, TILL = "note", "till"


def snapshot(name: str = "one", **changes: Any) -> Snapshot:
    """Return a snapshot whose operation id belongs to ``name``: put on the note's version 4."""
    made = Snapshot(named_id(name), "ann", NOTE, Kind.PUT, freeze({"text": "new"}), 2, 4)
    return made._replace(**changes)


def payment(name: str = "one", **changes: Any) -> Snapshot:
    """Return a snapshot that posts to the till."""
    return snapshot(name, resource=TILL, kind=Kind.POST, expected_version=0, **changes)


def replies(effects: list[Effect]) -> list[WriteAnswer]:
    return [effect.answer for effect in effects if isinstance(effect, Reply)]


class Desk:
    """One server with a note (put, version 4) and a till (post, version 0); ann and bob are in."""

    def __init__(self, *mistakes: str, **changes: Any) -> None:
        settings: dict[str, Any] = {
            "resources": {
                NOTE: ResourceRules(kind=Kind.PUT),
                TILL: ResourceRules(kind=Kind.POST),
            },
            "retention_us": DAY,
            "tombstone_us": 30 * DAY,
            "replay_current": False,
            "in_flight_waits": False,
            "rules": server_rules(mistakes),
        }
        held = {NOTE: Resource(4, freeze("start")), TILL: Resource(0, freeze(None))}
        self.server = Server(ServerConfig(**{**settings, **changes}), held)
        self.server.sign_in("ann/1", "ann", None)
        self.server.sign_in("bob/1", "bob", None)
        self.effects: list[Effect] = []
        self._deliveries = 0

    def receive(
        self, what: Snapshot, attempt: int = 1, now_us: int = 0, session: str = ""
    ) -> list[Effect]:
        """Deliver one copy of a request; steps 1 to 4."""
        self._deliveries += 1
        request = Request(what, attempt, session or f"{what.owner}/1")
        done = list(self.server.receive(request, self._deliveries, now_us))
        self.effects += done
        return done

    def claim(self, what: Snapshot, attempt: int = 1, now_us: int = 0) -> Claim:
        """Deliver a request that is let through, and leave it running."""
        return next(e.claim for e in self.receive(what, attempt, now_us) if isinstance(e, Work))

    def finish(self, claim: Claim, now_us: int = 0, **how: Any) -> list[Effect]:
        done = list(self.server.finish(claim, now_us, **how))
        self.effects += done
        return done

    def crash(self) -> None:
        self.effects += list(self.server.crash())

    def write(
        self, what: Snapshot, attempt: int = 1, now_us: int = 0, session: str = ""
    ) -> WriteAnswer:
        """Deliver a request, execute it at once if it is let through, and return the answer."""
        done = self.receive(what, attempt, now_us, session)
        for effect in done:
            if isinstance(effect, Work):
                done = self.finish(effect.claim, now_us)
        answers = replies(done)
        assert answers, done
        return answers[-1]

    def refused(self, what: Snapshot, attempt: int = 1, now_us: int = 0, session: str = "") -> str:
        """Deliver a request that is refused, and return how."""
        answer = self.write(what, attempt, now_us, session)
        assert isinstance(answer, Refusal), answer
        return answer.kind.value

    def acked(self, what: Snapshot, attempt: int = 1, now_us: int = 0) -> Ack:
        """Deliver a request that is acknowledged, and return the ack."""
        answer = self.write(what, attempt, now_us)
        assert isinstance(answer, Ack), answer
        return answer

    def status(self, what: Snapshot, now_us: int = 0, owner: str = "", session: str = "") -> Status:
        return self.status_answer(what, now_us, owner, session).status

    def status_answer(
        self, what: Snapshot, now_us: int = 0, owner: str = "", session: str = ""
    ) -> StatusAnswer:
        asker = owner or what.owner
        query = StatusQuery(asker, what.operation_id, 1, session or f"{asker}/1")
        return self.server.status(query, now_us)

    @property
    def commits(self) -> int:
        """How many effects there were."""
        return sum(isinstance(effect, Committed) for effect in self.effects)

    def version(self, name: str = NOTE) -> int:
        return self.server.resources[name].version
