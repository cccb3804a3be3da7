"""Fault clauses: which one applies to which message, and when it is used up."""

from sim.network.faults import (
    Clause,
    Crash,
    CrashPoint,
    Cut,
    CutWhat,
    DelayBy,
    Drop,
    Duplicate,
    MessageClause,
    MessageKind,
    ServerClause,
    Slow,
    Target,
)
from sim.network.matching import Address, Faults

REQUEST = MessageKind.REQUEST
FIRST = Address(REQUEST, "phone", 1, 1, 1)


def drop(times: int | None = 1, **target: object) -> MessageClause:
    wanted = Target(**{"message": REQUEST, **target})  # type: ignore[arg-type]
    return MessageClause(target=wanted, action=Drop(), times=times)


def hits(clause: Clause, address: Address) -> bool:
    return Faults([clause]).on_message(address) is not None


def test_a_clause_means_the_first_message_of_the_first_operation() -> None:
    clause = drop()

    assert hits(clause, FIRST)
    for other in ("kind", "operation", "attempt", "copy"):
        value = MessageKind.ACK if other == "kind" else 2
        assert not hits(clause, FIRST._replace(**{other: value}))


def test_any_matches_every_value() -> None:
    clause = drop(operation=None, attempt=None, copy=None)

    assert hits(clause, FIRST._replace(operation=7, attempt=9, copy=3, client="desk"))


def test_a_clause_for_one_client_leaves_the_others() -> None:
    clause = drop(client="desk")

    assert not hits(clause, FIRST)
    assert hits(clause, FIRST._replace(client="desk"))


def test_the_first_clause_that_matches_wins() -> None:
    later = MessageClause(target=Target(message=REQUEST), action=DelayBy(5))
    matched = Faults([drop(), later]).on_message(FIRST)

    assert matched is not None
    assert (matched.place, matched.action) == (0, Drop())


def test_a_clause_that_is_used_up_leaves_room_for_the_next() -> None:
    later = MessageClause(target=Target(message=REQUEST), action=DelayBy(5))
    faults = Faults([drop(), later])

    places = [matched.place for matched in (faults.on_message(FIRST),) if matched]
    again = faults.on_message(FIRST)
    assert places == [0]
    assert again is not None
    assert again.place == 1
    assert faults.on_message(FIRST) is None


def test_a_clause_without_a_limit_is_never_used_up() -> None:
    faults = Faults([drop(times=None, attempt=None)])

    assert all(faults.on_message(FIRST._replace(attempt=n)) for n in range(1, 50))


def test_a_clause_that_never_matched_is_told() -> None:
    faults = Faults([drop(), drop(attempt=2)])
    faults.on_message(FIRST)

    assert faults.unmatched == (1,)


def test_a_copy_of_any_copy_is_not_copied_again() -> None:
    twice = MessageClause(
        target=Target(message=REQUEST, copy=None), action=Duplicate(5), times=None
    )
    faults = Faults([twice])

    assert faults.on_message(FIRST) is not None
    assert faults.on_message(FIRST._replace(copy=2)) is None


def test_looking_at_a_server_s_fault_does_not_use_it() -> None:
    crash = ServerClause(target=Target(message=REQUEST), action=Crash(CrashPoint.AFTER_CLAIM, 5))
    faults = Faults([crash])

    for _ in range(3):
        assert faults.on_server(FIRST, CrashPoint.AFTER_CLAIM) is not None
    assert faults.unmatched == (0,)
    faults.use(0)
    assert faults.on_server(FIRST, CrashPoint.AFTER_CLAIM) is None


def test_a_crash_strikes_at_its_own_point_only() -> None:
    crash = ServerClause(target=Target(message=REQUEST), action=Crash(CrashPoint.BETWEEN, 5))
    faults = Faults([crash])

    struck = [point for point in CrashPoint if faults.on_server(FIRST, point)]
    assert struck == [CrashPoint.BETWEEN]
    assert faults.on_server(FIRST, None) is None


def test_slowness_is_no_crash() -> None:
    slow = ServerClause(target=Target(message=REQUEST), action=Slow(5))
    faults = Faults([slow])

    assert faults.on_server(FIRST, CrashPoint.BEFORE_CLAIM) is None
    assert faults.on_server(FIRST, None) is not None


def test_a_cut_holds_from_its_start_to_just_before_its_end() -> None:
    faults = Faults([Cut(CutWhat.BOTH, 10, 20)])

    cut = [at for at in (9, 10, 19, 20) if faults.cut("phone", at, is_answer=False)]
    assert cut == [10, 19]


def test_each_cut_eats_its_own_direction() -> None:
    eaten = {
        what: [
            is_answer
            for is_answer in (False, True)
            if Faults([Cut(what, 0, 9)]).cut("phone", 5, is_answer=is_answer)
        ]
        for what in CutWhat
    }

    assert eaten == {
        CutWhat.REQUEST: [False],
        CutWhat.ACK: [True],
        CutWhat.BOTH: [False, True],
        CutWhat.SERVER: [False],
        CutWhat.DNS: [False],
    }


def test_a_cut_of_one_client_leaves_the_others() -> None:
    faults = Faults([Cut(CutWhat.BOTH, 0, 9, client="desk")])

    assert faults.cut("phone", 5, is_answer=False) is None
    assert faults.cut("desk", 5, is_answer=False) is CutWhat.BOTH
