"""The window's words stand in its catalogues: none in the code, none that nobody says, no blank unfilled."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.text.phrases import ENGLISH, named, phrase, yes_or_no
from client.text.texts import Texts
from protocol.text import Text
from protocol.wire.from_server import Catalogue

CLIENT = Path(__file__).parents[3] / "client"
TERMINAL = {"main", "picture", "verify_command", "receipts_check", "receipts", "promises"}
TERMINAL |= {
    "clip_command",
    "ffmpeg",
    "verify",
    "verify_dice1",
    "verify_hashes",
    "verify_parts",
    "verify_report",
    "verify_strict",
    "link_install",
}
"""Modules with words of the command line: its help and its errors, and the report of the checker, which stands alone;
and those that write in the forms of a system."""
CATALOGUES = sorted([*CLIENT.rglob("*_phrases.py"), *CLIENT.rglob("*_texts.py")])
SILENT = sorted(file for file in {*CLIENT.rglob("*.py")} - {*CATALOGUES} if file.stem not in TERMINAL)
NO_WORDS = {
    "clip_plan": {"Eschaton"},  # a folder
    "local_server": {"this computer"},  # a key in people's profiles
    "fonts": {"IBM Plex Sans", "IBM Plex Sans Condensed", "Bold", "Regular"},
}
"""What reads like words and is not for people to read, by file."""
WORDS = re.compile(r"\w['\u2019]?\w*[,:;.]? [A-Za-z(]|^[^A-Za-z]*[A-Z][a-z]+")
"""Two words, or one that begins like a sentence: what is for people. Ids, keys of catalogues and formats are not so."""
BLANK = re.compile(r"\{(\w+)")


def literals(file: Path) -> Iterator[tuple[int, str]]:
    """Yield every string of a file but docstrings and the programs of the graphics card, with its line; what is put
    into an f-string stands as a number in it."""
    tree = ast.parse(file.read_text())
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            yield (
                node.lineno,
                "".join(str(part.value) if isinstance(part, ast.Constant) else "0" for part in node.values),
            )
            skipped.update(id(part) for part in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield every phrase that is said anywhere in the client, with the place of it."""
    for file in sorted(CLIENT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("phrase", "named"):
                yield f"{file.name}:{node.lineno}", node


def said(argument: ast.expr) -> list[str]:
    """Return the keys that an argument may come to, as patterns."""
    match argument:
        case ast.Constant(value=str(key)):
            return [re.escape(key)]
        case ast.IfExp():
            return said(argument.body) + said(argument.orelse)
        case ast.JoinedStr():
            parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"\w+" for p in argument.values]
            return ["".join(parts)]
    raise AssertionError(ast.unparse(argument))


@pytest.mark.parametrize("file", SILENT, ids=lambda file: file.stem)
def test_no_words_for_people_stand_in_the_code(file: Path) -> None:
    found = [(line, words) for line, words in literals(file) if reads(words)]
    allowed = NO_WORDS.get(file.stem, set())
    assert [f"{file.name}:{line}: {words}" for line, words in found if words not in allowed] == []
    assert allowed <= {words for _, words in found}


def reads(words: str) -> bool:
    return bool(WORDS.search(words)) and not words.strip().startswith("#version")


def test_the_rule_tells_words_from_ids() -> None:
    for words in (
        "Lobby",
        "no one",
        "0 of 0 taken",
        ", not connected",
        "(you see)",
        "0 seats, 0 Left",
        "don't go",
        "0 ms",
    ):
        assert reads(words), words
    for other in ("piece/0", "lobby.title", "wooden_fence", "||", "2f 4f", "F10", "0: 0", "lrth", "…", "0 +0"):
        assert not reads(other), other


def test_every_phrase_has_its_words_and_fills_their_blanks() -> None:
    wrong: list[str] = []
    for place, call in calls():
        if not (isinstance(call.func, ast.Name) and call.func.id == "phrase") or place.startswith("phrases.py"):
            continue
        given = {keyword.arg for keyword in call.keywords}
        for pattern in said(call.args[0]):
            found = [key for key in ENGLISH if re.fullmatch(pattern, key)]
            blanks = [set(BLANK.findall(ENGLISH[key])) for key in found]
            if not found or any(each != given for each in blanks):
                wrong.append(f"{place}: {pattern}: {blanks} are given {given}")
    assert wrong == []


@pytest.mark.slow
def test_no_words_are_kept_that_nobody_says() -> None:
    patterns = {"yes", "no"}
    for _, call in calls():
        if isinstance(call.args[0], ast.Name):
            continue
        group = call.func.id == "named" if isinstance(call.func, ast.Name) else False
        patterns.update(pattern + (r"\.\w+" if group else "") for pattern in said(call.args[0]))
    any_said = re.compile("|".join(patterns))
    assert [key for key in ENGLISH if not any_said.fullmatch(key)] == []


def test_names_from_a_server_are_said_in_our_words_where_there_are_some() -> None:
    assert named("cards.state", "done") == "played"
    assert named("cards.state", "burnt") == "burnt"
    assert yes_or_no(is_so=True) == "yes"


def test_no_server_changes_what_the_window_says_and_no_phrase_what_a_game_says() -> None:
    texts = Texts([Catalogue("game", "en", "", {"concede.title": "Win?", "goals": "Ends"})])
    assert phrase("concede.title") == "Concede?"
    assert texts.say(Text("goals")) == "Ends"
    assert Texts().say(Text("lobby.title")) == "lobby.title"
