"""What each rule of the contract says: the names that stand behind every line of a story."""

from sim.contract.client.rows import Row
from sim.contract.server.state import Step
from sim.judge.entry import Entry, EntryKind

CLIENT_RULES: dict[Row, str] = {
    Row.RULE_1_STALE: "The answer names another operation than the pending one: stale.",
    Row.RULE_1_REPEATED: "The answer says again what already settled the last operation: repeated.",
    Row.RULE_2_STALE: "The answer is to another attempt than the last one launched: stale.",
    Row.RULE_3_INVALID: "The ack's version or body is not the snapshot's: invalid.",
    Row.RULE_4_ACCEPTED: "The ack is right and the draft has moved on: newer text stays, dirty.",
    Row.RULE_5_ACCEPTED: "The ack is right and the draft is what was sent: acknowledged.",
    Row.ACK_THROWN_AWAY: "A right ack is thrown away because the draft has moved on (a mistake).",
    Row.EDIT_CHANGED: "An edit changes the draft and its version.",
    Row.EDIT_SAME: "An edit to an equal body changes nothing.",
    Row.MERGED: "The person merges what was read: only now does the base version rise.",
    Row.MERGE_NOTHING: "There is nothing read to merge, or a save is under way.",
    Row.SAVE_LAUNCHED: "A save freezes a snapshot, makes an operation id and sends attempt-01.",
    Row.SAVE_CLEAN: "The draft is what was acknowledged: nothing to save.",
    Row.SAVE_NO_IDS: "No secure source of ids: the save fails before anything is sent.",
    Row.SAVE_BLOCKED_AWAITING: "A save while an attempt is under way launches nothing.",
    Row.SAVE_RETRIES_NOW: "A save of the very body that is unsettled takes the due retry now.",
    Row.SAVE_BLOCKED_UNSETTLED: "A save waits until the pending operation is settled or discarded.",
    Row.SAVE_BLOCKED_BY_HINT: "The offline hint blocks the save (a mistake).",
    Row.PERSON_RETRIES: "A person launches the next attempt, within limit and window.",
    Row.PERSON_MAY_NOT_RETRY: "Nothing rests for a person, or another attempt is not allowed.",
    Row.PERSON_CHECKS: "A person has the status asked for once.",
    Row.PERSON_READS: "There is no status to ask for: the resource is read instead.",
    Row.PERSON_MAY_NOT_CHECK: "Nothing rests for a person to check.",
    Row.PERSON_DISCARDS: "A person gives the operation up; the draft stays, the resource is read.",
    Row.PERSON_MAY_NOT_DISCARD: "Nothing rests for a person to discard.",
    Row.TIMED_OUT: "No answer in time: the outcome is unknown.",
    Row.BROKEN: "The exchange broke: the outcome is unknown.",
    Row.VOID: "Seen to have never left: the attempt is void and the next one is due.",
    Row.NOT_SENT: "Void, none left, and no earlier attempt may have arrived: not sent.",
    Row.SERVER_ERROR: "A server error proves nothing: the outcome is unknown.",
    Row.ASSUMED_FAILED: "An unknown outcome is taken for a failure (a mistake).",
    Row.IN_FLIGHT: "The operation is being executed: unknown, and asked again later.",
    Row.THROTTLED: "Turned away unexecuted: as a void attempt, after the delay asked for.",
    Row.REFUSED: "Refused, and no earlier attempt may have arrived: provably not applied.",
    Row.CONTRADICTED: "Refused after an unknown outcome: read anew, show both, ask a person.",
    Row.EXPIRED: "The result is no longer kept: read anew and ask a person.",
    Row.UNAUTHENTICATED: "The session ended: the operation is kept until the owner signs in.",
    Row.LATE_REFUSAL: "A refusal counts only while an attempt or its outcome is waited for.",
    Row.LATE_ERROR: "A server error counts only while its attempt is waited for.",
    Row.RETRY_DUE: "The pause is over: same operation, same body, next attempt.",
    Row.RETRY_FORGONE: (
        "A scheduled retry fell due after its deadline, or with no token left: it is not made."
    ),
    Row.RETRY_HELD_BACK: "The circuit breaker is open: the retry waits.",
    Row.QUERY_DUE: "The pause is over: the status is asked for.",
    Row.NO_STATUS_ANSWER: "No answer to the status query: ask again within the limit.",
    Row.STATUS_PENDING: "The operation is pending: ask again within the limit.",
    Row.STATUS_NOT_FOUND: "Not found proves nothing: wait, then the same operation again.",
    Row.STATUS_EXPIRED: "The result is no longer kept: no retry any more, a person decides.",
    Row.STATUS_UNAUTHENTICATED: "The status is not told without a session.",
    Row.STATUS_SEEN: "What a person had asked for is shown; it settles nothing by itself.",
    Row.STATUS_OLD: "The answer is to an older query.",
    Row.WINDOW_PASSED: "The recovery window has passed: nothing is sent any more.",
    Row.READ_ADOPTED: "A read under a clean draft is adopted; the base version rises.",
    Row.READ_BESIDE: "A read under a dirty draft is shown beside it; the base version stays.",
    Row.READ_OLD: "The read is older than what the draft already knows.",
    Row.READ_AGAIN: "A read failed: it changes nothing, so it is made again.",
    Row.READ_GIVEN_UP: "A read failed too often and is given up.",
    Row.OLD_TIMER: "The timer outlived the attempt that armed it.",
    Row.OLD_EXCHANGE: "The broken exchange is not the one that is waited for.",
    Row.RELOADED: "After a reload what was pending is an unknown outcome, never idle.",
    Row.CLOSED: "The page closes; what was written before each send survives.",
    Row.PAGE_CLOSED: "Nobody is there: the page is closed.",
    Row.WORKER_STOPPED: "The worker stops; its timers are gone.",
    Row.WORKER_STARTED: "The worker runs again and goes on as after a reload.",
    Row.HINTED: "The hint changes what is shown and nothing else.",
    Row.SIGNED_IN: "The owner has a session; nothing waits for it.",
    Row.SIGNED_IN_RESUMES: "The same owner is back: the kept operation goes on.",
    Row.SIGNED_IN_OTHER: "Another owner starts: the first one's draft and operation are set aside.",
    Row.SIGNED_OUT: "The session ends.",
}

