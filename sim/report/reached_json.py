"""What a suite of scenarios comes to, as JSON.

::

    {"lostack_reach": 1,                 the version of this form; keys may be added within one
     "whole": true or false,             everything is reached, and by whom it is declared to be
     "scenarios": number, "runs": number,
     "reached": [{"of": text, "name": text, "times": number, "scenarios": number,
                  "first": text or null}],
     "by_mistake": [{"of": text, "name": text, "why": text, "mistakes": {mistake: text or null},
                     "times": number, "scenarios": number}],
     "unreached": [{"of": text, "name": text}],
     "undeclared": [{"of": text, "name": text, "by": text}]}

Every key is always there. ``first`` is the first variant that comes to it, null where none does;
so are the values of ``mistakes``. ``undeclared`` names what something else comes to than declared:
a mistake, or "the contract".
"""

import json

from sim.explore.reach import Reach
from sim.explore.reach_items import Item

VERSION = 1


def render(found: Reach) -> str:
    """Return what is reached as one JSON value, indented, in the order of the contract."""
    value = {
        "lostack_reach": VERSION,
        "whole": found.is_whole,
        "scenarios": found.scenarios,
        "runs": found.runs,
        "reached": [
            {
                **_item(one.item),
                "times": one.times,
                "scenarios": one.scenarios,
                "first": one.first or None,
            }
            for one in found.contract
        ],
        "by_mistake": [
            {
                **_item(one.item),
                "why": one.declared.why,
                "mistakes": {name: one.made.get(name) for name in one.declared.mistakes},
                "times": one.reached.times,
                "scenarios": one.reached.scenarios,
            }
            for one in found.by_mistake
        ],
        "unreached": [_item(item) for item in found.unreached],
        "undeclared": [
            {**_item(item), "by": name or "the contract"} for item, name in found.undeclared
        ],
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _item(item: Item) -> dict[str, str]:
    return {"of": item.of.value, "name": item.name}
