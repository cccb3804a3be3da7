"""The names of mistakes, by who makes them."""

from sim.contract.mistakes import MISTAKES, Side

NAMES: dict[Side, tuple[str, ...]] = {
    side: tuple(mistake.name for mistake in MISTAKES if mistake.side is side) for side in Side
}
"""In the order of the table of mistakes."""
