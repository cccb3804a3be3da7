"""lostack: a deterministic simulator of what a bad network does to a save."""

__version__ = "0.1.0"
