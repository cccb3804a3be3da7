"""Measured latencies from a CSV file: a column of durations, found from the scenario's folder.

The first line may be a header; the column is then the one named ``latency`` (or ``latency_us``,
``latency_ms``, ``latency_s``, or only the unit, with bare numbers in it), else the first.
"""

import csv
import io
from pathlib import Path

from sim.scenario.errors import ScenarioError, Span
from sim.scenario.files import read_text
from sim.scenario.units import UnitError, duration_us

BYTES_MAX = 16 * 1024 * 1024

_UNITS = {"us": "microseconds", "ms": "milliseconds", "s": "seconds"}
_COLUMNS = {"latency": "", **{f"latency_{unit}": unit for unit in _UNITS}, **{u: u for u in _UNITS}}


def read_latencies(scenario_path: str, name: str) -> list[int]:
    """Return the latencies of a CSV file in microseconds, in its order; at least one.

    Raises:
        ScenarioError: The file cannot be read, or a line of it is no duration.
    """
    path = beside(scenario_path, name)
    rows = _rows(path, read_text(path, BYTES_MAX, "a file of latencies"))
    column, unit, first = _column(rows)
    values = [
        _value(path, number, row, column, unit)
        for number, row in enumerate(rows[first:], start=first + 1)
        if any(cell.strip() for cell in row)
    ]
    if not values:
        raise ScenarioError(
            Span(path, 0, 0, 0, ""), "there is no latency in it", "write a duration on each line"
        )
    return values


def _rows(path: str, text: str) -> list[list[str]]:
    """Return the fields of each line, whichever of the three ways lines end."""
    reader = csv.reader(io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n")))
    try:
        return list(reader)
    except csv.Error as error:
        where = Span(path, reader.line_num, 1, 1, "")
        raise ScenarioError(
            where, f"not CSV: {error}", "write one column, one duration on each line"
        ) from None


def beside(scenario_path: str, name: str) -> str:
    """Return the path of a file that a scenario names: from where the scenario stands."""
    return str(Path(scenario_path).parent / name)


def _column(rows: list[list[str]]) -> tuple[int, str, int]:
    """Return the column, its unit, and the first row that holds a value."""
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    for name, unit in _COLUMNS.items():
        if name in header:
            return header.index(name), unit, 1
    try:
        duration_us(header[0] if header else "0")
    except UnitError:
        return 0, "", 1
    return 0, "", 0


def _value(path: str, number: int, row: list[str], column: int, unit: str) -> int:
    text = ",".join(row)[:200]
    if column >= len(row):
        raise ScenarioError(
            Span(path, number, 1, max(1, len(text)), text),
            "this line has no latency",
            f"write one in column {column + 1}, or leave the line out",
        )
    written = row[column].strip()
    try:
        return duration_us(written + unit)
    except UnitError as error:
        before = sum(len(cell) + 1 for cell in row[:column])
        where = Span(path, number, before + 1, max(1, len(written)), text)
        if not unit:
            raise ScenarioError(where, error.problem, error.fix) from None
        raise ScenarioError(
            where,
            f"'{written[:40]}' is no latency",
            f"write a number of {_UNITS[unit]}, as the header says, from 0 to 100 years",
        ) from None
