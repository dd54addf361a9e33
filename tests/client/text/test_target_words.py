"""The chance and the mean loss of a target: in short on the table, in words under the mouse."""

from __future__ import annotations

from client.text.forecast_words import chance_words, short_words
from client.text.spoken import SPOKEN
from protocol.ids import NodeId
from protocol.scene.advice import Target
from protocol.words import ENGLISH

FOE = NodeId("group/2")


def test_the_mean_loss_reads_as_a_loss() -> None:
    assert short_words(Target(FOE, chance=1000, loss=200)) == "100 % · \N{MINUS SIGN}2.0"
    assert short_words(Target(FOE, chance=30, loss=4)) == "3 %"
    assert short_words(Target(FOE)) == ""


def test_the_words_under_the_mouse_tell_what_the_label_means() -> None:
    target = Target(FOE, chance=660, loss=100)
    assert chance_words(target) == "66 % to kill at least one; 1.0 killed on average"
    assert chance_words(Target(FOE)) == ""
    SPOKEN.speak("de")
    try:
        assert chance_words(target).startswith("66 %, mindestens eine auszuschalten; im Schnitt 1,0")
    finally:
        SPOKEN.speak(ENGLISH)
