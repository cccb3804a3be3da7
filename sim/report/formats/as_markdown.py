"""Outcomes as Markdown: one table, then what went wrong, for a comment on a pull request."""

import re
from collections.abc import Sequence

from sim.judge.verdict import Status, Verdict
from sim.report.findings import Break, aside, broken, doubts, failures
from sim.report.outcome import Outcome, name
from sim.trace.words import count

_MARKS = {Status.PASSED: "✅", Status.FAILED: "❌", Status.INCONCLUSIVE: "❔"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~])")


def render(outcomes: Sequence[Outcome]) -> str:
    """Return the outcomes as GitHub-flavoured Markdown."""
    lines = [f"**lostack**: {headline(outcomes)}", ""]
    lines += ["| | scenario | variant | as expected | broken invariants |"]
    lines += ["|---|---|---|---|---|"]
    lines += [_row(outcome, verdict) for outcome in outcomes for verdict in outcome.verdicts]
    for outcome in outcomes:
        for verdict in outcome.verdicts:
            if verdict.status is not Status.PASSED:
                lines += _details(outcome, verdict)
    return "\n".join(lines) + "\n"


def headline(outcomes: Sequence[Outcome]) -> str:
    """Return ``2 scenarios, 5 runs: 4 passed, 1 failed``."""
    statuses = [verdict.status for outcome in outcomes for verdict in outcome.verdicts]
    ended = [
        f"{statuses.count(status)} {status}"
        for status in Status
        if status in statuses or status is Status.PASSED
    ]
    said = f"{count(len(outcomes), 'scenario')}, {count(len(statuses), 'run')}"
    return f"{said}: {', '.join(ended)}"


def _row(outcome: Outcome, verdict: Verdict) -> str:
    held = f"{sum(check.holds for check in verdict.checks)} of {len(verdict.checks)}"
    names = ", ".join(
        f"**{escaped(item.invariant)}**" if item.how is not Break.EXPECTED else item.invariant
        for item in broken(verdict)
    )
    cells = (
        _MARKS[verdict.status],
        escaped(outcome.scenario.name),
        escaped(verdict.world.variant),
        held,
        names,
    )
    return f"| {' | '.join(cells)} |"


def _details(outcome: Outcome, verdict: Verdict) -> list[str]:
    lines = ["", f"**{escaped(name(outcome, verdict))}**: {verdict.status}", ""]
    lines += [f"- {escaped(line)}" for line in failures(verdict) + doubts(verdict)]
    for diagnosis in verdict.diagnoses:
        lines += ["", f"Diagnosis: **{escaped(diagnosis.mistake)}**", ""]
        lines += [
            f"- {label}: {escaped(getattr(diagnosis, label))}"
            for label in ("symptom", "cause", "check", "remedy")
        ]
    also = aside(verdict)
    return [*lines, "", escaped(f"{also[:1].upper()}{also[1:]}.")] if also else lines


def escaped(text: str) -> str:
    """Return ``text`` so that Markdown and HTML leave it as it is, in one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split())).replace("&", "&amp;")
