"""One place and one number for each verb: in the panel, in the bars, from act to act."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.draw.board.verb_bar import BarButton, shut_button
from client.ui import theme
from client.ui.hotspots import Hotspot
from client.views.table.table_screen import TableScreen
from protocol.ids import PromptId, Seq
from protocol.scene.nodes import PROMPT_NODE, Prompt
from tests.support.clients.sessions import Table
from tests.support.clients.windows.deeds import SET_UP
from tests.support.clients.windows.hands import GestureHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.installed import shipped_systems

pytestmark = pytest.mark.waits

SIZES = ((1280, 800), (1024, 640))


def screen(app: ReadableApp) -> TableScreen:
    assert isinstance(app.front, TableScreen)
    return app.front


def panel_lines(app: ReadableApp, size: tuple[int, int]) -> dict[str, Hotspot]:
    """Return the lines of the prompt's panel in a window of this size, by label."""
    app.describe(size)
    room = screen(app).layout.prompt
    found = {spot.label: spot for spot in app.ui.hotspots if room.contains(*spot.rect.centre)}
    app.refresh()
    return found


def ask(table: Table, number: int, *ids: str) -> None:
    """Show the turn's prompt with these choices alone."""
    whole = scenes.card_prompt(prompt_id=PromptId(f"p{number}"))
    choices = tuple(choice for choice in whole.choices if choice.id in ids)
    prompt = replace(whole, choices=choices)
    table.say(replace(scenes.snapshot("private", {PROMPT_NODE: prompt}, number), after=Seq(1)))


@pytest.mark.parametrize("size", SIZES)
def test_a_verb_that_is_shut_stays_grey_in_its_place_and_says_why(table: Table, size: tuple[int, int]) -> None:
    names = [table.session.texts.say(choice.name) for choice in scenes.card_prompt().choices]
    before = panel_lines(table.app, size)
    ask(table, 2, "end")
    after = panel_lines(table.app, size)
    places = [(label, before[label].rect, before[label].number) for label in names]
    assert [(label, after[label].rect, after[label].number or places[n][2]) for n, label in enumerate(names)] == places
    assert [after[label].can for label in names] == [label == names[-1] for label in names]
    assert after[names[0]].tip == "Not offered now. Play your card: 2 actions left."


def test_what_was_shut_goes_with_the_activation(table: Table) -> None:
    names = [table.session.texts.say(choice.name) for choice in scenes.card_prompt().choices]
    panel_lines(table.app, SIZES[0])
    table.say(replace(scenes.snapshot("private", {}, 2), after=Seq(1)))
    ask(table, 3, "end")
    assert names[0] not in panel_lines(table.app, SIZES[0])


def test_a_verb_has_the_same_number_in_the_panel_and_in_the_bars(app: ReadableApp, tmp_path: Path) -> None:
    installed = shipped_systems()["one_page"]
    local = LocalTable(app, tmp_path, installed, "open_field_3000", 3, SET_UP)
    hand = GestureHand(local)
    hand.until(lambda: hand.view.gestures.prompt is not None and hand.view.controller.driver is not None)
    prompt = local.prompt
    assert isinstance(prompt, Prompt)
    numbers = screen(app).panel.numbers.of(prompt)
    group = next(id for id in screen(app).model.top.groups if id in screen(app).controller.driver.selectable())  # type: ignore[union-attr]  # waited for
    screen(app).gestures.focus(group)
    hand.until(lambda: hand.view.gestures.survey.is_done)
    app.build()
    bars = screen(app).pointer.place_bars(app.ui, screen(app).model, screen(app).panel.numbers)
    buttons: list[BarButton] = [button for bar in bars for _, button in bar if button.choice]
    assert len(buttons) > 1
    assert not any(edge % theme.STEP for bar in bars for place, _ in bar for edge in place), "beside the grid"
    assert all(button.number == numbers[button.choice] for button in buttons)
    shut = {button.choice: button.tip for button in buttons if button.act is None}
    assert screen(app).panel.barred == shut
    assert shut_button(screen(app).model, prompt, prompt.choices[0], 7).act is None
