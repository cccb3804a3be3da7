"""Presets and links, put under what the file says itself.

``server.contract`` and ``client.policy`` name presets whose keys come under the file's own;
a client's own ``network`` comes over the scenario's.
"""

from collections.abc import Sequence

from sim.presets import CONTRACTS, POLICIES, Preset
from sim.scenario.errors import use_one_of
from sim.scenario.overlay import fill, planted, replaced, without
from sim.scenario.tree import Branch, Entry, Leaf, Node, Source


def resolve(source: Source, root: Branch) -> Branch:
    """Return the tree of one world with presets and links merged.

    Raises:
        ScenarioError: A preset is unknown.
    """
    entries = dict(root.entries)
    for key, entry in root.entries.items():
        match key, entry.node:
            case "server", Branch() as part:
                node: Node = _preset(source, part, "contract", CONTRACTS)
            case "client", Branch() as part:
                node = _client(source, root, part)
            case "clients", Branch() as people:
                node = Branch(
                    {
                        name: Entry(one.place, _client(source, root, one.node))
                        for name, one in people.entries.items()
                    },
                    people.place,
                )
            case _:
                continue
        entries[key] = Entry(entry.place, node)
    return Branch(entries, root.place)


def _client(source: Source, root: Branch, part: Node) -> Node:
    if not isinstance(part, Branch):
        return part
    part = _preset(source, part, "policy", POLICIES)
    shared, own = root.get("network"), part.entries.get("network")
    if own is None or not isinstance(shared, Branch) or not isinstance(own.node, Branch):
        return part
    return replaced(part, "network", own.place, fill(without(shared, "message_lifetime"), own.node))


def _preset(source: Source, part: Branch, key: str, presets: Sequence[Preset]) -> Branch:
    named = part.entries.get(key)
    if named is None or not isinstance(named.node, Leaf) or named.node.value is None:
        return part
    name = named.node.raw
    for preset in presets:
        if preset.name == name:
            merged = fill(planted(preset.keys, named.node.place), part)
            assert isinstance(merged, Branch)
            return merged
    raise source.error(
        named.node.place,
        f"unknown {key} '{name[:60]}'",
        use_one_of(name, [preset.name for preset in presets]),
    )
