"""Everything that ``lostack explain`` can explain, found by name."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Final

from sim.contract.mistakes import MISTAKES, Mistake
from sim.judge.catalog_answers import ANSWERS, REASONS
from sim.judge.catalog_faults import FAULTS
from sim.judge.catalog_invariants import INVARIANTS
from sim.judge.catalog_measures import MEASURES
from sim.judge.catalog_phases import PHASES
from sim.judge.catalog_rules import RULES
from sim.judge.catalog_terms import TERMS
from sim.judge.catalog_terms_reports import REPORT_TERMS
from sim.judge.catalog_terms_settings import SETTING_TERMS
from sim.judge.entry import Entry, EntryKind
from sim.presets import CONTRACTS, POLICIES, Preset

__all__ = [
    "SCENARIO_WORDS",
    "Entry",
    "EntryKind",
    "UnknownNameError",
    "aliases_of",
    "entries",
    "from_mistake",
    "from_preset",
    "lookup",
]


ALIASES: Final[Mapping[str, str]] = {
    "draft-version": "draft",
    "operation-id": "operation",
    "idempotency-key": "operation",
    "request-key": "operation",
    "attempt-id": "attempt",
    "retry": "attempt",
    "expected-version": "base-version",
    "merge": "base-version",
    "discard": "abandoned",
    "ack": "acknowledgement",
    "acknowledgment": "acknowledgement",
    "accepted-version": "acknowledgement",
    "5xx": "server-error",
    "500": "server-error",
    "502": "server-error",
    "503": "server-error",
    "504": "server-error",
    "network-error": "transport-error",
    "opaque": "transport-error",
    "detailed": "transport-error",
    "version": "resource",
    "resource-version": "resource",
    "status": "status-query",
    "retry-budget": "budget",
    "circuit-breaker": "breaker",
    "horizon": "run",
    "open": "run",
    "variant": "cell",
    "sweep": "cell",
    "act": "schedule",
    "trace": "digest",
    "confidence-interval": "interval",
    "not-shown": "verdict",
    "exactly-once": "effectively-once",
    "lost": "drop",
    "late": "delay",
    "duplicated": "duplicate",
    # What people who build the page call things.
    "exponential-backoff": "backoff",
    "retry-delay": "backoff",
    "idempotency": "operation",
    "idempotent": "operation",
    "request-id": "operation",
    "dedupe": "registry",
    "deduplication": "registry",
    "etag": "base-version",
    "if-match": "base-version",
    "optimistic-locking": "base-version",
    "lost-update": "no-blind-overwrite",
    "optimistic-ui": "no-false-success",
    "double-charge": "one-effect-per-intent",
    "double-submit": "one-effect-per-intent",
    "duplicate-request": "one-effect-per-intent",
    "lost-acknowledgement": "drop",
    "packet-loss": "drop",
    "latency": "weather",
    "offline": "hint",
    "online": "hint",
    "time-out": "timeout",
    "request-timeout": "timeout",
    "rate-limit": "throttled",
    "429": "throttled",
    "409": "conflict",
    "401": "unauthenticated",
    "autosave": "draft",
    "unsaved-changes": "draft",
    "dirty": "draft",
    "login": "session",
    "polling": "status-query",
    "flaky-test": "seed",
}
"""Other words for a thing -> the name of its entry. No alias is the name of anything else."""

SCENARIO_WORDS: Final[Mapping[str, str]] = {
    "jitter": "backoff",
    "lost-ack": "acknowledgement",
    "double-click": "intent",
}
"""Shipped scenarios that are called by a word of the field -> the entry that explains the word."""

_NEAR_MAX: Final = 3
_PART_CUTOFF: Final = 0.75
_PERCENTILE: Final = re.compile(r"\.(p[0-9]+|max|mean)$", re.ASCII)


class UnknownNameError(Exception):
    """Nothing explainable has this name; ``candidates`` are the nearest that have one."""

    def __init__(self, name: str, candidates: tuple[str, ...]) -> None:
        super().__init__(name, candidates)
        self.name, self.candidates = name, candidates

    def __str__(self) -> str:
        near = " or ".join(repr(candidate) for candidate in self.candidates)
        fix = f"did you mean {near}?" if near else "lostack list shows every name"
        return f"nothing is called {self.name!r}\n  fix: {fix}"


def from_mistake(mistake: Mistake) -> Entry:
    """Return a row of the mistakes table as an entry."""
    return Entry(
        EntryKind.MISTAKE,
        mistake.name,
        f"A mistake of a {mistake.side}.\n{mistake.does}",
        f"Symptom: {mistake.symptom}\nCause: {mistake.cause}",
        mistake.does_not_prove,
        f"Check: {mistake.check}\nRemedy: {mistake.remedy}",
        f"mistakes: [{mistake.name}]",
    )


def from_preset(preset: Preset, key: str) -> Entry:
    """Return a preset as an entry; ``key`` is the one that takes it: ``policy`` or ``contract``."""
    owner = "client" if key == "policy" else "server"
    return Entry(
        EntryKind.PRESET,
        preset.name,
        f"{preset.title}.",
        f"It stands for {flow(preset.keys)}.",
        f"Read in: {preset.source}.\nNot said by it: {preset.not_said}.",
        "The keys that the scenario itself writes win over the preset's.",
        f"{owner}: {{{key}: {preset.name}}}",
    )


def flow(value: object) -> str:
    """Return a setting as a line of a scenario file."""
    match value:
        case Mapping():
            return "{" + ", ".join(f"{key}: {flow(held)}" for key, held in value.items()) + "}"
        case tuple() | list():
            return "[" + ", ".join(flow(held) for held in value) + "]"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)


def _with_breakers(entry: Entry) -> Entry:
    """An invariant's example is the mistakes that break it."""
    breakers = ", ".join(mistake.name for mistake in MISTAKES if entry.name in mistake.breaks)
    return entry._replace(example=f"broken by {breakers}" if breakers else "")


