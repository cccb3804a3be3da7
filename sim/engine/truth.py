"""Ground truth: what each person wanted, known to the simulator alone.

The machines never see an intent. It names random decisions (so that two policies meet the same
weather) and it is what effects are counted against.
"""

from typing import Final

from sim.contract.body import EMPTY, Body
from sim.network.faults import MessageKind

_REQUEST: Final = MessageKind.REQUEST
_ACK: Final = MessageKind.ACK


class Intent:
    """One thing wanted once: this body is saved."""

    __slots__ = ("_acks", "_others", "_requests", "key", "number", "open_operations")

    def __init__(self, number: int, key: tuple[str, str, Body]) -> None:
        self.number = number
        """Counts the client's intents from 1; 0 is nobody's wish: raw sends and reads."""
        self.key = key
        """Owner, resource and body: another person who wants the same text wants it for himself."""
        self.open_operations: list[int] = []
        self._requests = 0
        self._acks = 0
        self._others: dict[MessageKind, int] | None = None
        """How many messages of the rarer kinds were sent because of it."""

    def sends(self, kind: MessageKind) -> int:
        """Count a message that is sent because of it; return how many-th of its kind it is."""
        if kind is _REQUEST:
            self._requests += 1
            return self._requests
        if kind is _ACK:
            self._acks += 1
            return self._acks
        if self._others is None:
            self._others = {}
        nth = self._others[kind] = self._others.get(kind, 0) + 1
        return nth


class Intents:
    """The intents of one client."""

    def __init__(self) -> None:
        self._made = 0
        self._unsettled: dict[tuple[str, str, Body], Intent] = {}
        self._of_operation: dict[int, Intent] = {}
        self.nobody = Intent(0, ("", "", EMPTY))

    def of_save(self, owner: str, resource: str, body: Body, *, forced_new: bool) -> Intent:
        """Return the intent of a save: the unsettled one of this body, or a new one."""
        key = (owner, resource, body)
        intent = self._unsettled.get(key)
        if intent is None or forced_new:
            self._made += 1
            intent = self._unsettled[key] = Intent(self._made, key)
        return intent

    def launch(self, op: int, intent: Intent) -> None:
        """Note that operation ``op`` is one way in which ``intent`` is pursued."""
        self._of_operation[op] = intent
        if op not in intent.open_operations:
            intent.open_operations.append(op)

    def of_operation(self, op: int) -> Intent:
        """Return the intent behind an operation."""
        return self._of_operation.get(op, self.nobody)

    def settle(self, op: int, *, acknowledged: bool) -> None:
        """Operation ``op`` is settled; with the last open one, or an ack, its intent is too."""
        intent = self._of_operation.get(op)
        if intent is None:
            return
        if op in intent.open_operations:
            intent.open_operations.remove(op)
        is_over = acknowledged or not intent.open_operations
        if is_over and self._unsettled.get(intent.key) is intent:
            del self._unsettled[intent.key]
