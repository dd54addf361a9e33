"""Commits by name, each unpacked into a folder of its own, of which git keeps no record that could be left behind."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZipFile

LOCK: Final = "requirements.lock"


class CannotCompare(Exception):
    """Refusal of a comparison, with the reason as people read it."""


class Commit(NamedTuple):
    """A commit: twelve digits, its date and its subject."""

    hash: str
    date: str
    subject: str

    def __str__(self) -> str:
        return f"{self.hash}  {self.date}  {self.subject}"


def find(root: Path, name: str) -> Commit:
    """Find the commit of that name in the repository at `root`. Raises CannotCompare."""
    named = _git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if named.returncode:
        raise CannotCompare(f"git finds no commit {name!r} in {root}.")
    shown = _git(root, "log", "-1", "--format=%H%n%cs%n%s", named.stdout.strip())
    full, date, subject = shown.stdout.rstrip("\n").split("\n")
    return Commit(full[:12], date, subject)


def unpack(root: Path, commit: Commit, folder: Path) -> None:
    """Write a commit's files into a new folder. Raises CannotCompare."""
    packed = folder.with_suffix(".zip")
    done = _git(root, "archive", "--format=zip", "-0", f"--output={packed}", commit.hash)
    if done.returncode:
        raise CannotCompare(f"git cannot unpack {commit.hash}: {done.stderr.strip()}")
    with ZipFile(packed) as file:
        file.extractall(folder)
    packed.unlink()


def has_changes(root: Path) -> bool:
    """Return True where files in the repository differ from HEAD."""
    return bool(_git(root, "status", "--porcelain", "-uno").stdout.strip())


def same_lock(one: Path, other: Path) -> bool:
    """Return True where two checkouts ask for the same libraries."""
    locks = [path.read_bytes() if (path := folder / LOCK).exists() else b"" for folder in (one, other)]
    return locks[0] == locks[1]


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        raise CannotCompare("git is not installed; it is what keeps the commits.") from None
