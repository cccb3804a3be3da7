"""The one shape that everything explainable has."""

from enum import StrEnum
from typing import NamedTuple


class EntryKind(StrEnum):
    """What is explained."""

    MISTAKE = "mistake"
    INVARIANT = "invariant"
    MEASURE = "measure"
    FAULT = "fault"
    PHASE = "phase"
    ANSWER = "answer"
    REASON = "reason"
    PRESET = "preset"
    TERM = "term"
    RULE = "rule"


class Entry(NamedTuple):
    """One thing explained: what it is, how it shows, what it leaves open, what to do.

    Every text is one or more full sentences, a line each where they say different things;
    ``example`` is a line of a scenario, names, or nothing.
    """

    kind: EntryKind
    name: str
    what: str
    shows: str
    does_not_prove: str
    do: str
    example: str = ""
