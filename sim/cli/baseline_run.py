"""``lostack baseline``: run scenarios, compare them with their baselines, show, write."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR

from sim.cli.choose import choose
from sim.cli.errors import CommandError, say
from sim.cli.exits import Exit, worst
from sim.cli.measure_interrupt import Interrupts
from sim.cli.measure_progress import Bar
from sim.cli.output import (
    check_folder,
    emit,
    folder_written,
    reason_of,
    results,
    write_text,
    written,
)
from sim.cli.workers import pool
from sim.engine.world import simulate
from sim.measure.baseline import Baseline, Change, decisive_versions
from sim.measure.baseline_diff import Checked, Exactly, State, Tolerance, check
from sim.measure.baseline_file import BaselineError, dump
from sim.measure.baseline_make import Made, Wanted, make, wanted
from sim.measure.baseline_store import Orphan, Store
from sim.report import baselined_words as words
from sim.report.baselined import Findings, baselined
from sim.report.console import make_console
from sim.scenario.model import Scenario, World
from sim.trace.records import Record
from sim.trace.words import count

FIRST = "first baseline"
_MOVED_MAX = 20
"""So many things that moved are kept in a baseline's history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The options of ``lostack baseline``; their help says what each one means."""

    paths: tuple[str, ...]
    folder: str
    workers: int | None = None
    width: int | None = None
    colour: bool | None = None
    tolerance: Tolerance = Exactly()
    only_new: bool = False
    form: str = "text"
    reason: str | None = None
    runs: int | None = None
    prune: bool = False


@dataclass(frozen=True, slots=True)
class _Beside:
    """A scenario, its baseline, and what it does now; ``found`` None: it was not run."""

    scenario: Scenario
    held: Baseline | None
    found: Made | None
    checked: Checked


@dataclass(frozen=True, slots=True)
class _Chosen:
    scenarios: tuple[Scenario, ...]
    held: tuple[Baseline | None, ...]
    orphans: tuple[Orphan, ...]
    status: Exit


def check_all(wish: Wish) -> Exit:
    """Check what was asked for and return the exit status.

    Raises:
        CommandError: What is named as the folder of baselines is none.
    """
    _check_read(wish.folder)
    store = Store(wish.folder)
    chosen = _chosen(wish, store)
    beside = _beside(wish, chosen, everything=False)
    if beside is None:
        return Exit.INTERRUPTED
    found = _findings(wish, chosen, beside, writes=False)
    _show(wish, found)
    return worst([chosen.status, Exit.OK if found.is_passed else Exit.FAILED])


def update_all(wish: Wish) -> Exit:
    """Renew what was asked for and return the exit status.

    Raises:
        CommandError: A baseline that there is would change, and no reason is given.
    """
    _check_written(wish.folder)
    store = Store(wish.folder)
    chosen = _chosen(wish, store)
    beside = _beside(wish, chosen, everything=True)
    if beside is None:
        return Exit.INTERRUPTED
    _show(wish, _findings(wish, chosen, beside, writes=True))
    changing = [each for each in beside if each.checked.state in (State.MOVED, State.STALE)]
    if changing and wish.reason is None:
        raise CommandError(
            f"{count(len(changing), 'baseline')} would change and no reason is given; "
            "nothing is written",
            'where it is right, say why: --reason "what changed and why that is meant"',
        )
    _write(wish, store, beside)
    if wish.prune:
        _prune(chosen.orphans)
    return chosen.status


def _check_read(folder: str) -> None:
    """Refuse what cannot be a folder of baselines, and say where there is none.

    That alone is no bad input: before the first update no scenario has a baseline.
    """
    fix = "name the folder of the baselines (--dir)"
    if not folder:
        raise CommandError("no folder is named", fix)
    try:
        is_folder = S_ISDIR(Path(folder).stat().st_mode)
    except FileNotFoundError:
        say(f"the folder '{folder}' does not exist, so there are no baselines in it")
        return
    except (OSError, ValueError) as error:
        raise CommandError(f"'{folder}' cannot be read: {reason_of(error)}", fix) from None
    if not is_folder:
        raise CommandError(f"'{folder}' is a file, and baselines lie in a folder", fix)


def _check_written(folder: str) -> None:
    """Refuse a folder that could not be written, or not be made, before anything is run for it.

    It is made when the first baseline is written: an update may write none.
    """
    path = Path(folder)
    with folder_written(folder):
        there = next((each for each in (path, *path.parents) if each.exists()), path)
    check_folder(str(there) if folder else folder)


def _chosen(wish: Wish, store: Store) -> _Chosen:
    """Return the scenarios and their baselines; whatever cannot be read is told at once."""
    chosen = choose(wish.paths)
    status = Exit.BAD_INPUT if chosen.problems else Exit.OK
    for problem in chosen.problems:
        say(str(problem))
    _check_names(chosen.scenarios)
    scenarios: list[Scenario] = []
    held: list[Baseline | None] = []
    for scenario in chosen.scenarios:
        try:
            held.append(store.read(scenario.name))
            scenarios.append(scenario)
        except BaselineError as error:
            say(str(error))
            status = Exit.BAD_INPUT
    # A scenario that does not load is no reason to call its baseline orphaned: its file is there.
    try:
        orphans = tuple(store.orphans([one.name for one in chosen.scenarios]))
    except BaselineError as error:
        say(str(error))
        orphans, status = (), Exit.BAD_INPUT
    return _Chosen(tuple(scenarios), tuple(held), orphans, status)


