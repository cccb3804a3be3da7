"""Ground truth against belief: invariants, expectations, diagnosis."""
