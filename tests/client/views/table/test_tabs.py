"""The tabs below the prompt: by mouse and by keys, what is new is called, and no prompt is taken away."""

from __future__ import annotations

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.ui.table_layout import CHAT, LOG, PAST, PROMPT_TAB
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId, PromptId, Seq
from protocol.scene.fields import Option, Pieces
from protocol.scene.nodes import PROMPT_NODE, AnyNode, Choice
from protocol.text import text
from protocol.wire.from_server import ChatLine
from tests.support.clients.sessions import Table
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

USUAL = (1280, 800)
MANY = 40


def view_of(table: Table) -> TableScreen:
    assert isinstance(table.app.front, TableScreen)
    return table.app.front


def shown(table: Table) -> str:
    table.app.refresh()
    table.app.build()
    return view_of(table).layout.shown


def words_of(table: Table) -> set[str]:
    """Return the lines of text on the panels."""
    table.app.refresh()
    table.app.build()
    return {key.text for key, _, _ in table.app.ui.layers["panels"].letters.lines}


def ask(table: Table, *fields: Pieces, choices: int = 1) -> None:
    """Ask the player for one of so many choices, each with these fields."""
    whole = scenes.card_prompt(prompt_id=PromptId("p2"))
    made = tuple(Choice(f"c{number}", text("choice.move"), fields) for number in range(choices))
    nodes: dict[NodeId, AnyNode] = {PROMPT_NODE: replace(whole, choices=made, default="c0", window="answer")}
    table.say(replace(scenes.snapshot("private", nodes, 2), after=Seq(1)))


def test_each_tab_is_opened_by_the_mouse(table: Table, hand: Hand) -> None:
    assert shown(table) == LOG
    for label, tab in (("Past acts", PAST), ("Chat", CHAT), ("Log", LOG), ("Past acts", PAST), ("Past acts", LOG)):
        hand.click_on(label)
        assert shown(table) == tab


def test_the_keys_of_chat_and_past_acts_open_theirs(table: Table, hand: Hand) -> None:
    for symbol, modifiers, tab in (
        (keys.T, keys.MOD_CTRL, CHAT),
        (keys.ESCAPE, 0, CHAT),
        (keys.BACKSPACE, 0, PAST),
        (keys.BACKSPACE, 0, CHAT),
        (keys.BACKSPACE, 0, PAST),
        (keys.T, keys.MOD_CTRL | keys.MOD_SHIFT, CHAT),
    ):
        hand.press(symbol, modifiers)
        assert shown(table) == tab


def test_what_is_said_meanwhile_is_counted_until_it_is_in_sight(table: Table, hand: Hand) -> None:
    assert "Chat" in words_of(table)
    for second in (1, 2):
        table.say(ChatLine("ada", "Ada", "player", "Hello", second))
    assert "Chat (2)" in words_of(table)
    hand.click_on("Chat")
    assert "Chat" in words_of(table)
    hand.click_on("Log")
    assert "Chat" in words_of(table)
    table.say(ChatLine("ada", "Ada", "player", "Well?", 3))
    assert "Chat (1)" in words_of(table)


def test_a_tab_that_is_too_narrow_for_its_words_has_a_shorter_one(table: Table) -> None:
    table.app.ui.scale = 2.0
    table.app.describe(USUAL)
    assert view_of(table).layout.names == (PROMPT_TAB, LOG, CHAT, PAST)
    assert {"Do", "Log", "Chat", "Past"} <= {key.text for key, _, _ in table.app.ui.layers["panels"].letters.lines}


def test_what_opens_by_itself_takes_nobodys_prompt_away(table: Table, hand: Hand) -> None:
    view = view_of(table)
    view.ribbon.is_open = view.ribbon.opened_itself = True
    assert shown(table) == PAST
    table.app.ui.scale = 2.0
    table.app.describe(USUAL)
    assert view.layout.shown == PROMPT_TAB
    hand.press(keys.BACKSPACE)
    table.app.describe(USUAL)
    assert view.layout.shown == PAST
    assert view.tab_calls(PROMPT_TAB)


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_a_page_of_a_long_list_passes_over_nothing(table: Table, hand: Hand, scale: float) -> None:
    table.app.ui.scale = scale
    ask(
        table, Pieces("x", text("field.group"), options=tuple(Option(f"thing/{n}", text(f"t{n}")) for n in range(MANY)))
    )
    view_of(table).controller.choose("c0")
    seen: set[str] = set()
    for _ in range(MANY):
        table.app.describe(USUAL)
        seen |= {spot.label for spot in table.app.ui.hotspots if spot.listed}
        hand.press(keys.PAGEDOWN)
    assert {f"t{number}" for number in range(MANY)} <= seen


def test_the_panel_of_the_prompt_grows_with_its_longest_list_and_stays(table: Table) -> None:
    table.app.describe(USUAL)
    before = view_of(table).layout.prompt
    ask(table, choices=7)
    table.app.describe(USUAL)
    grown = view_of(table).layout.prompt
    assert grown.h > before.h
    assert len([spot for spot in table.app.ui.hotspots if spot.listed and grown.contains(*spot.rect.centre)]) == 7
    table.say(replace(scenes.snapshot("private", {}, 3), after=Seq(2)))
    table.app.describe(USUAL)
    assert view_of(table).layout.prompt == grown
