"""What is shown when two runs of one scenario differ."""

import io

from sim.report.console import make_console
from sim.report.twice import difference
from sim.trace.diff import first_difference
from tests.report.hand_made import lost_ack


def test_the_first_differing_record_is_shown_in_both_forms() -> None:
    first = list(lost_ack())
    second = [*first[:3], first[3]._replace(at_us=7), *first[4:]]
    found = first_difference(first, second)
    out = io.StringIO()

    assert found is not None
    make_console(out, width=200).print(difference(found))

    assert "differ first at line 4" in out.getvalue()
    assert '{"at_us":0,"attempt":"attempt-01"' in out.getvalue()
    assert '{"at_us":7,"attempt":"attempt-01"' in out.getvalue()
