"""A browser's HAR file, read into latencies: durations alone, nothing that says whose or what.

A HAR file (HTTP Archive 1.2) is JSON: ``log.entries`` are requests, each with a ``time`` in
milliseconds, from the first byte queued to the last one received. What did not cross the network
whole tells nothing about it and is left out, counted by reason.

Source:
    The HAR 1.2 specification by J. Odvarko, and the fields with an underscore that Chromium adds.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Any
from urllib.parse import urlsplit

from sim.scenario.errors import ScenarioError, Span
from sim.scenario.files import read_text
from sim.scenario.units import DURATION_MAX_US

BYTES_MAX = 256 * 1024 * 1024
THOUSANDTHS = {"p50": 500, "p90": 900, "p99": 990, "max": 1000}
_HTTP = ("http", "https")


class Reason(StrEnum):
    """Why an entry gives no latency, in the order in which it is decided."""

    NO_ENTRY = "no HAR entry (a request with a URL)"
    OTHER_SCHEME = "not http or https (data:, blob:, extensions)"
    OTHER_HOST = "to another host"
    OTHER_METHOD = "by another method"
    CACHED = "answered from the browser's cache"
    STREAM = "a WebSocket or event stream: it lasts as long as it is open"
    FAILED = "failed: no answer came"
    NO_TIME = "without a usable time"


@dataclass(frozen=True, slots=True)
class Weather:
    """What a HAR file says about the network.

    ``latencies_us`` rise; ``left_out`` holds the reasons that occurred, in their order, with how
    many entries each one left out; ``hosts`` those of all requests over HTTP with how many there
    are, ``methods`` those of the requests to the chosen hosts.
    """

    latencies_us: tuple[int, ...]
    left_out: tuple[tuple[Reason, int], ...]
    hosts: tuple[tuple[str, int], ...]
    methods: tuple[tuple[str, int], ...]

    @property
    def entries(self) -> int:
        """How many entries there were."""
        return len(self.latencies_us) + sum(count for _, count in self.left_out)

    @property
    def failures(self) -> int:
        """How many of the chosen requests got no answer."""
        return dict(self.left_out).get(Reason.FAILED, 0)

    def quantile(self, thousandths: int) -> int:
        """Return the smallest latency that at least so many thousandths do not exceed."""
        rank = -(-thousandths * len(self.latencies_us) // 1_000)
        return self.latencies_us[max(rank, 1) - 1]


def read_har(path: str, *, hosts: Sequence[str] = (), methods: Sequence[str] = ()) -> Weather:
    """Return what a HAR file says about the network.

    Args:
        path: The file.
        hosts: Only requests to these; all without any. Upper and lower case are the same.
        methods: Only requests by these; all without any.

    Raises:
        ScenarioError: The file cannot be read, or is no HAR file.
    """
    text = read_text(path, BYTES_MAX, "a HAR file")
    return weather(_entries(path, text), hosts=hosts, methods=methods)


def weather(
    entries: Sequence[object], *, hosts: Sequence[str] = (), methods: Sequence[str] = ()
) -> Weather:
    """Return what the entries of a HAR file say; see ``read_har``."""
    wanted_hosts = [host.lower() for host in hosts]
    wanted_methods = [method.upper() for method in methods]
    latencies: list[int] = []
    left_out: dict[Reason, int] = {}
    of_hosts: dict[str, int] = {}
    of_methods: dict[str, int] = {}
    for entry in entries:
        request = _Request(entry)
        reason = request.reason(wanted_hosts, wanted_methods)
        if reason not in (Reason.NO_ENTRY, Reason.OTHER_SCHEME):
            _count(of_hosts, request.host)
            if reason is not Reason.OTHER_HOST:
                _count(of_methods, request.method)
        if reason is None:
            latencies.append(request.latency_us)
        else:
            left_out[reason] = left_out.get(reason, 0) + 1
    return Weather(
        tuple(sorted(latencies)),
        tuple((reason, left_out[reason]) for reason in Reason if reason in left_out),
        _most_first(of_hosts),
        _most_first(of_methods),
    )


def _count(names: dict[str, int], name: str) -> None:
    if name:
        names[name] = names.get(name, 0) + 1


def _most_first(names: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(names.items(), key=lambda item: (-item[1], item[0])))


def as_csv(latencies_us: Sequence[int]) -> str:
    """Return the file that ``empirical:`` reads: one column, whole microseconds."""
    return "\n".join(["latency_us", *map(str, latencies_us), ""])


class _Request:
    """One entry, whatever it holds."""

    def __init__(self, entry: object) -> None:
        self._entry = _map(entry)
        self._response = _map(self._entry.get("response"))
        request = _map(self._entry.get("request"))
        method, url = request.get("method"), request.get("url")
        self.method = method.upper() if isinstance(method, str) else ""
        self.scheme, self.host = _scheme_and_host(url) if isinstance(url, str) else ("", "")
        self.latency_us = _latency_us(self._entry.get("time"))
        """-1 without one."""

    def reason(self, hosts: Sequence[str], methods: Sequence[str]) -> Reason | None:
        """Return why it gives no latency; None where it gives one."""
        checks: tuple[tuple[Reason, Callable[[], bool]], ...] = (
            (Reason.NO_ENTRY, lambda: not self.scheme),
            (Reason.OTHER_SCHEME, lambda: self.scheme not in _HTTP),
            (Reason.OTHER_HOST, lambda: bool(hosts) and self.host not in hosts),
            (Reason.OTHER_METHOD, lambda: bool(methods) and self.method not in methods),
            (Reason.CACHED, self._is_cached),
            (Reason.STREAM, self._is_stream),
            (Reason.FAILED, self._is_failed),
            (Reason.NO_TIME, lambda: self.latency_us < 0),
        )
        return next((reason for reason, applies in checks if applies()), None)

    def _is_cached(self) -> bool:
        return bool(self._entry.get("_fromCache") or self._response.get("_fromCache"))

    def _is_stream(self) -> bool:
        kind = self._entry.get("_resourceType")
        return kind in ("websocket", "eventsource") or self._response.get("status") == 101

    def _is_failed(self) -> bool:
        """No answer: no status, or the browser says that the exchange broke."""
        status = self._response.get("status")
        has_status = isinstance(status, int) and not isinstance(status, bool) and status > 0
        return not has_status or bool(self._response.get("_error") or self._entry.get("_error"))


def _scheme_and_host(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() or "", (parts.hostname or "").lower()
    except ValueError:
        return "", ""


def _latency_us(time_ms: object) -> int:
    if isinstance(time_ms, bool) or not isinstance(time_ms, int | float):
        return -1
    try:
        value = float(time_ms)
    except OverflowError:
        return -1
    if not isfinite(value) or not 0 <= value * 1_000 <= DURATION_MAX_US:
        return -1
    return round(value * 1_000)


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _entries(path: str, text: str) -> list[object]:
    """Return ``log.entries``.

    Raises:
        ScenarioError: The text is no JSON, or has no such list.
    """
    whole = Span(path, 0, 0, 0, "")
    fix = "save one in the browser's developer tools: Network, 'Save all as HAR'"
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        line = text.split("\n")[error.lineno - 1]  # The lines that JSON counts, and no others.
        where = Span(path, error.lineno, error.colno, 1, line)
        raise ScenarioError(where, f"not JSON: {_lowered(error.msg)}", fix) from None
    except RecursionError:
        raise ScenarioError(whole, "nested too deeply to be a HAR file", fix) from None
    except ValueError:  # Python reads no whole number of thousands of digits.
        raise ScenarioError(whole, "it holds a number of thousands of digits", fix) from None
    log = _map(_map(document).get("log"))
    entries = log.get("entries")
    if not isinstance(entries, list):
        raise ScenarioError(whole, "not a HAR file: there is no list 'log.entries'", fix)
    if not entries:
        raise ScenarioError(
            whole, "there is no request in it", "load the page while the Network panel is open"
        )
    return entries


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
