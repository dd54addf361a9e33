"""Records of all hosts that a profile has met, in one file of the profile's folder, by host key."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import msgspec

from client.fairness.host_record import MOST_HOSTS, HostRecord
from client.storage.atomic_write import write_atomically


class HostBook:
    """File of records (`path`; None: nothing is kept). Each change is made to what the file holds then, since two
    windows may share a profile. What cannot be written is not kept, and `problem` says why."""

    def __init__(self, path: Path | None, today: Callable[[], date]) -> None:
        self.problem = ""
        self._path = path
        self._today = today
        self._hosts: dict[str, HostRecord] = {}
        self._hosts = self._read()

    def of(self, key: bytes) -> HostRecord:
        """Return the record of a host, as last read or written. A host that was never met has an empty one."""
        return self._hosts.get(key.hex(), HostRecord())

    def note(self, key: bytes, change: Callable[[HostRecord], bool]) -> None:
        """Change the record of a host, and write it down where that has changed anything."""
        hosts = dict(self._read())
        known = hosts.pop(key.hex(), None)
        record = known or HostRecord(since=self._today().isoformat())
        if not change(record) and known is not None:
            return
        hosts[key.hex()] = record
        while len(hosts) > MOST_HOSTS:
            hosts.pop(next(iter(hosts)))
        self._hosts = hosts
        self._write()

    def _read(self) -> dict[str, HostRecord]:
        """Return the records in the file, or those known so far where it cannot be read. A damaged one is put aside."""
        if self._path is None or self.problem:
            return self._hosts
        try:
            return self._decoded(self._path)
        except FileNotFoundError:
            return {}
        except OSError as problem:
            self.problem = problem.strerror or str(problem)
            return self._hosts

    def _decoded(self, path: Path) -> dict[str, HostRecord]:
        data = path.read_bytes()
        try:
            return msgspec.json.decode(data, type=dict[str, HostRecord])
        except (msgspec.MsgspecError, UnicodeDecodeError):
            path.replace(path.with_suffix(".old"))
            return {}

    def _write(self) -> None:
        if self._path is None or self.problem:
            return
        try:
            write_atomically(self._path, msgspec.json.encode(self._hosts))
        except OSError as problem:
            self.problem = problem.strerror or str(problem)
