"""The tables of the pages, made from the code that they describe."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from docs import schema_tables as schema
from sim.contract.messages import RefusalKind
from sim.contract.mistakes import MISTAKES, Mistake, Side
from sim.contract.phases import Phase, Reason, sentence
from sim.judge.catalog import Entry, EntryKind, entries, flow
from sim.presets import CONTRACTS, POLICIES, Preset

_PART = re.compile(r"(<!-- made: (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def with_tables(text: str) -> str:
    """Return ``text`` with every marked part made anew.

    Raises:
        KeyError: A mark names a part that does not exist.
    """
    return _PART.sub(lambda part: f"{part[1]}\n{_made(part[2])}\n{part[4]}", text)


def _made(name: str) -> str:
    kind, _, argument = name.partition(":")
    return FORMAT[kind](argument) if argument else PARTS[name]()


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(_cell(cell) for cell in line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _entries(kind: EntryKind, prefix: str = "") -> list[Entry]:
    return [e for e in entries() if e.kind is kind and e.name.startswith(prefix)]


def _phases() -> str:
    rows = [
        (f"`{e.name}`", e.what, e.shows.removeprefix("On the screen: "), e.do)
        for e in _entries(EntryKind.PHASE)
    ]
    return table(("phase", "meaning", "on the screen", "what the person does"), rows)


def _reasons() -> str:
    shown = [(Phase.IDLE, reason) for reason in Reason if reason is not Reason.NONE]
    rows = [(f"`{reason}`", sentence(phase, reason)) for phase, reason in shown]
    return table(("reason", "on the screen"), rows)


def _refusals() -> str:
    return table(("refusal", "status"), [(f"`{r}`", str(r.http_status)) for r in RefusalKind])


def _rules(prefix: str) -> str:
    return table(
        ("rule", "what it says"),
        [(f"`{e.name}`", e.what) for e in _entries(EntryKind.RULE, prefix)],
    )


def _invariants() -> str:
    rows = [
        (f"`{e.name}`", e.what.removeprefix("Holds when ").rstrip("."), e.shows, e.does_not_prove)
        for e in _entries(EntryKind.INVARIANT)
    ]
    return table(("invariant", "holds when", "when it breaks", "what it leaves open"), rows)


def _mistake_list(side: Side) -> str:
    rows = [
        (f"[`{m.name}`](mistakes.md#{m.name})", m.does, m.symptom)
        for m in MISTAKES
        if m.side is side
    ]
    return table(("mistake", "what it does", "symptom"), rows)


def _mistakes(side: Side) -> str:
    return "\n".join(_mistake(m) for m in MISTAKES if m.side is side)


def _mistake(m: Mistake) -> str:
    lines = [
        ("What it does", m.does),
        ("Symptom", m.symptom),
        ("Cause", m.cause),
        ("Check", m.check),
        ("Remedy", m.remedy),
        ("What this does not prove", m.does_not_prove),
        ("Can break", ", ".join(f"`{name}`" for name in m.breaks)),
    ]
    return f"### {m.name}\n\n" + "".join(f"- **{head}.** {text}\n" for head, text in lines)


def _measures() -> str:
    rows = [(f"`{e.name}`", e.what, e.shows, e.does_not_prove) for e in _entries(EntryKind.MEASURE)]
    return table(
        ("measure", "numerator / denominator", "how to read it", "what it leaves open"), rows
    )


def _faults() -> str:
    rows = [(f"`{e.name}`", e.what, f"`{e.example}`", e.shows) for e in _entries(EntryKind.FAULT)]
    return table(("action", "what it does", "example", "how it shows"), rows)


def _presets(presets: tuple[Preset, ...]) -> str:
    rows = [(f"`{p.name}`", p.title, f"`{flow(p.keys)}`", p.not_said, p.source) for p in presets]
    head = ("preset", "what it is", "what it stands for", "what it does not say", "read in")
    return table(head, rows)


_FIELD_HEAD = ("key", "type", "default", "meaning", "example")


def _fields(definition: str) -> str:
    return table(_FIELD_HEAD, schema.fields(definition))


def _common(definition: str) -> str:
    shared = [f"`{key}`" for key in schema.common(definition)]
    return table(_FIELD_HEAD, [row for row in schema.fields(definition) if row[0] in shared])


def _members(names: list[str], example: Callable[[str], str]) -> str:
    rows = [
        (schema.headline(name), schema.about(name), schema.own_keys(name), example(name))
        for name in names
    ]
    return table(("line", "what it does", "its own keys", "example"), rows)


def clause_example(definition: str) -> str:
    """Return a clause of ``faults`` as one writes it: the line that 'lostack explain' shows."""
    (entry,) = _entries(EntryKind.FAULT, schema.main_key(definition))
    return f"`{entry.example}`"


def _scenario(name: str) -> str:
    file = Path(__file__).resolve().parents[1] / "scenarios" / f"{name}.yaml"
    return f"```yaml\n{file.read_text(encoding='utf-8')}```\n"


FORMAT: dict[str, Callable[[str], str]] = {
    "fields": _fields,
    "common": _common,
    "scenario": _scenario,
}

PARTS: dict[str, Callable[[], str]] = {
    "phases": _phases,
    "reasons": _reasons,
    "refusals": _refusals,
    "client-rules": lambda: _rules("client."),
    "server-rules": lambda: _rules("server."),
    "invariants": _invariants,
    "client-mistake-list": lambda: _mistake_list(Side.CLIENT),
    "server-mistake-list": lambda: _mistake_list(Side.SERVER),
    "client-mistakes": lambda: _mistakes(Side.CLIENT),
    "server-mistakes": lambda: _mistakes(Side.SERVER),
    "measures": _measures,
    "faults": _faults,
    "policies": lambda: _presets(POLICIES),
    "contracts": lambda: _presets(CONTRACTS),
    "lines": lambda: _members(schema.lines(), schema.line_example),
    "clauses": lambda: _members(schema.clauses(), clause_example),
}
