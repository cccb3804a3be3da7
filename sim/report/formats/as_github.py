"""Outcomes as GitHub workflow commands: annotations at the scenario files, then a summary.

The commands are those of the documentation page "Workflow commands for GitHub Actions": a message
escapes ``%``, carriage return and line feed; a property also ``:`` and ``,``.
"""

from collections.abc import Sequence

from sim.judge.verdict import Status, Verdict
from sim.report.findings import aside, doubts, failures
from sim.report.formats.as_markdown import headline
from sim.report.outcome import Outcome, name


def render(outcomes: Sequence[Outcome]) -> str:
    """Return one annotation for each run that is not passed, and one line of summary."""
    lines = [
        _annotation(outcome, verdict)
        for outcome in outcomes
        for verdict in outcome.verdicts
        if verdict.status is not Status.PASSED
    ]
    return "\n".join((*lines, f"lostack: {headline(outcomes)}")) + "\n"


def _annotation(outcome: Outcome, verdict: Verdict) -> str:
    is_failed = verdict.status is Status.FAILED
    said = failures(verdict) if is_failed else doubts(verdict)
    advice = tuple(f"{diagnosis.mistake}: {diagnosis.remedy}" for diagnosis in verdict.diagnoses)
    beside = aside(verdict)
    also = (beside,) if beside else ()
    line = outcome.scenario.line_of(verdict.world.variant)
    path = outcome.scenario.path
    where = f"file={_property(path)},line={line}," if path else ""
    title = _property(f"lostack {name(outcome, verdict)}")
    level = "error" if is_failed else "warning"
    return f"::{level} {where}title={title}::{_message(chr(10).join((*said, *advice, *also)))}"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
