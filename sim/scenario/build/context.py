"""What all builders share: where things stand, who is there, and what is wrong so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sim.scenario.errors import ScenarioError, gathered, listed, use_one_of
from sim.scenario.grammar.client import ClientPart
from sim.scenario.grammar.document import WorldPart
from sim.scenario.locate import PROBLEMS_MAX, Loc, place_of
from sim.scenario.tree import Branch, Source

T = TypeVar("T")


def either(value: T | None, default: T) -> T:
    """Return ``value``, or the default where the file says nothing."""
    return default if value is None else value


@dataclass(frozen=True, slots=True)
class Cast:
    """Who takes part: the clients as the file names them, and as they are."""

    parts: Mapping[str, ClientPart]
    """In the order of the file; a single ``client`` is named ``client``."""
    root: Loc
    """Where they stand: ``("client",)`` or ``("clients",)``."""

    def loc(self, name: str) -> Loc:
        """Return where a client's part stands in the file."""
        return self.root if self.root == ("client",) else (*self.root, name)

    def members(self, name: str) -> tuple[str, ...]:
        """Return the clients that one name of the file stands for."""
        count = self.parts[name].count
        return (name,) if count is None else tuple(f"{name}-{n}" for n in range(1, count + 1))

    @property
    def only(self) -> str | None:
        """The client, if there is exactly one."""
        if len(self.parts) != 1:
            return None
        (name,) = self.parts
        count = self.parts[name].count
        if count is None:
            return name
        return f"{name}-1" if count == 1 else None

    def group_of(self, client: str) -> str | None:
        """Return the name in the file behind a client's name; None if there is no such client."""
        part = self.parts.get(client)
        if part is not None and part.count is None:
            return client
        head, _, number = client.rpartition("-")
        count = self.parts[head].count if head in self.parts else None
        if count is None or not number.isascii() or not number.isdigit() or len(number) > 6:
            return None
        return head if str(int(number)) == number and 1 <= int(number) <= count else None

    def known(self) -> list[str]:
        """Return names for a suggestion: every client, of a large group the first and the last."""
        names: list[str] = []
        for name, part in self.parts.items():
            count = part.count
            if count is None:
                names.append(name)
            else:
                names.extend(f"{name}-{n}" for n in (*range(1, min(count, 4)), count))
        return names


@dataclass(slots=True)
class Context:
    """One world in the making; problems are gathered, so that a file's are all told at once."""

    source: Source
    root: Branch
    document: WorldPart
    cast: Cast
    problems: list[ScenarioError] = field(default_factory=list)

    def refuse(self, loc: Loc, problem: str, fix: str, at: str = "value") -> None:
        """Add a problem at a place of the file."""
        self.add(self.source.error(place_of(self.root, loc, at), problem, fix))

    def add(self, problem: ScenarioError) -> None:
        """Add a problem.

        Raises:
            ScenarioError: There are so many by now that looking for more helps nobody.
        """
        self.problems.append(problem)
        if len(self.problems) >= PROBLEMS_MAX:
            everything = gathered(self.problems)
            assert everything is not None
            raise everything

    def check_known(self, loc: Loc, what: str, name: str, known: Sequence[str]) -> bool:
        """Return whether ``name`` is known, and add a problem if it is not."""
        if name in known:
            return True
        fix = use_one_of(name, known) if known else f"add it first: {listed(known)}"
        self.refuse(loc, f"unknown {what} '{name[:60]}'", fix)
        return False

    @property
    def resources(self) -> list[str]:
        """The names of the server's resources."""
        server = self.document.server
        return list(server.resources) if server and server.resources else []
