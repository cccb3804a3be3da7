"""What moved beside a baseline, as people read it: shared by every form of the report."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, assert_never

from sim.measure.baseline import Count
from sim.measure.baseline_diff import (
    Checked,
    CountMoved,
    Moved,
    PartMoved,
    State,
    TraceMoved,
    Which,
    unit_of,
)
from sim.measure.baseline_make import where
from sim.measure.baseline_store import Orphan
from sim.measure.definitions import Unit
from sim.report.measured_words import NO_VALUE, about, count
from sim.report.story import GLUE, Row, Stage
from sim.report.telling import rows
from sim.trace.jsonl import digest, record_line
from sim.trace.words import duration, plain

_MINUS = "−"
_STAGES = {
    Stage.SENT: "leaves",
    Stage.ARRIVED: "arrives",
    Stage.LOST_AT_ONCE: "is lost",
    Stage.LOST_LATER: "is lost",
    Stage.HELD: "is held",
}


class Detail(NamedTuple):
    """One thing that moved: where, what, as it was, as it is, by how much; and lines below it."""

    where: str
    what: str
    old: str
    new: str
    change: str
    notes: tuple[str, ...] = ()


def details(checked: Checked) -> list[Detail]:
    """Return everything that moved further than it may; first what has another value now."""
    return [detail(each) for each in sorted(checked.moved, key=_keeps_value)]


def _keeps_value(moved: Moved) -> bool:
    """Whether only the counts of a measure moved, and its value did not."""
    return isinstance(moved, CountMoved) and moved.held.value == moved.found.value


def detail(moved: Moved) -> Detail:
    """Return one thing that moved."""
    match moved:
        case TraceMoved():
            return _trace(moved)
        case CountMoved():
            return _count(moved)
        case PartMoved():
            return _part(moved)
        case _:
            assert_never(moved)


def one_line(found: Detail) -> str:
    """Return a detail without the lines below it."""
    place = f"{found.where}: " if found.where else ""
    return f"{place}{found.what} {found.old} → {found.new}, {found.change}"


def headline(checked: Checked, *, writes: bool = False) -> str:
    """Return how a scenario stands beside its baseline.

    Args:
        checked: The scenario.
        writes: Whether baselines are being written: then none is missing.
    """
    match checked.state:
        case State.SAME:
            return _unmoved(checked) if checked.within else "as in its baseline"
        case State.MOVED:
            return f"moved: {_parts(checked)}"
        case State.STALE:
            also = _parts(checked) or _unmoved(checked)
            return f"stale: the scenario has changed since its baseline was made; {also}"
        case State.MISSING:
            return "new: it gets its first baseline" if writes else "missing: it has no baseline"
        case _:
            assert_never(checked.state)


def _unmoved(checked: Checked) -> str:
    """Return what is said of a scenario in which nothing moved further than it may."""
    many = len(checked.within)
    if not many:
        return "what it does has not moved"
    return f"{count(many, 'measure')} moved no further than --tolerance allows"


def _parts(checked: Checked) -> str:
    traces = sum(isinstance(each, TraceMoved) for each in checked.moved)
    counts = sum(isinstance(each, CountMoved) for each in checked.moved)
    others = len(checked.moved) - traces - counts
    said = [
        count(many, one)
        for many, one in (
            (traces, "trace"),
            (counts, "measure"),
            (others, "part"),
            (len(checked.new_failures), "new failure"),
            (len(checked.mended), "mended failure"),
        )
        if many
    ]
    return ", ".join(said)


def failures(checked: Checked) -> list[tuple[str, str]]:
    """Return every failure with what the baseline knows of it: new, known or mended."""
    groups = (
        ("new failure", checked.new_failures),
        ("known failure", checked.known_failures),
        ("mended", checked.mended),
    )
    return [(kind, plain(text)) for kind, texts in groups for text in texts]


def orphan(found: Orphan) -> str:
    """Return what is said of a baseline without a scenario."""
    return f"orphaned: there is no scenario '{found.scenario}' at {plain(found.path)} any more"


def totals(found: Sequence[Checked], orphans: Sequence[Orphan]) -> str:
    """Return ``104 scenarios: 103 as in their baselines, 1 moved; 1 orphaned baseline``."""
    states = [each.state for each in found]
    is_one = len(found) == 1 or states.count(State.SAME) == 1
    words = {
        State.SAME: "as in its baseline" if is_one else "as in their baselines",
        State.MOVED: "moved",
        State.STALE: "stale",
        State.MISSING: "without a baseline",
    }
    parts = [
        f"{states.count(state)} {said}"
        for state, said in words.items()
        if state is State.SAME or state in states
    ]
    left = f"; {count(len(orphans), 'orphaned baseline')}" if orphans else ""
    return f"{count(len(found), 'scenario')}: {', '.join(parts)}{left}"


# --- traces -----------------------------------------------------------------------------------


def _trace(moved: TraceMoved) -> Detail:
    held, now, first = moved.held, len(moved.records), moved.first
    if held.every > 1 and first < now:
        last = min(first + held.every, now)
        change = f"differs first somewhere in records {first + 1} to {last}"
    elif first >= now:
        change = f"the same up to record {now}, where it ends now"
    elif first >= held.records:
        change = f"the same up to record {held.records}, where it ended"
    else:
        change = f"differs first at record {first + 1}"
    return Detail(
        where=moved.held.variant,
        what="trace",
        old=f"{held.digest[:8]} ({count(held.records, 'record')})",
        new=f"{digest(moved.records)[:8]} ({count(now, 'record')})",
        change=change,
        notes=_story(moved),
    )


def _story(moved: TraceMoved) -> tuple[str, ...]:
    """Return the record that differs (or the last one there is) as a story line and as itself.

    Some records are told together with others, or not at all: then the row before them (``near``)
    says where in the story they are.
    """
    if not moved.records:
        return ()
    at = min(moved.first, len(moved.records) - 1)
    record = moved.records[at]
    told = [row for row in rows(moved.world, moved.records) if row.seq <= record.seq]
    label = "now" if moved.first < len(moved.records) else "last"
    notes = []
    if told:
        is_itself = told[-1].seq == record.seq
        notes.append(f"{label if is_itself else 'near'}: {story_line(told[-1])}")
    return (*notes, f"record: {plain(record_line(record).decode('utf-8'))}")


def story_line(row: Row) -> str:
    """Return one row of a story as one line: ``2.5 s  ann: op-1 attempt-02; request 02 leaves``."""
    parts = ["".join(span.text for span in row.left)]
    if row.arrow is not None:
        late = f" {duration(row.arrow.late_us)} late" if row.arrow.late_us else ""
        parts.append(f"{row.arrow.label} {_STAGES[row.arrow.stage]}{late}")
    parts.append("".join(span.text for span in row.right))
    said = "; ".join(part for part in parts if part).replace(GLUE, " ")
    who = f"{row.client}: " if row.client else ""
    return f"{duration(row.at_us)}  {who}{said}"


# --- counts -----------------------------------------------------------------------------------


def _count(moved: CountMoved) -> Detail:
    held, found, unit = moved.held, moved.found, unit_of(moved.measure)
    return Detail(
        where=_place(moved.variant, moved.cell),
        what=moved.measure,
        old=_value(held, unit),
        new=_value(found, unit),
        change=_change(held, found, unit) + _bounds(held, found, unit),
    )


def _place(variant: str, cell: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(part for part in (variant, where(cell)) if part)


def _value(one: Count, unit: Unit) -> str:
    if unit is Unit.COUNT:
        return f"{one.count:,}"
    counted = f"{one.count:,} of {one.denominator:,}"
    return f"{_number(one.value, unit)} ({counted})"


def _number(value: Fraction | float | None, unit: Unit) -> str:
    if value is None:
        return NO_VALUE
    number = float(value)
    match unit:
        case Unit.SHARE:
            return f"{100 * number:.4g} %"
        case Unit.TIME:
            return about(number)
        case _:
            return f"{number:.4g}"


def _change(held: Count, found: Count, unit: Unit) -> str:
    if unit is Unit.COUNT:
        return f"{found.count - held.count:+,d}".replace("-", _MINUS)
    if held.value is None or found.value is None:
        return "a value on one side only"
    by = found.value - held.value
    sign = "+" if by > 0 else _MINUS if by < 0 else ""
    if unit is Unit.SHARE:
        return f"{sign}{100 * float(abs(by)):.4g} pp"
    return sign + _number(abs(by), unit)


def _bounds(held: Count, found: Count, unit: Unit) -> str:
    """Return where the new value lies beside the baseline's interval; empty where there is none."""
    if held.low is None or found.value is None:
        return ""
    is_within = held.low <= found.value and (held.high is None or found.value <= held.high)
    low = _number(held.low, unit)
    span = f"at least {low}" if held.high is None else f"{low} to {_number(held.high, unit)}"
    return f", {'within' if is_within else 'outside'} its interval {span}"


def _part(moved: PartMoved) -> Detail:
    place = _place(moved.variant, moved.cell)
    what = "cell" if moved.cell else "variant"
    match moved.which:
        case Which.NEW:
            return Detail(place, what, "none", "there", "the baseline does not hold it")
        case Which.GONE:
            return Detail(place, what, "there", "none", "the baseline alone holds it")
        case Which.REMADE:
            return Detail(place, what, "other runs", "these", "another seed or number of runs")
        case _:
            assert_never(moved.which)
