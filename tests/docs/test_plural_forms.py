"""Words with a number: one of a thing is never told as several."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("engine", "client", "server", "protocol")
FORMS = re.compile(r"\{\w+\|(?:[^{}]|\{\w+\})*\}")
"""A number with its two forms: {n|one figure|{n} figures}."""
BARE = re.compile(
    r"\{(\w+)\} (?:(?:more|other|free|of your|of the|straight|whole|power|unused) )?"
    r"(inches|feet|points|wounds|figures|models|units|groups|dice|successes|hits|shots|attacks|kills|blocks|steps|corners"
    r"|seconds|minutes|hours|days|weeks|times|turns|rounds|cards|actions|moves|pieces|places|seats|players|people"
    r"|spectators|watchers|votes|bots|tables|matches|lists|lines|rows|letters|signs|characters|words|messages|files"
    r"|replays|acts|choices|options|objectives|goals|deaths|losses|levels|vehicles|passengers)\b"
)


def entries() -> Iterator[tuple[Path, str, str]]:
    """Yield every entry of every catalogue with its file and key."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.toml")):
            document = tomllib.loads(path.read_text("utf-8"))
            for key, words in document.items():
                if isinstance(words, str):
                    yield path.relative_to(ROOT), key, words


NAMES = frozenset(("unit", "group", "name", "side"))
"""Arguments that are no numbers: what follows them is a verb."""


def test_a_number_that_can_be_one_has_both_forms() -> None:
    found = [
        f"{path}: {key}: {bare.group()}"
        for path, key, words in entries()
        for bare in BARE.finditer(FORMS.sub("", words))
        if bare[1] not in NAMES
    ]
    assert found == []


@pytest.mark.parametrize(
    ("words", "is_bare"),
    [("{n} steps", True), ("{n|one step|{n} steps}", False), ("{n|one|{n}} steps", False), ("{unit} moves", False)],
)
def test_what_counts_as_bare(words: str, is_bare: bool) -> None:
    found = BARE.search(FORMS.sub("", words))
    assert (found is not None and found[1] not in NAMES) == is_bare
