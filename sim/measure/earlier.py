"""What lies in a folder already, so that no measurement is written over something else unasked."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sim.measure.files import MANIFEST, NAMES
from sim.measure.plan import Plan
from sim.measure.versions import versions
from sim.trace.words import plain


def in_the_way(folder: Path, plan: Plan) -> str | None:
    """Return what a measurement of this plan would write over; None: nothing that differs.

    A measurement that is made again, with the same versions, ends with the same bytes: that is
    nothing lost. Of everything else, files that no manifest vouches for included, it is said
    what it is. A device or a pipe holds nothing that could be lost.

    Raises:
        OSError: A file cannot be read.
    """
    found = [name for name in NAMES if (folder / name).is_file()]
    if not found:
        return None
    manifest = _manifest(folder / MANIFEST)
    for name in found:
        if name != MANIFEST and not _vouches(manifest, name, folder / name):
            return f"a file '{name}' lies here that is not as a measurement left it"
    if manifest is None:
        return f"a file '{MANIFEST}' lies here that is none of a measurement"
    if manifest.get("plan") != plan.digest:
        return f"another measurement lies here: {_told(manifest)}"
    if manifest.get("versions") != versions():
        return "this measurement lies here as other versions made it"
    return None


def changed(folder: Path, written: Sequence[tuple[str, str]]) -> str | None:
    """Return what lies in the way of going on; None: nothing that this measurement did not write.

    Args:
        folder: Where its journal lies.
        written: Files that it wrote or was about to write, with their digests.

    Raises:
        OSError: A file cannot be read.
    """
    for name in NAMES:
        path = folder / name
        if path.is_file() and (name, _digest(path)) not in written:
            return f"a file '{name}' lies here that is not as this measurement left it"
    return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _manifest(path: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "lostack_measurement" in value else None


def _vouches(manifest: dict[str, Any] | None, name: str, path: Path) -> bool:
    files = None if manifest is None else manifest.get("files")
    if not isinstance(files, dict):
        return False
    return bool(files.get(name) == _digest(path))


def _told(manifest: dict[str, Any]) -> str:
    """Return what was measured, as far as the manifest says so in the expected way."""
    scenarios, runs = manifest.get("scenarios"), manifest.get("runs_planned")
    names = [plain(str(one.get("name"))[:60]) for one in _dicts(scenarios)]
    more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
    seeds = list(dict.fromkeys(str(one.get("seed")) for one in _dicts(manifest.get("cells"))))
    parts = [", ".join(names[:3]) + more]
    parts += [f"{runs:,} runs"] if isinstance(runs, int) else []
    parts += [f"seed {seeds[0]}"] if len(seeds) == 1 else []
    return ", ".join(part for part in parts if part)


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
