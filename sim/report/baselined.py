"""Scenarios beside their baselines, on a terminal or in a pipe."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from sim.measure.baseline_diff import Checked, Exactly, State, Tolerance
from sim.measure.baseline_store import Orphan
from sim.report import baselined_notes as notes
from sim.report import baselined_words as words
from sim.report.measured_words import count
from sim.trace.words import plain

DETAILS_MAX = 12
"""So many things that moved are told of one scenario; the others are counted."""

_STYLES = {"new failure": "bold red", "known failure": "yellow", "mended": "green"}


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check found.

    ``only_new``: whether only failures count that the baselines do not know; ``tolerance``: how far
    rates may move; ``writes``: whether this is shown before baselines are written.
    """

    checked: tuple[Checked, ...]
    orphans: tuple[Orphan, ...]
    folder: str
    only_new: bool = False
    tolerance: Tolerance = Exactly()
    writes: bool = False

    @property
    def is_passed(self) -> bool:
        """Whether everything is as its baseline, or may be passed over."""
        return not self.orphans and all(self.passes(each) for each in self.checked)

    def passes(self, checked: Checked) -> bool:
        """Whether one scenario may be passed over."""
        return checked.is_passed(only_new=self.only_new)


def baselined(found: Findings) -> RenderableType:
    """Return what differs, one scenario below the other, then the totals and what to do."""
    parts: list[RenderableType] = []
    for checked in found.checked:
        if _has_part(checked):
            parts += _scenario(found, checked)
    parts += _missing(found)
    for orphan in found.orphans:
        said = f"  {words.orphan(orphan)}"
        parts.append(Text.assemble(("✗ ", "bold red"), (str(orphan.file), "bold"), said))
    if parts:
        parts.append(Rule(style="dim", characters="━"))
    parts += [Text(words.totals(found.checked, found.orphans), "bold"), *_notes(found)]
    return Group(*parts)


def _has_part(checked: Checked) -> bool:
    """Whether there is more to say of a scenario than that it has no baseline yet."""
    if checked.state is State.MISSING:
        return bool(checked.new_failures)
    return checked.state is not State.SAME or bool(checked.known_failures)


def _missing(found: Findings) -> Iterator[RenderableType]:
    names = [
        checked.scenario.name
        for checked in found.checked
        if checked.state is State.MISSING and not _has_part(checked)
    ]
    if not names:
        return
    mark, style, said = ("✗ ", "bold red", "no baseline")
    if found.writes:
        mark, style, said = ("+ ", "green", "first baseline")
    yield Text.assemble((mark, style), (f"{said}: ", "bold"), ", ".join(names))


def _scenario(found: Findings, checked: Checked) -> Iterator[RenderableType]:
    mark, style = ("·", "dim") if found.passes(checked) else ("✗", "bold red")
    if found.writes and checked.state is State.MISSING:
        mark, style = "+", "green"
    said = f"  {words.headline(checked, writes=found.writes)}"
    yield Text.assemble((f"{mark} ", style), (checked.scenario.name, "bold"), said)
    details = words.details(checked)
    for detail in details[:DETAILS_MAX]:
        yield Padding(Text(plain(words.one_line(detail))), (0, 0, 0, 4))
        for note in detail.notes:
            yield Padding(Text(note, "dim"), (0, 0, 0, 8))
    if len(details) > DETAILS_MAX:
        left = len(details) - DETAILS_MAX
        yield Padding(
            Text(f"and {left} more; --format json tells all of them", "dim"), (0, 0, 0, 4)
        )
    for kind, text in words.failures(checked):
        yield Padding(Text.assemble((f"{kind}: ", _STYLES[kind]), text), (0, 0, 0, 4))


def _notes(found: Findings) -> Iterator[RenderableType]:
    within = sum(len(checked.within) for checked in found.checked)
    if within:
        yield Text(f"{count(within, 'measure')} moved no further than --tolerance allows")
    for allowed in notes.tolerated(found.checked, found.tolerance):
        yield Text(allowed, "dim")
    if found.only_new:
        yield Text("only new failures count (--only-new); what moved is told all the same", "dim")
    for fewer in notes.fewer_runs(found.checked):
        yield Text(fewer, "dim")
    for versions in notes.versions(found.checked):
        yield Text(f"made with {versions}: that alone can move numbers", "yellow")
    if not found.is_passed and not found.writes:
        yield Text(f"  fix: {advice(found)}")


def advice(found: Findings) -> str:
    """Return what to do about a check that did not pass."""
    folder = f'"{found.folder}"' if " " in found.folder else found.folder
    option = "" if found.folder == "reports/baselines" else f" --dir {folder}"
    states = [checked.state for checked in found.checked if not found.passes(checked)]
    if not states:
        return f"delete what is orphaned: 'lostack baseline update PATH --prune{option}'"
    if all(state is State.MISSING for state in states):
        return f"make them: 'lostack baseline update PATH{option}'"
    return (
        "look at it ('lostack run NAME'); where it is right, "
        f"'lostack baseline update PATH{option} --reason \"why\"'"
    )
