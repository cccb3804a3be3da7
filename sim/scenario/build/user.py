"""What people do, built: each line for each client that it means."""

from typing import assert_never

from sim.contract.body import Body, freeze
from sim.scenario.build.context import Context
from sim.scenario.grammar import user as grammar
from sim.scenario.grammar.user import LinePart
from sim.scenario.locate import Loc
from sim.scenario.model import Action, Do, Once, Repeatedly, When

ACTIONS_MAX = 200_000
EVERYBODY = "all"


def actions(context: Context) -> tuple[Action, ...]:
    """Return the user's lines in the order of the file."""
    lines = context.document.user or []
    owners = _owners(context)
    built: list[Action] = []
    for number, line in enumerate(lines):
        loc = ("user", number)
        names = _who(context, loc, line)
        _check(context, loc, line, owners)
        if len(built) + len(names) > ACTIONS_MAX:
            context.refuse(
                loc,
                f"more than {ACTIONS_MAX} actions, counting each client's",
                "let one group of clients be all there is, or make it smaller",
            )
            break
        built.extend(_action(line, name) for name in names)
    return tuple(built)


def _who(context: Context, loc: Loc, line: LinePart) -> tuple[str, ...]:
    """Return the clients that a line means; ``("",)`` for everybody."""
    cast, name = context.cast, line.client
    is_whole = len(cast.parts) == 1 and name in (None, EVERYBODY, *cast.parts)
    if is_whole:
        return (cast.only if cast.only is not None else "",)
    if name is None:
        context.refuse(
            loc, "'client' is missing, and there are several", f"add 'client: {cast.known()[0]}'"
        )
        return ()
    if name == EVERYBODY:
        return ("",)
    if name in cast.parts:
        return cast.members(name)
    if cast.group_of(name) is None:
        known = [*cast.known(), *cast.parts, EVERYBODY]
        context.check_known((*loc, "client"), "client", name, list(dict.fromkeys(known)))
        return ()
    return (name,)


def _when(line: LinePart) -> When:
    if line.every is None:
        assert line.at is not None
        return Once(at_us=line.at)
    pause = line.every.fixed if line.every.poisson is None else line.every.poisson
    assert pause is not None
    return Repeatedly(
        every_us=pause,
        poisson=line.every.poisson is not None,
        from_us=line.from_ or 0,
        until_us=line.until,
    )


def _body(line: "grammar.EditLine | grammar.MergeLine | grammar.SendLine") -> Body | None:
    return freeze(line.body) if "body" in line.model_fields_set else None


def _action(line: grammar.UserLine, client: str) -> Action:
    when = _when(line)
    match line:
        case grammar.EditLine():
            return Action(
                when=when, do=Do.EDIT, client=client, resource=line.edit, body=_body(line)
            )
        case grammar.SaveLine():
            return Action(
                when=when,
                do=Do.SAVE,
                client=client,
                resource=line.save,
                new_intent=line.intent == "new",
                operation=line.id or "",
            )
        case grammar.SendLine():
            return Action(
                when=when,
                do=Do.SEND,
                client=client,
                resource=line.send,
                body=_body(line),
                owner=line.owner or "",
                operation=line.id or "",
                expected_version=line.expected_version,
            )
        case grammar.RetryLine():
            return Action(when=when, do=Do.RETRY, client=client, resource=line.retry)
        case grammar.CheckLine():
            return Action(when=when, do=Do.CHECK, client=client, resource=line.check)
        case grammar.DiscardLine():
            return Action(when=when, do=Do.DISCARD, client=client, resource=line.discard)
        case grammar.MergeLine():
            return Action(
                when=when, do=Do.MERGE, client=client, resource=line.merge, body=_body(line)
            )
        case grammar.SignInLine():
            return Action(when=when, do=Do.SIGN_IN, client=client, owner=line.sign_in)
        case grammar.ExpireSessionLine():
            return Action(when=when, do=Do.EXPIRE_SESSION, client=client, owner=line.expire_session)
        case grammar.HintLine():
            return Action(when=when, do=Do.HINT, client=client, online=line.hint == "online")
        case _:
            return Action(when=when, do=_bare(line), client=client)


def _bare(line: grammar.BareLine) -> Do:
    """Return what a line does that names nothing else."""
    match line:
        case grammar.ReloadLine():
            return Do.RELOAD
        case grammar.CloseLine():
            return Do.CLOSE
        case grammar.OpenLine():
            return Do.OPEN
        case grammar.SignOutLine():
            return Do.SIGN_OUT
        case grammar.StopWorkerLine():
            return Do.STOP_WORKER
        case grammar.StartWorkerLine():
            return Do.START_WORKER
        case _:
            assert_never(line)


def _check(context: Context, loc: Loc, line: grammar.UserLine, owners: list[str]) -> None:
    """Refuse what a line names and the scenario does not have."""
    for verb in grammar.ON_RESOURCE:
        name = getattr(line, verb, None)
        if isinstance(name, str):
            context.check_known((*loc, verb), "resource", name, context.resources)
    if isinstance(line, grammar.ExpireSessionLine):
        owner = line.expire_session
        if owner not in owners and not _is_own_owner(context, owner):
            known = list(dict.fromkeys([*owners, *context.cast.known()]))
            context.check_known((*loc, "expire_session"), "account", owner, known)


def _is_own_owner(context: Context, name: str) -> bool:
    """Whether a client without an account of its own goes by this name."""
    group = context.cast.group_of(name)
    return group is not None and context.cast.parts[group].owner is None


def _owners(context: Context) -> list[str]:
    """Return the accounts that the scenario names: of its clients, and of who signs in."""
    of_clients = [part.owner for part in context.cast.parts.values() if part.owner is not None]
    signing_in = [
        line.sign_in for line in context.document.user or [] if isinstance(line, grammar.SignInLine)
    ]
    return list(dict.fromkeys([*of_clients, *signing_in]))
