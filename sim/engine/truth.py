"""Ground truth: what each person wanted, known to the simulator alone.

The machines never see an intent. It names random decisions (so that two policies meet the same
weather) and it is what effects are counted against.
"""

from sim.contract.body import EMPTY, Body
from sim.network.faults import MessageKind


class Intent:
    """One thing wanted once: this body is saved."""

    __slots__ = ("key", "number", "open_operations", "sent")

    def __init__(self, number: int, key: tuple[str, str, Body]) -> None:
        self.number = number
        """Counts the client's intents from 1; 0 is nobody's wish: raw sends and reads."""
        self.key = key
        """Owner, resource and body: another person who wants the same text wants it for himself."""
        self.open_operations: list[int] = []
        self.sent: dict[MessageKind, int] = {}
        """How many messages of each kind were sent because of it."""


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
