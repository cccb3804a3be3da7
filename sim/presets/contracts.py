"""Server contracts of real products."""

from sim.presets.preset import Preset

CONTRACTS: tuple[Preset, ...] = ()
