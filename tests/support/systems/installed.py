"""The shipped systems as a server has them, loaded once for all tests of a process."""

from __future__ import annotations

from functools import cache

from server.content.systems import Installed, find_systems, load


def shipped_systems() -> dict[str, Installed]:
    """Return them by name; the dictionary is the caller's, what is in it everybody's."""
    return dict(_loaded())


@cache
def _loaded() -> dict[str, Installed]:
    return load(find_systems().values())
