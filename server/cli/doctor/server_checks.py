"""Checks of the running server: each yields the words of one sentence for everything that is wrong."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from engine.core.rules.errors import ContentRefused
from protocol.limits import Limits
from server.cli.serving import GIGABYTE
from server.content.systems import find_systems
from server.net.program_figures import DIGITS
from server.runtime.open_files import SPARE_FILES
from server.runtime.rule_code import code_of
from server.runtime.version import program_version

if TYPE_CHECKING:
    from server.cli.doctor.facts import Facts, Words

NEARBY: Final = {"loopback": "127.0.0.1", "private": "NETWORK"}
"""Peers that are most likely proxies of the host: who forges a header from far away is not."""
OVER: Final = 1.1
"""Times the bound that replays may take up, since they are looked at every ten minutes."""
LEAST_FAILED: Final = 10
"""Messages to webhooks that must have failed to be worth a word."""


def not_running(facts: Facts) -> Iterator[Words]:
    if not facts.server.answers:
        yield {"at": facts.server.at}


def not_ready(facts: Facts) -> Iterator[Words]:
    if facts.server.unready and "taken" not in facts.server.unready:
        yield {"why": facts.server.unready.rstrip(".")}


def no_numbers(facts: Facts) -> Iterator[Words]:
    running = facts.server
    if facts.settings.metrics and running.answers and running.numbers is None and not running.unready:
        yield {"metrics": facts.settings.metrics}


def taken_over(facts: Facts) -> Iterator[Words]:
    if "taken" in facts.server.unready:
        yield {}


def other_version(facts: Facts) -> Iterator[Words]:
    for (running,) in facts.labelled("build_info"):
        if running != program_version():
            yield {"running": running, "installed": program_version()}


def other_rules(facts: Facts) -> Iterator[Words]:
    try:
        installed = {name: code_of(system).digest.hex()[:DIGITS] for name, system in find_systems().items()}
    except (ContentRefused, OSError):
        return
    for system, code in facts.labelled("rules_info"):
        if installed.get(system, code) != code:
            yield {"system": system}


def untrusted_proxy(facts: Facts) -> Iterator[Words]:
    for (peer,), count in facts.labelled("untrusted_forwards_total").items():
        if count and peer in NEARBY:
            yield {"count": round(count), "peer": peer, "network": NEARBY[peer]}


def refused_proxy(facts: Facts) -> Iterator[Words]:
    count = facts.number("handshakes_refused_total", "proxy")
    if count:
        yield {"count": round(count)}


def proxy_is_everyone(facts: Facts) -> Iterator[Words]:
    """A trusted network of public addresses lets strangers in it name themselves as they like."""
    for text in facts.settings.trusted_proxy:
        try:
            network = ipaddress.ip_network(text)
        except ValueError:
            continue
        if network.is_global and network.num_addresses > 1 << 16:
            yield {"network": text}


def few_files(facts: Facts) -> Iterator[Words]:
    most, need = facts.number("process_max_fds"), Limits().sockets + SPARE_FILES
    if most is not None and most < need:
        yield {"most": round(most), "need": need, "people": Limits().sockets}


def parked(facts: Facts) -> Iterator[Words]:
    count = facts.number("tables", "parked")
    if count:
        yield {"count": round(count)}


def task_faults(facts: Facts) -> Iterator[Words]:
    failed = {task: count for (task,), count in facts.labelled("task_faults_total").items() if count}
    if failed:
        yield {"count": round(sum(failed.values())), "tasks": ", ".join(sorted(failed))}


def webhooks_fail(facts: Facts) -> Iterator[Words]:
    """That some fail is their people's affair; where most do, the way out of this computer is the likelier cause."""
    outcomes = {outcome: count for (outcome,), count in facts.labelled("webhook_messages_total").items() if count}
    failed = {outcome: count for outcome, count in outcomes.items() if outcome != "sent"}
    count, every = sum(failed.values()), sum(outcomes.values())
    if count >= LEAST_FAILED and 2 * count > every:
        yield {"failed": round(count), "all": round(every), "why": ", ".join(sorted(failed))}


def replays_over(facts: Facts) -> Iterator[Words]:
    size, most = facts.number("replays_bytes"), facts.settings.replays_gb * GIGABYTE
    if size is not None and most and size > most * OVER:
        yield {"size": f"{size / GIGABYTE:.1f}", "most": f"{facts.settings.replays_gb:g}"}


def clock_jumped(facts: Facts) -> Iterator[Words]:
    jumps = facts.number("clock_jumps_total")
    if jumps:
        yield {"count": round(jumps)}
