"""The shape of one preset."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Setting: TypeAlias = "bool | int | float | str | Mapping[str, Setting] | tuple[Setting, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """What a real product does, in the words of the scenario grammar."""

    name: str
    title: str
    keys: Mapping[str, Setting]
    """Merged under the keys that the scenario itself writes."""
    source: str
    """Where it was read."""
    not_said: str
    """What the product does that the grammar cannot say."""
