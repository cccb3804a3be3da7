"""Times, checked: what never ends, what never comes, and what would go on too often."""

from collections.abc import Sequence

from sim.scenario.build.context import Context
from sim.scenario.grammar.network import SLOT_US, LinkPart
from sim.scenario.grammar.user import LinePart
from sim.scenario.locate import Loc
from sim.scenario.model import DAY, Action, Repeatedly, World
from sim.scenario.units import duration_text

ACTS_MAX = 1_000_000
"""Acts of one world, counting each client's and each repetition; more take minutes to run."""
SLOTS_MAX = 10_000_000
"""Slots of a burst in one run; where each may have to be drawn, more take minutes to run."""


def check_times(context: Context, world: World, *, has_horizon: bool) -> None:
    """Refuse times that no run could do justice to.

    Args:
        context: Takes the problems.
        world: What was built; its horizon is the file's or the default.
        has_horizon: Whether the file names one.
    """
    if not has_horizon:
        _check_ends(context)
    lines = context.document.user or ()
    for number, line in enumerate(lines):
        _check_comes(context, number, line, world.horizon_us)
    reach_us = world.horizon_us if has_horizon else max(DAY, *map(_last_us, lines), 0)
    for loc, link in _links(context):
        _check_slots(context, loc, link, reach_us)
    if not context.problems:
        _check_often(context, world.horizon_us, world.user, len(world.clients))


def _check_ends(context: Context) -> None:
    """Refuse what never ends by itself where no horizon ends it."""
    cast = context.cast
    for name, part in cast.parts.items():
        mistakes = part.mistakes or []
        if "unbounded-retry" in mistakes:
            loc = (*cast.loc(name), "mistakes", mistakes.index("unbounded-retry"))
            context.refuse(loc, "'unbounded-retry' never ends by itself", "add 'horizon: 10m'")
    for number, line in enumerate(context.document.user or ()):
        if line.every is not None and line.until is None:
            context.refuse(
                ("user", number, "every"),
                "'every' without 'until' never ends by itself",
                "add 'until' to the line, or 'horizon: 10m' to the scenario",
            )


def _check_comes(context: Context, number: int, line: LinePart, horizon_us: int) -> None:
    """Refuse a line that starts after the horizon: it would silently never happen."""
    key, start_us = ("at", line.at) if line.every is None else ("from", line.from_)
    if start_us is None or start_us <= horizon_us:
        return
    context.refuse(
        ("user", number, key),
        f"this line never happens: the run ends at its horizon, {duration_text(horizon_us)}",
        f"write an earlier time, or 'horizon: {duration_text(start_us)}' or later",
    )


def _check_often(context: Context, horizon_us: int, user: Sequence[Action], clients: int) -> None:
    """Refuse repetitions that come to more acts, in all, than a run can make in reasonable time."""
    acts = 0
    for action in user:
        many = clients if action.client == "" else 1
        when = action.when
        if not isinstance(when, Repeatedly):
            acts += many
            continue
        end_us = horizon_us if when.until_us is None else min(when.until_us, horizon_us)
        acts += many * max(0, end_us - when.from_us) // when.every_us
    if acts <= ACTS_MAX:
        return
    often = [n for n, line in enumerate(context.document.user or ()) if line.every is not None]
    number = min(often, key=lambda n: _pause_us(context, n))
    context.refuse(
        ("user", number, "every"),
        f"the lines of 'user' come to {acts} acts, more than {ACTS_MAX}",
        "act less often, end sooner ('until', 'horizon'), or with fewer clients",
    )


def _pause_us(context: Context, number: int) -> int:
    line = (context.document.user or [])[number]
    assert line.every is not None
    pause = line.every.fixed if line.every.fixed is not None else line.every.poisson
    assert pause is not None
    return pause


def _last_us(line: LinePart) -> int:
    return max(line.at or 0, line.until or 0)


def _links(context: Context) -> list[tuple[Loc, LinkPart | None]]:
    """Return every link that the file describes, and where; a client's own before the others'."""
    own = [
        ((*context.cast.loc(name), "network"), part.network)
        for name, part in context.cast.parts.items()
        if part.network is not None
    ]
    return [*own, (("network",), context.document.network)]


def _check_slots(context: Context, loc: Loc, link: LinkPart | None, reach_us: int) -> None:
    """Refuse a burst whose state would be decided absurdly often within one run."""
    for way in ("request", "ack"):
        direction = getattr(link, way, None)
        burst = direction.burst if direction is not None else None
        if burst is None:
            continue
        slot_us = burst.slot or SLOT_US
        if reach_us // slot_us <= SLOTS_MAX:
            continue
        context.refuse(
            (*loc, way, "burst", "slot"),
            f"a slot of {duration_text(slot_us)} in a run of {duration_text(reach_us)} makes "
            f"{reach_us // slot_us} slots, more than {SLOTS_MAX}",
            f"make 'slot' at least {duration_text(-(-reach_us // SLOTS_MAX))}, "
            f"or 'horizon' at most {duration_text(slot_us * SLOTS_MAX)}",
        )
