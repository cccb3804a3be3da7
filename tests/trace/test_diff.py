"""The first difference of two traces."""

from sim.trace.diff import Difference, first_difference
from sim.trace.records import Rec, Record

ONE = Record(1, 0, Rec.EDIT, "a", "note", 0, 0, "", {"changed": 1})
TWO = Record(2, 5, Rec.SAVE, "a", "note", 0, 0, "", {})


def test_equal_traces_have_no_difference() -> None:
    assert first_difference([ONE, TWO], [ONE, TWO]) is None


def test_the_first_record_that_differs_is_named() -> None:
    late = TWO._replace(at_us=6)

    assert first_difference([ONE, TWO, ONE], [ONE, late, TWO]) == Difference(1, TWO, late)


def test_a_trace_that_ends_early_differs_where_it_ends() -> None:
    assert first_difference([ONE], [ONE, TWO]) == Difference(1, None, TWO)


def test_true_and_one_differ_as_their_lines_do() -> None:
    assert first_difference([ONE], [ONE._replace(data={"changed": True})]) is not None
