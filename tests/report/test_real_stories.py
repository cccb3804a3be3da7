"""Every shipped scenario's story: nothing that was sent, arrived or was lost goes untold."""

from functools import cache

import pytest

from sim.engine.world import simulate
from sim.report.story import Row, Stage
from sim.report.telling import rows
from sim.scenario.model import World
from sim.trace.records import Rec, Record
from tests.shipped import files, scenario

FILES = files()
LEAVES = {Stage.SENT, Stage.LOST_AT_ONCE, Stage.HELD}
RECORDS_MAX = 4_000
"""A storm tells the same things again and again; its beginning is enough here."""


@cache
def stories(file: str) -> list[tuple[World, tuple[Record, ...], tuple[Row, ...]]]:
    worlds = scenario(file).worlds
    runs = [(world, simulate(world, records_max=RECORDS_MAX).records) for world in worlds]
    return [(world, records, rows(world, records)) for world, records in runs]


def arrows(told: tuple[Row, ...], *stages: Stage) -> int:
    return sum(row.arrow is not None and row.arrow.stage in stages for row in told)


@pytest.mark.parametrize("file", FILES)
def test_each_message_leaves_and_arrives_in_exactly_one_row(file: str) -> None:
    for _, records, told in stories(file):
        sent = sum(record.kind is Rec.SENT for record in records)
        arrived = sum(record.kind in (Rec.ARRIVED, Rec.ANSWER) for record in records)

        assert arrows(told, *LEAVES) == sent
        assert arrows(told, Stage.ARRIVED) == arrived


@pytest.mark.parametrize("file", FILES)
def test_each_lost_message_is_seen_lost(file: str) -> None:
    for _, records, told in stories(file):
        lost = sum(record.kind is Rec.LOST for record in records)

        assert arrows(told, Stage.LOST_AT_ONCE, Stage.LOST_LATER) == lost


@pytest.mark.parametrize("file", FILES)
def test_each_commit_says_what_the_server_holds_then(file: str) -> None:
    for _, records, told in stories(file):
        rows_right = ("".join(span.text for span in row.right) for row in told)
        held = "\n".join(rows_right).replace("\u00a0", " ")

        for commit in (record for record in records if record.kind is Rec.COMMIT):
            name = commit.resource.partition("@")[0]
            assert f"{name} v{commit.data['version']}" in held


@pytest.mark.parametrize("file", FILES)
def test_rows_stand_in_the_order_of_the_trace(file: str) -> None:
    for _, _, told in stories(file):
        places = [(row.at_us, row.seq) for row in told]

        assert places == sorted(set(places))
