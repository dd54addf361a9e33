"""A replay from somebody else is read in a child process first (protocol/vetting.py says why and how)."""

from __future__ import annotations

import subprocess
import sys

from protocol.vetting import PATIENCE, command, verdict


def vet(data: bytes) -> None:
    """Raises BadReplay where the child could not read it, OSError where there can be no child."""
    try:
        done = subprocess.run(command(sys.executable), input=data, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        verdict(None, b"")
    else:
        verdict(done.returncode, done.stdout)
