"""Settings, commands and options of the program that the files of deploy/ name; and the YAML among these files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from server.cli.main import app
from server.cli.settings.sources import all_settings

VARIABLE: Final = re.compile(r"\bESCHATON_[A-Z_]+\b")
CALL: Final = re.compile(r"eschaton-server(?P<words>(?: +[\w./:=%*{}$\[\]@-]+)*)")
PROPOSED: Final = re.compile(r"^#([a-z-]+ = )")
VARIABLES: Final = frozenset(each.variable for each in all_settings())
GRACE: Final = 60
"""Seconds in which a server that is asked to ends."""


def documents(path: Path) -> list[dict[str, Any]]:
    """Return the documents of a YAML file."""
    return list(yaml.safe_load_all(path.read_text("utf-8")))


def wrong_words(text: str) -> Iterator[str]:
    """Yield the variables, commands and options of our program in a text that do not exist."""
    yield from sorted(set(VARIABLE.findall(text)) - VARIABLES)
    for call in CALL.finditer(text):
        words = call["words"].split()
        if words and words[0].isalpha():
            options = {word.partition("=")[0] for word in words if word.startswith("--")}
            yield from (f"{words[0]} {option}" for option in sorted(options - options_of(words[0])))


def options_of(command: str) -> set[str]:
    """Return the options of a command. Raises KeyError for one that does not exist."""
    found = app[command].assemble_argument_collection(parse_docstring=True)
    return {name for argument in found for name in argument.names}


def with_proposals(text: str) -> str:
    """Return a settings file with the settings that its comments propose in place of those that hold."""
    lines = [PROPOSED.sub(r"\1", line) for line in text.splitlines()]
    named = {line.partition(" = ")[0]: line for line in lines if line and not line.startswith("#")}
    return "\n".join(named.values())
