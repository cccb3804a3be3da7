"""The people: SimPy processes that act when the scenario says so."""

from collections.abc import Generator, Sequence
from functools import cache
from typing import assert_never

from simpy.events import Event

from sim.contract.body import Body, freeze
from sim.contract.client.state import (
    Closed,
    Edit,
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
from sim.engine.actor import ClientActor, Form
from sim.engine.clock import Clock
from sim.engine.draws import Draws, Purpose
from sim.engine.recorder import Recorder
from sim.network.distributions import exponential
from sim.network.weather import Latency
from sim.scenario.model import Action, ClientSpec, Do, Once, Repeatedly, ServerSpec
from sim.trace.records import Rec


def resource_of(spec: ClientSpec, resource: str) -> str:
    """Return the name of the resource that a client means: its own, or the shared one."""
    return f"{resource}@{spec.name}" if spec.own_resources and resource else resource


@cache
def _pauses(mean_us: int) -> Latency:
    """Return the pauses of a Poisson process; making the table costs a thousand readings of it."""
    return exponential(mean_us)


class People:
    """Carries out the lines of ``user``."""

    def __init__(  # noqa: PLR0913 - the parts of one run, wired once
        self,
        actors: Sequence[ClientActor],
        server: Server,
        server_spec: ServerSpec,
        clock: Clock,
        draws: Draws,
        recorder: Recorder,
        horizon_us: int,
    ) -> None:
        self._actors = {actor.name: actor for actor in actors}
        self._in_order = list(actors)
        self._server = server
        self._spec = server_spec
        self._clock = clock
        self._draws = draws
        self._recorder = recorder
        self._horizon_us = horizon_us
        self._edits = 0

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
                        self._clock.env.process(
                            self._habit(action, action.when, actor, (line << 32) | index)
                        )

    def _meant(self, action: Action) -> list[ClientActor]:
        return self._in_order if not action.client else [self._actors[action.client]]

    def _script(
        self, script: list[tuple[int, ClientActor, Action]]
    ) -> Generator[Event, None, None]:
        for at_us, actor, action in script:
            yield self._clock.person(at_us - self._clock.now_us, actor.name)
            self._do(actor, action)

    def _habit(
        self, action: Action, when: Repeatedly, actor: ClientActor, which: int
    ) -> Generator[Event, None, None]:
        """Do it again and again; the pauses are fixed, or those of a Poisson process."""
        until_us = self._horizon_us if when.until_us is None else when.until_us - 1
        at_us, times = when.from_us, 0
        while at_us <= until_us:
            yield self._clock.person(at_us - self._clock.now_us, actor.name)
            self._do(actor, action)
            times += 1
            at_us += self._pause(when, which, times)

    def _pause(self, when: Repeatedly, which: int, times: int) -> int:
        if not when.poisson:
            return when.every_us
        share = self._draws.block(Purpose.ARRIVAL, which, times)[0]
        return max(1, _pauses(when.every_us).at(share))

    # --- one act --------------------------------------------------------------------------------

    def _do(self, actor: ClientActor, action: Action) -> None:
        match action.do:
            case Do.RELOAD | Do.OPEN:
                actor.new_page()
                kind = Rec.RELOAD if action.do is Do.RELOAD else Rec.OPEN
                for form in list(actor.forms.values()):
                    actor.feed(form, Reloaded(), kind, 0, 0, {})
            case Do.CLOSE:
                actor.no_page()
                for form in actor.forms.values():
                    actor.feed(form, Closed(), Rec.CLOSE, 0, 0, {})
            case Do.STOP_WORKER:
                actor.no_page()
                for form in actor.forms.values():
                    actor.feed(form, WorkerStopped(), Rec.STOP_WORKER, 0, 0, {})
            case Do.START_WORKER:
                self._start_worker(actor)
            case Do.SIGN_IN:
                self._sign_in(actor, action.owner)
            case Do.SIGN_OUT:
                self._server.sign_out(actor.session)
                for form in actor.forms.values():
                    actor.feed(form, SignedOut(), Rec.SIGN_OUT, 0, 0, {})
            case Do.EXPIRE_SESSION:
                self._server.expire_sessions(action.owner)
                self._recorder.record(
                    self._clock.now_us, Rec.EXPIRE, "", "", 0, 0, "", {"owner": action.owner}
                )
            case Do.HINT:
                for form in actor.forms.values():
                    online = action.online
                    actor.feed(form, Hinted(online), Rec.HINT, 0, 0, {"online": online})
            case _:
                self._do_to_form(actor, action)

    def _do_to_form(self, actor: ClientActor, action: Action) -> None:
        form = actor.forms[resource_of(actor.spec, action.resource)]
        match action.do:
            case Do.EDIT:
                body = action.body if action.body is not None else self._fresh_body()
                actor.feed(form, Edit(body), Rec.EDIT, 0, 0, {"body": body})
            case Do.SAVE:
                self._save(actor, form, action)
            case Do.SEND:
                self._send_raw(actor, form, action)
            case Do.RETRY:
                actor.wake_worker(form)
                actor.feed(form, PersonRetries(), Rec.RETRY, actor.pending(form), 0, {})
            case Do.CHECK:
                actor.wake_worker(form)
                actor.feed(form, PersonChecks(), Rec.CHECK, actor.pending(form), 0, {})
            case Do.DISCARD:
                actor.feed(form, PersonDiscards(), Rec.DISCARD, actor.pending(form), 0, {})
            case Do.MERGE:
                merged = action.body if action.body is not None else form.state.draft.body
                actor.feed(form, PersonMerges(action.body), Rec.MERGE, 0, 0, {"body": merged})
            case (
                Do.RELOAD
                | Do.CLOSE
                | Do.OPEN
                | Do.SIGN_IN
                | Do.SIGN_OUT
                | Do.EXPIRE_SESSION
                | Do.HINT
                | Do.STOP_WORKER
                | Do.START_WORKER
            ):
                raise AssertionError(f"{action.do} is not done to a form")
            case _:
                assert_never(action.do)

    def _save(self, actor: ClientActor, form: Form, action: Action) -> None:
        actor.wake_worker(form)
        chosen = self._id_named(action.operation) if action.operation else ""
        draft = form.state.draft
        actor.feed(
            form,
            Save(action.new_intent, chosen),
            Rec.SAVE,
            actor.pending(form),
            0,
            {
                "body": draft.body,
                "draft_version": draft.version,
                "new_intent": action.new_intent,
            },
        )

    def _send_raw(self, actor: ClientActor, form: Form, action: Action) -> None:
        draft = form.state.draft
        owner = action.owner or form.state.owner
        version = action.expected_version
        chosen = action.operation or f"raw {self._edits} {self._clock.now_us}"
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
        actor.send_raw(form, snapshot, session)

    def _id_named(self, name: str) -> str:
        """Return the id behind ``op-1``, an id as it stands, or one made from any other name."""
        if name.startswith("op-") and name[3:].isdigit():
            known = self._recorder.id_of(int(name[3:]))
            if known is not None:
                return known
        return name if is_version_4(name) else named_id(f"named {name}")

    def _fresh_body(self) -> Body:
        self._edits += 1
        return freeze({"edit": self._edits})

    def _start_worker(self, actor: ClientActor) -> None:
        if not actor.is_open and all(form.state.is_open for form in actor.forms.values()):
            actor.new_page()
        for form in actor.forms.values():
            actor.feed(form, WorkerStarted(), Rec.START_WORKER, 0, 0, {})

    def _sign_in(self, actor: ClientActor, owner: str) -> None:
        now_us, ttl_us = self._clock.now_us, self._spec.session_ttl_us
        until_us = None if ttl_us is None else now_us + ttl_us
        self._server.sign_in(actor.new_session(), owner, until_us)
        for form in actor.forms.values():
            actor.feed(form, SignedIn(owner), Rec.SIGN_IN, 0, 0, {"owner": owner})
