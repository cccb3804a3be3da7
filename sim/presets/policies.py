"""Retry policies of real libraries."""

from sim.presets.preset import Preset

POLICIES: tuple[Preset, ...] = ()
