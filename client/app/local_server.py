"""The server on this computer: found if one runs, else started as a child process."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import platformdirs

from client.errors import NoLocalServer
from client.net.address import Address
from client.text.phrases import phrase
from protocol.child_commands import child_command
from protocol.host_addresses import is_loopback

READY_WITHIN: Final = 20.0
MOST_RESTARTS: Final = 3
"""Times that a server which ends by itself is started anew, before something is wrong with it."""
SERVER_FILE: Final = "server.json"
SETTINGS: Final = "ESCHATON_"
"""Prefix of a server's settings in the environment."""
THIS_COMPUTER: Final = "this computer"
"""The key of such a server in profiles, whatever its port: people are not shown it."""


def server_folder() -> Path:
    """Return the data folder of this user's server."""
    return Path(platformdirs.user_data_dir("eschaton", appauthor=False)) / "server"


def running_server(folder: Path | None = None) -> Address | None:
    """Return the address of the server recorded in the data folder, if it answers within a second.

    Raises NoLocalServer for a server of a network: it must be reached by its name, since its certificate has that.
    """
    try:
        record = json.loads(((folder or server_folder()) / SERVER_FILE).read_bytes())
        host, port = str(record["host"]), int(record["port"])
        with socket.create_connection((host, port), timeout=1):
            pass
    except (OSError, ValueError, TypeError, KeyError):
        return None
    if not is_loopback(host):
        raise NoLocalServer(phrase("local.network", port=port))
    return Address(host, port, secure=False, name=THIS_COMPUTER)


class LocalServer:
    """Server that this program starts when it needs one and ends when it ends itself.

    A server left behind by a program that was killed serves the next one, and ends by itself after a while without
    users.
    """

    def __init__(self, folder: Path | None = None, arguments: tuple[str, ...] = ("--until-unused",)) -> None:
        self.folder = folder
        self.arguments = arguments
        self.process: subprocess.Popen[str] | None = None
        self.port = 0
        self.restarts = 0

    def find_or_start(self) -> Address:
        """Return the address of a server on this computer. Raises NoLocalServer."""
        return running_server(self.folder) or self._start()

    def keep_running(self) -> None:
        """Start a server of this program that has ended by itself anew, at its old port: who was connected finds it
        there. Waits for nothing."""
        has_ended = self.process is not None and self.process.poll() is not None
        if has_ended and self.restarts < MOST_RESTARTS:
            self.restarts += 1
            with contextlib.suppress(NoLocalServer):
                self._launch()

    def _start(self) -> Address:
        self.port = 0
        lines = self._launch()
        try:
            self.port = _port(lines)
        except Empty:
            self.close()
            raise NoLocalServer(phrase("local.no_answer")) from None
        return Address("127.0.0.1", self.port, secure=False, name=THIS_COMPUTER)

    def _launch(self) -> SimpleQueue[str]:
        """Start the process at its port, a free one at first; return the queue for the line that names it. Raises
        NoLocalServer."""
        command = child_command("server.cli.main", "serve", "--listen", f"127.0.0.1:{self.port}", *self.arguments)
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                # without the settings of a server that a person hosts on this computer
                env={name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)},
            )
        except OSError as error:
            raise NoLocalServer(phrase("local.not_started", why=str(error.strerror))) from error
        lines: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=_read, args=(self.process, lines), daemon=True).start()
        return lines

    def close(self) -> None:
        """End the server that was started here; one that ran before goes on."""
        process, self.process = self.process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _read(process: subprocess.Popen[str], lines: SimpleQueue[str]) -> None:
    """Pass on the line that names the server's port, then "" at the end; reads all, so that the pipe never fills."""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            if '"listening"' in line:
                lines.put(line)
    lines.put("")


def _port(lines: SimpleQueue[str]) -> int:
    """Return the port from the server's line. Raises Empty if none comes within `READY_WITHIN` seconds, or at all."""
    line = lines.get(timeout=READY_WITHIN)
    try:
        return int(json.loads(line)["port"])
    except (ValueError, KeyError, TypeError) as error:
        raise Empty from error
