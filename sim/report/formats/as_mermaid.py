"""Outcomes as Mermaid sequence diagrams, with what is late and what breaks marked in them."""

from collections.abc import Sequence

from sim.judge.verdict import Verdict
from sim.report.findings import broken
from sim.report.lateness import Lateness, messages
from sim.report.outcome import Outcome, name
from sim.trace.records import Rec
from sim.trace.sequence import Mark, mermaid


def render(outcomes: Sequence[Outcome]) -> str:
    """Return one diagram as it is; several as Markdown, each under its name."""
    named = [
        (name(outcome, verdict), diagram(verdict))
        for outcome in outcomes
        for verdict in outcome.verdicts
    ]
    if len(named) == 1:
        return named[0][1]
    return "\n".join(f"## {called}\n\n```mermaid\n{drawn}```\n" for called, drawn in named)


def diagram(verdict: Verdict) -> str:
    """Return the diagram of one run."""
    records = verdict.records
    lateness = Lateness(verdict.world, records, messages(records))
    late_us = {
        record.seq: lateness.of(record)
        for record in records
        if record.kind in (Rec.ARRIVED, Rec.ANSWER)
    }
    firsts = [item.first for item in broken(verdict) if item.first is not None]
    marks = [Mark(one.seq, one.client, f"✗ {one.invariant} breaks: {one.what}") for one in firsts]
    return mermaid(records, late_us, marks)
