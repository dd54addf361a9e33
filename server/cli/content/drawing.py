"""Pictures that the client draws for commands of the server, in a process of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from protocol.child_commands import child_command
from server.runtime.errors import CommandError

PATIENCE: Final = 120.0
"""Seconds that the drawing may take."""


def draw_by_client(module: str, out: Path, what: bytes = b"") -> None:
    """Let a module of the client draw into a file, with `what` as its input. Raises CommandError."""
    try:
        done = subprocess.run(
            child_command(module, str(out)), input=what, capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired as problem:
        raise CommandError(f"{out} was not drawn within {PATIENCE:.0f} seconds.", 1) from problem
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise CommandError(words[-1] if words else f"{out} cannot be drawn.", 1)
