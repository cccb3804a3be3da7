"""The last table of a report: every scenario and variant in one line, then the counts."""

import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from sim.judge.verdict import Verdict
from sim.report.findings import Break, broken
from sim.report.outcome import Outcome
from sim.report.summary import BREAK_STYLES, MARKS, counts
from sim.trace.words import count

_INVARIANT_WIDTH = 25
"""What the longest name of an invariant needs, so that none is broken."""
_OTHER_WIDTH = 1 + 2 + 2 + 11 + 2
"""The mark, the checks, and the gaps between the columns."""
_NAME_WIDTH_MIN = 16


def total(outcomes: Sequence[Outcome]) -> RenderableType:
    """Return one line for every run, the counts, and what one run cannot check."""
    parts: list[RenderableType] = [_Lines(outcomes), Text(), counts(outcomes)]
    with_rates = [
        outcome.scenario.name
        for outcome in outcomes
        if any(verdict.world.expect.rates for verdict in outcome.verdicts)
    ]
    if with_rates:
        named = with_rates[0] if len(with_rates) == 1 else count(len(with_rates), "scenario")
        said = f"expected rates ({named}) are not checked by one run: 'lostack measure' checks them"
        parts.append(Text(said, "dim"))
    return Group(*parts)


class _Lines:
    """The table; a variant stands below its scenario, so that both have room for their names."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self._outcomes = outcomes

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = max(options.max_width - _OTHER_WIDTH - _INVARIANT_WIDTH, _NAME_WIDTH_MIN)
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        table.add_column("")
        table.add_column("scenario", no_wrap=True, overflow="fold")
        table.add_column("checks hold", justify="right", no_wrap=True)
        table.add_column("broken invariants", overflow="fold")
        for outcome in self._outcomes:
            for mark, name, checks, names in _lines(outcome, room):
                table.add_row(mark, name, checks, names)
        yield table


def _lines(outcome: Outcome, room: int) -> Iterator[tuple[Text, str, str, Text]]:
    name = outcome.scenario.name
    is_alone = len(outcome.verdicts) == 1 and not outcome.verdicts[0].world.variant
    if not is_alone:
        yield Text(*MARKS[outcome.status]), _wrapped(name, room), "", Text()
    for verdict in outcome.verdicts:
        shown = name if is_alone else f"  {verdict.world.variant}"
        held = sum(check.holds for check in verdict.checks)
        checks = f"{held} of {len(verdict.checks)}" if verdict.checks else "none"
        yield Text(*MARKS[verdict.status]), _wrapped(shown, room), checks, _broken(verdict)


def _wrapped(name: str, room: int) -> str:
    """Return a name in one line, or broken at its hyphens where a console is that narrow."""
    hanging = " " * (len(name) - len(name.lstrip()) + 2)
    return "\n".join(textwrap.wrap(name, room, subsequent_indent=hanging)) or name


def _broken(verdict: Verdict) -> Text:
    text = Text()
    for item in broken(verdict):
        shown = f"not {item.invariant}" if item.how is Break.MISSING else item.invariant
        text.append(", " if text else "")
        text.append(shown, BREAK_STYLES[item.how])
    return text
