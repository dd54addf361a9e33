"""A replay from somebody else is read in a child process first (protocol/fairness/vetting.py says why and how)."""

from __future__ import annotations

from client.fairness.apart import Apart
from protocol.fairness.vetting import verdict
from protocol.limits import READING


def vet(data: bytes) -> None:
    """Raises BadReplay where the child could not read it, OSError where there can be no child."""
    ended = Apart("protocol.fairness.vetting", READING).run(data)
    verdict(ended.status, ended.output)
