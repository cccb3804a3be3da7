"""What each action of a scenario's ``faults`` does, with a line to copy."""

from sim.judge.entry import Entry, EntryKind


def _row(name: str, example: str, *, does: str, shows: str, open_: str) -> Entry:
    do = "Copy the example into 'faults:'; a clause that never matches makes the run inconclusive."
    return Entry(EntryKind.FAULT, name, does, shows, open_, do, example)


FAULTS: tuple[Entry, ...] = (
    _row(
        "drop",
        "{drop: ack, attempt: 1}",
        does="The message is lost and nobody is told.",
        shows="The client runs into its time-out; the server may have done the work.",
        open_="That a real network loses messages one at a time: see burst and cut.",
    ),
    _row(
        "delay",
        "{delay: ack, attempt: 1, by: 3s}",
        does="The message arrives later than its latency alone would bring it.",
        shows="Past the time-out the answer is late: stale, or accepted in unknown-outcome.",
        open_="That the order of messages is the only thing a delay can change.",
    ),
    _row(
        "hold",
        "{hold: request, attempt: 1, until: {event: committed, attempt: 2}, then: 10ms}",
        does="The message waits until something else has happened, then a little longer.",
        shows="Orders that a delay would hit only by luck, such as an overtaken request.",
        open_="How likely that order is: it only shows what it leads to.",
    ),
    _row(
        "duplicate",
        "{duplicate: request, attempt: 1, after: 5ms}",
        does="The network delivers a second copy of the message.",
        shows="Two deliveries of one attempt; the second is replayed or told in-flight.",
        open_="That copies are rare enough to ignore: TCP hides them, proxies and queues do not.",
    ),
    _row(
        "resend",
        "{resend: request, attempt: 1, after: 50ms}",
        does="The transport sends the same attempt again on a new connection, unasked.",
        shows="Two deliveries for one send; the answer to the first copy cannot be heard.",
        open_="That your client library does it: read its rules for reused connections.",
    ),
    _row(
        "corrupt",
        "{corrupt: ack, attempt: 1, set: {accepted_version: 7}}",
        does="Fields of the answer differ on arrival.",
        shows="The answer is judged invalid or stale and changes nothing.",
        open_="That a checksum is missing: the field may as well come from a server's mistake.",
    ),
    _row(
        "reset",
        "{reset: ack, attempt: 1}",
        does="The connection breaks; the client learns at once, a request may still arrive.",
        shows="An unknown outcome without the wait for a time-out.",
        open_="On which side of the commit the connection broke.",
    ),
    _row(
        "fail",
        "{fail: request, attempt: 1, as: dns}",
        does="The message never leaves; the client learns at once.",
        shows="A detailed client knows that nothing was sent; an opaque one does not.",
        open_="That a browser tells these errors apart: its fetch does not.",
    ),
    _row(
        "crash",
        "{crash: server, attempt: 1, at: after_commit, restart: 1s}",
        does="The server dies at that point of the work and comes back later.",
        shows="No answer; after the restart either all of the commit is there or nothing.",
        open_="That your store keeps its promise when the machine loses power.",
    ),
    _row(
        "error",
        "{error: 500, attempt: 1, at: after_commit}",
        does="The server answers that code instead of its result, before or after the commit.",
        shows="An unknown outcome: the same code stands for done and for not done.",
        open_="That a 500 of your service means either of the two.",
    ),
    _row(
        "slow",
        "{slow: server, attempt: 1, by: 3s}",
        does="The execution of the request takes longer; `gateway: 1s` lets one answer 504 then.",
        shows="A retry meets its own running operation: in-flight, or a wait.",
        open_="Where the time goes; only that it goes before the commit.",
    ),
    _row(
        "cut",
        "{cut: both, from: 1s, to: 5s}",
        does="Everything sent in that time and direction is lost, or refused where it is known.",
        shows="All clients meet it at once, and come back at once.",
        open_="How long real outages last.",
    ),
    _row(
        "order",
        "{order: [timer, delivery]}",
        does="Decides one tie: which of two kinds goes first; `at: 2s` names the instant.",
        shows="Whether a result depends on who wins in the same microsecond.",
        open_="That real ties are decided this way: both orders must be safe.",
    ),
)
