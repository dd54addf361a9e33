"""Words of a rule system: TOML files beside its code, read once as its package is imported, as the code itself is."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import msgspec

from engine.core.view.rulebook import BookText


def words_of(package: str, *names: str) -> dict[str, str]:
    """Return the catalogue entries of the files NAME.toml of a package, in order."""
    return {key: words for name in names for key, words in _read(package, name).items()}


def book_of(package: str) -> BookText:
    """Return the rulebook that rulebook.toml of a package holds."""
    return msgspec.convert(_read(package, "rulebook"), BookText)


def _read(package: str, name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(package).joinpath(f"{name}.toml").read_text("utf-8"))
