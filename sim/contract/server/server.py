"""The server: six steps on a write, in their order, as one atomic step.

``receive`` takes steps 1 to 4 and claims the operation, ``finish`` is step 5: compare again,
change, count the version up and record the result, together. Between the two lies the time that
work takes; whoever drives the server says when it is over. Nothing here reads a clock.
"""

from typing import Final

from sim.contract.body import freeze, thaw
from sim.contract.messages import (
    Ack,
    Kind,
    ReadAnswer,
    ReadQuery,
    Refusal,
    RefusalKind,
    Request,
    Resource,
    ServerError,
    Snapshot,
    Status,
    StatusAnswer,
    StatusQuery,
    WriteAnswer,
)
from sim.contract.server.state import (
    Claim,
    Committed,
    Effect,
    Entry,
    Registered,
    Reply,
    ServerConfig,
    Step,
    Waiter,
    Waits,
    Work,
)
from sim.contract.tuples import new

# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
_POST: Final = Kind.POST
_COMMIT: Final = Step.COMMIT

Key = tuple[str, str]

EARLY_DROP: Final = 24
"""``retention-too-short`` keeps results for this part of the retention that the contract names."""


class Server:
    """Resources, registry and sessions of one server.

    Args:
        config: The lawful settings and the rules.
        resources: What it holds at first, by name.
    """

    def __init__(self, config: ServerConfig, resources: dict[str, Resource]) -> None:
        self.config = config
        self.rules = config.rules
        self.resources = resources
        self.registry: dict[Key, Entry] = {}
        self.sessions: dict[str, tuple[str, int | None]] = {}
        self.claims: dict[int, Claim] = {}
        self._claims_made = 0
        early = 1 if self.rules.retention_outlasts_recovery else EARLY_DROP
        self._kept_us = config.retention_us // early

    # --- sessions -------------------------------------------------------------------------------

    def sign_in(self, session: str, owner: str, until_us: int | None) -> None:
        """Start a session; it ends at ``until_us`` (None: never by itself)."""
        self.sessions[session] = (owner, until_us)

    def sign_out(self, session: str) -> None:
        """End one session."""
        self.sessions.pop(session, None)

    def expire_sessions(self, owner: str) -> None:
        """End every session of ``owner``."""
        self.sessions = {
            session: held for session, held in self.sessions.items() if held[0] != owner
        }

    def confirmed_owner(self, session: str, now_us: int) -> str | None:
        """Return the account that ``session`` belongs to while it lasts."""
        held = self.sessions.get(session)
        if held is None:
            return None
        owner, until_us = held
        return owner if until_us is None or now_us < until_us else None

    # --- a write --------------------------------------------------------------------------------

    def receive(self, request: Request, delivery: int, now_us: int) -> tuple[Effect, ...]:
        """Take one delivery of a request through steps 1 to 4 and claim it, or answer it."""
        snapshot = request.snapshot
        if self.confirmed_owner(request.session, now_us) != snapshot.owner:
            return (self._refuse(delivery, request, RefusalKind.UNAUTHENTICATED, Step.SESSION),)
        if not self._well_formed(request):
            return (self._refuse(delivery, request, RefusalKind.INVALID, Step.FORM),)
        moved_on = not self._version_fits(request)
        if moved_on and not self.rules.registry_before_version:
            return (self._refuse(delivery, request, RefusalKind.CONFLICT, Step.VERSION),)
        compares = True
        entry = self._entry(request, now_us)
        if entry is not None and self._is_expired(entry, now_us):
            if self.rules.expired_refused and self.rules.expired_compared:
                return (self._refuse(delivery, request, RefusalKind.EXPIRED, Step.EXPIRED),)
            compares = self.rules.expired_compared
            entry = None
        if entry is not None:
            return (self._known(entry, request, delivery),)
        if moved_on and compares:
            return (self._refuse(delivery, request, RefusalKind.CONFLICT, Step.VERSION),)
        return self._claim(request, delivery, now_us, compares=compares)

    def _known(self, entry: Entry, request: Request, delivery: int) -> Effect:
        if self.rules.snapshot_compared and not self._same_operation(entry, request):
            return self._refuse(delivery, request, RefusalKind.MISMATCH, Step.MISMATCH)
        if entry.result is not None:
            return Reply(delivery, self._replay(entry, entry.result, request), Step.REPLAY)
        if self.config.in_flight_waits:
            entry.waiters = (*entry.waiters, Waiter(delivery, request.attempt))
            return Waits(delivery)
        return self._refuse(delivery, request, RefusalKind.IN_FLIGHT, Step.IN_FLIGHT)

    def _same_operation(self, entry: Entry, request: Request) -> bool:
        # A key without the owner knows nothing of owners, so it cannot compare them either.
        owner = entry.snapshot.owner if self.rules.key_has_owner else request.snapshot.owner
        held = entry.snapshot
        if held.owner != owner:
            held = held._replace(owner=owner)
        return held == request.snapshot

    def _claim(
        self, request: Request, delivery: int, now_us: int, *, compares: bool
    ) -> tuple[Effect, ...]:
        self._claims_made += 1
        claim = Claim(self._claims_made, delivery, request, compares)
        self.claims[claim.number] = claim
        if not self.rules.has_registry:
            return (Work(claim),)
        snapshot = request.snapshot
        entry = Entry(snapshot, request.attempt)
        self.registry[self._key(snapshot)] = entry
        if self.rules.record_not_before_commit:
            return (_registered(snapshot, "running"), Work(claim))
        replaced = self.resources[snapshot.resource].version
        entry.result, entry.committed_us = _ack(request, replaced + 1), now_us
        return (
            _registered(snapshot, "running"),
            _registered(snapshot, "completed"),
            Work(claim),
        )

    def finish(
        self, claim: Claim, now_us: int, *, dies_between: bool = False
    ) -> tuple[Effect, ...]:
        """Commit a claim whose work is done.

        Args:
            claim: What ``Work`` asked to execute; after a crash it is no longer held.
            now_us: The instant of the commit.
            dies_between: Whether the server dies between write and record. Only a mistake parts
                them; the contract's one commit leaves nothing behind then.
        """
        if claim.number not in self.claims:
            return ()
        del self.claims[claim.number]
        request = claim.request
        atomic = self.rules.record_not_after_commit
        if dies_between and atomic:
            return ()
        if claim.compares and not self._version_fits(request):
            return self._release(claim, RefusalKind.CONFLICT)
        snapshot = request.snapshot
        replaced = self.resources[snapshot.resource].version
        self.resources[snapshot.resource] = new(Resource, (replaced + 1, snapshot.body))
        committed = Committed(request, claim.delivery, replaced, replaced + 1)
        if dies_between:
            return (committed,)
        ack = _ack(request, replaced + 1)
        reply = Reply(claim.delivery, ack, _COMMIT)
        return (committed, *self._record(request, ack, now_us), reply)

    def _record(self, request: Request, ack: Ack, now_us: int) -> tuple[Effect, ...]:
        if not self.rules.has_registry:
            return ()
        key = self._key(request.snapshot)
        entry = self.registry.get(key)
        if entry is None:
            entry = self.registry[key] = Entry(request.snapshot, request.attempt)
        already = entry.result is not None
        entry.result, entry.committed_us = ack, now_us
        told = () if already else (_registered(request.snapshot, "completed"),)
        if not entry.waiters:
            return told
        waiters, entry.waiters = entry.waiters, ()
        askers = [(waiter, request._replace(attempt=waiter.attempt)) for waiter in waiters]
        return told + tuple(
            Reply(waiter.delivery, self._replay(entry, ack, asker), Step.REPLAY)
            for waiter, asker in askers
        )

    def fail(self, claim: Claim, code: int, now_us: int) -> tuple[Effect, ...]:
        """Give a claim up with a server error, or with 429, before anything is written."""
        if claim.number not in self.claims:
            return ()
        del self.claims[claim.number]
        request = claim.request
        answer = error_answer(request, code)
        waiters = self._drop_entry(request)
        if self.rules.errors_not_recorded or not isinstance(answer, ServerError):
            state = "released"
        else:
            self._store_error(request, answer, now_us)
            state = "error"
        return (
            _registered(request.snapshot, state),
            *(
                Reply(delivery, answer._replace(attempt=attempt), Step.FAULT)
                for delivery, attempt in (Waiter(claim.delivery, request.attempt), *waiters)
            ),
        )

    def error_instead(
        self, claim: Claim, effects: tuple[Effect, ...], code: int, now_us: int
    ) -> tuple[Effect, ...]:
        """Return the effects of a commit that is answered with an error all the same."""
        answer = error_answer(claim.request, code)
        stored: tuple[Effect, ...] = ()
        if not self.rules.errors_not_recorded:
            stored = (_registered(claim.request.snapshot, "error"),)
            if isinstance(answer, ServerError):
                self._store_error(claim.request, answer, now_us)
        *before, last = effects
        return tuple(
            Reply(effect.delivery, answer, Step.FAULT)
            if isinstance(effect, Reply) and effect.delivery == claim.delivery
            else effect
            for effect in (*before, *stored, last)
        )

    def _store_error(self, request: Request, answer: ServerError, now_us: int) -> None:
        snapshot = request.snapshot
        self.registry[self._key(snapshot)] = Entry(snapshot, request.attempt, answer, now_us)

    def _release(self, claim: Claim, refusal: RefusalKind) -> tuple[Effect, ...]:
        waiters = self._drop_entry(claim.request)
        replies = [
            self._refuse(
                delivery, claim.request._replace(attempt=attempt), refusal, Step.VERSION_AGAIN
            )
            for delivery, attempt in (Waiter(claim.delivery, claim.request.attempt), *waiters)
        ]
        return (_registered(claim.request.snapshot, "released"), *replies)

    def _drop_entry(self, request: Request) -> tuple[Waiter, ...]:
        key = self._key(request.snapshot)
        entry = self.registry.get(key)
        if entry is None or (entry.result is not None and self.rules.record_not_before_commit):
            return ()  # Another copy has completed it meanwhile: only a mistake lets both run.
        del self.registry[key]
        return entry.waiters

    # --- crash and restart ----------------------------------------------------------------------

    def crash(self) -> tuple[Effect, ...]:
        """Die: every claim ends with its lease; what is committed and recorded stays."""
        self.claims.clear()
        released = []
        for key, entry in list(self.registry.items()):
            entry.waiters = ()
            gone = entry.result is None and self.rules.claim_ends_with_crash
            if gone or not self.rules.registry_durable:
                del self.registry[key]
                released.append(_registered(entry.snapshot, "released"))
        return tuple(released)

    # --- reads ----------------------------------------------------------------------------------

    def status(self, query: StatusQuery, now_us: int) -> StatusAnswer:
        """Answer what became of an operation of the session's owner."""
        told = StatusAnswer(query.operation_id, query.query, Status.NOT_FOUND)
        if self.confirmed_owner(query.session, now_us) != query.owner:
            return told._replace(status=Status.UNAUTHENTICATED)
        entry = self._entry_of(query.owner, query.operation_id, now_us)
        if entry is None:
            return told
        if entry.result is None:
            return told._replace(status=Status.PENDING)
        if self._is_expired(entry, now_us):
            return told._replace(status=Status.EXPIRED)
        if isinstance(entry.result, ServerError):
            return told._replace(status=Status.COMPLETED)
        return told._replace(status=Status.COMPLETED, result=entry.result)

    def read(self, query: ReadQuery) -> ReadAnswer:
        """Answer what a resource holds now."""
        held = self.resources[query.resource]
        return ReadAnswer(query.number, held.version, held.body)

    # --- parts ----------------------------------------------------------------------------------

    def _well_formed(self, request: Request) -> bool:
        rules = self.config.resources.get(request.snapshot.resource)
        if rules is None or rules.kind is not request.snapshot.kind:
            return False
        if not rules.accepts:
            return True
        body = thaw(request.snapshot.body)
        if not isinstance(body, dict):
            return False
        return all(freeze(body.get(name)) in allowed for name, allowed in rules.accepts)

    def _version_fits(self, request: Request) -> bool:
        snapshot = request.snapshot
        if snapshot.kind is _POST:
            return True
        return snapshot.expected_version == self.resources[snapshot.resource].version

    def _key(self, snapshot: Snapshot) -> Key:
        return (snapshot.owner if self.rules.key_has_owner else "", snapshot.operation_id)

    def _entry(self, request: Request, now_us: int) -> Entry | None:
        if not self.rules.has_registry:
            return None
        entry = self._entry_of(request.snapshot.owner, request.snapshot.operation_id, now_us)
        if entry is not None and entry.result is None and not self.rules.unique_key:
            return None
        return entry

    def _entry_of(self, owner: str, operation_id: str, now_us: int) -> Entry | None:
        key = (owner if self.rules.key_has_owner else "", operation_id)
        entry = self.registry.get(key)
        if entry is None or entry.result is None:
            return entry
        if now_us - entry.committed_us > self.config.tombstone_us:
            del self.registry[key]
            return None
        return entry

    def _is_expired(self, entry: Entry, now_us: int) -> bool:
        return entry.result is not None and now_us - entry.committed_us > self._kept_us

    def _replay(self, entry: Entry, result: Ack | ServerError, asker: Request) -> WriteAnswer:
        echoes = not self.rules.replay_addressed_to_asker
        attempt = entry.first_attempt if echoes else asker.attempt
        if isinstance(result, ServerError):
            return result._replace(attempt=attempt)
        current = None
        if self.config.replay_current:
            current = self.resources[entry.snapshot.resource]
        return Ack(
            result.operation_id,
            attempt,
            result.accepted_version,
            result.resource_version,
            result.body,
            replayed=True,
            current=current,
        )

    def _refuse(self, delivery: int, request: Request, kind: RefusalKind, step: Step) -> Reply:
        refusal = Refusal(request.snapshot.operation_id, request.attempt, kind)
        return Reply(delivery, refusal, step)


def _registered(snapshot: Snapshot, state: str) -> Registered:
    return Registered(snapshot.owner, snapshot.operation_id, snapshot.resource, state)


def _ack(request: Request, version: int) -> Ack:
    snapshot = request.snapshot
    return new(
        Ack,
        (
            snapshot.operation_id,
            request.attempt,
            snapshot.draft_version,
            version,
            snapshot.body,
            False,  # It is no replay.
            None,
        ),
    )


def error_answer(request: Request, code: int, retry_after_us: int = 0) -> Refusal | ServerError:
    """Return what a client is told with ``code``: 429 throttles, 5xx says nothing."""
    operation_id = request.snapshot.operation_id
    if code == RefusalKind.THROTTLED.http_status:
        return Refusal(operation_id, request.attempt, RefusalKind.THROTTLED, retry_after_us)
    return ServerError(operation_id, request.attempt, code, retry_after_us)
