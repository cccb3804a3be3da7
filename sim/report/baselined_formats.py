"""Scenarios beside their baselines, for other programs, for reviewers and for GitHub.

The JSON form::

    {"lostack_baseline_check": 1,        the version of this form; keys may be added within one
     "status": "passed" or "failed", "folder": text, "only_new": true or false,
     "scenarios": [{
       "name", "path": text, "state": same, moved, stale or missing, "passed": true or false,
       "moved": [{"where": variant and cell, "what": trace or measure,
                  "old", "new", "change": text, "notes": [text]}],
       "within": as "moved": what moved no further than is allowed,
       "new_failures", "known_failures", "mended": [text],
       "versions": [where other versions made the baseline],
       "runs": of each cell, as many as were made; null: scripted, or not run,
       "runs_named": as many as the file names, or null}],
     "orphans": [{"file", "scenario", "path": text}]}

Every key is always there.
"""

import json
from collections.abc import Sequence

from sim.measure.baseline_diff import Checked, State
from sim.report import baselined_notes as notes
from sim.report import baselined_words as words
from sim.report.baselined import Findings, advice
from sim.report.baselined_words import Detail
from sim.report.formats.as_markdown import escaped
from sim.report.measured_words import count

VERSION = 1
ROWS_MAX = 50


def as_json(found: Findings) -> str:
    """Return the findings as one JSON value."""
    value = {
        "lostack_baseline_check": VERSION,
        "status": "passed" if found.is_passed else "failed",
        "folder": found.folder,
        "only_new": found.only_new,
        "scenarios": [_scenario(found, checked) for checked in found.checked],
        "orphans": [
            {"file": str(each.file), "scenario": each.scenario, "path": each.path}
            for each in found.orphans
        ],
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _scenario(found: Findings, checked: Checked) -> dict[str, object]:
    return {
        "name": checked.scenario.name,
        "path": checked.scenario.path,
        "state": checked.state,
        "passed": found.passes(checked),
        "moved": [_detail(each) for each in words.details(checked)],
        "within": [_detail(words.detail(each)) for each in checked.within],
        "new_failures": list(checked.new_failures),
        "known_failures": list(checked.known_failures),
        "mended": list(checked.mended),
        "versions": list(checked.versions),
        "runs": checked.runs,
        "runs_named": checked.scenario.runs,
    }


def _detail(detail: Detail) -> dict[str, object]:
    return {**detail._asdict(), "notes": list(detail.notes)}


def as_markdown(found: Findings) -> str:
    """Return the findings as GitHub-flavoured Markdown."""
    lines = [f"**lostack baselines**: {words.totals(found.checked, found.orphans)}", ""]
    for checked in found.checked:
        if checked.state is not State.SAME or checked.new_failures:
            lines += _section(found, checked)
    lines += [f"- ❌ `{each.file}`: {escaped(words.orphan(each))}" for each in found.orphans]
    lines += [f"- {escaped(said)}" for said in notes.fewer_runs(found.checked)]
    if not found.is_passed:
        lines += ["", f"To do: {escaped(advice(found))}"]
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(found: Findings, checked: Checked) -> list[str]:
    mark = "·" if found.passes(checked) else "❌"
    name = escaped(checked.scenario.name)
    lines = [f"{mark} **{name}**: {escaped(words.headline(checked))}", ""]
    details = words.details(checked)
    if details:
        lines += ["| where | what | was | is | change |", "|---|---|---|---|---|"]
        lines += [_row(each) for each in details[:ROWS_MAX]]
        if len(details) > ROWS_MAX:
            lines.append(f"| | and {len(details) - ROWS_MAX} more | | | |")
        lines.append("")
    lines += [f"- {kind}: {escaped(text)}" for kind, text in words.failures(checked)]
    below = [note for each in details for note in each.notes]
    if below:
        lines += ["```text", *(note.replace("```", "'''") for note in below), "```"]
    return [*lines, ""]


def _row(detail: Detail) -> str:
    return f"| {' | '.join(escaped(text) for text in detail[:5])} |"


def as_github(found: Findings) -> str:
    """Return one annotation for each scenario that does not pass, and one line of summary."""
    lines = [_annotation(found, each) for each in found.checked if not found.passes(each)]
    for orphan in found.orphans:
        said = _message(words.orphan(orphan))
        lines.append(f"::error file={_property(str(orphan.file))},title=lostack baseline::{said}")
    lines += (f"lostack baselines: {said}" for said in notes.fewer_runs(found.checked))
    summary = f"lostack baselines: {words.totals(found.checked, found.orphans)}"
    return "\n".join((*lines, summary)) + "\n"


def _annotation(found: Findings, checked: Checked) -> str:
    details = words.details(checked)
    said: list[str] = [words.headline(checked)]
    for each in details[:ROWS_MAX]:
        said += [words.one_line(each), *each.notes]
    if len(details) > ROWS_MAX:
        said.append(f"and {count(len(details) - ROWS_MAX, 'more thing')} moved")
    said += [f"{kind}: {text}" for kind, text in words.failures(checked)]
    said.append(f"fix: {advice(found)}")
    title = _property(f"lostack baseline {checked.scenario.name}")
    file = _property(checked.scenario.path)
    return f"::error file={file},line=1,title={title}::{_message(_joined(said))}"


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)


def _message(text: str) -> str:
    """Escape as the page "Workflow commands for GitHub Actions" says."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