def _check_names(scenarios: Sequence[Scenario]) -> None:
    paths: dict[str, str] = {}
    for scenario in scenarios:
        if scenario.name in paths:
            raise CommandError(
                f"two scenarios are named '{scenario.name}': {paths[scenario.name]} and "
                f"{scenario.path}; a baseline belongs to a name",
                "rename one of the files, or keep them in two folders of baselines (--dir)",
            )
        paths[scenario.name] = scenario.path


def _beside(wish: Wish, chosen: _Chosen, *, everything: bool) -> list[_Beside] | None:
    """Run what has a baseline (or everything) and compare; None when interrupted."""
    pairs = list(zip(chosen.scenarios, chosen.held, strict=True))
    running = [pair for pair in pairs if everything or pair[1] is not None]
    made = _made(wish, [wanted(scenario, wish.runs, held) for scenario, held in running])
    if made is None:
        return None
    by_name = {pair[0].name: one for pair, one in zip(running, made, strict=True)}
    versions = decisive_versions()
    return [
        _Beside(
            scenario,
            held,
            by_name.get(scenario.name),
            check(
                scenario,
                held,
                by_name.get(scenario.name),
                versions,
                records_of=_records,
                tolerance=wish.tolerance,
            ),
        )
        for scenario, held in pairs
    ]


def _records(world: World) -> Sequence[Record]:
    return simulate(world).records


def _made(wish: Wish, all_wanted: Sequence[Wanted]) -> list[Made] | None:
    runs = sum(each.size for each in all_wanted)
    if not runs:
        return []
    bar = Bar(runs, 0, time.perf_counter)
    done = 0

    def more(finished: int) -> None:
        nonlocal done
        done += finished
        bar.show(done, "")

    with Interrupts() as interrupts, pool(wish.workers, runs) as workers:
        try:
            found = make(
                all_wanted, time.perf_counter, workers, stop=lambda: interrupts.asked, made=more
            )
        finally:
            bar.clear()
    if found is None:
        say(f"interrupted: {done:,} of {runs:,} runs are made; nothing is compared or written")
    return found


def _findings(wish: Wish, chosen: _Chosen, beside: Sequence[_Beside], *, writes: bool) -> Findings:
    return Findings(
        checked=tuple(each.checked for each in beside),
        orphans=chosen.orphans,
        folder=wish.folder,
        only_new=wish.only_new,
        tolerance=wish.tolerance,
        writes=writes,
    )


def _show(wish: Wish, found: Findings) -> None:
    if wish.form == "text":
        console = make_console(sys.stdout, colour=wish.colour, width=wish.width)
        with results():
            console.print(baselined(found))
        return
    from sim.report import baselined_formats as formats  # noqa: PLC0415 - one form is wanted

    forms = {
        "json": formats.as_json,
        "markdown": formats.as_markdown,
        "github": formats.as_github,
    }
    emit(forms[wish.form](found))


def _write(wish: Wish, store: Store, beside: Sequence[_Beside]) -> None:
    """Write every baseline that is new or has moved, each whole or not at all."""
    many = 0
    for each in beside:
        path = store.path_to(each.scenario.path)
        is_kept = each.checked.state is State.SAME
        if is_kept and _is_whole(each, path):
            continue
        many += 1
        text = dump(_renewed(wish, each, path))
        file = store.file_of(each.scenario.name)
        with folder_written(str(store.folder)):
            store.folder.mkdir(parents=True, exist_ok=True)
        write_text(str(file), text)
    left = sum(each.checked.state is State.SAME for each in beside)
    say(f"written: {count(many, 'baseline')} in {wish.folder}; {left} not moved")


def _is_whole(each: _Beside, path: str) -> bool:
    """Whether a file would be the same again: where it is, and as fine as it can be.

    The counts are; the intervals made of them may be of another method than they once were.
    """
    if each.held is None or each.found is None or each.held.path != path:
        return False
    if each.held.cells != each.found.cells:
        return False
    return [t.every for t in each.held.traces] == [t.every for t in each.found.traces]


def _renewed(wish: Wish, each: _Beside, path: str) -> Baseline:
    """Return the baseline of what the scenario does now, with its history."""
    assert each.found is not None
    versions = decisive_versions()
    history = each.held.history if each.held is not None else ()
    if each.checked.state is not State.SAME:
        change = Change(
            reason=wish.reason or FIRST, versions=versions, moved=tuple(_moved(each.checked))
        )
        history = (*history, change)
    elif each.held is not None:
        versions = dict(each.held.versions)
    return Baseline(
        scenario=each.scenario.name,
        path=path,
        digest=each.scenario.digest,
        versions=versions,
        traces=each.found.traces,
        cells=each.found.cells,
        history=history,
    )


def _moved(checked: Checked) -> list[str]:
    if checked.state is State.MISSING:
        return []
    lines = ["the scenario has changed"] if checked.state is State.STALE else []
    lines += [words.one_line(each) for each in words.details(checked)]
    lines += [f"new failure: {text}" for text in checked.new_failures]
    lines += [f"mended: {text}" for text in checked.mended]
    left = len(lines) - _MOVED_MAX
    return [*lines[:_MOVED_MAX], f"and {left} more"] if left > 0 else lines


def _prune(orphans: Sequence[Orphan]) -> None:
    for orphan in orphans:
        with written(str(orphan.file)):
            Path(orphan.file).unlink()
        say(f"deleted: {orphan.file}")
