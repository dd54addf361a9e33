"""Which program this is."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def program_version() -> str:
    """The version of the installed program."""
    try:
        return version("eschaton")
    except PackageNotFoundError:
        return "unknown"


def program_commit() -> str:
    """The commit that a checkout is at, "+" where its code was changed since; "" of a program that is no checkout."""
    root = Path(__file__).resolve().parents[2]
    top = _git(root, "rev-parse", "--show-toplevel")
    if not top or Path(top) != root:
        return ""
    changed = _git(root, "status", "--porcelain", "--untracked-files=no", "engine", "protocol", "server")
    return _git(root, "rev-parse", "--short=10", "HEAD") + ("+" if changed else "")


def made_by() -> str:
    """Program, commit and today's date: what a page says that it was made by."""
    commit = program_commit()
    return f"Eschaton {program_version()}{f', commit {commit}' if commit else ''}, on {datetime.now(UTC):%Y-%m-%d}"


def _git(root: Path, *words: str) -> str:
    """What git says; "" where there is no git, or it refuses."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
