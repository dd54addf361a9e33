"""Words in TOML files beside the code that says them, read once as their package is imported, as the code itself is.

English stands in the files of a package, each other language in a folder of it named by two letters, in files of any
name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

ENGLISH: Final = "en"
_FOLDER: Final = re.compile("[a-z]{2}")


def words_of(package: str, *names: str) -> dict[str, str]:
    """Return the catalogue entries of the files NAME.toml of a package, in order."""
    return {key: words for name in names for key, words in read_toml(package, name).items()}


@cache
def languages_of(package: str) -> tuple[str, ...]:
    """Return the languages beside English for which a package has a folder, in the order of their codes."""
    return tuple(
        sorted(
            folder.name
            for folder in resources.files(package).iterdir()
            if folder.is_dir() and _FOLDER.fullmatch(folder.name)
        )
    )


@cache
def words_in(language: str, package: str) -> Mapping[str, str]:
    """Return the catalogue entries that a package has in a language beside English: those of all files of its folder,
    none where there is no such folder."""
    if language not in languages_of(package):
        return {}
    folder = resources.files(package).joinpath(language)
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {key: words for file in files for key, words in tomllib.loads(file.read_text("utf-8")).items()}


def read_toml(package: str, name: str) -> dict[str, Any]:
    """Return what the file NAME.toml of a package holds."""
    return tomllib.loads(resources.files(package).joinpath(f"{name}.toml").read_text("utf-8"))
