"""Titles of prompts: the row of cards says what is left of the card, and the prompt need not change with it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.texts import Texts
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId, Seq
from protocol.scene.delta import Patch
from protocol.scene.nodes import ROW_NODE, AnyNode, Prompt, Row
from protocol.wire.from_server import Delta
from protocol.wire.scene_model import SceneModel
from tests.support.clients.sessions import Table
from tests.support.examples import scenes

pytestmark = pytest.mark.waits

PROMPT = scenes.card_prompt()


def title(prompt: Prompt, row: Row | None) -> str:
    nodes: dict[NodeId, AnyNode] = {} if row is None else {ROW_NODE: row}
    return ViewModel(Tabletop(nodes), Texts([scenes.CATALOGUE])).prompt_title(prompt)


def test_in_the_players_turn_it_says_what_is_left_of_the_card() -> None:
    row = scenes.public_nodes()[ROW_NODE]
    assert isinstance(row, Row)
    assert title(PROMPT, row) == "Play your card: 2 actions left"
    assert title(PROMPT, replace(row, left=1)) == "Play your card: one action left"
    assert title(PROMPT, replace(row, left=0)) == "Play your card"


@pytest.mark.parametrize(("seat", "words"), [(1, "Play your card: 2 actions left"), (2, "Play your card")])
def test_the_actions_left_of_another_players_card_are_not_told(seat: int, words: str) -> None:
    row = scenes.public_nodes()[ROW_NODE]
    assert isinstance(row, Row)
    assert next(card.owner for card in row.cards if card.state == "current") == 1
    view = scenes.table_view(seat)
    assert ViewModel(Tabletop({ROW_NODE: row}), Texts([scenes.CATALOGUE]), view).prompt_title(PROMPT) == words


def test_elsewhere_it_is_the_prompts_own() -> None:
    row = scenes.public_nodes()[ROW_NODE]
    assert isinstance(row, Row)
    waiting = replace(row, cards=tuple(replace(card, state="waiting") for card in row.cards))
    assert {title(PROMPT, None), title(PROMPT, waiting)} == {"Play your card"}
    assert title(replace(PROMPT, window="choice"), row) == "Play your card"  # a question, whatever the card
    assert title(replace(PROMPT, choices=()), row) == "Play your card"  # others are to act


def test_a_change_of_the_row_alone_changes_what_the_window_says(table: Table) -> None:
    model = table.session.conversation.scene
    assert isinstance(model, SceneModel)
    patch: Patch = {ROW_NODE: {"left": 1}}
    table.say(Delta(n=Seq(model.numbers[0] + 1), patch=patch, hash=model.public.after(patch).hash))
    view = table.app.front
    assert isinstance(view, TableScreen)
    assert view.controller.driver is not None
    assert view.model.prompt_title(view.controller.driver.prompt) == "Play your card: one action left"
