"""The names of invariants and measures: what scenario files, judges and reports all say.

What each one means is written where it is computed; here are only the names, in the order of
the contract, so that a scenario can be checked without knowing how a run is judged.
"""

INVARIANT_NAMES: tuple[str, ...] = (
    "one-effect-per-intent",
    "no-false-success",
    "no-false-failure",
    "draft-kept",
    "stale-ack-inert",
    "newer-draft-kept",
    "ids-unique",
    "same-id-same-snapshot",
    "owner-isolation",
    "no-blind-overwrite",
    "completed-means-committed",
    "no-false-conflict",
    "bounded-attempts",
    "irreversible-not-repeated",
    "unknown-is-visible",
    "answer-confirms",
    "clean-attempt-settles",
    "can-save",
    "settles",
)
"""The eighteen safety invariants, then ``settles``, which says that things come to an end."""

MEASURE_NAMES: tuple[str, ...] = (
    "unknown_outcome_rate",
    "unresolved_rate",
    "recovery_required_rate",
    "stale_ack_rate",
    "invalid_ack_rate",
    "duplicate_attempt_rate",
    "duplicate_effect_rate",
    "false_success_rate",
    "false_failure_rate",
    "lost_draft_rate",
    "refused_rate",
    "false_conflict_rate",
    "unknown_but_applied",
    "attempts_per_operation",
    "deliveries_per_effect",
    "time_to_certainty",
    "peak_load",
    "turned_away_rate",
    "recovery_time",
)
"""What can be measured over many runs; the names that ``expect.rates`` takes."""
