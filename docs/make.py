"""Fill the generated parts of README.md and docs/*.md.

    python docs/make.py            fill them
    python docs/make.py --check    only say which pages are not current (exit status 1)

A part stands between ``<!-- made: NAME -->`` and ``<!-- end -->`` and is a table made from the
code. A ``console`` block is the real output of the commands that it shows; a file that a page's
commands need is the block after ``<!-- file: NAME -->``.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from docs.console import with_output  # noqa: E402 - the script runs from anywhere
from docs.tables import with_tables  # noqa: E402


def pages() -> list[Path]:
    """Return the pages that may hold generated parts."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def made(text: str) -> str:
    """Return the page as it should be: every generated part made anew."""
    return with_output(with_tables(text))


def main(arguments: list[str]) -> int:
    """Fill or check every page; return the exit status."""
    stale = []
    for page in pages():
        held = page.read_text(encoding="utf-8")
        current = made(held)
        if current == held:
            continue
        stale.append(page.relative_to(ROOT).as_posix())
        if "--check" not in arguments:
            scratch = page.with_name(page.name + ".new")
            scratch.write_text(current, encoding="utf-8")
            os.replace(scratch, page)
    for name in stale:
        print(f"{name}: {'not current' if '--check' in arguments else 'filled'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
