"""The reach and targets of a group by a choice, in a few words."""

from __future__ import annotations

import pytest

from client.text.survey_words import survey_words
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.advice import Target
from protocol.scene.fields import Band
from protocol.text import Text
from protocol.wire.from_server import Catalogue, Surveyed

TEXTS = Texts([Catalogue("game", "en", "d" * 16, {"far": "It is out of range.", "walk": "Walk"})])
FAR = Text("far")
NEAR, HARD = Target(NodeId("group/1"), chance=835), Target(NodeId("group/2"), chance=120)
BARRED = Target(NodeId("group/3"), FAR)
BANDS = (Band(Text("walk"), 600), Band(Text("walk"), 1250))


def said(found: Surveyed, unit: str = "in", *, is_brief: bool = False) -> str:
    return survey_words(found, TEXTS, unit, lambda thing: thing.upper(), is_brief=is_brief)


@pytest.mark.parametrize(
    ("found", "words", "brief"),
    [
        (Surveyed(1, "go", reach=BANDS), "up to 12.5″", "up to 12.5″"),
        (Surveyed(1, "go", FAR, targets=(NEAR,)), "It is out of range.", "It is out of range."),
        (Surveyed(1, "go", targets=(HARD, NEAR)), "2 targets, best GROUP/1: 84 %", "2 targets, best 84 %"),
        (Surveyed(1, "go", targets=(NEAR, BARRED)), "GROUP/1: 84 %", "1 target, 84 %"),
        (Surveyed(1, "go", targets=(Target(NodeId("group/4")),)), "GROUP/4", "1 target"),
        (Surveyed(1, "go", targets=(BARRED,)), "no target", "no target"),
        (Surveyed(1, "go"), "", ""),
        (Surveyed(1, "go", reach=BANDS[:1], targets=(NEAR,)), "up to 6″, GROUP/1: 84 %", "up to 6″, 1 target, 84 %"),
    ],
)
def test_reach_targets_and_reasons_are_told(found: Surveyed, words: str, brief: str) -> None:
    assert said(found) == words
    assert said(found, is_brief=True) == brief


def test_lengths_are_in_the_tables_unit() -> None:
    assert said(Surveyed(1, "go", reach=BANDS), "cm") == "up to 12.5 cm"


def test_figures_of_one_group_are_one_target() -> None:
    figures = tuple(Target(NodeId(f"piece/1.{number}"), chance=100) for number in range(3))
    words = survey_words(Surveyed(1, "go", targets=figures), TEXTS, "in", lambda thing: "Fen Levy 1")
    assert words == "Fen Levy 1: 10 %"
