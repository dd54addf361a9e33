"""Words in TOML files beside the code that says them, read once as their package is imported, as the code itself is."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


def words_of(package: str, *names: str) -> dict[str, str]:
    """Return the catalogue entries of the files NAME.toml of a package, in order."""
    return {key: words for name in names for key, words in read_toml(package, name).items()}


def read_toml(package: str, name: str) -> dict[str, Any]:
    """Return what the file NAME.toml of a package holds."""
    return tomllib.loads(resources.files(package).joinpath(f"{name}.toml").read_text("utf-8"))
