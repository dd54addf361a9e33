"""Processes in which a server's bots think, as listed by the system."""

from __future__ import annotations

from pathlib import Path


def is_alive(pid: int) -> bool:
    """Tell if there is such a process; one that has ended and only waits to be reaped is none."""
    try:
        return _fields(pid)[0] != "Z"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """Return the live processes that this one has started."""
    found = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [child for child in found if is_alive(child) and _parent(child) == pid]


def _parent(pid: int) -> int:
    try:
        return int(_fields(pid)[1])
    except OSError:
        return -1


def _fields(pid: int) -> list[str]:
    """Return the state, the parent and the other fields of a process."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
