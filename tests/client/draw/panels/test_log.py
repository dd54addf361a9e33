"""The rows of the log: rule ids inside opened acts alone, and rolls told as the panel of dice tells them."""

from __future__ import annotations

from client.draw.panels.log import log_rows
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import LogLine, ViewModel
from client.model.words.dice_words import dice_words
from client.text.texts import Texts
from protocol.scene.nodes import Dice
from protocol.text import text

CARD = LogLine("Fen Levy are on: 2 actions.", "AC-TURN-2", seat=1)
CUE = LogLine("31 damage.", "AC-SHOOT-3", seat=1, act=7, title="Fen Levy 5 shoots", group="Fen Levy 5")
SUM = LogLine("Fen Levy 5 shot U.N.I.T. 6", seat=1, kind="act", act=7, group="Fen Levy 5")


def rows(*opened: tuple[str, int]) -> list[str]:
    model = ViewModel(Tabletop({}), Texts(), log=[CARD, CUE, SUM], opened=set(opened))
    return [row.words for row in log_rows(model, lambda key: None)][::-1]


def test_rule_ids_stand_inside_opened_acts_alone() -> None:
    assert rows() == [CARD.text, SUM.text]
    assert rows(("act", 7)) == [CARD.text, SUM.text, "31 damage.  [AC-SHOOT-3]"]


def test_a_line_without_its_id_still_opens_its_rule() -> None:
    model = ViewModel(Tabletop({}), Texts(), log=[CARD])
    assert [row.rule for row in log_rows(model, lambda key: None)][::-1] == [CARD.rule]


def test_a_roll_that_counts_successes_has_no_total() -> None:
    counted = Dice(text("roll"), -1, 6, (1, 4, 6), total=11, low=4, high=6)
    assert dice_words(counted, Texts()) == "D6: 1 4 6 · Needs 4 or more · 2 of 3"
    added = Dice(text("roll"), -1, 6, (1, 4, 6), total=11)
    assert dice_words(added, Texts()) == "D6: 1 4 6 · Total 11"
