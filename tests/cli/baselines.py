"""Two scenarios with their baselines, and how they come to differ."""

import json
from pathlib import Path

from tests.cli.samples import PASSING, Ended, Run

STORY = PASSING.replace("user:", "client: {retry: {max_attempts: 2, delay: 500ms}}\nuser:")
LOST = STORY.replace("expect:", "faults: [{drop: ack, attempt: 1}]\nexpect:")
WEATHER = LOST.replace("title:", "runs: 20\ntitle:").replace(
    "user:", "network: {request: {loss: 0.3}}\nuser:"
)
WHY = ("--reason", "the delay is shorter now")


def hold(folder: Path, lostack: Run) -> Path:
    """Write two scenarios with their baselines, and return the baselines' folder."""
    (folder / "lost.yaml").write_text(LOST, encoding="utf-8")
    (folder / "weather.yaml").write_text(WEATHER, encoding="utf-8")
    assert update(lostack).status == 0
    return folder / "reports" / "baselines"


def check(lostack: Run, *options: str) -> Ended:
    return lostack("baseline", "check", "--workers", "1", ".", *options)


def update(lostack: Run, *options: str) -> Ended:
    return lostack("baseline", "update", "--workers", "1", ".", *options)


def edit(file: Path, change) -> None:
    value = json.loads(file.read_text(encoding="utf-8"))
    change(value)
    file.write_text(json.dumps(value), encoding="utf-8")


def another_trace(value) -> None:
    """As if record 9 had been another one when the baseline was made."""
    trace = value["traces"][0]
    hashes = " ".join(trace["hashes"]).split()
    trace["hashes"] = [*hashes[:8], "00000000", *hashes[9:]]
    trace["digest"] = "0" * 64


def another_count(value) -> None:
    value["cells"][0]["counts"]["unknown_outcome_rate"]["count"] -= 1


def another_maximum(value) -> None:
    value["cells"][0]["counts"]["attempts_max"]["count"] += 1


def rewrite(folder: Path, name: str, old: str, new: str) -> None:
    file = folder / name
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
