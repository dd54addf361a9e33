"""Disks that fail on demand: system calls of a running process tampered with by strace, and a very small disk."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from tests.support.runs.patience import PATIENCE

SYNCING: Final = "fsync,fdatasync"
SMALL: Final = "1m"


@cache
def no_tampering() -> str:
    """Return the reason why system calls cannot be tampered with here; empty where they can."""
    if sys.platform != "linux":
        return "strace is for Linux"
    command = ["strace", "-qq", "-o", "/dev/null", "-e", "inject=fsync:error=EIO", "true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as problem:
        return f"strace cannot be run: {problem.strerror}"
    return done.stderr.strip() if done.returncode else ""


@cache
def no_small_disk() -> str:
    """Return the reason why no small disk can be made here; empty where it can."""
    if sys.platform != "linux":
        return "tmpfs is for Linux"
    done = subprocess.run(["unshare", "--mount", "true"], capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode else ""


@asynccontextmanager
async def tampered(pid: int, calls: str, how: str) -> AsyncIterator[None]:
    """Make these system calls of a process and all its threads end in `how` (such as error=EIO) within it."""
    program = await asyncio.create_subprocess_exec(
        *("strace", "-f", "-p", str(pid), "-o", "/dev/null", "-e", f"trace={calls}", "-e", f"inject={calls}:{how}"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert program.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            line = await program.stderr.readline()
        assert b"attached" in line, line
        yield
    finally:
        if program.returncode is None:
            program.send_signal(signal.SIGINT)
        await program.communicate()


def make_read_only(disk: Path) -> None:
    """Make it unwritable for all."""
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """Yield a disk of a megabyte at `place`."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def fill(disk: Path) -> Path:
    """Write a file until there is no room, and return it."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 512):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue
    return filler


@contextmanager
def no_file_grows_beyond(size: int) -> Iterator[None]:
    """Make real writes of this process fail beyond a file size within it, as on a failing disk."""
    import resource  # which Windows does not have

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
