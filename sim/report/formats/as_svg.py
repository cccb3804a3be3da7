"""The outcome of one run as a picture: its story as a sequence diagram in SVG."""

from collections.abc import Sequence

from sim.judge.verdict import Verdict
from sim.report.findings import Break, broken
from sim.report.outcome import Outcome, name
from sim.report.sequence.diagram import draw
from sim.report.story import Span, Tone
from sim.report.terminal import conditions
from sim.report.told import tell

TONES = {Break.EXPECTED: Tone.DOUBT, Break.UNEXPECTED: Tone.BAD, Break.MISSING: Tone.BAD}


def render(outcomes: Sequence[Outcome], note: str = "") -> str:
    """Return the picture of the one run; nothing, where it was interrupted.

    Args:
        outcomes: The run's.
        note: Which run of which seed it is; nothing of the one that everybody gets.

    Raises:
        ValueError: There are several runs: a file holds one picture.
    """
    runs = [(outcome, verdict) for outcome in outcomes for verdict in outcome.verdicts]
    if not runs:
        return ""
    if len(runs) > 1:
        raise ValueError(f"a picture shows one run, and here are {len(runs)}")
    return picture(*runs[0], note)


def picture(outcome: Outcome, verdict: Verdict, note: str = "") -> str:
    """Return the picture of one run; ``note`` says which one it is, where there are others."""
    told = tell(verdict)
    called = name(outcome, verdict)
    before = [(Span(f"{called}: {outcome.scenario.title}", Tone.STRONG),)]
    before += [(Span(line),) for line in conditions(verdict.world)]
    before += [(Span(line, Tone.QUIET),) for line in (note, told.beside) if line]
    after = [
        (Span(f"{one.how.sign} {one.invariant}", TONES[one.how]), Span(f" {one.how}: {one.says}"))
        for one in broken(verdict)
    ]
    return draw(called, before, told.rows, told.names, after)
