"""What each measure counts, over what, and how to read it."""

from typing import Final

from sim.judge.entry import Entry, EntryKind


def _row(name: str, counts: str, over: str, *, read: str, open_: str, do: str = "") -> Entry:
    what = f"{counts} / {over}." if over else f"{counts}."
    return Entry(EntryKind.MEASURE, name, what, read, open_, do)


_WEATHER: Final = "It holds for this weather and these policies, not for networks in general."

MEASURES: tuple[Entry, ...] = (
    _row(
        "unknown_outcome_rate",
        "Operations that were ever in unknown-outcome",
        "operations",
        read="How often a person sees 'not confirmed yet'. It never falls to 0 on a lossy link.",
        open_=_WEATHER,
        do="Compare time-outs and ack rules on the same weather.",
    ),
    _row(
        "unresolved_rate",
        "Operations that end in unknown-outcome or recovery-required",
        "operations",
        read="What is left to people. Operations still busy at the horizon are counted apart.",
        open_="A low rate does not say that what was resolved was resolved truly.",
        do="Add a status endpoint, or another attempt where the action allows it.",
    ),
    _row(
        "recovery_required_rate",
        "Operations ever in recovery-required",
        "operations",
        read="How often a person had to decide; some of these were settled later.",
        open_="It does not say whether the person could decide well.",
    ),
    _row(
        "stale_ack_rate",
        "Acks judged stale",
        "acks delivered to clients",
        read="Late answers to older attempts. High: the time-out is shorter than the answers take.",
        open_="Stale acks do no harm to a client that compares keys.",
        do="Lengthen the time-out or use the ack rule 'operation'.",
    ),
    _row(
        "invalid_ack_rate",
        "Acks judged invalid",
        "acks delivered to clients",
        read="Answers with the right keys and a wrong version or body. Should be 0.",
        open_="0 does not prove that the client checks: corrupt some answers to see.",
    ),
    _row(
        "duplicate_attempt_rate",
        "Operations delivered to the server more than once",
        "operations",
        read="What the registry has to recognise; the mean of extra deliveries stands beside it.",
        open_="A duplicate delivery is no duplicate effect.",
    ),
    _row(
        "duplicate_effect_rate",
        "Intents with more than one effect",
        "intents",
        read="What people see twice. Must be 0 when the contract is kept.",
        open_="0 in a sample leaves room below the interval's upper bound.",
        do="lostack explain one-effect-per-intent",
    ),
    _row(
        "false_success_rate",
        "Intents shown as saved that were not",
        "intents",
        read="Broken promises. Must be 0 when the contract is kept.",
        open_="0 in a sample leaves room below the interval's upper bound.",
        do="lostack explain no-false-success",
    ),
    _row(
        "false_failure_rate",
        "Intents shown as not saved that were, then or later",
        "intents",
        read="The first half of most duplicates. Must be 0 when the contract is kept.",
        open_="0 in a sample leaves room below the interval's upper bound.",
        do="lostack explain no-false-failure",
    ),
    _row(
        "lost_draft_rate",
        "Intents whose text was lost",
        "intents",
        read="Lost work. Must be 0 when the contract is kept.",
        open_="Storage that a browser evicts is not in the model.",
        do="lostack explain draft-kept",
    ),
    _row(
        "refused_rate",
        "Operations refused, by kind of refusal",
        "operations",
        read="Which explicit no people meet, and how often.",
        open_="A refusal after an unknown outcome proves nothing and is counted elsewhere.",
    ),
    _row(
        "false_conflict_rate",
        "Operations told of a conflict with their own earlier attempt",
        "operations",
        read="Must be 0 when the registry is asked before the version.",
        open_="Real conflicts between writers are not in it.",
        do="lostack explain no-false-conflict",
    ),
    _row(
        "unknown_but_applied",
        "Operations whose effect had committed when they became unknown, or did later",
        "operations ever in unknown-outcome",
        read="How often what a person saw as 'not confirmed yet' is stored in the end, whichever "
        "attempt did it: the effect of a later retry counts too.",
        open_="How often the unanswered attempt itself was executed: retries raise the rate "
        "towards 100 %. With 'max_attempts: 1' it is just that.",
    ),
    _row(
        "attempts_per_operation",
        "Attempts",
        "operations; mean and maximum",
        read="What the retry policy costs in sends.",
        open_="A mean hides storms: look at peak_load in populations.",
    ),
    _row(
        "deliveries_per_effect",
        "Deliveries",
        "effects; mean and maximum",
        read="Retry amplification: how much work arrives for each change made.",
        open_="Deliveries that were turned away are in it too.",
    ),
    _row(
        "time_to_certainty",
        "First send to settled; p50, p90, p99, maximum",
        "",
        read="How long a person does not know. The tail is made of time-outs and pauses.",
        open_="Operations that never settle have no such time: read unresolved_rate with it.",
    ),
    _row(
        "peak_load",
        "Most arrivals in one second",
        "mean arrivals in a second",
        read="How sharp the wave after an outage is. Jitter and budgets flatten it.",
        open_="The population of the scenario, not the one of your service.",
        do="Add jitter, a cap and a retry budget.",
    ),
    _row(
        "turned_away_rate",
        "Requests turned away",
        "deliveries",
        read="How much of the load the server could not even start.",
        open_="Turned away with 503 is still an unknown outcome to the client.",
    ),
    _row(
        "recovery_time",
        "End of the outage until load and unknown outcomes are back where they were",
        "",
        read="How long an outage goes on after it has ended: until the first second in which no "
        "more requests arrive, and no more outcomes are unknown at once, than in any second "
        "before. What waits since the outage counts as unknown.",
        open_="It has no value where the run ends before things are back: read "
        "never_recovered_rate with it. What people begin later is ordinary load.",
    ),
)
