"""Version and commit of this program."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


@cache
def program_version() -> str:
    """Return the version of this program: the one that was installed when it was first asked for."""
    try:
        return version("eschaton")
    except PackageNotFoundError:
        return "unknown"


def program_commit() -> str:
    """Return the commit that a checkout is at, with "+" where its code was changed since; empty for a program that is
    none."""
    root = Path(__file__).resolve().parents[2]
    top = _git(root, "rev-parse", "--show-toplevel")
    if not top or Path(top) != root:
        return ""
    changed = _git(root, "status", "--porcelain", "--untracked-files=no", "engine", "protocol", "server")
    return _git(root, "rev-parse", "--short=10", "HEAD") + ("+" if changed else "")


def made_by() -> str:
    """Return program, commit and today's date: the origin that a generated page names."""
    commit = program_commit()
    return f"Eschaton {program_version()}{f', commit {commit}' if commit else ''}, on {datetime.now(UTC):%Y-%m-%d}"


def _git(root: Path, *words: str) -> str:
    """Return the output of a git command; empty where there is no git, or it refuses."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
