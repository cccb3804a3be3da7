"""Under which conditions a run was made: faults, what people do beside saving, policy, seed."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from sim.scenario.model import Action, Do, Once, World
from sim.trace.words import count, duration, plain

_ACTS: Final[dict[Do, str]] = {
    Do.EDIT: "edit after a save",
    Do.SEND: "raw send",
    Do.RETRY: "retry by hand",
    Do.CHECK: "check by hand",
    Do.DISCARD: "discard",
    Do.MERGE: "merge",
    Do.RELOAD: "reload",
    Do.CLOSE: "tab closed",
    Do.OPEN: "tab opened",
    Do.SIGN_IN: "sign-in",
    Do.SIGN_OUT: "sign-out",
    Do.EXPIRE_SESSION: "session expires",
    Do.HINT: "hint of the network",
    Do.STOP_WORKER: "worker stopped",
    Do.START_WORKER: "worker started",
}


def conditions(world: World) -> str:
    """Return under which conditions a run was made: faults, acts, policies, seed."""
    return "; ".join((disturbances(world), settings(world)))


def disturbances(world: World) -> str:
    """Return what disturbs the save: the fault clauses, and what people do beside saving."""
    acts = dict.fromkeys(_ACTS[act.do] for act in world.user if _is_condition(act, world.user))
    said = (*map(plain, world.fault_lines), *acts)
    return "; ".join(said) or "nothing"


def _is_condition(act: Action, user: Iterable[Action]) -> bool:
    """Return whether an act is more than a save and the typing before it."""
    if act.do is not Do.EDIT:
        return act.do is not Do.SAVE
    return any(
        other.do is Do.SAVE
        and other.resource == act.resource
        and (act.client == other.client or "" in (act.client, other.client))
        and _first_us(other) < _first_us(act)
        for other in user
    )


def _first_us(act: Action) -> int:
    return act.when.at_us if isinstance(act.when, Once) else act.when.from_us


def settings(world: World) -> str:
    """Return the policies of the clients, each once, and the seed."""
    policies = dict.fromkeys(
        f"timeout {duration(client.timeout_us)}, at most "
        f"{count(client.retry.max_attempts, 'attempt')}"
        for client in world.clients
    )
    return "; ".join((*policies, named_draws(world)))


def named_draws(world: World) -> str:
    """Return what names the draws of a run: its seed, and its number unless that is 0."""
    return f"seed {world.seed}, run {world.run}" if world.run else f"seed {world.seed}"


def usual(worlds: Iterable[World]) -> str:
    """Return the settings that most of the runs share; ``""``: there is no run."""
    found = Counter(settings(world) for world in worlds).most_common(1)
    return found[0][0] if found else ""
