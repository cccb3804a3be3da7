"""What people do and what is expected, as the plain data of a scenario file."""

from collections.abc import Sequence

from sim.contract.body import Body, Json, thaw
from sim.scenario.model import (
    Action,
    Do,
    Expect,
    Expected,
    ExpectedRate,
    ExpectedResource,
    Once,
    When,
)
from sim.scenario.undo.parts import Keys, optional_duration
from sim.scenario.units import duration_text

_BARE = (Do.RELOAD, Do.CLOSE, Do.OPEN, Do.SIGN_OUT, Do.STOP_WORKER, Do.START_WORKER)


def line_keys(action: Action, only_client: str | None) -> Keys:
    """Return one line of ``user``."""
    who: Keys = {} if action.client == only_client else {"client": action.client or "all"}
    return {**_when(action.when), **who, **_what(action)}


def _when(when: When) -> Keys:
    if isinstance(when, Once):
        return {"at": duration_text(when.at_us)}
    way = "poisson" if when.poisson else "fixed"
    keys: Keys = {"every": {way: duration_text(when.every_us)}}
    if when.from_us:
        keys["from"] = duration_text(when.from_us)
    if when.until_us is not None:
        keys["until"] = optional_duration(when.until_us)
    return keys


def _what(action: Action) -> Keys:
    verb = action.do.value
    if action.do in _BARE:
        return {verb: True}
    match action.do:
        case Do.HINT:
            return {verb: "online" if action.online else "offline"}
        case Do.SIGN_IN | Do.EXPIRE_SESSION:
            return {verb: action.owner}
        case Do.EDIT | Do.MERGE:
            return {verb: action.resource, **_body(action.body)}
        case Do.SAVE:
            intent: Keys = {"intent": "new"} if action.new_intent else {}
            return {verb: action.resource, **intent, **_id(action)}
        case Do.SEND:
            owner: Keys = {"owner": action.owner} if action.owner else {}
            version = action.expected_version
            expected: Keys = {} if version is None else {"expected_version": version}
            return {verb: action.resource, **_id(action), **_body(action.body), **expected, **owner}
        case _:
            return {verb: action.resource}


def _id(action: Action) -> Keys:
    return {"id": action.operation} if action.operation else {}


def _body(body: Body | None) -> Keys:
    return {} if body is None else {"body": thaw(body)}


def expect_keys(expect: Expect) -> Keys:
    """Return the ``expect`` part; what is not asked is left out."""
    keys = _expected(expect.whole)
    if expect.resources:
        keys["resources"] = _resources(expect.resources)
    if expect.of_operations:
        keys["operations"] = {str(nth): _expected(one) for nth, one in expect.of_operations}
    if expect.of_clients:
        keys["clients"] = {name: expect_keys(one) for name, one in expect.of_clients}
    if expect.violates:
        keys["violates"] = list(expect.violates)
    if expect.rates:
        keys["rates"] = {rate.measure: _rate(rate) for rate in expect.rates}
    return keys


def _expected(expected: Expected) -> Keys:
    dirty = expected.draft_dirty
    acks: Json = dict(expected.acks)
    keys: Keys = {
        "phase": expected.phase,
        "draft": None if dirty is None else "dirty" if dirty else "clean",
        "effects": expected.effects,
        "attempts": expected.attempts,
        "deliveries": expected.deliveries,
        "acks": acks or None,
        "refused": expected.refused,
    }
    return {key: value for key, value in keys.items() if value is not None}


def _resources(resources: Sequence[ExpectedResource]) -> Json:
    return {
        one.name: {
            **({} if one.version is None else {"version": one.version}),
            **_body(one.body),
        }
        for one in resources
    }


def _rate(rate: ExpectedRate) -> Json:
    keys: Keys = {"min": rate.min, "max": rate.max, "on": "interval" if rate.on_interval else None}
    return {key: value for key, value in keys.items() if value is not None}
