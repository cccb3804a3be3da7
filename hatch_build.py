"""Builds the wheel, its engine compiled by mypyc where a C compiler is at hand.

What is compiled is the very code of the repository: the machines, the engine, the judge and the
trace. It gives the same bytes as the interpreted code and takes a fraction of the time. Without a
C compiler, or with ``LOSTACK_PURE=1``, the wheel is pure Python. An editable installation is
never compiled: there the code is to be changed.
"""

import os
import shutil
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOMS = ("contract", "network", "engine", "trace", "judge")
"""The rooms under ``sim`` that every run passes through."""
TABLES = ("catalog", "mistake")
"""Modules that begin so hold texts: nothing in them is ever waited for."""
BESIDES = ("measure/load.py",)
"""A judge that measures load besides: it hears every fact of a run, as the judge does."""
INTERPRETED = (
    "engine/philox.py",
    "engine/probe.py",
    "engine/teller.py",
    "network/matching.py",
)
"""Long integers are no quicker compiled; the others look at classes as only Python can."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled modules to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is put together."""
        if version == "editable" or os.environ.get("LOSTACK_PURE") == "1":
            return
        compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
        if shutil.which(compiler) is None:
            self.app.display_warning("no C compiler was found: the wheel is pure Python")
            return
        from setuptools.errors import CompileError  # noqa: PLC0415 - an editable build has it not

        self._folder = Path(tempfile.mkdtemp(prefix="lostack-"))
        try:
            built = compiled(Path(self.root), self._folder)
        except CompileError as error:  # No headers of Python, for one.
            self.app.display_warning(f"the C compiler failed: the wheel is pure Python ({error})")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for name, path in built.items():
            build_data["force_include"][str(path)] = name

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Remove what was compiled: the wheel holds it now."""
        folder = getattr(self, "_folder", None)
        if folder is not None:
            shutil.rmtree(folder)


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
    from mypyc.build import mypycify  # noqa: PLC0415 - an editable build has it not
    from setuptools import Distribution  # noqa: PLC0415

    source, out, before = folder / "source", folder / "out", Path.cwd()
    shutil.copytree(root / "sim", source / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    (source / "mypy.ini").write_text("[mypy]\nstrict = True\n")
    os.chdir(source)
    try:
        extensions = mypycify(modules(source), opt_level="2", debug_level="0")
        command = Distribution({"name": "lostack", "ext_modules": extensions}).get_command_obj(
            "build_ext"
        )
        command.build_lib, command.build_temp = str(out), str(folder / "temp")
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
    return {path.relative_to(out).as_posix(): path for path in sorted(out.rglob("*.so"))}
