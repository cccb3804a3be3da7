"""The suite is clean without a mistake, and shows the mistakes that need it most."""

import pytest

from sim.contract.mistakes import MISTAKES
from sim.explore.kill import all_cases, kill, matrix
from sim.explore.suite import SUITE


def test_the_contract_breaks_nothing_in_any_situation() -> None:
    found = matrix(map(kill, all_cases(1, only=["none"])), 1)

    assert found.contract.exposures == {}
    assert found.rows == ()
    assert found.contract.schedules > len(SUITE)


def test_every_mistake_meets_every_situation() -> None:
    assert len(all_cases(None)) == (len(MISTAKES) + 1) * len(SUITE)


@pytest.mark.parametrize(
    ("mistake", "invariant", "faults"),
    [
        ("expired-overwrites", "no-blind-overwrite", 1),
        ("offline-hint-blocks", "can-save", 0),
        ("weak-operation-id", "ids-unique", 0),
    ],
)
def test_a_mistake_is_exposed_by_as_little_as_that(
    mistake: str, invariant: str, faults: int
) -> None:
    cases = [case for case in all_cases(None, only=[mistake]) if case.faults < 2]

    found = matrix(map(kill, cases), None)

    (row,) = found.rows
    assert found.is_clean
    assert row.exposures[invariant].faults == faults
