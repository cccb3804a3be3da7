"""The people: SimPy processes that act when the scenario says so."""

from collections.abc import Generator, Sequence
from typing import assert_never

from simpy.events import Event as SimpyEvent

from sim.contract.body import Body, Json
from sim.contract.client.events import (
    Closed,
    Event,
    Hinted,
    PersonChecks,
    PersonDiscards,
    PersonMerges,
    PersonRetries,
    Reloaded,
    Save,
    SignedIn,
    SignedOut,
    WorkerStarted,
    WorkerStopped,
)
from sim.contract.ids import is_version_4, named_id
from sim.contract.messages import Snapshot
from sim.contract.server.server import Server
from sim.engine.actor import ClientActor
from sim.engine.clock import Clock, Turn
from sim.engine.draws import Draws
from sim.engine.habits import habit_name, instants
from sim.engine.outbox import Form
from sim.engine.surrogates import Surrogates
from sim.scenario.model import Action, ClientSpec, Do, Once, Repeatedly, ServerSpec
from sim.trace.listener import Listener, tell_record
from sim.trace.records import Rec


def resource_of(spec: ClientSpec, resource: str) -> str:
    """Return the name of the resource that a client means: its own, or the shared one."""
    return f"{resource}@{spec.name}" if spec.own_resources and resource else resource


