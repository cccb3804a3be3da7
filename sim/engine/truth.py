"""Ground truth: what each person wanted, known to the simulator alone.

The machines never see an intent. It names random decisions (so that two policies meet the same
weather) and it is what effects are counted against.
"""

from dataclasses import dataclass, field

from sim.contract.body import Body


@dataclass(slots=True)
class Intent:
    """One thing wanted once: this body is saved."""

    number: int
    """Counts the client's intents from 1."""
    key: tuple[str, str, Body]
    """Owner, resource and body: another person who wants the same text wants it for himself."""
    open_operations: set[int] = field(default_factory=set)
    is_settled: bool = False


class Intents:
    """The intents of one client."""

    def __init__(self) -> None:
        self._made = 0
        self._unsettled: dict[tuple[str, str, Body], Intent] = {}
        self._of_operation: dict[int, Intent] = {}

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
        intent.open_operations.add(op)

    def of_operation(self, op: int) -> int:
        """Return the number of the intent behind an operation (0: nobody's, a raw send)."""
        intent = self._of_operation.get(op)
        return intent.number if intent else 0

    def settle(self, op: int, *, acknowledged: bool) -> None:
        """Operation ``op`` is settled; with the last open one, or an ack, its intent is too."""
        intent = self._of_operation.get(op)
        if intent is None:
            return
        intent.open_operations.discard(op)
        if acknowledged or not intent.open_operations:
            intent.is_settled = True
            if self._unsettled.get(intent.key) is intent:
                del self._unsettled[intent.key]
