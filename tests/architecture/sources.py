"""The product's source files as syntax trees, and what each one imports."""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Module(NamedTuple):
    """One source file; ``room`` is the folder of ``sim`` that it lies in ("" at the top)."""

    path: str
    room: str
    text: str
    tree: ast.Module


class Import(NamedTuple):
    """One imported module, and whether importing the file already imports it."""

    name: str
    line: int
    at_import_time: bool

    @property
    def library(self) -> str:
        """The top package; "" for a relative import."""
        return self.name.split(".")[0]


@cache
def modules() -> tuple[Module, ...]:
    found = []
    for path in sorted((ROOT / "sim").rglob("*.py")):
        relative = path.relative_to(ROOT)
        text = path.read_text(encoding="utf-8")
        room = relative.parts[1] if len(relative.parts) > 2 else ""
        found.append(Module(relative.as_posix(), room, text, ast.parse(text)))
    return tuple(found)


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Every text file that belongs to the project, with its content."""
    endings = {".py", ".md", ".toml", ".txt", ".yaml", ".json", ".html", ".css", ".csv"}
    names = {"Makefile", "LICENSE", "run"}
    folders = ("sim", "tests", "docs", "scenarios", "benchmarks", "reports", ".ci")
    paths = [path for name in folders for path in sorted((ROOT / name).rglob("*"))]
    paths += sorted(ROOT.glob("*"))
    return tuple(
        (path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for path in paths
        if (path.suffix in endings or path.name in names) and path.is_file()
    )


@cache
def imports(module: Module) -> tuple[Import, ...]:
    return tuple(_imports(module.tree))


def _statements(
    block: Sequence[ast.AST], *, at_once: bool = True
) -> Iterator[tuple[ast.AST, bool]]:
    """Every statement of a block, and whether importing the file already comes to it."""
    for node in block:
        yield node, at_once
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inner = False
            case ast.If():
                inner = at_once and "TYPE_CHECKING" not in ast.unparse(node.test)
            case _:
                inner = at_once
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from _statements(getattr(node, part, ()), at_once=inner)


def _imports(tree: ast.Module) -> Iterator[Import]:
    for node, early in _statements(tree.body):
        match node:
            case ast.Import():
                for alias in node.names:
                    yield Import(alias.name, node.lineno, early)
            case ast.ImportFrom(module=str(name), level=0):
                if name == "sim":
                    for alias in node.names:
                        yield Import(f"sim.{alias.name}", node.lineno, early)
                else:
                    yield Import(name, node.lineno, early)
            case ast.ImportFrom():
                yield Import("." * node.level + (node.module or ""), node.lineno, early)
            case _:
                pass
