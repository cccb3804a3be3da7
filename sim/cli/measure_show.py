"""How a measurement reaches standard output."""

import sys
from collections.abc import Sequence
from typing import assert_never

from sim.cli.measure_wish import Wish
from sim.cli.output import emit, results
from sim.measure.results import CellResult


def show(wish: Wish, measured: Sequence[CellResult]) -> None:
    """Write the results in the form that was asked for."""
    match wish.form:
        case "text":
            _text(wish, measured)
        case "json":
            from sim.report.measured_json import render  # noqa: PLC0415 - one form is wanted

            emit(render(measured))
        case "markdown":
            from sim.report import measured_markdown  # noqa: PLC0415 - the same

            emit(measured_markdown.render(measured, full=wish.full))
        case _:
            assert_never(wish.form)


def _text(wish: Wish, measured: Sequence[CellResult]) -> None:
    from sim.report import measured as report  # noqa: PLC0415 - the same
    from sim.report.console import make_console  # noqa: PLC0415 - the same

    console = make_console(sys.stdout, colour=wish.colour, width=wish.width)
    with results():
        console.print(report.measured(measured, width=console.width, full=wish.full))
