"""Parts side by side where each has room for a story, else one after another."""

from collections.abc import Callable, Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table

SIDE_BY_SIDE_WIDTH = 180
_STORY_WIDTH_MIN = 88
_GAP = 3

Part = Callable[[bool], RenderableType]
"""Makes one part; told whether it stands beside others, and must begin level with them."""


def beside(parts: int, width: int) -> int:
    """Return how many of ``parts`` fit beside one another in ``width`` columns."""
    if parts < 2 or width < SIDE_BY_SIDE_WIDTH:
        return 1
    return min(parts, width // _STORY_WIDTH_MIN)


class Beside:
    """Parts that share the width of the console if it is wide enough."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        at_once = beside(len(self._parts), options.max_width)
        if at_once == 1:
            yield from (part(False) for part in self._parts)
            return
        width = (options.max_width - _GAP * (at_once - 1)) // at_once
        for start in range(0, len(self._parts), at_once):
            table = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
            for _ in range(at_once):
                table.add_column(width=width, vertical="top")
            table.add_row(*(part(True) for part in self._parts[start : start + at_once]))
            yield table
