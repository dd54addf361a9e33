"""Expected losses of an act, beside those that it caused: in the log, in the ribbon and over the table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client.model.playback.ribbon import Ribbon
from client.model.playback.told_acts import ActPart
from client.model.table.table_feed import told_lines
from client.text.forecast_words import sum_words
from client.text.spoken import SPOKEN
from client.text.texts import Texts
from protocol.scene.nodes import VOIDED, Act, Cue
from protocol.text import Text
from protocol.words import ENGLISH

WORDS = Texts()
WORDS.learn({"act.shot": "{group} fire", "act.shot.done": "{group} shot: {killed} killed"})
SHOT = Act(1, "shot", 0, how="done", counts={"killed": 3}, names={"group": Text("Levy")}, expect=180)


@pytest.fixture(autouse=True)
def _languages() -> Iterator[None]:
    SPOKEN.speak(ENGLISH)
    yield
    SPOKEN.speak(ENGLISH)


def act(how: str, expect: int) -> Act:
    return Act(1, "shot", 0, how=how, counts=SHOT.counts, names=SHOT.names, expect=expect)


def test_the_mean_of_a_forecast_stands_behind_the_sum() -> None:
    assert sum_words(SHOT, WORDS) == "Levy shot: 3 killed, 1.8 expected"
    assert sum_words(act("done", 0), WORDS).endswith(", 0.0 expected")
    assert sum_words(act("done", -1), WORDS) == "Levy shot: 3 killed"
    assert sum_words(act("", 180), WORDS) == "Levy fire"
    assert "expected" not in sum_words(act(VOIDED, 180), WORDS)


def test_it_is_told_in_the_language_of_the_program() -> None:
    SPOKEN.speak("de")
    assert sum_words(SHOT, WORDS).endswith(", 1,8 erwartet")


def test_log_and_ribbon_tell_it() -> None:
    cue = Cue("shot", Text("bang"), act=1)
    lines = list(told_lines([SHOT], [cue], WORDS))
    assert lines[-1].text == "Levy shot: 3 killed, 1.8 expected"
    ribbon = Ribbon()
    ribbon.take_told(ActPart(1, (cue,), SHOT, has_ended=True))
    assert ribbon.entries[-1].words(WORDS) == "Levy shot: 3 killed, 1.8 expected"
