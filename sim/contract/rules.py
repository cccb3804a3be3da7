"""The rules that a client and a server follow: one switch each.

Every field is a rule of the contract and ``True`` keeps it. A mistake is one field set to
``False``; ``mistakes.py`` names each one and says how it shows. No code reads two switches to
decide one thing, so mistakes combine freely.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRules:
    """What a client does right. The field's comment names the mistake that turns it off."""

    one_operation_per_intent: bool = True  # new-operation-per-retry
    one_id_source: bool = True  # two-id-sources
    answer_matched_by_keys: bool = True  # ack-matched-by-form
    stale_answer_inert: bool = True  # stale-ack-becomes-phase
    accepted_version_checked: bool = True  # accepted-version-unchecked
    success_needs_ack: bool = True  # success-before-ack
    timeout_is_unknown: bool = True  # timeout-means-failure
    server_error_is_unknown: bool = True  # server-error-means-failure
    late_conflict_is_unknown: bool = True  # conflict-means-failure
    newer_draft_kept: bool = True  # ack-clears-newer-draft
    older_ack_counts: bool = True  # ack-ignored-when-edited
    one_launch_at_a_time: bool = True  # second-launch-allowed
    frozen_body: bool = True  # live-body-on-retry
    frozen_version: bool = True  # live-version-on-retry
    base_moves_by_merge: bool = True  # auto-rebase
    irreversible_once: bool = True  # repeats-irreversible
    retry_bounded: bool = True  # unbounded-retry
    not_found_is_open: bool = True  # not-found-means-never
    operation_bound_to_owner: bool = True  # pending-crosses-owners
    operation_durable: bool = True  # pending-in-memory
    draft_durable: bool = True  # draft-in-memory
    reload_resumes: bool = True  # reload-resubmits
    refusal_keeps_draft: bool = True  # refusal-drops-draft
    hint_is_only_a_hint: bool = True  # offline-hint-blocks
    secure_ids: bool = True  # weak-operation-id


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRules:
    """What a server does right. The field's comment names the mistake that turns it off."""

    has_registry: bool = True  # no-registry
    registry_before_version: bool = True  # version-before-registry
    snapshot_compared: bool = True  # snapshot-not-compared
    key_has_owner: bool = True  # key-without-owner
    record_not_before_commit: bool = True  # record-before-commit
    record_not_after_commit: bool = True  # commit-before-record
    unique_key: bool = True  # check-then-act
    expired_refused: bool = True  # expired-executes
    expired_compared: bool = True  # expired-overwrites
    retention_outlasts_recovery: bool = True  # retention-too-short
    replay_addressed_to_asker: bool = True  # first-attempt-echoed
    errors_not_recorded: bool = True  # error-recorded-as-result
    claim_ends_with_crash: bool = True  # running-forever
    registry_durable: bool = True  # registry-in-memory
