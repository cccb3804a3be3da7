"""``--twice``: the same runs in a fresh process under another hash seed, compared."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import sim
from sim.cli.errors import say
from sim.cli.exits import Exit
from sim.cli.perform import traces
from sim.cli.wish import Wish
from sim.report.console import make_console
from sim.report.outcome import Outcome, name
from sim.report.twice import difference
from sim.scenario.model import Scenario
from sim.trace.diff import first_difference
from sim.trace.jsonl import Trace, TraceError, parse
from sim.trace.words import count


class Again:
    """A second process that runs everything too, beside this one.

    Args:
        wish: What was asked for.
        scenarios: What is run.
    """

    def __init__(self, wish: Wish, scenarios: Sequence[Scenario]) -> None:
        self._wish = wish
        self._request = {
            "files": [scenario.path for scenario in scenarios],
            "cell": wish.cell,
            "variant": wish.variant,
            "seed": wish.seed,
            "run": wish.run,
            "trace": False,
        }
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._process = _start(self._request)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        process = self._process
        if process is not None:
            process.kill()
            process.communicate()

    def compare(self, finished: Sequence[Outcome]) -> Exit:
        """Return OK if every finished run came out the same; else show where it did not."""
        assert self._process is not None
        digests = _answer_of(self._process)
        if digests is None:
            return Exit.OUR_BUG
        second = dict(line.split("\t") for line in digests.decode().splitlines())
        differing = [
            (outcome, number)
            for outcome in finished
            for number, verdict in enumerate(outcome.verdicts)
            if second.get(_key(outcome, number)) != verdict.digest
        ]
        for outcome, number in differing:
            self._show(outcome, number)
        if differing:
            say(_NOT_EQUAL)
            return Exit.OUR_BUG
        runs = sum(len(outcome.verdicts) for outcome in finished)
        say(f"--twice: {count(runs, 'run')} repeated in a fresh process; every trace is the same")
        return Exit.OK

    def _show(self, outcome: Outcome, number: int) -> None:
        """Fetch the other process's trace of one run and show the first difference."""
        verdict = outcome.verdicts[number]
        say(f"--twice: {name(outcome, verdict)} did not repeat")
        request = {**self._request, "files": [outcome.scenario.path], "trace": True}
        with _start(request) as process:
            made = _answer_of(process)
        there = _trace_of(made, outcome, number)
        here = traces(outcome)[number]
        found = first_difference(here.records, there.records) if there else None
        if found is None:
            say("  it repeats now: run it again to see which of its traces come")
            return
        console = make_console(sys.stderr, colour=self._wish.colour, width=self._wish.width)
        console.print(difference(found))


_NOT_EQUAL = """\
lostack: a run depends on the process that makes it, so nothing that it shows can be trusted
  this is a bug of lostack, not of your scenario
  fix: report the command, the scenario and the difference above, with 'lostack --version'"""


def _key(outcome: Outcome, number: int) -> str:
    return json.dumps([outcome.scenario.path, outcome.verdicts[number].world.variant])


def _trace_of(made: bytes | None, outcome: Outcome, number: int) -> Trace | None:
    try:
        found = parse((made or b"").splitlines(keepends=True), source="the second process")
    except TraceError:
        return None
    variant = outcome.verdicts[number].world.variant
    return next((trace for trace in found if trace.header.variant == variant), None)


def _start(request: object) -> "subprocess.Popen[bytes]":
    """Start the second process: the same Python and package, another order of hashes."""
    environment = dict(os.environ)
    environment["PYTHONHASHSEED"] = "2" if environment.get("PYTHONHASHSEED") == "1" else "1"
    folder = str(Path(sim.__file__).resolve().parent.parent)
    known = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = f"{folder}{os.pathsep}{known}" if known else folder
    process = subprocess.Popen(
        [sys.executable, "-m", "sim.cli.again"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(request).encode())
    process.stdin.close()
    process.stdin = None  # It has all that it needs; nobody writes to it any more.
    return process


def _answer_of(process: "subprocess.Popen[bytes]") -> bytes | None:
    """Return what the second process answers; None, and its complaint told, where it failed."""
    out, complaint = process.communicate()
    if process.returncode:
        last = complaint.decode("utf-8", "replace").strip().splitlines()[-1:]
        say(f"--twice: the second process ended with status {process.returncode}")
        say(f"  {''.join(last)}")
        say("  fix: report it, with the command, the scenario and 'lostack --version'")
        return None
    return out
