"""The digest of a scenario: what it does, not how it is written.

Only what differs from the model's defaults is counted, so that a setting that is added to the
model later moves no digest of a scenario that does not use it. Prose (title, about, tags) and
the file's place are left out.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from itertools import groupby
from typing import Any

from sim.contract.body import Json
from sim.scenario.model import ClientSpec, World

_PROSE = frozenset({"scenario", "fault_lines"})


def digest(worlds: Sequence[World], runs: int | None) -> str:
    """Return the SHA-256 of the worlds' canonical form, as hexadecimal digits."""
    canonical: Json = {"runs": runs, "worlds": [_plain(world) for world in worlds]}
    text = json.dumps(canonical, separators=(",", ":"), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Json:
    if isinstance(value, World):
        kept = _fields(value, _PROSE | {"clients"})
        return {**kept, "clients": _clients(value.clients)}
    if is_dataclass(value) and not isinstance(value, type):
        return {"is": type(value).__name__, **_fields(value, frozenset())}
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(value[key]) for key in sorted(value)}
    if isinstance(value, float):
        return repr(value)
    assert value is None or isinstance(value, (bool, int, str))
    return value


def _fields(value: Any, left_out: frozenset[str]) -> dict[str, Json]:
    """Return the fields that differ from their defaults."""
    kept: dict[str, Json] = {}
    for field in fields(value):
        held = getattr(value, field.name)
        default = None if field.default is MISSING else field.default
        if field.name not in left_out and (field.default is MISSING or held != default):
            kept[field.name] = _plain(held)
    return kept


def _clients(clients: Sequence[ClientSpec]) -> Json:
    """Return the clients, the members of a group as one and their number."""
    canonical: list[Json] = []
    for _, group in groupby(clients, key=lambda client: client.group):
        members = list(group)
        canonical.append({"first": _plain(members[0]), "last": members[-1].name})
    return canonical
