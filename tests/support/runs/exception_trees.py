"""Trees of exceptions as modules draw them in their docstrings."""

from __future__ import annotations

from types import ModuleType


def drawn_in(module: ModuleType) -> dict[str, str]:
    """Return the base of each exception that the docstring draws; the root stands without a sign before it."""
    branch, drawn = "", {}
    for line in (module.__doc__ or "").splitlines():
        words = line.replace("|", " ").replace("`", " ").replace("--", " ").split()
        if line.startswith(("|-- ", "`-- ")):
            branch, drawn[words[0]] = words[0], "EschatonError"
        elif line.startswith(("|   ", "    ")):
            drawn[words[0]] = branch
    return drawn
