"""The shape of one row in the table of mistakes."""

from dataclasses import dataclass
from enum import StrEnum


class Side(StrEnum):
    """Who makes the mistake."""

    CLIENT = "client"
    SERVER = "server"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One named departure from the contract, and how a person finds and mends it."""

    name: str
    side: Side
    field: str
    """The field of ``ClientRules`` or ``ServerRules`` that the mistake turns off."""
    does: str
    """What the code does instead of the rule."""
    symptom: str
    """What a person or an operator sees."""
    cause: str
    """Why code comes to do it."""
    check: str
    """What to look at, to know that it is this and not something else."""
    remedy: str
    does_not_prove: str
    """What its absence, or its demonstration here, leaves open."""
    breaks: tuple[str, ...]
    """All invariants that it is known to break, alone or beside another mistake: those that the
    kill matrix or a shipped scenario shows. The most telling one first, the rarest last."""
