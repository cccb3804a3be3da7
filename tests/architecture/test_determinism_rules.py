"""Nothing that differs from run to run may be asked in the inner rooms."""

import ast
from collections.abc import Iterator

from tests.architecture.sources import Module, imports, modules

BANNED_MODULES = {
    "random": "draw by name: sim.engine holds the named draws",
    "uuid": "ids are made from named draws in one place (sim.contract.ids)",
    "secrets": "ids are made from named draws in one place (sim.contract.ids)",
    "time": "time is an integer number of microseconds that the driver hands in",
    "datetime": "time is an integer number of microseconds that the driver hands in",
}
MAY_READ_A_CLOCK = {"cli", "measure", "explore"}
BANNED_BUILTINS = {
    "hash": "hash() of text differs from process to process: use hashlib or the value itself",
    "id": "id() is an address: number the things in the order in which they came",
}
_ORDERED = {"list", "tuple", "enumerate", "iter", "next", "zip", "map", "filter", "dict"}


def _is_set(node: ast.expr) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
            return _is_set(node.left) or _is_set(node.right)
        case _:
            return False


def _iterated(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        match node:
            case ast.For() | ast.comprehension():
                yield node.iter
            case ast.Call(func=ast.Name(id=name)) if name in _ORDERED:
                yield from node.args
            case ast.Call(func=ast.Attribute(attr="join" | "extend")):
                yield from node.args
            case ast.Starred():
                yield node.value
            case _:
                pass


def test_no_clock_and_no_unnamed_draw() -> None:
    problems = [
        f"{module.path}:{found.line} imports {found.name!r}\n"
        f"  instead: {BANNED_MODULES[found.library]}"
        for module in modules()
        for found in imports(module)
        if found.library in BANNED_MODULES
        and not (found.library == "time" and module.room in MAY_READ_A_CLOCK)
    ]

    assert not problems, "\n".join(problems)


def _calls(module: Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(func=ast.Name(id=name)):
                yield name, node.lineno
            case _:
                pass


def test_no_hash_and_no_address() -> None:
    problems = [
        f"{module.path}:{line} calls {name}()\n  instead: {BANNED_BUILTINS[name]}"
        for module in modules()
        for name, line in _calls(module)
        if name in BANNED_BUILTINS
    ]

    assert not problems, "\n".join(problems)


def test_no_set_is_iterated() -> None:
    problems = [
        f"{module.path}:{node.lineno} iterates a set, whose order differs between processes\n"
        "  instead: use dict.fromkeys(…), a tuple, or sorted(…)"
        for module in modules()
        for node in _iterated(module.tree)
        if _is_set(node)
    ]

    assert not problems, "\n".join(problems)
