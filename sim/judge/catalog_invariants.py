"""What each invariant says, in words: when it holds, how a break shows, what it leaves open."""

from sim.judge.entry import Entry, EntryKind


def _row(name: str, *, holds: str, broken: str, open_: str, do: str) -> Entry:
    return Entry(EntryKind.INVARIANT, name, f"Holds when {holds}", broken, open_, do)


INVARIANTS: tuple[Entry, ...] = (
    _row(
        "one-effect-per-intent",
        holds="no intent of a person has more than one effect at the server.",
        broken="What a person wanted once is there twice: two comments, two payments.",
        open_="It counts effects of the resource; mails and webhooks behind it are not seen.",
        do="Keep one operation id per intent, and let the server recognise its repeat.",
    ),
    _row(
        "no-false-success",
        holds="what is shown as saved is committed by that very operation, with that body.",
        broken="The screen says saved, and the server holds something else or nothing.",
        open_="It says nothing about text that was typed after the save.",
        do="Show success only from an ack whose ids, version and body were compared.",
    ),
    _row(
        "no-false-failure",
        holds="nothing that is shown as not saved has an effect, then or later.",
        broken="'Not saved' is shown, the change is there, and the person does it again.",
        open_="It does not ask whether a person was told in time, only whether it was true.",
        do="Say 'not saved' only where it is proved; otherwise show an unknown outcome.",
    ),
    _row(
        "draft-kept",
        holds="an edited body is in the draft, set aside with its owner, or saved and confirmed.",
        broken="Typed text is nowhere: neither in the form nor at the server.",
        open_="It trusts the client's storage; a browser may evict what was written there.",
        do="Store the draft as it is edited; drop it only after its own confirmation.",
    ),
    _row(
        "stale-ack-inert",
        holds="an answer that is stale, repeated or invalid changes nothing held or shown.",
        broken="An old or wrong answer closes the form, unlocks it or shows success.",
        open_="It does not say that the right answer will come.",
        do="Compare operation, attempt, version and body before an answer changes anything.",
    ),
    _row(
        "newer-draft-kept",
        holds="the confirmation of an older version leaves the newer draft there, unsaved.",
        broken="Text that was typed while waiting disappears, or is marked as saved.",
        open_="It does not say that the newer text will be saved: a person has to save it.",
        do="Compare the draft's version with the accepted version, not only the form.",
    ),
    _row(
        "ids-unique",
        holds="one operation id names one snapshot, and one intent is not split over two ids.",
        broken="Two ids stand for one save, or one id for two different bodies.",
        open_="Unique ids at the client do not prove that the server compares them.",
        do="Make the id once and from a secure source, together with the frozen snapshot.",
    ),
    _row(
        "same-id-same-snapshot",
        holds="at the server one owner's id never stands for two snapshots.",
        broken="The second body gets an effect of its own, or the first one's confirmation.",
        open_="It covers one registry; two servers with two registries are not seen.",
        do="Store the snapshot with the id and answer 422 to another one.",
    ),
    _row(
        "owner-isolation",
        holds="nobody is shown, or sends, another owner's operation, draft or result.",
        broken="One account's text or result turns up under another account.",
        open_="It does not test the sessions themselves: tokens are outside the model.",
        do="Bind drafts, operations and registry keys to the owner that the session names.",
    ),
    _row(
        "no-blind-overwrite",
        holds="every put replaced the version that it expected and that its draft knew.",
        broken="Another tab's or another person's work is gone and no conflict was shown.",
        open_="It does not judge a merge: a person may merge badly.",
        do="Raise the base version only by an ack, a read under a clean draft or a merge.",
    ),
    _row(
        "completed-means-committed",
        holds="the registry says completed only for what is committed, across crashes too.",
        broken="A status query or replay confirms a change that the server does not hold.",
        open_="It trusts the store's own promise that a commit is durable.",
        do="Write the change, the version and the result in one transaction.",
    ),
    _row(
        "no-false-conflict",
        holds="a repeat of a committed operation is never told that the version moved on.",
        broken="A person's own first attempt is reported as somebody else's change.",
        open_="A conflict with a real other writer is right and stays possible.",
        do="Ask the registry before the version is compared, and keep it long enough.",
    ),
    _row(
        "bounded-attempts",
        holds="no operation makes more attempts or status queries than its policy allows.",
        broken="Attempts go on after the limit; an outage turns into a storm.",
        open_="It bounds each operation, not the crowd: measure the peak load as well.",
        do="Count attempts in the durable operation and stop with recovery-required.",
    ),
    _row(
        "irreversible-not-repeated",
        holds="an irreversible action with an unknown outcome is not sent again unsettled.",
        broken="Something that cannot be undone is sent twice, under the same or another id.",
        open_="It bounds what the client sends; the network can still deliver a copy.",
        do="Ask for the status or a person before anything irreversible is sent again.",
    ),
    _row(
        "unknown-is-visible",
        holds="while an attempt may have had an unconfirmed effect, the screen says so.",
        broken="The screen is idle, saved or refused while nobody knows what happened.",
        open_="It does not prove that the sentence on a real screen is understood.",
        do="Keep the phase at unknown-outcome or recovery-required until it is settled.",
    ),
    _row(
        "answer-confirms",
        holds="a good answer to the last attempt of a committed operation settles it.",
        broken="The confirmation arrives and the client does not take it.",
        open_="It says nothing of answers that are lost: those stay unknown.",
        do="Address each answer to the attempt that asked, and accept it late as well.",
    ),
    _row(
        "clean-attempt-settles",
        holds="an attempt after the last fault ends acknowledged or refused.",
        broken="The network is well again and the save still cannot be finished.",
        open_="It assumes a valid session and an open recovery window.",
        do="Look at what the server still remembers from the time of the fault.",
    ),
    _row(
        "can-save",
        holds="a save that the contract launches is launched, whatever a hint says.",
        broken="The button does nothing although the API would answer.",
        open_="It does not prove that the save will succeed.",
        do="Let the save run and let its own outcome decide.",
    ),
    _row(
        "settles",
        holds="after the faults every operation is settled or left to a person, in bounded time.",
        broken="An operation waits for ever, or a registry entry stays running.",
        open_="It needs faults to end; no client can promise anything while they go on.",
        do="Bound retries, queries and leases, and end in recovery-required.",
    ),
)
