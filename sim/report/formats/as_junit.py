"""Outcomes as JUnit XML: a suite for each scenario, a case for each variant.

A run that is not as expected is a ``failure``. A run that proves nothing is ``skipped``, with the
reason; a reader that counts skipped cases as passed should ask for the exit status instead.
"""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sim.judge.verdict import Status, Verdict
from sim.report.conditions import named_draws
from sim.report.findings import aside, doubts, failures
from sim.report.outcome import Outcome

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(outcomes: Sequence[Outcome]) -> str:
    """Return the outcomes as one JUnit XML document."""
    root = Element("testsuites", _attributes("lostack", outcomes))
    for outcome in outcomes:
        suite = SubElement(root, "testsuite", _attributes(outcome.scenario.name, [outcome]))
        for verdict in outcome.verdicts:
            _case(suite, outcome, verdict)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _attributes(name: str, outcomes: Sequence[Outcome]) -> dict[str, str]:
    statuses = [verdict.status for outcome in outcomes for verdict in outcome.verdicts]
    return {
        "name": _clean(name),
        "tests": str(len(statuses)),
        "failures": str(statuses.count(Status.FAILED)),
        "errors": "0",
        "skipped": str(statuses.count(Status.INCONCLUSIVE)),
    }


def _case(suite: Element, outcome: Outcome, verdict: Verdict) -> None:
    attributes = {
        "classname": _clean(outcome.scenario.path or outcome.scenario.name),
        "name": _clean(verdict.world.variant or outcome.scenario.name),
    }
    case = SubElement(suite, "testcase", attributes)
    if verdict.status is Status.FAILED:
        why = failures(verdict)
        failure = SubElement(case, "failure", {"message": _clean(why[0]), "type": "expectation"})
        failure.text = _clean("\n".join((*why, *_advice(verdict))))
    elif verdict.status is Status.INCONCLUSIVE:
        SubElement(case, "skipped", {"message": _clean("; ".join(doubts(verdict)))})
    out = SubElement(case, "system-out")
    out.text = _clean(f"{named_draws(verdict.world)}, trace {verdict.digest}")


def _advice(verdict: Verdict) -> tuple[str, ...]:
    advice = tuple(
        f"diagnosis: {diagnosis.mistake}: {diagnosis.cause} check: {diagnosis.check} "
        f"remedy: {diagnosis.remedy}"
        for diagnosis in verdict.diagnoses
    )
    also = aside(verdict)
    return (*advice, also) if also else advice


def _clean(text: str) -> str:
    """Return ``text`` without the characters that XML 1.0 cannot carry at all."""
    return _NOT_XML.sub("\ufffd", text)
