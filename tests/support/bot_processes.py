"""The processes in which a server's bots think, as the system shows them."""

from __future__ import annotations

from pathlib import Path


def is_alive(pid: int) -> bool:
    """Whether there is such a process; one that has ended and that nobody has asked about is none."""
    try:
        return _fields(pid)[0] != "Z"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """The processes that this one has started and that are alive."""
    found = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [child for child in found if is_alive(child) and _parent(child) == pid]


def _parent(pid: int) -> int:
    try:
        return int(_fields(pid)[1])
    except OSError:
        return -1


def _fields(pid: int) -> list[str]:
    """State, parent and more."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
