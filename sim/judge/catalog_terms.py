"""The plain words of the field: what a save is made of, and who keeps what of it."""

from typing import Final

from sim.judge.entry import Entry, EntryKind


def _row(name: str, what: str, shows: str, *, open_: str, do: str, example: str = "") -> Entry:
    return Entry(EntryKind.TERM, name, what, shows, open_, do, example)


CLIENT_TERMS: Final = (
    _row(
        "draft",
        "The body that the person edits. Its version is a whole number from 1, which rises with "
        "every edit that really changes the body.",
        "'edits note: draft 2' in a story. A draft is dirty while its version is not known to be "
        "saved.",
        open_="That the server has it: only an accepted ack of this very version says so.",
        do="Store it before each send, and call it saved only when its own version is confirmed.",
        example="{at: 0s, edit: note, body: {text: new}}",
    ),
    _row(
        "intent",
        "What a person wanted once: 'this body is saved'. A save starts a new intent, unless this "
        "client has an unsettled one for the same resource and body.",
        "Only the simulator knows it; client and server do not. The invariant "
        "one-effect-per-intent and the rates that must be 0 are counted over intents.",
        open_="That one operation stands for it: a client that makes a new id for a retry splits "
        "one intent over two.",
        do="Write 'intent: new' where a person wants the same thing a second time.",
        example="{at: 1m, save: comments, intent: new}",
    ),
    _row(
        "operation",
        "One logical write, named by its operation id: a UUID version 4, made before the first "
        "send. Other APIs call it the idempotency key. It is bound to one snapshot.",
        "'op-1' in a story; a retry is a further attempt of the same operation.",
        open_="That the server can recognise a repeat: that takes a registry.",
        do="Make the id in one place, from a secure source, and keep it over retries and reloads.",
        example="{drop: ack, operation: 2, attempt: 1}",
    ),
    _row(
        "snapshot",
        "What an operation froze: its id, owner, resource, kind, body, draft version and expected "
        "version. It never changes, whatever is typed later.",
        "Every attempt sends the same body and the same expected version.",
        open_="That the server compares it: one that looks at the id alone confirms another body.",
        do="Send the snapshot again and never the draft of the moment: see live-body-on-retry.",
    ),
    _row(
        "attempt",
        "One launch of an operation: attempt-01, and the next number for each retry.",
        "'op-1 attempt-02' in a story. Every answer to a write names the attempt that it answers.",
        open_="That the request arrived: an attempt is delivered never, once or more than once.",
        do="Limit attempts, and pause before each one.",
        example="retry: {max_attempts: 3, delay: 500ms}",
    ),
    _row(
        "base-version",
        "The version of the resource that the draft has incorporated. A snapshot's expected "
        "version is the base version at the moment when it was frozen.",
        "'expects v4' at a launch. It rises by an accepted ack, by a read under a clean draft, or "
        "when the person merges what was read; it never falls.",
        open_="That the resource still has this version.",
        do="Never raise it under a draft that nobody merged: see auto-rebase.",
        example="{at: 9s, merge: note, body: {text: both}}",
    ),
    _row(
        "settled",
        "Said of an operation that is acknowledged, refused, provably never sent, or abandoned.",
        "The measure time_to_certainty ends here; recovery-required ends the waiting, and not the "
        "operation.",
        open_="That it was written: a refused operation is settled, too.",
        do="Start no other operation for the same resource before.",
        example="{hold: request, attempt: 1, until: {event: settled}, then: 10ms}",
    ),
    _row(
        "abandoned",
        "Said of an operation that a person discarded after having been told that its outcome is "
        "not known.",
        "The screen goes back to idle, the resource is read anew and shown beside the draft; "
        "draft and base version stay as they are.",
        open_="That it has no effect: it may have one already, or get one later.",
        do="Compare the draft with what was read, and merge, before the next save.",
        example="{at: 1m, discard: note}",
    ),
    _row(
        "session",
        "A sign-in of one confirmed account, the owner. It may expire at any moment.",
        "A request without one is refused as unauthenticated; the screen asks to sign in again.",
        open_="That what was under way when it ended was not written.",
        do="Keep operation and draft until the same owner is back.",
        example="{at: 1s, expire_session: ann}",
    ),
    _row(
        "owner",
        "The account that a session belongs to, and with it every draft, every operation and every "
        "entry of the registry.",
        "When another owner signs in, the first one's draft and operation are set aside: not sent, "
        "not shown.",
        open_="That each tab has an owner of its own: the tabs of a browser share one sign-in.",
        do="Name the owner in each request; the server compares it with the session's.",
        example="client: {owner: ann}",
    ),
    _row(
        "surrogate",
        "The short name that stands for an id in traces and reports: op-1 for the first operation "
        "id that a client made, op-2 for the next.",
        "It is the same in every repetition of a run; ids and tokens are never shown.",
        open_="That two operations differ: two that share an id share the surrogate.",
        do="Use its number to address a fault, or to send a known id on purpose.",
        example="{at: 5s, send: note, id: op-1, body: {text: other}}",
    ),
)

