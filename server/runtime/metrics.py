"""All metrics of the server, named in one place. Written by the event loop's thread only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Literal

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from server.runtime.cpu_time import CpuTimes
from server.runtime.instruments import BYTES, Histogram, LabelledCounter, PlainCounter

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
Outcome = Literal["done", "repeated", "refused", "unstored", "fault"]
Gauges = Callable[[], Iterable[Metric]]


class Metrics(Collector):
    """The server's numbers: counters and histograms stand here; gauges (tables, seats, queues) are computed on
    demand."""

    def __init__(self) -> None:
        self.intents = LabelledCounter(
            "eschaton_intents",
            "Intents of people, by what became of them.",
            "outcome",
            ("done", "repeated", "refused", "unstored", "fault"),
        )
        self.bot_intents = LabelledCounter("eschaton_bot_intents", "Intents of bots in seats, by outcome.", "outcome")
        self.rejects = LabelledCounter("eschaton_rejects", "Everything that was refused, by code.", "code")
        self.durable_seconds = Histogram(
            "eschaton_intent_durable_seconds", "An intent of a person: received to durable."
        )
        self.told_seconds = Histogram(
            "eschaton_intent_told_seconds", "An intent: durable until all at the table have it in their queues."
        )
        self.sent_seconds = Histogram("eschaton_sent_seconds", "Messages: queued until the socket has taken them.")
        self.append_seconds = Histogram("eschaton_append_seconds", "One append to the store, waiting included.")
        self.append_bytes = Histogram("eschaton_append_bytes", "Size of an appended step.", BYTES)
        self.store_errors = LabelledCounter("eschaton_store_errors", "Operations that the store failed.", "operation")
        self.steps_lost = LabelledCounter(
            "eschaton_steps_lost", "Acknowledged steps that the store has lost.", "by", ("store",)
        )
        self.resumes = LabelledCounter(
            "eschaton_resumes",
            "Connections shown a match: whole at first, what they missed, or a snapshot.",
            "kind",
            ("first", "delta", "snapshot"),
        )
        self.drifts = LabelledCounter(
            "eschaton_resyncs", "Pictures shown anew, by who asked for it.", "by", ("client", "queue")
        )
        self.handshakes_refused = LabelledCounter(
            "eschaton_handshakes_refused", "Handshakes refused, by reason.", "reason"
        )
        self.sign_ins = LabelledCounter(
            "eschaton_sign_ins", "Passwords tried, by outcome.", "outcome", ("good", "wrong", "locked", "busy")
        )
        self.webhook_messages = LabelledCounter(
            "eschaton_webhook_messages", "Messages to webhooks, by why they did not arrive.", "outcome", ("sent",)
        )
        self.closed = LabelledCounter("eschaton_closed", "Connections closed by the server, by code.", "code")
        self.task_faults = LabelledCounter(
            "eschaton_task_faults", "Background tasks that a bug ended, by task.", "task"
        )
        self.guests = PlainCounter("eschaton_guests", "New guests, each the first time that they come.")
        self.tables_made = PlainCounter("eschaton_tables_made", "Tables that people have opened.")
        self.redis_seconds = Histogram(
            "eschaton_redis_seconds",
            "One round trip to Redis, waiting included: each renewal of the lease.",
        )
        self.untrusted_forwards = LabelledCounter(
            "eschaton_untrusted_forwards",
            "Connections that name a visitor by a header, from a peer that is no trusted proxy, by where the peer is.",
            "peer",
            ("loopback", "private", "public"),
        )
        self.replays_removed = PlainCounter("eschaton_replays_removed", "Replays that went, too old or too much.")
        self.clock_jumps = PlainCounter("eschaton_clock_jumps", "Jumps of the wall clock by more than a minute.")
        self.cpu = CpuTimes()
        self.loop_lag = Histogram("eschaton_loop_lag_seconds", "How much later than asked the event loop wakes up.")
        self.ready = False
        """People may come, as /readyz says; looked at whenever the numbers are asked for."""
        self.sockets = 0
        self.left_behind = 0
        """Kilobytes of cyclic garbage, about, that ended things have left behind (server/runtime/gc_schedule.py)."""
        self.appending = 0
        self._observers: list[Gauges] = []
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def observe(self, gauges: Gauges) -> None:
        """Call `gauges` for the state of things at each exposition from now on."""
        self._observers.append(gauges)

    def exposition(self) -> bytes:
        """Return all numbers in the text format of Prometheus 0.0.4. Call it in the event loop's thread."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics, for the registry."""
        for measure in vars(self).values():
            if isinstance(measure, PlainCounter | LabelledCounter | Histogram):
                yield from measure.collect()
        yield gauge("eschaton_ready", "1 where people may come, as /readyz says, else 0.", self.ready)
        yield gauge("eschaton_sockets", "WebSockets that are open.", self.sockets)
        yield gauge("eschaton_appends_waiting", "Appends that the store has not answered yet.", self.appending)
        for gauges in self._observers:
            yield from gauges()


def gauge(name: str, about: str, value: float) -> GaugeMetricFamily:
    """Make a gauge of a single number."""
    return GaugeMetricFamily(name, about, value=value)


def gauges(name: str, about: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    """Make a gauge with a number for each value of a label."""
    family = GaugeMetricFamily(name, about, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family
