"""Child processes for hostile files, which may cost memory and time there, not in the window's process.

The child confines itself (protocol/fairness/replay_sandbox.py).
"""

from __future__ import annotations

import subprocess
import threading
from contextlib import suppress
from typing import NamedTuple

from protocol.fairness.replay_sandbox import SANDBOX, command, raise_refusal
from protocol.limits import READING, ChildLimits


class ProcessEnd(NamedTuple):
    """End of a child: its exit status (negative: by this signal; None: given up), and its answer."""

    status: int | None
    output: bytes


class ConfinedProcess:
    """Child process that runs `main` of a module. `run` blocks; `stop` may come from another thread at any time, also
    before it, and ends the child. A child whose parent is gone has only the rest of its computing time."""

    def __init__(self, module: str, limits: ChildLimits) -> None:
        self._command = command(module, limits)
        self._limits = limits
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._is_given_up = False

    def run(self, data: bytes) -> ProcessEnd:
        """Give it `data` and wait for its end. Raises OSError where there can be no child."""
        with self._lock:
            if self._is_given_up:
                return ProcessEnd(None, b"")
            self._child = child = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        patience = threading.Timer(self._limits.patience, self.stop)
        patience.daemon = True
        patience.start()
        try:
            output = self._talk(child, data)
        finally:
            patience.cancel()
        return ProcessEnd(None if self._is_given_up else child.returncode, output)

    def _talk(self, child: subprocess.Popen[bytes], data: bytes) -> bytes:
        assert child.stdin is not None
        assert child.stdout is not None
        with child.stdout:
            try:
                # a child that has ended takes no more, and one that is ended while it listens breaks the pipe
                with suppress(OSError), child.stdin:
                    child.stdin.write(data)
                output = child.stdout.read(self._limits.answer_bytes + 1)
                if len(output) > self._limits.answer_bytes:
                    child.kill()
                    output = b""
                child.wait()
            except BaseException:
                child.kill()
                child.wait()
                raise
        return output

    def stop(self) -> None:
        """End the child, without waiting for it."""
        with self._lock:
            self._is_given_up = True
            if self._child is not None:
                self._child.kill()


def check_readable(data: bytes) -> None:
    """Have a child read a replay first. Raises BadReplay where it cannot, OSError where there can be no child."""
    ended = ConfinedProcess(SANDBOX, READING).run(data)
    raise_refusal(ended.status, ended.output)
