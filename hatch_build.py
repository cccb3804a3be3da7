"""Builds the wheel, its engine compiled by mypyc where a C compiler is at hand.

What is compiled is the very code of the repository: the machines, the engine, the judge and the
trace. It gives the same bytes as the interpreted code and takes a fraction of the time. Without a
C compiler, or with ``LOSTACK_PURE=1``, the wheel is pure Python. An editable installation is
never compiled: there the code is to be changed.
"""

import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOMS = ("contract", "network", "engine", "trace", "judge")
"""The rooms under ``sim`` that every run passes through."""
TABLES = ("catalog", "mistake")
"""Modules that begin so hold texts: nothing in them is ever waited for."""
BESIDES = ("measure/buckets.py", "measure/load.py", "measure/ratios.py")
"""A judge that measures load besides, and what is read off its books: they come to every fact or
operation of a run, as the judge does."""
INTERPRETED = (
    "engine/philox.py",
    "engine/probe.py",
    "engine/teller.py",
)
"""Long integers are no quicker compiled; the others look at classes as only Python can."""

HIDDEN = "-fvisibility=hidden"
"""What is compiled is called by nobody but itself, so that its own calls need no table of names."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled modules to the wheel."""

    def dependencies(self) -> list[str]:
        """Return what building needs besides: nothing where nothing is compiled."""
        # The types of simpy are needed as well: the engine is compiled against them.
        return ["mypy[mypyc]>=1.11", "setuptools>=65.5", "simpy>=4.1.1"] if is_compiled() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is put together."""
        if version == "editable" or not is_compiled():
            return
        with tempfile.TemporaryDirectory(prefix="lostack-") as name:
            built = self._built(Path(name))
            # The wheel is put together later: what belongs into it waits in a folder of its own.
            self._folder = Path(tempfile.mkdtemp(prefix="lostack-"))
            for place, path in built.items():
                kept = self._folder / place  # Rooms have modules of one name.
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, kept)
                build_data["force_include"][str(kept)] = place
        if built:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def _built(self, folder: Path) -> dict[str, Path]:
        """Compile; where that fails, for whatever reason, say so and leave the wheel pure."""
        try:
            return compiled(Path(self.root), folder)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - mypyc leaves by SystemExit
            self.app.display_warning(f"compiling failed, the wheel is pure Python: {error!r}")
            return {}

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Remove what was compiled: the wheel holds it now."""
        folder = getattr(self, "_folder", None)
        if folder is not None:
            shutil.rmtree(folder)


def is_compiled() -> bool:
    """Return whether a wheel is compiled here: by CPython, with a C compiler, if it may be."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    return (
        os.environ.get("LOSTACK_PURE") != "1"
        and sys.implementation.name == "cpython"
        and shutil.which(compiler) is not None
    )


def modules(root: Path) -> list[str]:
    """Return the files that are compiled, relative to the root, in order."""
    found = [path for room in ROOMS for path in (root / "sim" / room).rglob("*.py")]
    return sorted(
        path.relative_to(root).as_posix()
        for path in found
        if path.name != "__init__.py"
        and not path.name.startswith(TABLES)
        and path.relative_to(root / "sim").as_posix() not in INTERPRETED
    ) + [f"sim/{path}" for path in BESIDES]


def compiled(root: Path, folder: Path) -> dict[str, Path]:
    """Compile in a folder of its own; return where in the wheel each library belongs."""
    from mypyc.build import mypycify  # noqa: PLC0415 - a build that compiles nothing has it not
    from setuptools import Distribution  # noqa: PLC0415

    source, out, before = folder / "source", folder / "out", Path.cwd()
    shutil.copytree(root / "sim", source / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    # The code is checked strictly elsewhere; here only the types matter that are at hand.
    (source / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    os.chdir(source)
    try:
        extensions = mypycify(modules(source), opt_level="2", debug_level="0")
        if sys.platform != "win32":
            for extension in extensions:
                extension.extra_compile_args.append(HIDDEN)
        command = Distribution({"name": "lostack", "ext_modules": extensions}).get_command_obj(
            "build_ext"
        )
        command.build_lib, command.build_temp = str(out), str(folder / "temp")
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
    return {path.relative_to(out).as_posix(): path for path in sorted(out.rglob("*.so"))}
