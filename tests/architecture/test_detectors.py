"""The rules above would find what they look for."""

import ast

from tests.architecture.sources import Module, imports
from tests.architecture.test_determinism_rules import _is_set, _iterated


def _found(source: str) -> list[bool]:
    return [_is_set(node) for node in _iterated(ast.parse(source))]


def test_a_loop_over_a_set_is_seen() -> None:
    assert any(_found("for x in {1, 2}: pass"))
    assert any(_found("[x for x in set(y)]"))
    assert any(_found("tuple(frozenset(y) | z)"))


def test_a_sorted_set_is_no_loop_over_a_set() -> None:
    assert not any(_found("for x in sorted({1, 2}): pass"))


def _imports(source: str) -> list[tuple[str, bool]]:
    module = Module("sim/x.py", "", source, ast.parse(source))
    return [(found.name, found.at_import_time) for found in imports(module)]


def test_an_import_inside_a_function_is_late() -> None:
    assert _imports("import json\ndef f():\n    import pandas") == [
        ("json", True),
        ("pandas", False),
    ]


def test_a_room_imported_from_the_package_is_seen() -> None:
    assert _imports("from sim import engine") == [("sim.engine", True)]
