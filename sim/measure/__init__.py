"""Many seeded runs: rates with intervals, sweeps, comparisons, baselines."""
