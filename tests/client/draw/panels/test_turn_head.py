"""The head of the prompt panel: that one is to act or asked, and what happened last; the mark of who leads; and what
the group in focus can do by each choice."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from client.draw.panels.choices import draw_choices
from client.ui.layout import Rect
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, SeatNode, Waits
from protocol.wire.from_server import Snapshot
from tests.support.clients.sessions import Table
from tests.support.clients.windows.deeds import SET_UP
from tests.support.clients.windows.hands import GestureHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.examples.recorded_table import arrival, as_heard, frames_of
from tests.support.systems.installed import shipped_systems

SIZE = (1280, 800)
Nodes = dict[NodeId, AnyNode]


def at_table(app: ReadableApp, folder: Path, nodes: Nodes) -> TableScreen:
    """Return the screen of the fixture's table in seat 1, with this public scene."""
    app.front = None
    app.before_tick.clear()
    welcome, catalogue, view, _, private = scenes.table_frames(1)
    public = scenes.snapshot("public", nodes)
    assert isinstance(public, Snapshot)
    Table(app, folder, [welcome, catalogue, view, *frames_of([public]), private])
    return screen_of(app)


def screen_of(app: ReadableApp) -> TableScreen:
    assert isinstance(app.front, TableScreen)
    return app.front


def tips(app: ReadableApp) -> dict[str, str]:
    """Return what is told of all that can be found in the usual window, by label."""
    app.describe(SIZE)
    found = {spot.label: spot.tip for spot in app.ui.hotspots}
    app.refresh()
    return found


def with_waits(**changes: object) -> Nodes:
    """Return the fixture's scene with what the table waits for changed."""
    nodes = scenes.public_nodes()
    id, waits = next((id, node) for id, node in nodes.items() if isinstance(node, Waits))
    return {**nodes, id: replace(waits, **changes)}


def with_scores(scores: list[int], sides: list[int]) -> Nodes:
    nodes = scenes.public_nodes()
    for number, (score, side) in enumerate(zip(scores, sides, strict=True)):
        node = nodes[NodeId(f"seat/{number}")]
        assert isinstance(node, SeatNode)
        nodes[NodeId(f"seat/{number}")] = replace(node, score=score, side=side)
    return nodes


def test_who_is_to_act_is_addressed_by_name(app: ReadableApp, tmp_path: Path) -> None:
    screen = at_table(app, tmp_path, with_waits(seats=(1,)))
    words = f"You are to act, {screen.model.player_name(1)} ({screen.model.seat_name(1)})"
    assert words in tips(app)
    at_table(app, tmp_path, with_waits(seats=(1, 2), window="reaction"))
    assert words.replace("to act", "asked") in tips(app)


def test_who_is_not_is_not(app: ReadableApp, tmp_path: Path) -> None:
    at_table(app, tmp_path, with_waits(seats=(2,)))
    assert not [label for label in tips(app) if label.startswith("You are")]


def test_the_last_act_is_told_with_its_seat(app: ReadableApp, tmp_path: Path) -> None:
    table = Table(app, tmp_path, frames_of(arrival("one_page", -1)))
    for frame in as_heard("one_page", 60, -1):
        table.say(frame)
    table.session.story.jump()
    table.settle()
    last = table.session.story.ribbon.last_act
    assert last is not None
    assert last.seat >= 0
    (told,) = [label for label in tips(app) if label.startswith("Last")]
    assert told.startswith(f"Last, {screen_of(app).model.seat_name(last.seat)}: {last.words(table.session.texts)}")


def led(app: ReadableApp, folder: Path, scores: list[int], sides: list[int]) -> list[str]:
    """Return the word for each seat's place in the lead."""
    model, told, found = at_table(app, folder, with_scores(scores, sides)).model, tips(app), []
    for seat in range(len(scores)):
        name = model.seat_name(seat) + (" (you)" if seat == model.seat else "")
        lines = told[f"seat {name}"].splitlines()
        found.append(next((line for line in lines if line.startswith(("Leads", "Level"))), ""))
    return found


ALONE = [-1] * 6


def test_who_leads_is_marked(app: ReadableApp, tmp_path: Path) -> None:
    level = "Level with another in the lead."
    assert led(app, tmp_path, [1, 0, 3, 2, 0, 0], ALONE) == ["", "", "Leads.", "", "", ""]
    assert led(app, tmp_path, [3, 0, 3, 2, 0, 0], ALONE) == [level, "", level, "", "", ""]
    assert led(app, tmp_path, [9, 9, 9, 4, 4, 4], [0, 0, 0, 1, 1, 1]) == ["Leads."] * 3 + [""] * 3


def test_what_the_group_in_focus_can_do_stands_before_what_it_cannot(app: ReadableApp, tmp_path: Path) -> None:
    hand = GestureHand(LocalTable(app, tmp_path, shipped_systems()["one_page"], "open_field_3000", 3, SET_UP))
    screen = screen_of(app)
    hand.until(lambda: screen.gestures.prompt is not None and screen.controller.driver is not None)
    driver = screen.controller.driver
    assert driver is not None
    choices = driver.prompt.choices
    # a group without powers: that choice is in the middle
    group = next(id for id in driver.selectable() if 0 < len(driver.choices_for(id)) < len(choices))
    screen.gestures.focus(group)
    hand.until(lambda: screen.gestures.survey.subject == group and screen.gestures.survey.is_done)
    able = [hand.say(choice.name) for choice in choices if choice in driver.choices_for(group)]
    others = [name for choice in choices if (name := hand.say(choice.name)) not in able]
    app.build()
    assert drawn_choices(app, screen, len(choices)) == [hand.say(choice.name) for choice in choices]
    # a line at the foot, which takes a row's place, tells which are in sight
    assert drawn_choices(app, screen, len(choices) - 1) == [*able, *others][:-2]


def drawn_choices(app: ReadableApp, screen: TableScreen, rows: int) -> list[str]:
    """Return the choices that are drawn where there is room for so many."""
    driver = screen.controller.driver
    assert driver is not None
    app.ui.begin(SIZE)
    draw_choices(app.ui, Rect(900, 100, 300, 24 + rows * 36), screen.model, driver, screen.panel)
    names = [screen.model.texts.say(choice.name) for choice in driver.prompt.choices]
    found = [spot.label for spot in app.ui.hotspots if spot.label in names]
    app.ui.end()
    return found
