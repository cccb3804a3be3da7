"""What was expected and found, what broke and why: the parts below a story."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sim.judge.court import BELIEFS
from sim.judge.verdict import Diagnosis, Status, Verdict
from sim.report.findings import Break, Broken, aside, broken, doubts
from sim.report.outcome import Outcome
from sim.trace.words import body, count, plain

MARKS = {
    Status.PASSED: ("✓", "green"),
    Status.FAILED: ("✗", "bold red"),
    Status.INCONCLUSIVE: ("?", "bold yellow"),
}

BREAK_STYLES = {Break.EXPECTED: "yellow", Break.UNEXPECTED: "bold red", Break.MISSING: "bold red"}


def grid(columns: int, *, last_wraps: bool = True) -> Table:
    """Return a borderless table whose last column takes what is left."""
    table = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    for number in range(columns):
        is_last = number == columns - 1
        table.add_column(no_wrap=not (is_last and last_wraps), overflow="fold", vertical="top")
    return table


def findings(verdict: Verdict) -> RenderableType:
    """Return all that was found in one run: checks, broken invariants, doubts, diagnoses."""
    parts: list[RenderableType] = []
    if verdict.checks:
        parts.append(_checks(verdict))
    found = broken(verdict)
    parts.append(_broken(found) if found else Text("✓  every invariant holds", "green"))
    parts += [Text(f"?  {plain(doubt)}", "yellow") for doubt in doubts(verdict)]
    if verdict.open_operations:
        said = count(verdict.open_operations, "operation")
        parts.append(_quiet(f"{said} still open at the horizon"))
    for diagnosis in verdict.diagnoses:
        parts += [Text(), _diagnosis(diagnosis)]
    parts += [_quiet(said) for said in (aside(verdict),) if said]
    return Group(*parts)


def _quiet(said: str) -> Table:
    table = grid(2)
    table.add_row(Text("·", "dim"), Text(plain(said), "dim"))
    return table


def _checks(verdict: Verdict) -> RenderableType:
    """Return what is as expected in a line or two, and what is not one below the other."""
    held = [f"{check.what} {_value(check.found)}" for check in verdict.checks if check.holds]
    table = grid(2)
    if held:
        table.add_row(Text("✓", "green"), Text.assemble(("as expected: ", "green"), _list(held)))
    for check in verdict.checks:
        if not check.holds:
            said = Text.assemble(
                (f"{check.what}: ", "bold red"),
                "expected ",
                (_value(check.expected), "bold"),
                ", found ",
                (_value(check.found), "red"),
            )
            table.add_row(Text("✗", "bold red"), said)
    return table


def _list(items: Iterable[str]) -> str:
    return " · ".join(plain(item) for item in items)


def _value(text: str) -> str:
    """Return a value as it reads in the scenario file; bodies come as canonical JSON."""
    return body(text, limit=120) if text.startswith(("{", "[")) else plain(text)


def _broken(found: Iterable[Broken]) -> Table:
    table = grid(3)
    for item in found:
        style = BREAK_STYLES[item.how]
        said = Text.assemble((f"{item.how}: " if item.first else "", style), plain(item.says))
        table.add_row(Text(item.how.sign, style), Text(item.invariant, style), said)
    return table


def _diagnosis(diagnosis: Diagnosis) -> RenderableType:
    how = "switched on here" if diagnosis.switched_on else "the symptoms point at it"
    head = Text.assemble(("diagnosis  ", "bold"), (diagnosis.mistake, "bold yellow"), f"  ({how})")
    table = grid(2)
    for label in ("symptom", "cause", "check", "remedy"):
        table.add_row(Text(f"→ {label}", "dim"), Text(getattr(diagnosis, label)))
    return Group(head, Padding(table, (0, 0, 0, 2)))


def beliefs(verdicts: Iterable[Verdict]) -> RenderableType:
    """Return the belief x truth matrix: what clients believe against how many effects there are.

    Runs with a mistake switched on stand apart: their wrong cells are what they are there to show.
    """
    kinds: dict[bool, dict[str, list[int]]] = {False: {}, True: {}}
    for verdict in verdicts:
        for cell in verdict.beliefs:
            row = kinds[is_mistaken(verdict)].setdefault(cell.belief, [0, 0, 0])
            row[min(cell.effects, 2)] += cell.count
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("what clients believe")
    for effects in ("0 effects", "1 effect", "2+ effects"):
        table.add_column(effects, justify="right")
    for mistaken, counts in kinds.items():
        if counts and all(kinds.values()):
            table.add_row(Text("a mistake on" if mistaken else "no mistake on", "dim"))
        for belief in sorted(counts, key=_place):
            cells = (_cell(belief, effects, many) for effects, many in enumerate(counts[belief]))
            table.add_row(f"  {belief}" if all(kinds.values()) else belief, *cells)
    return table


def is_mistaken(verdict: Verdict) -> bool:
    """Return whether a mistake is switched on, at the server or at any client."""
    world = verdict.world
    return bool(world.server.mistakes) or any(client.mistakes for client in world.clients)


def _place(belief: str) -> int:
    return BELIEFS.index(belief) if belief in BELIEFS else len(BELIEFS)


_WRONG = {("acknowledged", 0), ("not saved", 1)}


def _cell(belief: str, effects: int, many: int) -> Text:
    if not many:
        return Text("·", "dim")
    is_wrong = effects == 2 or (belief, effects) in _WRONG
    return Text(str(many), "bold red" if is_wrong else "green" if effects == 1 else "")


def counts(outcomes: Sequence[Outcome]) -> Text:
    """Return the line that says it all: how many scenarios and runs, and how they ended."""
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]
    said = [f"{count(len(outcomes), 'scenario')}, {count(len(verdicts), 'run')}: "]
    text = Text(said[0], "bold")
    for number, status in enumerate(Status):
        many = sum(verdict.status is status for verdict in verdicts)
        if many or status is Status.PASSED:
            text.append(f"{', ' if number else ''}{many} {status}", MARKS[status][1])
    return text
