"""Operation ids: the one place that makes and checks them.

An id is a UUID of version 4. A real client takes it from a secure source; the simulator derives
it from a *name* (seed, run, client, how many-th), so that the same run has the same ids and no
draw elsewhere moves them. Time is no substitute: ``weak_id`` is what the mistake
``weak-operation-id`` does instead, and it collides within a millisecond.
"""

import re
from hashlib import blake2b
from typing import Final

_VERSION_4: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)

_VARIANTS: Final = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}
"""Digit -> the one of these four that holds its lower two bits."""


def _as_version_4(digits: str) -> str:
    variant = _VARIANTS[digits[16]]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"


def named_id(name: str) -> str:
    """Return the version 4 UUID that belongs to ``name``; other names have other ids."""
    return _as_version_4(blake2b(name.encode(), digest_size=16).hexdigest())


def weak_id(now_us: int) -> str:
    """Return an id made from the millisecond clock alone: equal within one millisecond."""
    return _as_version_4(f"{now_us // 1_000:032x}"[::-1])


def is_version_4(operation_id: str) -> bool:
    """Return whether ``operation_id`` is a UUID of version 4 in its lower-case form."""
    return _VERSION_4.fullmatch(operation_id) is not None
