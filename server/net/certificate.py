"""TLS certificate of this server, renewed while it runs."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NoReturn

from prometheus_client.core import GaugeMetricFamily

from protocol.limits import DAY
from server.runtime.clock import Clock
from server.runtime.logs import Log
from server.runtime.metrics import gauge

WATCH_SECONDS: Final = 60.0
"""Pause between two checks whether the files have changed."""
Looks = tuple[tuple[int, int, int], ...]


class Certificate:
    """A certificate chain and its private key, read from their files.

    `context` serves a listener for its whole life: handshakes that begin after a renewal are shown the new certificate,
    and open connections stay.
    """

    def __init__(self, cert: Path, key: Path) -> None:
        """Read both files. Raises OSError."""
        self._files = (cert, key)
        self._looks = self._look()
        self.ends = 0.0
        """Unix time at which the one that is shown ends."""
        self.context = self._newest = self._read()
        self.context.sni_callback = self._greet

    def renew(self, log: Log) -> None:
        """Read the files anew. Where they cannot be used, keep the former certificate and log why."""
        cert, key = self._files
        try:
            self._looks = self._look()
            self._newest = self._read()
        except OSError as problem:
            log.error("certificate-refused", path=str(cert), key=str(key), problem=str(problem))
        else:
            log.info("certificate-renewed", path=str(cert))

    async def watch(self, clock: Clock, log: Log) -> NoReturn:
        """Renew the certificate whenever its files have changed, until cancelled. Files that were refused are not tried
        again before they change once more."""
        while True:
            await clock.sleep(WATCH_SECONDS)
            if self._looks != self._look():
                self.renew(log)

    def gauges(self) -> Iterator[GaugeMetricFamily]:
        """Yield how long the certificate that is shown is good for."""
        days = (self.ends - time.time()) / DAY
        yield gauge("eschaton_certificate_days_left", "Days until the certificate that is shown ends.", days)

    def _look(self) -> Looks:
        """Return (modification time, size, inode) of both files, by which a change is known; (0, 0, 0) for a missing
        one."""
        return tuple(_look(path) for path in self._files)

    def _read(self) -> ssl.SSLContext:
        """Make a context for TLS 1.2 or newer with the certificate as it is now. Raises OSError."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(*self._files, password=_refuse_password)
        self.ends = end_of(self._files[0])
        return context

    def _greet(self, handshake: ssl.SSLObject, name: str | None, context: ssl.SSLContext) -> None:
        """Choose the newest certificate. Called in each handshake before one is shown, whatever name is asked for."""
        handshake.context = self._newest


def end_of(cert: Path) -> float:
    """Return the Unix time at which the first certificate in this file ends; 0 where that cannot be read. Raises
    OSError."""
    from cryptography import x509  # which a server without TLS need not load

    try:
        return x509.load_pem_x509_certificate(cert.read_bytes()).not_valid_after_utc.timestamp()
    except ValueError:
        return 0.0


def _look(path: Path) -> tuple[int, int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _refuse_password() -> str:
    raise OSError("its private key has a password, which nobody can type when it is read anew: keep it without one")
