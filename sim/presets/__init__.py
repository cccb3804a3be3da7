"""Retry policies and server contracts of real products, as data with their sources."""

from sim.presets.contracts import CONTRACTS
from sim.presets.policies import POLICIES
from sim.presets.preset import Preset

__all__ = ["CONTRACTS", "POLICIES", "Preset"]
