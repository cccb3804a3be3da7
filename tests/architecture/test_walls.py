"""Who may import whom: one direction, no way back."""

import sys
from collections.abc import Iterator

from tests.architecture.sources import ROOT, Import, Module, imports, modules

_INNER = {"contract", "network", "trace", "scenario", "presets"}
MAY_IMPORT: dict[str, set[str]] = {
    "contract": set(),
    "network": {"contract"},
    "trace": {"contract"},
    "presets": {"contract"},
    "scenario": {"contract", "network", "presets"},
    "engine": {"scenario", "network", "contract", "trace"},
    "judge": {"trace", "contract", "scenario", "network", "presets"},
    "measure": {"judge", "engine", *_INNER},
    "explore": {"judge", "engine", *_INNER},
    "report": {"judge", "measure", "explore", *_INNER},
    "cli": {"report", "judge", "measure", "explore", "engine", *_INNER},
}
INSTEAD = {
    "contract": "the contract is pure: let the caller hand the value in as an argument",
    "network": "the network knows messages only: let the engine hand the value in",
    "trace": "a trace is plain data: put the words into report, the judgement into judge",
    "presets": "a preset is data: describe it in terms of the contract",
    "scenario": "a scenario is plain data: whoever runs or judges it reads sim.scenario.model",
    "engine": "the engine only makes traces: judge them in judge, show them in report",
    "judge": "the judge sees traces, never the engine: record what it needs in the trace",
    "measure": "measuring returns values: show them in report, print them in cli",
    "explore": "exploring returns values: show them in report, print them in cli",
    "report": "a report shows results: let cli run the engine and hand the result in",
}
ONLY_IN = {
    "simpy": ("sim/engine/",),
    "mypy_extensions": ("sim/engine/philox_native.py",),  # Of the compiler: never at run time.
    "matplotlib": ("sim/report/charts",),
    "pandas": ("sim/measure/", "sim/report/"),
    "numpy": ("sim/engine/", "sim/measure/", "sim/report/"),
    "click": ("sim/cli/",),
    "yaml": ("sim/scenario/",),
    "pydantic": ("sim/scenario/",),
    "pydantic_core": ("sim/scenario/",),
    "rich": ("sim/report/", "sim/cli/"),
    "jinja2": ("sim/report/",),
    "dask": ("sim/measure/",),
    "distributed": ("sim/measure/",),
    "pyarrow": ("sim/measure/", "sim/report/"),
}
HEAVY = {"pandas", "matplotlib", "pyarrow", "dask", "distributed"}


def _imports() -> Iterator[tuple[Module, Import]]:
    return ((module, found) for module in modules() for found in imports(module))


def test_every_room_has_a_wall() -> None:
    rooms = {path.name for path in (ROOT / "sim").iterdir() if (path / "__init__.py").exists()}

    assert rooms == set(MAY_IMPORT), "name the new room in MAY_IMPORT and in docs/architecture.md"


def test_a_module_imports_only_rooms_below_its_own() -> None:
    problems = []
    for module, found in _imports():
        allowed = MAY_IMPORT.get(module.room, set(MAY_IMPORT)) | {module.room}
        room = found.name.split(".")[1] if found.name.startswith("sim.") else module.room
        if room in MAY_IMPORT and room not in allowed:
            problems.append(
                f"{module.path}:{found.line} imports {found.name!r}; {module.room} may import "
                f"{sorted(allowed)} only\n  instead: {INSTEAD[module.room]}"
            )

    assert not problems, "\n".join(problems)


def test_a_library_is_imported_only_in_its_own_room() -> None:
    problems = [
        f"{module.path}:{found.line} imports {found.name!r}\n"
        f"  instead: do that work in {' or '.join(homes)} and pass plain values here"
        for module, found in _imports()
        if (homes := ONLY_IN.get(found.library)) and not module.path.startswith(homes)
    ]

    assert not problems, "\n".join(problems)


def test_every_library_is_a_declared_one() -> None:
    known = {*sys.stdlib_module_names, *ONLY_IN, "sim"}
    problems = [
        f"{module.path}:{found.line} imports {found.name!r}\n  instead: use the standard "
        "library, or add the dependency to pyproject.toml, constraints.txt and ONLY_IN"
        for module, found in _imports()
        if found.library not in known
    ]

    assert not problems, "\n".join(problems)


def test_heavy_libraries_are_imported_only_when_they_are_used() -> None:
    problems = [
        f"{module.path}:{found.line} imports {found.name!r} when it is itself imported\n"
        "  instead: import it in the function that needs it, so that 'lostack run' starts fast"
        for module, found in _imports()
        if found.library in HEAVY and found.at_import_time
    ]

    assert not problems, "\n".join(problems)


def test_imports_name_the_whole_path() -> None:
    problems = [
        f"{module.path}:{found.line} imports relatively\n  instead: write 'from sim.… import'"
        for module, found in _imports()
        if not found.library
    ]

    assert not problems, "\n".join(problems)
