"""HTTP server for the operator's programs: /metrics, /healthz and /readyz. It shows numbers only, and nobody's name.

It has a thread of its own, so that it still answers, and says so, when the event loop is stuck.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Coroutine
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from protocol.host_addresses import is_loopback
from server.net.folder_figures import FolderFigures
from server.net.health import Health
from server.runtime.metrics import CONTENT_TYPE, Metrics

ANSWER_SECONDS: Final = 4.0
SILENT_SECONDS: Final = 5.0
MOST_REQUESTS: Final = 32
"""Requests that are answered at once, each in a thread of its own; further connections are closed."""
T = TypeVar("T")
Answer = tuple[HTTPStatus, str, bytes]
FOREIGN_HOST: Final = (HTTPStatus.FORBIDDEN, "text/plain", b"This address answers to its own names only.\n")


class _HttpServer(ThreadingHTTPServer):
    """A server with a bounded number of threads."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._free = threading.BoundedSemaphore(MOST_REQUESTS)
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that broke off: the process's error stream is a log of JSON lines."""


class _HttpServer6(_HttpServer):
    """The same for IPv6."""

    address_family = socket.AF_INET6


class Monitor:
    """The HTTP server, which answers until it is closed. Made and closed in the event loop's thread."""

    def __init__(self, metrics: Metrics, health: Health, figures: FolderFigures) -> None:
        self._metrics = metrics
        self._figures = figures
        self._health = health
        self._loop = asyncio.get_running_loop()
        self._server: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None

    def open(self, host: str, port: int) -> int:
        """Listen, and return the port. Raises OSError."""
        monitor = self
        is_local = is_loopback(host)

        class Handler(BaseHTTPRequestHandler):
            timeout = SILENT_SECONDS
            server_version = "eschaton"
            sys_version = ""

            def do_GET(self) -> None:
                if is_local and not is_own_host(self.headers.get("Host", "")):
                    status, kind, body = FOREIGN_HOST
                else:
                    status, kind, body = monitor.answer(self.path)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name for it
                """Log nothing: requests of the operator's programs would fill the log."""

        self._server = (_HttpServer6 if ":" in host else _HttpServer)((host, port), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="monitor", daemon=True)
        self._thread.start()
        bound: int = self._server.server_address[1]
        return bound

    async def close(self) -> None:
        """Stop listening."""
        if self._server is not None and self._thread is not None:
            await asyncio.to_thread(self._server.shutdown)
            self._server.server_close()
            self._thread.join()

    def answer(self, path: str) -> Answer:
        """Return the answer to a request for this path. Called in another thread than the loop's."""
        if path == "/healthz":
            stuck = self._health.stuck
            return status_answer("ok") if not stuck else status_answer(f"the event loop has not run for {stuck:.0f} s")
        try:
            if path == "/readyz":
                return status_answer(self._in_loop(self._health.unready()) or "ok", self._health.promise)
            if path == "/metrics":
                return HTTPStatus.OK, CONTENT_TYPE, self._in_loop(self._exposition())
        except TimeoutError:
            return status_answer("the event loop does not answer")
        return HTTPStatus.NOT_FOUND, "text/plain", b"/metrics, /healthz or /readyz\n"

    async def _exposition(self) -> bytes:
        await self._figures.refresh()
        self._metrics.ready = not await self._health.unready()
        return self._metrics.exposition()

    def _in_loop(self, work: Coroutine[Any, Any, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(ANSWER_SECONDS)
        except TimeoutError:
            future.cancel()
            raise


def is_own_host(header: str) -> bool:
    """Return True where a Host header names this computer by a loopback address, or is missing.

    A web page that has its own name point at this computer is recognized by that name.
    """
    if not header:
        return True
    try:
        host = urlsplit(f"//{header}").hostname
    except ValueError:
        return False
    return host is not None and is_loopback(host)


def status_answer(status: str, durability: str = "") -> Answer:
    """Return the answer for a status: 200 for "ok", 503 for any other text. `durability`: what the store promises,
    where the host must know of it."""
    code = HTTPStatus.OK if status == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
    said = {"status": status} | ({"durability": durability} if durability else {})
    return code, "application/json", json.dumps(said).encode() + b"\n"
