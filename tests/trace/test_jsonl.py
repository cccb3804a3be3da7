"""The JSON Lines form: canonical, lossless, and clear about bad files."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.trace.jsonl import Header, Trace, TraceError, digest, lines, parse, read, write
from sim.trace.records import Rec, Record

FIRST = Record(1, 0, Rec.EDIT, "alice", "note", 0, 0, "client.edit", {"draft_version": 2})
SECOND = Record(2, 40_000, Rec.SENT, "alice", "note", 1, 2, "", {"msg": 1, "message": "request"})

_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
_records = st.builds(
    Record,
    seq=st.integers(0, 10**9),
    at_us=st.integers(0, 10**13),
    kind=st.sampled_from(Rec),
    client=st.text(max_size=6),
    resource=st.text(max_size=6),
    op=st.integers(0, 10**6),
    attempt=st.integers(0, 120),
    rule=st.text(max_size=6),
    data=st.dictionaries(st.text(max_size=6), _json, max_size=4),
)


@settings(max_examples=40)
@given(st.lists(_records, max_size=3))
def test_reading_gives_back_what_was_written(records: list[Record]) -> None:
    trace = Trace(Header("a", "b", 3, 4, "d"), tuple(records))

    assert parse(lines([trace, trace])) == (trace, trace)


def test_a_record_is_one_line_with_sorted_keys_and_without_empty_fields() -> None:
    first, second = list(lines([Trace(Header("s"), (FIRST, SECOND))]))[1:]

    assert first == (
        b'{"at_us":0,"client":"alice","data":{"draft_version":2},"kind":"edit",'
        b'"resource":"note","rule":"client.edit","seq":1}\n'
    )
    assert b'"attempt":"attempt-02"' in second
    assert b'"op":"op-1"' in second


def test_the_digest_does_not_depend_on_the_header_or_on_the_order_of_keys() -> None:
    turned = SECOND._replace(data={"message": "request", "msg": 1})

    assert digest([FIRST, SECOND]) == digest([FIRST, turned])
    assert digest([FIRST, SECOND]) != digest([SECOND, FIRST])


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    trace = Trace(Header("lost-ack"), (FIRST,))

    write(path, [trace])

    assert read(path) == (trace,)
    assert [file.name for file in tmp_path.iterdir()] == ["trace.jsonl"]


def test_a_lone_surrogate_in_a_body_survives() -> None:
    record = FIRST._replace(data={"body": "\ud800"})

    assert parse(lines([Trace(Header("s"), (record,))]))[0].records == (record,)


HEADER = b'{"lostack_trace":1,"run":0,"scenario":"s","scenario_digest":"","seed":1,"variant":""}'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"\xff", "not JSON"),
        (b"[1]", "not a map: '[1]'"),
        (b'{"seq":1,"at_us":NaN,"kind":"edit"}', "NaN is not a JSON number"),
        (b'{"seq":1,"at_us":0,"kind":"dance"}', "unknown kind of record 'dance'"),
        (b'{"seq":1,"at_us":0,"kind":"edit","op":"one"}', "'op' is not 'op-' and a number: 'one'"),
        (b'{"seq":1,"kind":"edit"}', "'at_us' is missing"),
        (b'{"seq":true,"at_us":0,"kind":"edit"}', "'seq' is not a whole number: 'true'"),
        (b'{"seq":1,"at_us":0,"kind":"edit","who":1}', "unknown key 'who'"),
    ],
)
def test_a_bad_line_is_named_with_its_place_and_value(line: bytes, says: str) -> None:
    with pytest.raises(TraceError) as caught:
        parse([HEADER, line], source="t.jsonl")

    assert str(caught.value).startswith("t.jsonl:2:1: ")
    assert says in str(caught.value)
    assert "fix: " in str(caught.value)


def test_a_trace_of_another_version_is_refused() -> None:
    with pytest.raises(TraceError, match="trace version '9'"):
        parse([json.dumps({"lostack_trace": 9}).encode()])


@pytest.mark.parametrize("raw", [[], [b'{"seq":1,"at_us":0,"kind":"edit"}']])
def test_a_file_without_a_header_is_refused(raw: list[bytes]) -> None:
    with pytest.raises(TraceError, match=r":1:1: (no trace|the first line)"):
        parse(raw)
