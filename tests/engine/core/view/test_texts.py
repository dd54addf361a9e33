"""The core's English: every text key of the core has words."""

from __future__ import annotations

import inspect
import re
from string import Formatter
from types import ModuleType

import pytest

from engine.core.match import match
from engine.core.match.rule_code import CHANGED, SAME
from engine.core.rules.events import CORE_EVENTS
from engine.core.view import prompts
from engine.core.view.texts import ENGLISH

KEY = re.compile(r'IllegalIntent\("((?:turn|start|answer|void|concede)/[a-z-]+)"')


def blanks(words: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(words) if name is not None}


@pytest.mark.parametrize("module", [match, prompts])
def test_what_is_refused_by_name_has_words(module: ModuleType) -> None:
    codes = set(KEY.findall(inspect.getsource(module)))
    assert codes
    assert {code for code in codes if f"refuse.{code}" not in ENGLISH} == set()


def test_every_reason_against_undo_has_words() -> None:
    barriers = {event.barrier for event in CORE_EVENTS} - {""}
    for code in barriers | {"nothing", "another-acted", "expired", "waiting", "revealed"}:
        assert f"refuse.undo/{code}" in ENGLISH


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("refuse.reply/unknown-choice", {"choice"}),
        ("refuse.reply/unknown-field", {"field"}),
        ("refuse.reply/missing-field", {"field"}),
        ("refuse.reply/bad-field", {"field"}),
        ("log.undone", {"seat"}),
        ("log.expired", {"seat"}),
        ("log.voided", {"error"}),
        (f"log.{SAME}", {"version"}),
        (f"log.{CHANGED}", {"version"}),
    ],
)
def test_words_have_a_place_for_what_they_are_told_with(key: str, names: set[str]) -> None:
    assert blanks(ENGLISH[key]) == names
