"""What is sent to other processes, as bytes.

Worlds and verdicts are made of frozen dataclasses. Where these are compiled, pickle fills their
fields one by one, which a frozen class forbids; so each is taken apart into the call that makes it.
"""

import copyreg
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

from sim.contract import retry, rules
from sim.judge import verdict
from sim.network import faults, weather


def packed(value: object) -> bytes:
    """Return a value as bytes that another process of the same program can read."""
    return pickle.dumps(value)


def unpacked(parcel: bytes) -> object:
    """Return the value in a parcel that a process of this program has packed."""
    return pickle.loads(parcel)  # noqa: S301 - it comes from the process that started this one


def _taken_apart(value: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    held = {field.name: getattr(value, field.name) for field in fields(value)}
    return _put_together, (type(value), held)


def _put_together(kind: Callable[..., object], held: dict[str, object]) -> object:
    return kind(**held)


def _register(module: ModuleType) -> None:
    for kind in vars(module).values():
        if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__:
            copyreg.pickle(kind, _taken_apart)


for _module in (faults, retry, rules, verdict, weather):
    _register(_module)
