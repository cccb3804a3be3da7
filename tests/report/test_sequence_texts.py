"""Texts in lines: none too wide, nothing lost but for what an ellipsis stands for."""

from hypothesis import given
from hypothesis import strategies as st

from sim.report.sequence.texts import ELLIPSIS, Line, columns, cut, line_columns, width, wrap
from sim.report.story import GLUE, Span, Tone

SPANS = st.lists(
    st.builds(Span, st.text("ab: 1語é\u00a0", max_size=30), st.sampled_from(Tone)), max_size=6
)


def said(lines: tuple[Line, ...]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


@given(SPANS, st.integers(4, 40), st.integers(1, 5))
def test_no_line_is_wider_than_allowed_and_there_are_not_more(
    spans: list[Span], most: int, lines_max: int
) -> None:
    lines = wrap(spans, most, lines_max)

    assert len(lines) <= lines_max
    assert all(line_columns(line) <= most for line in lines)


@given(SPANS)
def test_where_there_is_room_every_letter_is_kept(spans: list[Span]) -> None:
    whole = "".join(span.text for span in spans).replace(GLUE, " ")

    assert "".join(said(wrap(spans, 400, 400))).split() == whole.split()


def test_glued_words_stay_on_one_line() -> None:
    assert said(wrap([Span(f"stored {{text:{GLUE}3}} now")], 14, 9)) == ["stored", "{text: 3} now"]


def test_a_name_and_its_value_and_a_word_and_its_number_stay_together() -> None:
    lines = wrap([Span("lost: fault 1 {drop: ack, attempt: 1}")], 28, 9)

    assert said(lines) == ["lost: fault 1 {drop: ack,", "attempt: 1}"]


def test_what_does_not_fit_ends_in_an_ellipsis() -> None:
    lines = said(wrap([Span("one two three four"), Span(" five", Tone.BAD)], 9, 2))

    assert lines == ["one two", "three …"]
    assert cut("a-very-long-name", 8) == f"a-very-{ELLIPSIS}"
    assert cut("short", 8) == "short"


def test_wide_letters_take_two_columns_and_accents_none() -> None:
    assert columns("語") == 2
    assert columns("e\u0301") == 1
    assert width("abc") == 26
