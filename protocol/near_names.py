"""The name that was meant by a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

NEAR: Final = 0.7
"""Least likeness, of 1, of a name that is offered in place of a misspelt one."""


def nearest(name: str, known: Iterable[str], least: float = NEAR) -> str | None:
    """Return the known name that a misspelt one is nearest to; None where none is as like as `least`, of 1."""
    found = get_close_matches(name, known, 1, least)
    return found[0] if found else None


def meant(name: str, known: Iterable[str]) -> str:
    """Return what follows a complaint about an unknown name: "; did you mean X?", nothing where no name is near."""
    found = nearest(name, known)
    return f"; did you mean {found}?" if found else ""
