"""Small modules with one job, and nothing left half done."""

import ast
from collections.abc import Iterator

from tests.architecture.sources import Module, modules, texts

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
# Put together here, so that this file does not hold the words that it looks for.
UNFINISHED = tuple(word + end for word, end in (("TO", "DO"), ("FIX", "ME"), ("XX", "X")))
UNFINISHED += ("NotImplemented" + "Error",)
FOREIGN = ("/" + "root/", "/" + "work/", "py" + "pi.org", "python" + "hosted")


def test_modules_are_short() -> None:
    problems = [
        f"{module.path} has {lines} lines; the limit is {FILE_LINES_MAX}\n"
        "  instead: give each of its jobs a module of its own"
        for module in modules()
        if (lines := module.text.count("\n")) > FILE_LINES_MAX
    ]

    assert not problems, "\n".join(problems)


def _functions(module: Module) -> Iterator[tuple[str, int, int]]:
    """Name, first line and length without the docstring."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            has_docstring = ast.get_docstring(node) is not None
            body = node.body[1:] if has_docstring and len(node.body) > 1 else node.body
            yield node.name, node.lineno, (body[-1].end_lineno or 0) - body[0].lineno + 1


def test_functions_are_short() -> None:
    problems = [
        f"{module.path}:{line} {name} has {lines} lines; the limit is {FUNCTION_LINES_MAX}\n"
        "  instead: name its steps as functions"
        for module in modules()
        for name, line, lines in _functions(module)
        if lines > FUNCTION_LINES_MAX
    ]

    assert not problems, "\n".join(problems)


def test_nothing_is_left_unfinished() -> None:
    found = [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts()
        if path.endswith(".py")
        for number, line in enumerate(text.splitlines(), 1)
        if any(word in line for word in UNFINISHED)
    ]

    assert not found, "finish it, or file an issue and name its number"


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{path}: {foreign}" for path, text in texts() for foreign in FOREIGN if foreign in text
    ]

    assert not found
