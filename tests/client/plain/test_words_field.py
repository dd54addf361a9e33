"""A field of words in plain text: any line fills it in, but the command that ends the program."""

from __future__ import annotations

from protocol.ids import PromptId
from protocol.scene.fields import Words
from protocol.scene.nodes import PROMPT_NODE, Choice, Prompt
from protocol.text import text
from protocol.wire.from_client import Intent
from tests.support.clients.plain.table import PlainTable
from tests.support.examples import scenes


def asked_for_words() -> PlainTable:
    """Return a program that asks for the words of an answer."""
    table = PlainTable()
    table.write()
    answer = Choice("answer", text("choice.offer"), (Words("words", text("choice.end")),))
    prompt = Prompt(PromptId("q1"), text("prompt.card"), (answer,), "choice")
    table.hear(
        scenes.snapshot("public", scenes.public_nodes(), 2), scenes.snapshot("private", {PROMPT_NODE: prompt}, 2)
    )
    table.write()
    return table


def test_who_quits_sends_no_words() -> None:
    table = asked_for_words()
    table.write("quit", "hare")
    assert table.program.is_over
    assert table.console.waiting == ["hare"], "nothing is read after the end"
    assert not any(isinstance(message, Intent) for message in table.said)


def test_the_words_of_other_commands_fill_it_in() -> None:
    table = asked_for_words()
    table.write("look")
    intent = table.last(Intent)
    assert isinstance(intent, Intent)
    assert intent.fields == {"words": "look"}
