"""Facts of an installation, gathered once for all checks: its settings, its numbers, its store. Changes nothing."""

from __future__ import annotations

import json
import shlex
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final, NamedTuple

from prometheus_client.parser import text_string_to_metric_families

from server.cli.doctor.redis_facts import RedisFacts, look_at_redis
from server.cli.doctor.store_facts import StoreFacts, look_at_file
from server.cli.serving import NOTE, parse_address
from server.cli.settings.settings import ServerSettings
from server.store.choice import FILE, REDIS, SQLITE

ANSWER_SECONDS: Final = 10.0
CONNECT_SECONDS: Final = 3.0
EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses to listen on that stand for all of this computer's, and how it reaches itself."""

Words = dict[str, Any]
"""Words that a check puts into its sentence and its command."""
Numbers = dict[tuple[str, ...], float]
"""Samples by the metric's name, without its first word, and the values of its labels."""


class ServerFacts(NamedTuple):
    """Account that a server gives of itself. `at`: where it listens; `pid`: its process, 0 where it is not known;
    `numbers`: None where it shows none; `unready`: its reason, empty where it takes people in."""

    answers: bool
    at: str
    pid: int = 0
    numbers: Numbers | None = None
    unready: str = ""


@dataclass(frozen=True)
class Facts:
    """All that the checks look at. `now`: Unix time; `redis`: None where the store is a file, and the other way
    round."""

    settings: ServerSettings
    server: ServerFacts
    store: StoreFacts | None = None
    redis: RedisFacts | None = None
    now: float = field(default_factory=time.time)

    @property
    def folder(self) -> Path:
        """The data folder."""
        return self.settings.folder

    @property
    def words(self) -> dict[str, object]:
        """Words that the sentences and commands of all checks may use."""
        return {"data": shlex.quote(str(self.folder)), "pid": self.server.pid or "PID"}

    def number(self, *name: str) -> float | None:
        """Return a sample, None where it is not there or the server shows none."""
        return None if self.server.numbers is None else self.server.numbers.get(name)

    def labelled(self, name: str) -> dict[tuple[str, ...], float]:
        """Return all samples of a metric by the values of its labels."""
        return {key[1:]: value for key, value in (self.server.numbers or {}).items() if key[0] == name}


def gather(settings: ServerSettings) -> Facts:
    """Look at everything; what cannot be reached is told as a fact. Raises CommandError for settings of no sense."""
    place, server = settings.place, look_at_server(settings)
    if place.startswith(REDIS):
        return Facts(settings, server, redis=look_at_redis(place))
    file = Path(place.removeprefix(SQLITE)) if place else settings.folder / FILE
    return Facts(settings, server, store=look_at_file(file))


def look_at_server(settings: ServerSettings) -> ServerFacts:
    """Ask the server for its numbers and its readiness where it shows them; else look whether it listens. Raises
    CommandError."""
    note: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        note = json.loads((settings.folder / NOTE).read_text("utf-8"))
    host, port = parse_address(settings.listen)
    host, port = str(note.get("host", host)), int(note.get("port", port))
    pid = int(note.get("pid", 0))
    at = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not settings.metrics:
        return ServerFacts(_listens(host, port), at, pid)
    shown_at, shown_port = parse_address(settings.metrics)
    try:
        status, shown = _get(shown_at, shown_port, "/metrics")
        if status == 503:
            return ServerFacts(_listens(host, port), at, pid, unready=str(json.loads(shown)["status"]))
        numbers = parse_numbers(shown)
        if not any(name == "build_info" for name, *_ in numbers):
            raise ValueError("the numbers are those of another program")
        status, ready = _get(shown_at, shown_port, "/readyz")
        unready = "" if status == 200 else str(json.loads(ready)["status"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return ServerFacts(_listens(host, port), at, pid)
    return ServerFacts(answers=True, at=at, pid=pid, numbers=numbers, unready=unready)


def parse_numbers(text: str) -> Numbers:
    """Return the samples of Prometheus's text format. Raises ValueError."""
    families = text_string_to_metric_families(text)
    return {
        (sample.name.removeprefix("eschaton_"), *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def _get(host: str, port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection(EVERYWHERE.get(host, host), port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def _listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((EVERYWHERE.get(host, host), port), timeout=CONNECT_SECONDS).close()
    except OSError:
        return False
    return True
