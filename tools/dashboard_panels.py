"""The table of panels from which tools/dashboard.py makes deploy/grafana/dashboard.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Panel(NamedTuple):
    """A panel: its title and the metric that it shows, by the values of a label where it has one.

    How it is shown follows from the metric's kind: a gauge as it is, a counter as its rate, or, where it is `rare`, as
    its growth within an hour, a histogram as its median and 99th percentile. `limit`: a line, from which on it is red.
    """

    title: str
    metric: str
    by: str = ""
    rare: bool = False
    limit: float | None = None
    limit_is_least: bool = False
    """Red is what lies below the limit, not above it."""


ROWS: Final[Mapping[str, tuple[Panel, ...]]] = {
    "People and tables": (
        Panel("Ready for people", "eschaton_ready", limit=1, limit_is_least=True),
        Panel("People connected", "eschaton_connected", by="place"),
        Panel("Tables", "eschaton_tables", by="state"),
        Panel("Seats of live matches", "eschaton_seats", by="holder"),
        Panel("Matches that wait for a person", "eschaton_matches_waiting"),
        Panel("Matches held in memory", "eschaton_matches_held"),
        Panel("New guests in an hour", "eschaton_guests", rare=True),
        Panel("Tables made in an hour", "eschaton_tables_made", rare=True),
    ),
    "Play": (
        Panel("Intents of people", "eschaton_intents", by="outcome"),
        Panel("Intents of bots", "eschaton_bot_intents", by="outcome"),
        Panel("Refusals", "eschaton_rejects", by="code"),
        Panel("Intent until durable", "eschaton_intent_durable_seconds", limit=1.0),
        Panel("Durable until told", "eschaton_intent_told_seconds", limit=0.1),
        Panel("Message queued until sent", "eschaton_sent_seconds"),
        Panel("Matches shown", "eschaton_resumes", by="kind"),
        Panel("Pictures shown anew", "eschaton_resyncs", by="by"),
    ),
    "Process": (
        Panel("CPU by cause, in cores", "eschaton_cpu_seconds", by="cause"),
        Panel("Lag of the event loop", "eschaton_loop_lag_seconds", limit=0.1),
        Panel("Memory", "process_resident_memory_bytes"),
        Panel("Work that waits at matches", "eschaton_match_queue", by="of"),
        Panel("Decisions that bots still owe", "eschaton_bot_orders_waiting"),
        Panel("Bugs in the background in an hour", "eschaton_task_faults", by="task", rare=True, limit=1),
        Panel("Program", "eschaton_build_info", by="version"),
        Panel("Rules", "eschaton_rules_info", by="system"),
    ),
    "Store": (
        Panel("One append", "eschaton_append_seconds", limit=0.5),
        Panel("Size of an append", "eschaton_append_bytes"),
        Panel("Appends that wait", "eschaton_appends_waiting"),
        Panel("Failures of the store in an hour", "eschaton_store_errors", by="operation", rare=True, limit=1),
        Panel("Acknowledged steps lost in an hour", "eschaton_steps_lost", by="by", rare=True, limit=1),
        Panel("Round trip to Redis", "eschaton_redis_seconds", limit=0.25),
    ),
    "Visitors": (
        Panel("WebSockets", "eschaton_sockets"),
        Panel("Bytes sent", "eschaton_sent_bytes", by="kind"),
        Panel("Bytes that wait to be sent", "eschaton_outbound_queue_bytes", by="of"),
        Panel("Handshakes refused", "eschaton_handshakes_refused", by="reason"),
        Panel("Connections closed by the server", "eschaton_closed", by="code"),
        Panel("Passwords tried", "eschaton_sign_ins", by="outcome"),
        Panel("Visitors named by no trusted proxy in an hour", "eschaton_untrusted_forwards", by="peer", rare=True),
        Panel("Files and sockets open", "process_open_fds"),
        Panel("Messages to webhooks in an hour", "eschaton_webhook_messages", by="outcome", rare=True),
    ),
    "What is kept": (
        Panel("Free disk", "eschaton_disk_free_bytes", limit=2e9, limit_is_least=True),
        Panel("Replays", "eschaton_replays"),
        Panel("Size of replays", "eschaton_replays_bytes"),
        Panel("Replays removed in an hour", "eschaton_replays_removed", rare=True),
        Panel("Age of the last backup", "eschaton_backup_age_seconds", limit=26 * 3600),
        Panel("Days that the certificate is good for", "eschaton_certificate_days_left", limit=14, limit_is_least=True),
        Panel("Jumps of the clock in an hour", "eschaton_clock_jumps", rare=True, limit=1),
    ),
}
