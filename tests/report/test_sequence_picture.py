"""A run as a picture: what is lost, late, copied, broken and gone looks different in grey, too."""

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from sim.contract.body import Json
from sim.contract.phases import Phase
from sim.judge.verdict import Verdict
from sim.report.findings import Break
from sim.report.formats import as_svg
from sim.report.summary import findings
from sim.scenario.model import ClientSpec, Expect
from sim.trace.records import Rec, Record
from tests.report.hand_made import WORLD, Tape, arrive, late_request, launch, lost_ack, two_clients
from tests.report.pictures import NS, has_cross, messages, overlaps, texts
from tests.report.verdicts import PASSED, SHOWN, outcome


def drawn(records: Sequence[Record], **changes: str) -> ET.Element:
    names = dict.fromkeys(record.client for record in records if record.client)
    clients = tuple(ClientSpec(name=name, owner=name) for name in names)
    verdict = Verdict(world=replace(WORLD, clients=clients), records=tuple(records))
    return ET.fromstring(as_svg.render([outcome(verdict, **changes)]))


def said(root: ET.Element) -> list[str]:
    return [text.said for text in texts(root)]


def lives(root: ET.Element) -> dict[int, list[tuple[int, int]]]:
    """Return from where to where there is a lifeline, place by place from the left."""
    found: dict[int, list[tuple[int, int]]] = {}
    for line in root.iter(f"{NS}line"):
        if line.get("stroke-width") == "2" and line.get("x1") == line.get("x2"):
            span = (int(line.attrib["y1"]), int(line.attrib["y2"]))
            found.setdefault(int(line.attrib["x1"]), []).append(span)
    return dict(sorted(found.items()))


def server_life(root: ET.Element) -> list[tuple[int, int]]:
    """Return the pieces of the right-most lifeline."""
    return list(lives(root).values())[-1]


def client_life(root: ET.Element) -> list[tuple[int, int]]:
    """Return the pieces of the left-most lifeline."""
    return next(iter(lives(root).values()))


def test_the_same_run_is_the_same_bytes_in_letters_that_every_encoding_has() -> None:
    text = as_svg.render([outcome(SHOWN)])

    assert text == as_svg.render([outcome(SHOWN)])
    assert text.isascii()
    assert text.endswith("</svg>\n")


def test_a_picture_stands_on_its_own() -> None:
    text = as_svg.render([outcome(PASSED)])

    assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="')
    assert '<rect x="0" y="0"' in text
    for word in ("href", "url(", " id=", "class=", "<style", "<script", "<image"):
        assert word not in text


def test_all_coordinates_are_whole_pixels() -> None:
    for element in drawn(late_request()).iter():
        for name in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height"):
            assert element.get(name, "0").lstrip("-").isdigit()


def test_a_lost_message_ends_in_a_cross_half_way_beside_the_reason() -> None:
    root = drawn(lost_ack())
    (lost,) = [message for message in messages(root) if has_cross(message)]
    way = lost.find(f"{NS}line")

    assert lost.get("data-message") == "2"
    assert way is not None
    lanes = sorted({int(one.attrib["x1"]) for one in root.iter(f"{NS}line") if upright(one)})
    assert int(way.attrib["x2"]) == sum(lanes) // 2
    assert any("lost: fault 1 {drop: ack," in text for text in said(root))


def upright(line: ET.Element) -> bool:
    return line.get("stroke-width") == "2" and line.get("x1") == line.get("x2")


def test_a_message_slants_from_when_it_leaves_to_when_it_arrives() -> None:
    (late, retry) = messages(drawn(late_request()))
    ends = [message.find(f"{NS}line") for message in (late, retry)]
    (a, b), (c, d) = [(int(way.attrib["y1"]), int(way.attrib["y2"])) for way in ends]  # type: ignore[union-attr]

    assert a < c < d < b


def test_a_late_message_is_thick_with_an_open_head_and_says_how_late() -> None:
    root = drawn(late_request())
    late, retry = messages(root)

    assert late.find(f"{NS}line").get("stroke-width") == "3"  # type: ignore[union-attr]
    assert late.find(f"{NS}polygon") is None
    assert retry.find(f"{NS}polygon") is not None
    assert any(text.startswith("3 s late") for text in said(root))


def test_a_copy_is_dashed() -> None:
    tape = Tape()
    launch(tape, 0, 1, msg=1)
    tape.add(5, Rec.SENT, 1, msg=2, message="request", copy=2)
    arrive(tape, 40, 1, msg=1, sent_ms=0, decision="claimed", rule="server.claim")

    first, copy = messages(drawn(tape.records))

    assert first.find(f"{NS}line").get("stroke-dasharray") is None  # type: ignore[union-attr]
    assert copy.find(f"{NS}line").get("stroke-dasharray")  # type: ignore[union-attr]


def test_what_is_under_way_at_the_end_ends_in_a_ring() -> None:
    tape = Tape()
    launch(tape, 0, 1, msg=1)
    root = drawn(tape.records)

    (message,) = messages(root)
    assert message.find(f"{NS}circle") is not None
    assert "still under way at the end" in said(root)