MESSAGE_TERMS: Final = (
    _row(
        "acknowledgement",
        "The answer that the API defines as confirmation. It names operation and attempt, the "
        "draft version that it accepts, the resource version that this operation made, and the "
        "body that was stored.",
        "'ack v5: accepted' in a story; accepted, stale, repeated or invalid is what the client "
        "makes of it. In a fault clause 'ack' means any answer to a write.",
        open_="That text which was typed later is saved too. Nor does its absence prove anything: "
        "no answer is not 'not done'.",
        do="Compare operation, attempt, version and body before anything is shown as saved.",
        example="{drop: ack, attempt: 1}",
    ),
    _row(
        "refusal",
        "An explicit no: invalid, unauthenticated, conflict, in-flight, mismatch, expired or "
        "throttled. Each has an entry of its own.",
        "'refusal conflict' in a story. The phase refused follows only where no earlier attempt "
        "may have arrived.",
        open_="That nothing was written, where an earlier attempt has an unknown outcome.",
        do="Keep the draft, whatever the reason.",
        example="expect: {phase: refused, refused: conflict}",
    ),
    _row(
        "server-error",
        "An answer with the code 500, 502, 503 or 504, whoever sent it: the server, a gateway, or "
        "something between.",
        "'error 503' in a story; the outcome becomes unknown.",
        open_="That nothing was written: the same code comes before a commit and after it.",
        do="Treat it as no answer: see server-error-means-failure.",
        example="{error: 500, attempt: 1, at: after_commit}",
    ),
    _row(
        "answer",
        "What comes back for a write: an acknowledgement, a refusal or a server error. It names "
        "the operation and the attempt that it answers.",
        "An arrow to the left in a story, with the number of its attempt: 'answer 01'.",
        open_="That it answers what the client is waiting for: it may be old, a copy, or damaged.",
        do="Judge every answer in one place, in one order: docs/contract.md, 'Judging an answer'.",
        example="{delay: ack, attempt: 1, by: 3s}",
    ),
    _row(
        "transport-error",
        "What the client sees of a broken exchange. A detailed client tells timeout, reset, "
        "refused, dns and offline apart; an opaque one, such as a browser's fetch, sees one "
        "network-error.",
        "The outcome becomes unknown; or the attempt is void, where the client sees that it never "
        "left.",
        open_="That nothing was written, unless it is refused, dns or offline at the time of "
        "sending and no copy left.",
        do="Believe in 'never sent' only what the client can really tell apart.",
        example="client: {sees: detailed}",
    ),
)

SERVER_TERMS: Final = (
    _row(
        "resource",
        "What the server holds under a name. Its version rises by one with each committed write.",
        "'note v4' in a story is the resource note at version 4.",
        open_="That a draft has incorporated this version: see base-version.",
        do="Say how it is written: put replaces it, post adds to it.",
        example="resources: {note: {version: 4, body: {text: old}}}",
    ),
    _row(
        "put",
        "A write that replaces the resource. It says which version it expects to replace, and is "
        "told conflict where the resource has moved on.",
        "'expects v4' at a launch.",
        open_="That a repeat is harmless: without a registry it conflicts with its own success.",
        do="Ask the registry first and compare versions second.",
        example="resources: {note: {kind: put}}",
    ),
    _row(
        "post",
        "A write that adds to the resource: a comment, an order, a payment. There is no version to "
        "compare.",
        "A launch expects nothing; the resource's version rises all the same.",
        open_="That a duplicate would be noticed: only the registry stands in its way.",
        do="Give it an operation id like any other write, and recognise that at the server.",
        example="resources: {comments: {kind: post}}",
    ),
    _row(
        "irreversible",
        "Said of a resource whose writes cannot be taken back: a payment, a mail.",
        "A write with an unknown outcome is asked about or left to a person, and not sent again.",
        open_="That the other side would take a second send for a repeat: it may keep no registry.",
        do="Build a status endpoint, so that the check takes seconds.",
        example="resources: {payments: {kind: post, irreversible: yes}}",
    ),
    _row(
        "registry",
        "The server's record of operations, by owner and operation id: running, completed with its "
        "result, or the key alone.",
        "A repeat is answered replayed, in-flight, mismatch or expired (server.step-3 …).",
        open_="That it remembers for ever: see retention and tombstone.",
        do="Commit the change and its result together, under a unique key.",
        example="server: {retention: 24h, tombstone: 30d}",
    ),
    _row(
        "delivery",
        "One arrival of a copy of a request at the server: none, one or more for an attempt.",
        "'deliveries 2' among what was expected; deliveries_per_effect is its measure.",
        open_="That anything was executed: it may be replayed, refused or turned away.",
        do="Execute one of them and recognise the others.",
        example="expect: {deliveries: 2, effects: 1}",
    ),
    _row(
        "effect",
        "One committed change of a resource.",
        "'note v5' in the server's lane. 'what clients believe' sets it against the screens.",
        open_="That anybody was told: the answer may be lost.",
        do="Expect exactly one for each intent that is shown as saved.",
        example="expect: {effects: 1}",
    ),
)

TERMS: tuple[Entry, ...] = (*CLIENT_TERMS, *MESSAGE_TERMS, *SERVER_TERMS)