SERVER_RULES: dict[Step, str] = {
    Step.SESSION: "The session's owner is confirmed and is the operation's owner, else 401.",
    Step.FORM: "The request is well formed, else 400; nothing is recorded.",
    Step.REPLAY: "A completed operation, same snapshot: the stored result again, marked replayed.",
    Step.MISMATCH: "The id stands for another snapshot: 422; nothing changes.",
    Step.IN_FLIGHT: "The operation is being executed: 409.",
    Step.WAITS: "The operation is being executed: this copy waits for its result.",
    Step.EXPIRED: "The result is no longer kept, only the key: 410; nothing changes.",
    Step.VERSION: "A new put expects another version than the resource has: 409; nothing recorded.",
    Step.CLAIM: "A new operation: the claim that lets it execute once.",
    Step.COMMIT: "The change, the version and the result commit together.",
    Step.VERSION_AGAIN: "The version moved on while the work was done: 409; the claim is released.",
    Step.FAULT: "A fault of the scenario answers instead.",
    Step.CAPACITY: "Workers and queue are full: 503, unexecuted.",
    Step.GATEWAY: "The gateway's own time-out has passed: 504 while the request goes on.",
    Step.STATUS: "A status query is answered for its own owner only.",
    Step.READ: "A read is answered with the resource as it is.",
}


def _rule(name: str, what: str) -> Entry:
    return Entry(
        EntryKind.RULE,
        name,
        what,
        "Its name stands at the lines of a story and in the records that it decided.",
        "That it was the only rule that could decide: the order of the contract matters.",
        "Read docs/contract.md for the whole table.",
    )


RULES: tuple[Entry, ...] = (
    *(_rule(row.value, what) for row, what in CLIENT_RULES.items()),
    *(_rule(step.value, what) for step, what in SERVER_RULES.items()),
)