def test_a_server_that_is_down_has_a_gap_in_its_lifeline() -> None:
    tape = Tape()
    launch(tape, 0, 1, msg=1)
    tape.add(40, Rec.CRASH, 1, point="after_claim", clause=1)
    tape.show(2_000, Phase.UNKNOWN_OUTCOME)
    tape.add(3_000, Rec.RESTART, registry="kept")
    tape.show(4_000, Phase.AWAITING_ACK)

    root = drawn(tape.records)

    (_, stops), (begins, _) = server_life(root)
    assert begins - stops > 30
    assert len(server_life(drawn(lost_ack()))) == 1


@pytest.mark.parametrize(
    ("begins", "ends", "is_back"),
    [
        (Rec.CLOSE, Rec.OPEN, True),
        (Rec.CLOSE, Rec.RELOAD, True),
        (Rec.CLOSE, Rec.START_WORKER, False),
        (Rec.STOP_WORKER, Rec.START_WORKER, True),
        (Rec.STOP_WORKER, Rec.RELOAD, True),
    ],
)
def test_a_lifeline_goes_on_with_whatever_brings_its_page_back(
    begins: Rec, ends: Rec, is_back: bool
) -> None:
    tape = Tape()
    launch(tape, 0, 1, msg=1)
    tape.add(40, begins)
    tape.add(3_000, ends)
    tape.show(4_000, Phase.AWAITING_ACK)

    assert len(client_life(drawn(tape.records))) == (2 if is_back else 1)


def test_each_client_has_a_lifeline_of_its_own() -> None:
    root = drawn(two_clients())

    assert [said(root).count(name) for name in ("phone", "desk", "server")] == [1, 1, 1]
    assert overlaps(root) == []


def test_an_invariant_is_marked_where_it_breaks_and_told_below() -> None:
    shown = said(ET.fromstring(as_svg.render([outcome(SHOWN)])))

    assert "✗ one-effect-per-intent breaks here" in shown
    assert " ".join(shown).count("! one-effect-per-intent as expected: the intent of op-1") == 1
    assert shown.index("✗ one-effect-per-intent breaks here") < shown.index("an invariant breaks")


def test_signs_that_are_not_used_are_not_explained() -> None:
    shown = said(drawn(late_request()))

    assert "late" in shown
    assert not {"copy", "lost", "held back", "nobody there", "connection broken"} & set(shown)


def test_names_and_titles_are_escaped_cut_and_keep_to_their_room() -> None:
    evil = "</text><script>&\"'\x1b]]> " * 4
    named = [record._replace(client=evil) for record in lost_ack()]
    named[0] = named[0]._replace(data={**named[0].data, "body": f'{{"{evil[:9]}":"{"x" * 300}"}}'})

    root = drawn(named, title=evil, name=evil[:20])

    assert {element.tag for element in root.iter()}.isdisjoint({f"{NS}script"})
    assert any(text.startswith("</text><script>&") and text.endswith("…") for text in said(root))
    assert any("xxx" in text and "…" in text for text in said(root))
    assert overlaps(root) == []


def test_wide_letters_are_given_their_room() -> None:
    root = drawn([record._replace(client="保存" * 5) for record in lost_ack()])

    assert overlaps(root) == []


def test_no_run_is_no_picture_and_two_do_not_fit_into_one() -> None:
    assert not as_svg.render([])
    with pytest.raises(ValueError, match="a picture shows one run, and here are 2"):
        as_svg.render([outcome(PASSED, SHOWN)])


@pytest.mark.parametrize(
    ("kind", "data", "sign"),
    [
        (Rec.SAVE, {"launches": True}, "rx"),
        (Rec.HINT, {"online": False}, "stroke-dasharray"),
        (Rec.COMMIT, {"version": 5, "body": "{}"}, "stroke-width"),
    ],
)
def test_a_box_says_by_its_frame_what_it_is(kind: Rec, data: dict[str, Json], sign: str) -> None:
    tape = Tape()
    tape.add(0, kind, 1, **data)

    boxes = list(drawn(tape.records).iter(f"{NS}rect"))

    assert boxes[-1].get(sign) not in {None, "1"}


@pytest.mark.parametrize("how", Break)
def test_the_picture_and_the_terminal_put_one_sign_before_a_break(how: Break) -> None:
    expected = {
        Break.EXPECTED: ("one-effect-per-intent",),
        Break.UNEXPECTED: (),
        Break.MISSING: ("one-effect-per-intent", "settles"),
    }[how]
    name = "settles" if how is Break.MISSING else "one-effect-per-intent"
    verdict = replace(SHOWN, world=replace(SHOWN.world, expect=Expect(violates=expected)))
    with StringIO() as text:
        Console(file=text, width=100).print(findings(verdict))
        terminal = text.getvalue()

    assert f"{how.sign}  {name}" in terminal
    assert f"{how.sign} {name} {how}" in " ".join(
        said(ET.fromstring(as_svg.render([outcome(verdict)])))
    )
