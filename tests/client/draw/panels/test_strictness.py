"""The mark of strict dice: in a line of the log, and for the rolls of a replay."""

from __future__ import annotations

import pytest

from client.draw.panels.log import log_rows
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import LogLine, ViewModel
from client.model.words.dice_words import strict_words
from client.text.texts import Texts
from client.views.board.replay_dice import ReplayDicePage
from protocol.scene.nodes import Dice, RollId
from protocol.text import text
from tests.engine.core.match.test_strict import gamble, strict_match
from tests.support.fairness.entropy_match import EntropyMatch

DICE = Dice(text("roll"), 0, 6, (2, 5), round=3, n=4)
LOG = LogLine("5 damage", act=7, title="shoots", dice=DICE), LogLine("shot", kind="act", act=7)


def model(is_strict: bool | None) -> ViewModel:
    """Return a table at which the roll of DICE is strict, or not, or which is not strict."""
    found = {RollId(3, 4): is_strict}
    return ViewModel(Tabletop({}), Texts(), log=LOG, strictness=found.get)


@pytest.mark.parametrize(("is_strict", "words"), [(True, "Strict"), (False, "Not strict"), (None, "")])
def test_a_roll_bears_its_words_at_strict_tables_alone(is_strict: bool | None, words: str) -> None:
    assert strict_words(model(is_strict), DICE) == words
    assert strict_words(model(is_strict), Dice(text("roll"), 0, 6, (2, 5), round=3, n=5)) == ""


def test_the_log_says_it_behind_the_roll() -> None:
    shown = model(is_strict=False)
    shown.opened = {("act", 7)}
    rows = [row.words for row in log_rows(shown, lambda key: None)]
    assert rows == ["D6: 2 5 · Not strict", "5 damage", "shot"]


def test_the_rolls_of_a_replay_are_known_by_its_record() -> None:
    match = strict_match()
    match.carry_out(gamble(match))
    match.missing = (0, 1, 2)
    match.carry_out(gamble(match))
    page = ReplayDicePage(match.replay())
    assert [page.strictness(RollId(1, n)) for n in range(3)] == [True, False, None]


def test_a_replay_of_another_table_has_no_marks() -> None:
    match = EntropyMatch()
    match.play("gamble")
    assert ReplayDicePage(match.replay()).strictness(RollId(1, 0)) is None
