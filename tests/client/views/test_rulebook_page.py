"""The rulebook in the window: opened at a choice, a line of the log, the act being made; and hostile rulebooks."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from arcade import key as keys

from client.model.rulebook import ParagraphRef, Rulebook
from client.views.lobby.setup_screen import SetupScreen
from client.views.rulebook_page import RulebookPage
from client.views.table.table_screen import TableScreen
from engine.rulesets.action_cards.text.texts import ENGLISH
from protocol.ids import NodeId, Seq
from protocol.scene.diagrams import Arrow, Diagram, packed, unpacked
from protocol.scene.nodes import TABLE_NODE, Cue, Feature, Group, Piece, Table as SceneTable, Zone
from protocol.text import text
from protocol.wire.from_server import Catalogue, ChatLine, Delta
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

MINE = 1
BOOK = {key: words for key, words in ENGLISH.items() if key.startswith("book.")}


@pytest.fixture
def reading(app: ReadableApp, tmp_path: Path) -> Table:
    """Live table whose game has brought its rulebook."""
    table = at_table(app, tmp_path)
    table.say(Catalogue("action_cards", "en", "d" * 16, {**scenes.ENTRIES, **BOOK}))
    return table


def rulebook(table: Table) -> RulebookPage:
    view = table.app.front
    assert isinstance(view, TableScreen)
    assert view.rulebook.is_open
    return view.rulebook


def shown(table: Table) -> ParagraphRef:
    return rulebook(table)._place


def test_the_mark_beside_a_choice_opens_its_paragraph(reading: Table, hand: Hand) -> None:
    hand.click_on("Rules: Shoot")
    assert shown(reading) == ParagraphRef("shoot", 1)
    assert "paragraph shoot.1" in reading.app.labels()
    assert "Move a group" not in reading.app.labels()
    hand.click_on("Back")
    assert "Move a group" in reading.app.labels()


def test_the_key_opens_it_at_what_is_pointed_at_or_made(reading: Table, hand: Hand) -> None:
    hand.point_at(reading.app.find("End the card"))
    hand.press(keys.H)
    assert shown(reading) == ParagraphRef("cards", 3)
    hand.press(keys.H)
    hand.point_at((600, 400))
    hand.press(keys.KEY_1)
    hand.press(keys.H)
    assert shown(reading) == ParagraphRef("move", 1)
    hand.press(keys.RIGHT)
    assert shown(reading).section == "vehicles"
    hand.press(keys.LEFT)
    hand.press(keys.DOWN)
    hand.press(keys.ESCAPE)
    assert "Rules: Move a group" in reading.app.labels()


def test_a_line_of_the_log_leads_to_its_rule(reading: Table, hand: Hand) -> None:
    cue = Cue("shot", text("log.shot", group=text("faction.1"), target=text("faction.2")), "AC-SHOOT-02")
    scene = reading.session.conversation.scene
    assert scene is not None
    reading.say(Delta(part="public", n=Seq(scene.numbers[0] + 1), patch={}, hash=scene.public.hash, told=(cue,)))
    hand.click_on("Rule AC-SHOOT-02")
    assert shown(reading) == ParagraphRef("shoot", 2)


def test_every_section_can_be_read_in_every_size(reading: Table, hand: Hand) -> None:
    hand.press(keys.H)
    view = rulebook(reading)
    for scale in (1.0, 1.6):
        reading.app.ui.scale = scale
        reading.app.refresh()
        for section in Rulebook(ENGLISH, "action_cards").sections:
            hand.click_on(section.title)
            reading.app.build()
            view._scroll(40)
            reading.app.refresh()
            assert f"paragraph {section.id}.{len(section.paragraphs)}" in reading.app.labels(), section.id


def test_it_can_be_read_before_the_match(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = Table(app, tmp_path, scenes.table_frames(MINE)[:2])
    view = scenes.table_view(MINE, "open")
    table.say(Catalogue("action_cards", "en", "d" * 16, BOOK), view)
    app.show(SetupScreen(app, table.session, table.navigator))
    hand.press(keys.H)
    assert "paragraph aim.1" in app.labels()
    hand.press(keys.ESCAPE)
    hand.click_on("Rules")
    hand.click_on("Winning")
    assert "paragraph winning.1" in app.labels()
    table.say(ChatLine("who0", "Ada", "player", "psst", 0, MINE))
    hand.press(keys.H)
    assert "paragraph winning.1" not in app.labels()


def test_without_a_book_there_are_no_marks_and_no_page(table: Table, hand: Hand) -> None:
    assert not [label for label in table.app.labels() if label.startswith("Rules: ")]
    hand.press(keys.H)
    view = table.app.front
    assert isinstance(view, TableScreen)
    assert not view.rulebook.is_open


def test_pictures_are_drawn_within_the_page_as_far_as_there_is_room(reading: Table, hand: Hand) -> None:
    hand.press(keys.H)
    for section in Rulebook(ENGLISH, "action_cards").sections:
        hand.click_on(section.title)
        assert (f"picture of {section.id}" in reading.app.labels()) == (section.picture is not None)
    hand.click_on("Vehicles")
    x, y = reading.app.find("picture of vehicles")
    assert reading.pixel((x, y)) != reading.pixel((x, 60))


@pytest.mark.parametrize(
    "entry",
    [
        "nothing",
        '{"nodes": 1}',
        '{"nodes": {}}' + " " * 40_000,
        "[" * 20_000,
        msgspec.json.encode({"nodes": {f"zone/{n}": {"k": "zone", "style": "x"} for n in range(500)}}).decode(),
        '{"nodes": {"table": {"k": "table", "size": [1, 1e99]}}}',
    ],
    ids=range(6),
)
def test_a_picture_that_is_none_is_left_out(entry: str) -> None:
    assert unpacked(entry) is None


def test_a_hostile_picture_is_drawn_bounded(reading: Table, hand: Hand) -> None:
    wild = Diagram(
        {
            TABLE_NODE: SceneTable((-5, 2**62)),
            NodeId("feature/1"): Feature(tuple((n * 10**15, -n) for n in range(500)), "moon", text("x")),
            NodeId("piece/1"): Piece(
                (2**60, -(2**60)), 2**60, 77, NodeId("group/1"), box=(2**60, -(2**60)), facing=10**9
            ),
            NodeId("group/1"): Group(-9, text("\u202e" * 500), (NodeId("piece/1"), NodeId("piece/2"))),
            NodeId("zone/1"): Zone("x", at=(0, 0), radius=2**62),
        },
        (Arrow((2**62, 0), (0, -(2**62)), word="\x1b" * 900),),
    )
    assert unpacked(packed(wild)) is not None
    entries = {**scenes.ENTRIES, **BOOK, "book.action_cards.move.picture": packed(wild)}
    reading.say(Catalogue("action_cards", "en", "f" * 16, entries))
    hand.click_on("Rules: Move a group")
    assert "paragraph move.1" in reading.app.labels()
    reading.pixel((5, 5))


@pytest.mark.parametrize(
    "entries",
    [
        {"book.x": "a,a,,b" * 500},
        {"book.x": "a", "book.x.a": "A|99999999999999999999"},
        {"book.x": "a", "book.x.a": "|", "book.x.rule/R": "a.1"},
        {"book.x": "a", "book.x.a": "A|-1", "book.x.rule/R": "a.-1"},
        {"book.x": "a", "book.x.a": "A|²", "book.x.rule/R": "a.²"},
        {"book.x": "a", "book.x.a": "A|1", "book.x.a.1": "\x1b[2J\u202ewords", "book.x.rule/R": "nowhere.7"},
    ],
    ids=range(6),
)
def test_a_garbled_book_is_no_danger(entries: dict[str, str]) -> None:
    book = Rulebook(entries, "x")
    assert book.of_rule("R") is None
    assert len(book.sections) <= 60
    assert all(words.isprintable() for section in book.sections for words in section.paragraphs)
