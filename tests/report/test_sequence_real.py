"""Every shipped scenario's first run as a picture: whole, and nothing on top of anything."""

from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from sim.engine.world import simulate
from sim.judge.verdict import Verdict
from sim.report.crowd import followed
from sim.report.formats import as_svg
from sim.report.outcome import Outcome
from sim.scenario.load import load_path
from sim.trace.records import Rec
from tests.report.pictures import has_cross, messages, overlaps, texts

ROOT = Path(__file__).parents[2]
FILES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "scenarios").rglob("*.yaml"))
RECORDS_MAX = 2_000
"""A long run is more of the same; its beginning has messages that are still under way."""


@cache
def drawn(file: str) -> tuple[Verdict, str]:
    scenario = load_path(str(ROOT / file))
    world = scenario.worlds[0]
    verdict = Verdict(world=world, records=simulate(world, records_max=RECORDS_MAX).records)
    return verdict, as_svg.render([Outcome(scenario=scenario, verdicts=(verdict,))])


def picture(file: str) -> ET.Element:
    return ET.fromstring(drawn(file)[1])


@pytest.mark.parametrize("file", FILES)
def test_each_message_is_drawn_once_and_each_lost_one_has_a_cross(file: str) -> None:
    verdict, _ = drawn(file)
    names = followed(verdict)
    mine = [record for record in verdict.records if record.client in names]
    sent = [record.data["msg"] for record in mine if record.kind is Rec.SENT]
    lost = [record for record in mine if record.kind is Rec.LOST]
    unrelayed = sum(record.data["why"] == "gateway gave up" for record in lost)

    shown = messages(picture(file))

    assert len(shown) == len(sent) + unrelayed
    assert {int(one.attrib["data-message"]) for one in shown} == set(sent)
    assert sum(map(has_cross, shown)) == len(lost)


@pytest.mark.parametrize("file", FILES)
def test_no_text_stands_on_another_or_leaves_the_picture(file: str) -> None:
    root = picture(file)

    assert overlaps(root) == []
    assert min(text.left for text in texts(root)) >= 0
    assert max(text.right for text in texts(root)) <= int(root.attrib["width"]) * 10
    assert max(text.y for text in texts(root)) < int(root.attrib["height"])
