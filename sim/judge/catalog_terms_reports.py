"""Words of reports: what a run, a measurement, a search and a verdict say about themselves."""

from sim.judge.entry import Entry, EntryKind


def _row(name: str, what: str, shows: str, *, open_: str, do: str, example: str = "") -> Entry:
    return Entry(EntryKind.TERM, name, what, shows, open_, do, example)


_LIFT = "Read the witness, and 'would lift it' below: each line names one change that helps."

REPORT_TERMS: tuple[Entry, ...] = (
    _row(
        "invariant",
        "A rule that must hold at every instant of every run, checked against what really happened "
        "and not against what a client believes.",
        "'every invariant holds', or '✗ draft-kept breaks here' at the line where it did.",
        open_="That it holds in other runs: a search tries every schedule within its bounds.",
        do="'lostack list invariants' shows them all; a scenario that is there to show a mistake "
        "names those that break.",
        example="expect: {violates: [one-effect-per-intent]}",
    ),
    _row(
        "mistake",
        "One named departure from the contract that real code makes, switched on in a scenario at "
        "a client or at the server.",
        "'switched on: no-registry (server)' above a story.",
        open_="That your code makes it, and that it makes no other one.",
        do="'lostack list mistakes' shows them all.",
        example="client: {mistakes: [timeout-means-failure]}",
    ),
    _row(
        "diagnosis",
        "The mistakes that explain what broke, each with symptom, cause, check and remedy.",
        "Below a story: 'switched on here', or 'the symptoms point at it'.",
        open_="That it is the cause in your system: other code may show the same symptom.",
        do="Do what stands under check before you change anything.",
    ),
    _row(
        "inconclusive",
        "Said of a run or a search that proves nothing: a fault never matched a message, or a "
        "limit was reached. The exit status is 3.",
        "A line that begins with '?' and says why.",
        open_="That anything is wrong, and that nothing is.",
        do="Mend the fault clause that missed, or raise the limit.",
    ),
    _row(
        "digest",
        "The SHA-256 of a run's trace, which holds every event in one fixed form.",
        "Baselines keep it: another digest means that something happened otherwise.",
        open_="That what happened was right: it only says that nothing has moved.",
        do="Let 'lostack baseline check' name the first record that differs.",
    ),
    _row(
        "baseline",
        "A file that remembers what a scenario did when somebody last said that it is right.",
        "'as in their baselines', or what has moved, with old, new and interval.",
        open_="That it was right then.",
        do="Renew it with a reason: 'lostack baseline update --reason …'.",
    ),
    _row(
        "interval",
        "The range that holds the true rate or time in 95 of 100 such measurements. Where "
        "operations share a run, it is made from runs and not from operations.",
        "Beside every rate, with its count and its denominator: '27.3 %  23.1 – 31.8 %'.",
        open_="Anything about another weather: it is about chance within this one.",
        do="Make more runs to narrow it: four times as many for half the width.",
        example="expect: {rates: {duplicate_effect_rate: {max: 0.001, on: interval}}}",
    ),
    _row(
        "schedule",
        "A list of faults, each addressed to one message or one execution, and with '--also' of "
        "acts of people. A search tries every schedule of at most so many faults once.",
        "'345  schedules: 1 of 0, 24 of 1, 320 of 2 faults'.",
        open_="Anything about one with more faults, or of a kind that was left out.",
        do="Raise '--faults' while the search is quick enough.",
    ),
    _row(
        "counterexample",
        "The smallest scenario found in which an invariant breaks: no part of it can be left out "
        "or weakened any more.",
        "'the smallest story in which they break'; each 'goes wrong:' above it is a fault clause.",
        open_="How often it happens. That it can happen is certain, within the model.",
        do="Keep it with 'lostack explore --save FOLDER': 'lostack run' replays the file.",
    ),
    _row(
        "witness",
        "What a verdict rests on: the faults of one schedule that shows it, or how many schedules "
        "showed nothing worse.",
        "In the last column of 'lostack verdict'.",
        open_="More than was searched: the assumptions stand below the table.",
        do="Copy its faults into a scenario to see the story.",
    ),
    _row(
        "verdict",
        "In a story: what a client made of an answer, such as accepted or stale. From 'lostack "
        "verdict': whether what a scenario does is safe to retry.",
        "'is it safe to retry?' and one of effectively-once, safe after a status check, "
        "at-most-once, at-least-once and unsafe; or 'not shown', where the search was cut short.",
        open_="Anything about your service: client and server keep the rules of the scenario.",
        do="Read its assumptions before you rely on it.",
    ),
    _row(
        "effectively-once",
        "The strongest verdict: however often it is sent again it never happens twice, and an "
        "attempt that gets through confirms it.",
        "It is said of every schedule that was searched, and of no other one.",
        open_="That an attempt gets through before the policy's end: else a person decides.",
        do="Retry, as the scenario's policy does.",
    ),
    _row(
        "safe-after-a-status-check",
        "A verdict: it is not sent again with an unknown outcome, and a status query that gets "
        "through says what became of it.",
        "Mostly of writes that are irreversible, or where 'on_unknown: status' asks first.",
        open_="That a query gets through before the client has none left.",
        do="Ask first, and never retry unasked.",
    ),
    _row(
        "at-most-once",
        "A verdict: it never happens twice, but it can stay unconfirmed or undone until a person "
        "acts.",
        "The witness is a schedule that leaves it unconfirmed; or nothing is sent again or asked.",
        open_="That it happens at all.",
        do=_LIFT,
    ),
    _row(
        "at-least-once",
        "A verdict: it can happen twice, and nobody is told anything wrong.",
        "The witness is a schedule with two effects of one intent.",
        open_="That it always happens: no verdict promises that.",
        do=_LIFT,
    ),
    _row(
        "unsafe",
        "The weakest verdict: somebody is told what is not true, or loses work, or another's work "
        "is overwritten.",
        "The witness is a schedule that shows it; it may need no fault at all.",
        open_="How often it happens: 'lostack measure' counts.",
        do=_LIFT,
    ),
)
