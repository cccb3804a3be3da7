"""How late a message is: against its link's usual latency, or against the timeout it missed."""

from collections.abc import Iterable, Mapping

from sim.network.faults import MessageKind
from sim.network.weather import Link
from sim.report.phrases import number, text
from sim.scenario.model import World
from sim.trace.records import Rec, Record


def messages(records: Iterable[Record]) -> dict[int, MessageKind]:
    """Return the kind of each message by its number, as said where it was sent."""
    return {
        number(record.data.get("msg")): MessageKind(text(record.data.get("message")))
        for record in records
        if record.kind is Rec.SENT
    }


class Lateness:
    """Knows the links and the launches of one run."""

    def __init__(
        self, world: World, records: Iterable[Record], kinds: Mapping[int, MessageKind]
    ) -> None:
        self._kinds = kinds
        self._links = {client.name: client.link for client in world.clients}
        self._timeouts = {client.name: client.timeout_us for client in world.clients}
        self._launched: dict[tuple[str, int, int], int] = {}
        for record in records:
            if record.kind is Rec.LAUNCH:
                self._launched[(record.client, record.op, record.attempt)] = record.at_us

    def of(self, arrived: Record) -> int:
        """Return by how many microseconds an arrival is late, or 0.

        An arrival is late by what it took beyond the slowest of a constant link, or beyond the
        timeout on a link that draws; an answer that came in link time, but after its attempt had
        timed out, is late by the time since then.
        """
        message = self._kinds.get(number(arrived.data.get("msg")), MessageKind.REQUEST)
        sent_us = arrived.data.get("sent_us")
        if not isinstance(sent_us, int):
            return 0
        link = self._links.get(arrived.client, Link())
        latency = (link.ack if message.is_answer else link.request).latency
        timeout_us = self._timeouts.get(arrived.client, 0)
        took_us = arrived.at_us - sent_us
        usual_us = latency.values_us[0] if latency.is_constant else latency.at(0.5) + timeout_us
        if took_us > usual_us:
            return took_us - usual_us
        return self._after_timeout(arrived, message, timeout_us)

    def _after_timeout(self, arrived: Record, message: MessageKind, timeout_us: int) -> int:
        key = (arrived.client, arrived.op, number(arrived.attempt))
        if message is not MessageKind.ACK or key not in self._launched:
            return 0
        return max(arrived.at_us - self._launched[key] - timeout_us, 0)
