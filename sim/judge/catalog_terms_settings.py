"""Words of a scenario's settings that stories name: how long, how often, by whom."""

from sim.judge.entry import Entry, EntryKind


def _row(name: str, what: str, shows: str, *, open_: str, do: str, example: str) -> Entry:
    return Entry(EntryKind.TERM, name, what, shows, open_, do, example)


SETTING_TERMS: tuple[Entry, ...] = (
    _row(
        "retention",
        "How long the server keeps an operation's result, counted from its commit: 24 h unless the "
        "scenario says otherwise.",
        "A repeat within it is replayed; one microsecond later it is told expired.",
        open_="That the server keeps it: a clean-up may run early, a restart may empty a cache.",
        do="Keep it longer than any client's recovery window, and write both into the API.",
        example="server: {retention: 24h}",
    ),
    _row(
        "tombstone",
        "How long the server keeps the key of an operation whose result is gone, counted from the "
        "commit: 30 days unless the scenario says otherwise.",
        "A late copy is answered expired and not executed as new.",
        open_="What the result was: the key alone says no more than that there was one.",
        do="Keep it longer than the recovery window and a message's life together.",
        example="server: {tombstone: 30d}",
    ),
    _row(
        "recovery-window",
        "How long after an operation's first send a client may still send it again: 23/24 of the "
        "server's retention unless the scenario says otherwise.",
        "Past it nothing is sent: the resource is read anew and a person decides "
        "(client.recovery-window-passed). It runs on while the page is closed.",
        open_="That the write failed: it only can no longer be recognised.",
        do="Choose it shorter than the retention, and look at it before every send.",
        example="client: {recovery_window: 20h}",
    ),
    _row(
        "status-query",
        "A question about one operation, which executes nothing. It is answered completed, "
        "pending, not-found, expired or unauthenticated.",
        "'asks about op-1 query 1' in a story, and an arrow 'status? 01'.",
        open_="That not-found means never: the request may still be under way.",
        do="Offer one for whatever cannot be taken back; limit how often it is asked.",
        example="client: {on_unknown: status, status: {max: 3, delay: 1s}}",
    ),
    _row(
        "timeout",
        "How long an attempt waits for its answer: 2 s unless the scenario says otherwise.",
        "'no answer to attempt-01 in time' in a story; the outcome is unknown until an answer "
        "settles it.",
        open_="That the request was lost: it may be executed, and its answer late or lost.",
        do="Measure before it is shortened: the measure stale_ack_rate tells what that costs.",
        example="client: {timeout: 2s}",
    ),
    _row(
        "backoff",
        "The pause before a retry, where it grows: 'exponential' doubles it each time, up to "
        "'cap'. Jitter spreads it by chance, so that many clients do not come back at one instant.",
        "'retries in 500 ms' in a story; a drawn pause differs from run to run.",
        open_="That a longer pause helps: it eases the load, and settles no outcome.",
        do="Let it grow, spread it with 'jitter: full', and limit the attempts.",
        example="retry: {max_attempts: 4, delay: {exponential: 200ms, cap: 5s, jitter: full}}",
    ),
    _row(
        "gateway",
        "A part in front of the server that gives up after its own time-out and answers 504 while "
        "the request goes on.",
        "'504 · server.gateway' in a story; the server's own answer comes too late and is lost.",
        open_="Whether anything was written: the work goes on behind it.",
        do="Let it wait longer than the work takes; treat its 504 as no answer.",
        example="server: {gateway: {timeout: 1s}}",
    ),
    _row(
        "budget",
        "A bucket of tokens that a client's retries are paid from. It starts full; each retry "
        "costs some, each acknowledgement gives a little back.",
        "'not sent again: the retry budget is spent' in a story.",
        open_="That the operation failed: it is asked about, or left to a person.",
        do="Choose it so that an outage does not multiply the load.",
        example="retry: {max_attempts: 5, budget: {tokens: 10, refund: 0.1}}",
    ),
    _row(
        "breaker",
        "A circuit breaker: so many failures in a row open it, and while it is open the client's "
        "retries wait.",
        "A retry that waits names its rule: client.retry-held-back-by-breaker.",
        open_="That the server is down: failures of the link count as well.",
        do="Open it for about as long as an outage takes to end.",
        example="retry: {breaker: {failures: 5, open: 30s}}",
    ),
    _row(
        "hint",
        "What the browser says of the network: online or offline. It is shown, and it blocks "
        "nothing.",
        "'the browser's hint: offline' in a story.",
        open_="Anything about the API: it may answer under either hint, or not.",
        do="Show it, and let the person save all the same: see offline-hint-blocks.",
        example="{at: 0s, hint: offline}",
    ),
    _row(
        "weather",
        "What chance does to the messages of a run: latency, loss, bursts of loss, duplicates, "
        "corrupted answers, drawn as 'network' says.",
        "Variants, policies and sweep cells under one seed meet the same weather, so that their "
        "differences are their own.",
        open_="That your network is like it.",
        do="Sweep over it before a number is believed; 'lostack weather' makes latencies of a "
        "browser's HAR file.",
        example="network: {ack: {loss: 0.05, duplicate: 0.01}}",
    ),
    _row(
        "seed",
        "The number from which every draw comes, together with the draw's name and the run's "
        "number: 1 unless the scenario or '--seed' says otherwise.",
        "'400 runs under seed 1' in a measurement. With one version of lostack the same seed "
        "gives the same bytes on every machine.",
        open_="That another seed would show the same: the interval says how far it may be.",
        do="Name it together with the number of the run.",
        example="seed: 1",
    ),
    _row(
        "run",
        "A scenario once through, from the first act until nothing is left to happen, or until the "
        "horizon. What is still busy at the horizon is counted as open.",
        "'lostack run NAME' tells one: number 0 unless '--run 7', or 'run: 7' in the file, names "
        "another. 'lostack measure NAME' numbers many from 0 and counts.",
        open_="How often it goes this way: that takes many runs.",
        do="See one of a measurement with 'lostack run NAME --run 4711'; '--as-scenario FILE' "
        "keeps it as a scenario of its own.",
        example="runs: 1000",
    ),
    _row(
        "cell",
        "One combination of a variant and of the values that a sweep tries. Each is measured for "
        "itself.",
        "'client.timeout=1s' in tables and charts; '--cell' takes the same text.",
        open_="What happens between two values of a sweep.",
        do="Compare cells under one seed: they meet the same weather.",
        example="sweep: {client.timeout: [1s, 2s, 5s]}",
    ),
)
