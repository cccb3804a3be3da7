"""Outcomes as Mermaid sequence diagrams, with what is late and what breaks marked in them."""

from collections.abc import Sequence

from sim.judge.verdict import Verdict
from sim.report.outcome import Outcome, name
from sim.report.sequence.mermaid import mermaid
from sim.report.told import tell


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
    told = tell(verdict, why=True)
    return mermaid(told.rows, told.names, told.beside)