class People:
    """Carries out the lines of ``user``."""

    def __init__(
        self,
        actors: Sequence[ClientActor],
        server: Server,
        server_spec: ServerSpec,
        clock: Clock,
        draws: Draws,
        surrogates: Surrogates,
        notes: Listener,
        horizon_us: int,
    ) -> None:
        self._actors = {actor.name: actor for actor in actors}
        self._in_order = list(actors)
        self._server = server
        self._spec = server_spec
        self._clock = clock
        self._draws = draws
        self._surrogates = surrogates
        self._notes = notes
        self._horizon_us = horizon_us
        self._edits = 0
        self._raw = 0

    def start(self, user: Sequence[Action]) -> None:
        """Start one process for everything that happens once, and one for each repetition."""
        once = [(action.when.at_us, action) for action in user if isinstance(action.when, Once)]
        script = [
            (at_us, actor, action)
            for at_us, action in sorted(once, key=lambda item: item[0])
            for actor in self._meant(action)
        ]
        if script:
            self._clock.env.process(self._script(script))
        for line, action in enumerate(user):
            if isinstance(action.when, Repeatedly):
                for index, actor in enumerate(self._in_order):
                    if action.client in ("", actor.name):
                        which = habit_name(line, index)
                        self._clock.env.process(self._habit(action, action.when, actor, which))

    def _meant(self, action: Action) -> list[ClientActor]:
        return self._in_order if not action.client else [self._actors[action.client]]

    def _script(
        self, script: list[tuple[int, ClientActor, Action]]
    ) -> Generator[SimpyEvent, None, None]:
        for at_us, actor, action in script:
            yield self._clock.person(at_us, Turn(actor.name))
            self._do(actor, action, at_us)

    def _habit(
        self, action: Action, when: Repeatedly, actor: ClientActor, which: int
    ) -> Generator[SimpyEvent, None, None]:
        """Do it again and again."""
        clock, turn = self._clock, Turn(actor.name)
        form = self._saved_form(actor, action)
        event = Save(action.new_intent)
        for at_us in instants(when, which, self._draws, self._horizon_us):
            yield clock.person(at_us, turn)
            if form is None:
                self._do(actor, action, at_us)
            else:
                actor.save(form, event, at_us)

    def _saved_form(self, actor: ClientActor, action: Action) -> Form | None:
        """Return the form that is saved again and again, where the action is no more than that."""
        if action.do is not Do.SAVE or action.operation:
            return None
        return actor.forms[resource_of(actor.spec, action.resource)]

    # --- one act --------------------------------------------------------------------------------

    def _do(self, actor: ClientActor, action: Action, now_us: int) -> None:
        if action.resource:
            self._do_to_form(actor, action, now_us)
            return
        match action.do:
            case Do.RELOAD | Do.OPEN:
                actor.new_page()
                kind = Rec.RELOAD if action.do is Do.RELOAD else Rec.OPEN
                self._to_every_form(actor, Reloaded(), kind, {}, now_us)
            case Do.CLOSE:
                actor.no_page()
                self._to_every_form(actor, Closed(), Rec.CLOSE, {}, now_us)
            case Do.STOP_WORKER:
                actor.no_page()
                self._to_every_form(actor, WorkerStopped(), Rec.STOP_WORKER, {}, now_us)
            case Do.START_WORKER:
                if not actor.is_open and all(form.state.is_open for form in actor.forms.values()):
                    actor.new_page()
                self._to_every_form(actor, WorkerStarted(), Rec.START_WORKER, {}, now_us)
            case Do.SIGN_IN:
                self._sign_in(actor, action.owner, now_us)
            case Do.SIGN_OUT:
                self._server.sign_out(actor.session)
                self._to_every_form(actor, SignedOut(), Rec.SIGN_OUT, {}, now_us)
            case Do.EXPIRE_SESSION:
                self._server.expire_sessions(action.owner)
                data: dict[str, Json] = {"owner": action.owner}
                self._clock.last_us = now_us
                tell_record(self._notes, now_us, Rec.EXPIRE, "", "", 0, 0, "", data)
            case Do.HINT:
                online: dict[str, Json] = {"online": action.online}
                self._to_every_form(actor, Hinted(action.online), Rec.HINT, online, now_us)
            case Do.EDIT | Do.SAVE | Do.SEND | Do.RETRY | Do.CHECK | Do.DISCARD | Do.MERGE:
                raise AssertionError(f"{action.do} names no resource")
            case _:
                assert_never(action.do)

    def _to_every_form(
        self, actor: ClientActor, event: Event, kind: Rec, data: dict[str, Json], now_us: int
    ) -> None:
        for form in list(actor.forms.values()):
            actor.feed(form, event, kind, 0, dict(data), now_us)

    def _do_to_form(self, actor: ClientActor, action: Action, now_us: int) -> None:
        form = actor.forms[resource_of(actor.spec, action.resource)]
        do = action.do
        if do is Do.EDIT:
            body = action.body if action.body is not None else self._fresh_body()
            actor.edit(form, body, now_us)
        elif do is Do.SAVE:
            chosen = self._id_named(action.operation) if action.operation else ""
            actor.save(form, Save(action.new_intent, chosen), now_us)
        elif do is Do.SEND:
            self._send_raw(actor, form, action, now_us)
        else:
            self._decide(actor, form, action, now_us)

    def _decide(self, actor: ClientActor, form: Form, action: Action, now_us: int) -> None:
        """What a person decides about a pending operation, or about what was read."""
        match action.do:
            case Do.RETRY:
                actor.wake_worker(form, now_us)
                actor.feed(form, PersonRetries(), Rec.RETRY, actor.pending(form), {}, now_us)
            case Do.CHECK:
                actor.wake_worker(form, now_us)
                actor.feed(form, PersonChecks(), Rec.CHECK, actor.pending(form), {}, now_us)
            case Do.DISCARD:
                actor.wake_worker(form, now_us)
                actor.feed(form, PersonDiscards(), Rec.DISCARD, actor.pending(form), {}, now_us)
            case Do.MERGE:
                merged = action.body if action.body is not None else form.state.draft.body
                data: dict[str, Json] = {"body": merged}
                actor.feed(form, PersonMerges(action.body), Rec.MERGE, 0, data, now_us)
            case _:
                raise AssertionError(f"{action.do} is not done to a form")

    def _send_raw(self, actor: ClientActor, form: Form, action: Action, now_us: int) -> None:
        draft = form.state.draft
        owner = action.owner or form.state.owner
        version = action.expected_version
        self._raw += 1
        chosen = action.operation or f"raw {self._raw}"
        snapshot = Snapshot(
            self._id_named(chosen),
            owner,
            form.config.resource,
            form.config.kind,
            draft.body if action.body is None else action.body,
            draft.version,
            draft.base_version if version is None else version,
        )
        session = actor.session
        if owner != form.state.owner:
            session = f"raw/{owner}"
            self._server.sign_in(session, owner, None)
        actor.send_raw(form, snapshot, session, now_us)

    def _id_named(self, name: str) -> str:
        """Return the id behind ``op-1``, an id as it stands, or one made from any other name."""
        if name.startswith("op-") and name[3:].isdigit():
            known = self._surrogates.id_of(int(name[3:]))
            if known is not None:
                return known
        return name if is_version_4(name) else named_id(f"named {name}")

    def _fresh_body(self) -> Body:
        self._edits += 1
        return Body(f'{{"edit":{self._edits}}}')

    def _sign_in(self, actor: ClientActor, owner: str, now_us: int) -> None:
        ttl_us = self._spec.session_ttl_us
        until_us = None if ttl_us is None else now_us + ttl_us
        self._server.sign_in(actor.new_session(), owner, until_us)
        for form in actor.forms.values():
            actor.wake_worker(form, now_us)
        self._to_every_form(actor, SignedIn(owner), Rec.SIGN_IN, {"owner": owner}, now_us)