@cache
def entries() -> tuple[Entry, ...]:
    """Return every entry, kind by kind, in the order of the contract."""
    return (
        *(from_mistake(mistake) for mistake in MISTAKES),
        *(_with_breakers(entry) for entry in INVARIANTS),
        *MEASURES,
        *FAULTS,
        *PHASES,
        *ANSWERS,
        *REASONS,
        *(from_preset(preset, "policy") for preset in POLICIES),
        *(from_preset(preset, "contract") for preset in CONTRACTS),
        *TERMS,
        *SETTING_TERMS,
        *REPORT_TERMS,
        *RULES,
    )


def aliases_of(entry: Entry) -> tuple[str, ...]:
    """Return the other words that an entry is found by."""
    return tuple(alias for alias, name in ALIASES.items() if name == entry.name)


def lookup(name: str) -> Entry:
    """Return the entry of that name or alias; dashes, underscores and spaces are alike.

    A measure is found by the name of one of its percentiles too: ``time_to_certainty.p99``.

    Raises:
        UnknownNameError: There is none; the error carries the nearest names.
    """
    by_key = {_key(entry.name): entry for entry in entries()}
    key = _PERCENTILE.sub("", _key(name))
    key = ALIASES.get(key, key)
    if key in by_key:
        return by_key[key]
    near = _near(key, (*by_key, *ALIASES))
    raise UnknownNameError(
        name, tuple(by_key[other].name if other in by_key else other for other in near)
    )


def _near(key: str, keys: tuple[str, ...]) -> list[str]:
    """Return the keys that may be meant: those alike as a whole, those that hold it, else a part.

    A part is one word of a key: ``unknwon`` means no whole name, and a word of ``unknown-outcome``.
    """
    near = get_close_matches(key, keys, n=_NEAR_MAX)
    near += [other for other in keys if key and key in other and other not in near][:_NEAR_MAX]
    if near:
        return near
    parts = dict.fromkeys(part for other in keys for part in other.split("-"))
    meant = get_close_matches(key, parts, n=1, cutoff=_PART_CUTOFF)
    return sorted((k for k in keys if set(meant) & set(k.split("-"))), key=len)[:_NEAR_MAX]


def _key(name: str) -> str:
    return "-".join(name.lower().replace("_", " ").split())
