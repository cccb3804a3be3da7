"""``lostack explain``: what a name means, how it shows, what it leaves open, what to do."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from sim.cli import options
from sim.cli.errors import CommandError
from sim.cli.exits import Exit
from sim.cli.paper import Paper
from sim.judge.catalog import SCENARIO_WORDS, Entry, EntryKind, UnknownNameError, aliases_of, lookup
from sim.report.claims import CLAIMS
from sim.scenario.find import shipped
from sim.scenario.load import load_path

_SHOWN_MAX = 6

EPILOG = """\
\b
Examples:
  lostack explain timeout-means-failure     a mistake
  lostack explain no-false-success          an invariant
  lostack explain recovery-required         a phase
  lostack explain client.rule-2             a rule, as it stands in stories
  lostack explain stale                     a word of a story
  lostack explain operation_id              a word of the field
"""


@click.command("explain", epilog=EPILOG)
@click.argument("name")
@options.no_color
@options.debug
def command(name: str, no_color: bool) -> Exit:
    """Explain a name: what it is, how it shows, what it does not prove, what to do.

    NAME is a mistake, an invariant, a measure, a fault, a phase, an answer or
    what is made of it, a reason, a preset, a term, a rule, a claim or a shipped
    scenario; 'lostack list' shows them. Dashes and underscores are alike.
    """
    paper = Paper(False if no_color else None)
    try:
        entry = lookup(name)
    except UnknownNameError as error:
        if not (_claim(paper, name) or _scenario(paper, name)):
            raise _unknown(name, error.candidates) from None
        paper.print()
        return Exit.OK
    paper.title(entry.name, entry.kind.value)
    paper.part("what it is", entry.what)
    paper.part("how it shows", entry.shows)
    paper.part("what it does not prove", entry.does_not_prove)
    paper.part("what to do", entry.do)
    paper.part(_example_label(entry), entry.example)
    paper.part("shown by", _shown_by(entry))
    paper.part("also found as", ", ".join(aliases_of(entry)))
    paper.print()
    return Exit.OK


def _unknown(name: str, candidates: tuple[str, ...]) -> CommandError:
    near = " or ".join(f"'{candidate}'" for candidate in candidates)
    fix = f"did you mean {near}?" if near else "'lostack list' shows every name"
    return CommandError(f"nothing is called '{name[:80]}'", fix)


def _claim(paper: Paper, name: str) -> bool:
    """Explain a claim of ``--proofs``; return whether there is one of that name."""
    for claim in CLAIMS:
        if claim.tag == name.lower():
            paper.title(claim.tag, "claim")
            paper.part("what it is", f"{claim.says} ({claim.from_})")
            paper.part("what it does not prove", claim.does_not_prove)
            paper.part("shown by", f"lostack run {' '.join(_naming(claim.tag))}")
            return True
    return False


def _scenario(paper: Paper, name: str) -> bool:
    """Explain a shipped scenario; return whether there is one of that name."""
    path = shipped().get("-".join(name.lower().replace("_", " ").split()))
    if path is None:
        return False
    scenario = load_path(path)
    paper.title(scenario.name, "scenario")
    paper.part("what it is", f"{scenario.title}.\n{scenario.about}")
    if scenario.name in SCENARIO_WORDS:
        word = lookup(SCENARIO_WORDS[scenario.name])
        paper.part("the word", f"{word.what}\n'lostack explain {word.name}' says more.")
    paper.part("variants", ", ".join(world.variant for world in scenario.worlds if world.variant))
    paper.part("tags", ", ".join(scenario.tags))
    paper.part("to see it", f"lostack run {scenario.name}")
    paper.part("its file", path)
    return True


def _example_label(entry: Entry) -> str:
    return "see also" if entry.kind is EntryKind.INVARIANT else "in a scenario"


def _shown_by(entry: Entry) -> str:
    """Return the commands that run the shipped scenarios in which the name stands."""
    if entry.kind not in (EntryKind.MISTAKE, EntryKind.INVARIANT, EntryKind.PRESET):
        return ""
    found = list(_naming(entry.name))
    more = f" and {len(found) - _SHOWN_MAX} more" if len(found) > _SHOWN_MAX else ""
    return f"lostack run {' '.join(found[:_SHOWN_MAX])}{more}" if found else ""


def _naming(name: str) -> Iterator[str]:
    """Yield the shipped scenarios whose text holds the name as a list's item or a value."""
    stands = re.compile(rf"[\[,:-]\s*{re.escape(name)}\s*(?:[\],}}#]|$)", re.MULTILINE)
    for scenario, path in shipped().items():
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if stands.search(text):
            yield scenario
