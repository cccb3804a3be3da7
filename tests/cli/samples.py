"""Scenario files to run: one for each way in which a run can end, and small helpers."""

from pathlib import Path
from typing import NamedTuple, Protocol

PASSING = """\
title: A save that works
server: {resources: {note: {version: 4, body: {text: old}}}}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 0s, save: note}
expect: {phase: acknowledged, effects: 1}
"""
FAILING = PASSING.replace("effects: 1", "effects: 3")
INCONCLUSIVE = PASSING.replace("expect:", "faults: [{drop: ack, attempt: 7}]\nexpect:")
VARIANTS = f"{PASSING}variants: {{one: {{}}, two: {{client: {{timeout: 1s}}}}}}\n"
WEATHER = (
    PASSING.replace("user:", "network: {ack: {loss: 0.5, latency: {uniform: [10ms, 90ms]}}}\nuser:")
    .replace("expect: {phase: acknowledged, effects: 1}", "expect: {effects: 1}")
)  # fmt: skip
BAD = "title: A file with a mistake\nservr: {}\n"
TEXTS = {
    "passing": PASSING,
    "failing": FAILING,
    "inconclusive": INCONCLUSIVE,
    "variants": VARIANTS,
    "weather": WEATHER,
    "bad": BAD,
}


class Ended(NamedTuple):
    """How the command ended."""

    status: int
    out: str
    err: str


class Run(Protocol):
    """Runs the command in this process."""

    def __call__(self, *arguments: str | Path) -> Ended: ...


class Write(Protocol):
    """Writes samples into the test's folder, by name, and returns their paths."""

    def __call__(self, *names: str) -> list[str]: ...
