"""Rule code of this process, by name: the program's version and a digest of the files it was read from."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from engine.core.match.rule_code import RuleCode
from engine.core.rules.system import System
from server.runtime.version import program_version

SHARED: Final = ("engine.core", "engine.space", "engine.kit")
"""Packages that every rule system runs on."""
READ: Final = (".py", ".toml")
"""Suffixes of the files in the digest: pages about rules come with some forms of a package only."""


def package_of(system: System[Any]) -> str:
    """Return the package of a rule system; the module itself where that is in none."""
    module = sys.modules[type(system).__module__]
    return module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0] or module.__name__


def code_of(system: System[Any]) -> RuleCode:
    """Name the code of a rule system as it is on the disk; call it before anything there can change. Raises OSError."""
    return RuleCode(program_version(), _digest((*SHARED, package_of(system))))


@cache
def _digest(packages: tuple[str, ...]) -> bytes:
    """Return the SHA-256 over the files of these packages, sorted by path: of each its path, a zero byte, and its own
    SHA-256."""
    whole = hashlib.sha256()
    for path, data in sorted(_files(packages)):
        whole.update(path.encode() + b"\0" + hashlib.sha256(data).digest())
    return whole.digest()


def _files(packages: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for name in packages:
        module = import_module(name)
        place = name.replace(".", "/")
        if hasattr(module, "__path__"):
            yield from _within(resources.files(name), place)
        elif module.__file__ is not None:
            yield f"{place}.py", Path(module.__file__).read_bytes()


def _within(folder: Traversable, place: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _within(item, f"{place}/{item.name}")
        elif item.name.endswith(READ):
            yield f"{place}/{item.name}", item.read_bytes()
