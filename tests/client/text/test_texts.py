"""Texts from a catalogue, and hostile ones."""

from __future__ import annotations

from client.text.texts import Texts
from protocol.text import Text, text
from tests.support.examples import scenes


def test_texts_from_the_catalogue() -> None:
    texts = Texts((scenes.CATALOGUE,))
    assert texts.say(text("group", faction=scenes.faction(1), n=2)) == "Iron Shells 2"
    assert texts.say(None) == ""
    assert texts.say(text("unknown.key")) == "unknown.key"


def test_what_a_server_says_cannot_steer_the_screen() -> None:
    texts = Texts()
    texts.learn({"evil": "a\x1b[31m\n{b}\u202e"})
    assert texts.say(text("evil", b="\x07")) == "a [31m   "
    deep: Text = text("evil")
    for _ in range(50):
        deep = text("evil", b=deep)
    assert texts.say(deep)
