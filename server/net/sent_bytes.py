"""Bytes of messages to clients, by kind of message: counted for every message, so that each costs but two look-ups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from prometheus_client.core import Metric

from server.runtime.instruments import MOST_LABELS, counters

HEAD: Final = 6
"""Bytes from the length of the tag on by which two kinds of messages differ."""
MAP_16: Final = b"\xde"
"""First byte of a message with more than 15 fields: two bytes with their number follow."""
TAG: Final = b"\xa1t"
UNKNOWN: Final = "unknown"


class SentBytes:
    """Bytes by kind. A kind is the tag of a message, which stands first in it."""

    def __init__(self) -> None:
        self._bytes: dict[bytes, int] = {}
        self._kinds: dict[bytes, str] = {}

    def add(self, parts: tuple[bytes, ...], times: int) -> None:
        """Count these encoded messages, sent to so many."""
        counts = self._bytes
        for data in parts:
            at = 5 if data[:1] == MAP_16 else 3
            head = data[at : at + HEAD]
            try:
                counts[head] += len(data) * times
            except KeyError:
                self._meet(head, data, times)

    def _meet(self, head: bytes, data: bytes, times: int) -> None:
        known = head if len(self._kinds) < MOST_LABELS else b""
        self._kinds[known] = kind_of(data) if known else UNKNOWN
        self._bytes[known] = self._bytes.get(known, 0) + len(data) * times

    def by_kind(self) -> dict[str, int]:
        """Return the bytes of each kind that was ever sent."""
        found: dict[str, int] = {}
        for head, size in self._bytes.items():
            found[self._kinds[head]] = found.get(self._kinds[head], 0) + size
        return found

    def gauges(self) -> Iterator[Metric]:
        """Yield the counter, for the metrics."""
        about = "Bytes of messages to clients, by kind of message."
        yield counters("eschaton_sent_bytes", about, "kind", self.by_kind())


def kind_of(data: bytes) -> str:
    """Return the kind of an encoded message, UNKNOWN for what has no tag in front."""
    at = 3 if data[:1] == MAP_16 else 1
    if data[at : at + 2] != TAG or len(data) < at + 3:
        return UNKNOWN
    size = data[at + 2] & 0x1F
    return data[at + 3 : at + 3 + size].decode("ascii", "replace")
