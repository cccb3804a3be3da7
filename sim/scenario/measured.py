"""Measured latencies from a CSV file: a column of durations, found from the scenario's folder.

The first line may be a header; the column is then the one named ``latency`` (or ``latency_us``,
``latency_ms``, ``latency_s``, or only the unit, with bare numbers in it), else the first. What
begins like a number is no header: a first measurement with a slip in it must not go unnoticed.
"""

import csv
import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sim.scenario.errors import ScenarioError, Span
from sim.scenario.files import read_text
from sim.scenario.units import UNITS_US, UnitError, duration_us

BYTES_MAX = 16 * 1024 * 1024

_UNITS = {"us": "microseconds", "ms": "milliseconds", "s": "seconds"}
_DECIMALS = {"us": "a whole number", "ms": "3 decimals", "s": "6 decimals"}
_COLUMNS = {"latency": "", **{f"latency_{unit}": unit for unit in _UNITS}, **{u: u for u in _UNITS}}
_NAME_IT = "name the column in the first line: latency_us, latency_ms or latency_s"

_FIELD = re.compile(r'("(?:[^"]|"")*+"?[^,\n]*|[^,\n]*)(?:[,\n]|\Z)')
"""A field as it is written, its quotes too, and what ends it."""
_LIKE_A_NUMBER = re.compile(r"[-+.\u2212]*[0-9]", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?", re.ASCII)


class _Row(NamedTuple):
    """The fields of a record, and the first line after those of the record before it."""

    line: int
    fields: list[str]


def read_latencies(scenario_path: str, name: str) -> list[int]:
    """Return the latencies of a CSV file in microseconds, in its order; at least one.

    Raises:
        ScenarioError: The file cannot be read, or a line of it is no duration.
    """
    path = beside(scenario_path, name)
    text = read_text(path, BYTES_MAX, "a file of latencies")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rows = _rows(path, lines)
    column, unit, first = _column(rows[0].fields if rows else [])
    alone = bool(rows) and not any(field.strip() for field in rows[0].fields[1:])
    values: list[int] = []
    for row in islice(rows, first, None):
        try:
            values.append(_value(_written(row.fields, column, alone), unit, column))
        except UnitError as error:
            where = _place(path, lines, row, column)
            raise ScenarioError(where, error.problem, error.fix) from None
    if not values:
        raise ScenarioError(
            Span(path, 0, 0, 0, ""), "there is no latency in it", "write a duration on each line"
        )
    return values


def beside(scenario_path: str, name: str) -> str:
    """Return the path of a file that a scenario names: from where the scenario stands."""
    return str(Path(scenario_path).parent / name)


def _rows(path: str, lines: Sequence[str]) -> list[_Row]:
    """Return the records that hold anything."""
    reader = csv.reader(f"{line}\n" for line in lines)
    rows: list[_Row] = []
    line = 1
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                rows.append(_Row(line, fields))
            line = reader.line_num + 1
    except csv.Error:  # The one thing that it refuses of lines without carriage returns.
        text = lines[line - 1]
        raise ScenarioError(
            Span(path, line, 1, len(text), text),
            f"not CSV: a field has more than {csv.field_size_limit():,} characters",
            "write one duration in a field, and close every quote",
        ) from None
    return rows


def _column(first: Sequence[str]) -> tuple[int, str, int]:
    """Return the column, its unit, and the first row that holds a value, by the fields of row 0."""
    header = [cell.strip().lower() for cell in first]
    for name, unit in _COLUMNS.items():
        if name in header:
            return header.index(name), unit, 1
    is_header = bool(header) and not _LIKE_A_NUMBER.match(header[0])
    return 0, "", int(is_header)


def _written(fields: Sequence[str], column: int, alone: bool) -> str:
    """Return what is written in a column; of a file with one column, the line.

    A decimal comma would else be read as the end of a number: ``1,5`` as 1.
    """
    if alone:
        return ",".join(field.strip() for field in fields).rstrip(",")
    return fields[column].strip() if column < len(fields) else ""


def _value(written: str, unit: str, column: int) -> int:
    """Return a latency in microseconds.

    Raises:
        UnitError: It is none; the error quotes what is written, without the header's unit.
    """
    if not written:
        raise UnitError(
            "this line has no latency", f"write one in column {column + 1}, or leave the line out"
        )
    try:
        return duration_us(written + unit)
    except UnitError as error:
        if unit:
            raise _no_number(written, unit) from None
        raise UnitError(error.problem, f"{error.fix}; or {_NAME_IT}") from None


def _no_number(written: str, unit: str) -> UnitError:
    """Return why a field is no number of a unit that the header names."""
    is_number = _NUMBER.fullmatch(written)
    if is_number and (Fraction(written) * UNITS_US[unit]).denominator != 1:
        return UnitError(
            f"'{written}' is finer than a microsecond",
            f"round it to {_DECIMALS[unit]}",
        )
    return UnitError(
        f"'{written[:40]}' is no latency",
        f"write a number of {_UNITS[unit]} in plain digits, from 0 to 100 years: "
        "its unit is in the header",
    )


def _place(path: str, lines: Sequence[str], row: _Row, column: int) -> Span:
    """Return where a field stands: quotes count as columns, and lines within quotes as lines."""
    if column >= len(row.fields):
        text = lines[row.line - 1]
        return Span(path, row.line, 1, max(1, len(text)), text)
    record = "\n".join(lines[row.line - 1 :])
    found = next(islice(_FIELD.finditer(record), column, None))
    written = found[1].strip()
    start = found.start(1) + found[1].index(written)
    line = row.line + record.count("\n", 0, start)
    width = len(written.partition("\n")[0])
    return Span(path, line, start - record.rfind("\n", 0, start), max(1, width), lines[line - 1])
