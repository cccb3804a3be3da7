"""An exploration on a terminal or in a pipe."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sim.explore.counterexample import EASED, Counterexample
from sim.explore.result import Result
from sim.report import explored_words as words
from sim.report.summary import findings, grid
from sim.report.terminal import conditions
from sim.report.timeline import Timeline
from sim.scenario.model import Expect
from sim.trace.words import count, plain

_ENDINGS_MAX = 8


def explored(result: Result) -> RenderableType:
    """Return all that was found in one world: counts, invariants, counterexamples."""
    mark, style = _mark(result)
    head = Text.assemble(
        (f"{mark} ", style), (result.name, "bold"), f"  {plain(result.scenario.title)}"
    )
    limits = result.explored.bounds
    parts: list[RenderableType] = [Rule(style="dim", characters="━"), head]
    parts += [Text(f"  {line}", "dim") for line in conditions(result.world)]
    searched = Text(f"{words.bounds(result.explored)}: {words.kinds(limits)}")
    parts += [Padding(searched, (0, 0, 0, 2)), Text()]
    parts += [Padding(_counts(result), (0, 0, 0, 2)), Text(), _invariants(result)]
    for example in result.counterexamples:
        parts += [Text(), _counterexample(example)]
    return Group(*parts, Text())


def _mark(result: Result) -> tuple[str, str]:
    if result.explored.undeclared:
        return "✗", "bold red"
    return ("?", "bold yellow") if result.doubts else ("✓", "green")


def _counts(result: Result) -> Table:
    found = result.explored
    table = grid(2)
    table.columns[0].justify = "right"
    table.add_row(Text(f"{found.tally.schedules:,}", "bold"), f"schedules: {words.sizes(found)}")
    table.add_row(f"{found.tally.states:,}", Text(words.states(found), "dim"))
    for many, why in words.redundant(found):
        table.add_row(many, Text(why, "dim"))
    for note in result.notes:
        table.add_row("note", Text(note, "dim"))
    ends = words.endings(result)
    for said, times in ends[:_ENDINGS_MAX]:
        table.add_row(f"{times:,}", Text.assemble(("end as ", "dim"), said))
    if len(ends) > _ENDINGS_MAX:
        rest = ends[_ENDINGS_MAX:]
        others = f"end in {count(len(rest), 'other way')}"
        table.add_row(f"{sum(times for _, times in rest):,}", Text(others, "dim"))
    return table


def _invariants(result: Result) -> RenderableType:
    parts: list[RenderableType] = []
    held, declared = result.held, result.world.expect.violates
    complete = not result.doubts
    if complete:
        what = "every invariant holds" if not result.broken else f"{len(held)} invariants hold"
        parts.append(Text(f"✓  {what} in all of them", "green"))
    else:
        parts += [Text(f"?  inconclusive: {doubt}", "yellow") for doubt in result.doubts]
        parts.append(Text(f"?  {len(held)} invariants did not break in what was tried", "yellow"))
    if result.broken:
        parts.append(_broken(result, declared))
    unbroken = [name for name in held if name in declared]
    if unbroken and complete:
        parts.append(Text(f"·  declared, and broken in none: {', '.join(unbroken)}", "dim"))
    return Group(*parts)


def _broken(result: Result, declared: Sequence[str]) -> Table:
    table = grid(3)
    many, sizes = result.explored.tally.schedules, words.places(result.explored)
    for name, breakage in result.broken.items():
        mark, style = ("!", "yellow") if name in declared else ("✗", "bold red")
        said = f"broken in {breakage.times:,} of {many:,}; the smallest takes {sizes[name]}"
        if name in declared:
            said += " (declared)"
        table.add_row(Text(mark, style), Text(name, style), said)
    return table


def smallest(examples: Iterable[Counterexample]) -> RenderableType:
    """Return counterexamples: each as a story with its diagnosis."""
    return Group(*(part for example in examples for part in (_counterexample(example), Text())))


def _counterexample(example: Counterexample) -> RenderableType:
    # The file declares what breaks; here, where it is news, it reads as news.
    verdict = replace(example.verdict, world=replace(example.verdict.world, expect=Expect()))
    names, it = ", ".join(example.invariants), "it breaks"
    if len(example.invariants) > 1:
        it = "they break"
    title = Text.assemble((names, "bold red"), f": the smallest story in which {it}")
    parts: list[RenderableType] = [Rule(title, align="left", characters="─", style="dim")]
    parts += [Text(line, "dim") for line in conditions(verdict.world)]
    parts.append(_what_goes_wrong(example.faults))
    parts += [Text(line, "dim") for line in _notes(example)]
    return Group(*parts, Text(), Timeline(verdict), Text(), findings(verdict))


def _notes(example: Counterexample) -> Iterator[str]:
    """Yield what tells the story from the scenario, or the run, that it was found in."""
    if example.is_eased:
        yield EASED
    if example.besides:
        yield f"not in the run, but in this part of it: {', '.join(example.besides)}"


def _what_goes_wrong(faults: Sequence[str]) -> RenderableType:
    if not faults:
        return Text("nothing goes wrong at all", "dim")
    return Group(*(Text.assemble(("goes wrong: ", "dim"), line) for line in faults))


def ending(results: Iterable[Result]) -> RenderableType:
    """Return the last line: what was explored, and how it ended."""
    found = list(results)
    schedules = sum(result.explored.tally.schedules for result in found)
    broken = sum(bool(result.explored.undeclared) for result in found)
    unsure = sum(bool(result.doubts) and not result.explored.undeclared for result in found)
    text = Text(f"{count(len(found), 'world')}, {count(schedules, 'schedule')}: ", "bold")
    whole = len(found) - broken - unsure
    where = "" if whole == len(found) else f" in {whole}"
    said = [(f"nothing unexpected{where}", "green")] if whole else []
    said += [(f"something breaks in {broken}", "bold red")] if broken else []
    said += [(f"{unsure} inconclusive", "bold yellow")] if unsure else []
    for number, (what, style) in enumerate(said):
        text.append(f"{', ' if number else ''}{what}", style)
    return Group(Rule(style="dim", characters="━"), text)
