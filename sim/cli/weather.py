"""``lostack weather``: a browser's HAR file as latencies that a scenario can use."""

from collections.abc import Sequence
from pathlib import Path

import click

from sim.cli.errors import CommandError, say
from sim.cli.exits import Exit
from sim.cli.options import debug
from sim.cli.output import STDOUT, check_outputs, emit, write_text
from sim.scenario.errors import ScenarioError
from sim.scenario.har import THOUSANDTHS, Reason, Weather, as_csv, read_har
from sim.trace.words import count, duration

EPILOG = """\
\b
Examples:
  lostack weather train.har --host api.example.org --out train.csv
  lostack weather train.har --method POST --half > train.csv
\b
Then, in a scenario beside it:
  network: {request: {latency: {empirical: train.csv}}, ack: {latency: 0s}}
\b
The durations are whole exchanges, from the request to the end of the answer,
the server's work included. Give them to one direction and 0s to the other, or
write half of each (--half) for both. A failed request has no duration: it is
counted, and 'loss' is where a scenario says how often that happens.
"""


@click.command("weather", epilog=EPILOG)
@click.argument("file", metavar="FILE.har")
@click.option(
    "--out",
    metavar="FILE.csv",
    default=STDOUT,
    help="Write the latencies to FILE.csv and the summary to standard output; without it the "
    "latencies go to standard output and the summary to standard error.",
)
@click.option("--host", "hosts", multiple=True, metavar="NAME", help="Only this host; repeatable.")
@click.option(
    "--method", "methods", multiple=True, metavar="NAME", help="Only this method; repeatable."
)
@click.option("--half", is_flag=True, help="Write half of each duration, for both directions.")
@debug
def command(
    file: str, out: str, hosts: tuple[str, ...], methods: tuple[str, ...], half: bool
) -> Exit:
    """Turn a browser's HAR file into latencies for 'empirical:'.

    Only durations are written, in rising order: no address, no header, no body,
    no time of day.
    """
    if not file:
        raise CommandError("no file is named", "name a HAR file")
    check_outputs([out], [file])
    try:
        found = read_har(file, hosts=hosts, methods=methods)
    except ScenarioError as problem:
        say(str(problem))
        return Exit.BAD_INPUT
    if not found.latencies_us:
        raise _nothing_left(file, found)
    latencies = [value // 2 for value in found.latencies_us] if half else found.latencies_us
    write_text(out, as_csv(latencies))
    text = summary(Path(file).name, found, half=half)
    if out == STDOUT:
        say(text)
    else:
        emit(f"{text}\nwritten: {out}\n")
    return Exit.OK


def summary(name: str, found: Weather, *, half: bool = False) -> str:
    """Return the summary for people: counts, failures, quantiles, what was left out and why."""
    many = len(found.latencies_us)
    asked = many + found.failures
    share = found.failures / asked
    quantiles = ", ".join(
        f"{label} {_shown(found.quantile(part))}" for label, part in THOUSANDTHS.items()
    )
    latencies = _plural(many, "latency", "latencies")
    entries = _plural(found.entries, "entry", "entries")
    lines = [
        f"{name}: {many:,} {latencies} of {found.entries:,} {entries}",
        f"  whole exchanges: {quantiles}" + ("; written is half of each" if half else ""),
        f"  failures: {found.failures:,} of {count(asked, 'request')} ({100 * share:.1f} %)",
    ]
    lines += [f"  left out: {count:,} {reason}" for reason, count in found.left_out]
    return "\n".join(lines)


def _shown(value_us: int) -> str:
    """Return a duration with three digits or so: nobody reads microseconds of a second."""
    step = 10 ** max(0, len(str(value_us)) - 3)
    return duration((value_us + step // 2) // step * step)


def _plural(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def _nothing_left(file: str, found: Weather) -> CommandError:
    why = "; ".join(f"{count:,} {reason}" for reason, count in found.left_out)
    return CommandError(f"{file[:200]}: no latency is left: {why}", _fix(found))


def _fix(found: Weather) -> str:
    """Return what helps: other names where names left something out, else another recording.

    Where a method left something out, its host was right.
    """
    left = dict(found.left_out)
    fixes = []
    if Reason.OTHER_METHOD in left and found.methods:
        fixes.append(f"its methods are: {_listed(found.methods)}")
    elif Reason.OTHER_HOST in left and found.hosts:
        fixes.append(f"its hosts are: {_listed(found.hosts)}")
    last, _ = found.left_out[-1]
    if not fixes or last not in (Reason.OTHER_HOST, Reason.OTHER_METHOD):
        fixes.append("record a page that talks to a server, and whose answers have come")
    return "; or ".join(fixes)


def _listed(names: Sequence[tuple[str, int]]) -> str:
    more = f", and {len(names) - 5:,} more" if len(names) > 5 else ""
    return ", ".join(f"{name[:60]} ({count:,})" for name, count in names[:5]) + more
