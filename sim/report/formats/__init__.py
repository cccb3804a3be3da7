"""Outcomes in the forms that other programs read; each a pure function to text.

Every module here has one function ``render(outcomes) -> str`` whose text ends in a line feed.
"""

from collections.abc import Callable, Sequence

from sim.report.formats import as_github, as_json, as_junit, as_markdown
from sim.report.outcome import Outcome

FORMATS: dict[str, Callable[[Sequence[Outcome]], str]] = {
    "json": as_json.render,
    "junit": as_junit.render,
    "markdown": as_markdown.render,
    "github": as_github.render,
}
"""The names that ``--format`` takes, beside ``text``."""
