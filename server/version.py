"""Which program this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """The version of the installed program."""
    try:
        return version("eschaton")
    except PackageNotFoundError:
        return "unknown"
