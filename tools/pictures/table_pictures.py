"""Pictures of tables: before the start, in the lobby's list, found by a search or a quick match."""

from __future__ import annotations

import time
from typing import Final

from client.text.phrases import phrase
from client.ui.layout import Rect
from protocol.wire.from_client import AddBot, ChangeTable, ChooseFaction, CreateTable, SetReady, StartMatch
from tests.support.lobby_evening.common_acts import go_back, seated
from tests.support.lobby_evening.evening import Evening
from tests.support.lobby_evening.visitor import Visitor
from tools.pictures.camera import Camera

TABLE: Final = "Friday evening"
SCENARIO: Final = "low_water"
DATE_IN: Final = 2 * 24 * 3600
OPTIONS: Final = (
    "Private", "By mail", "Time", "Bank", "Reactions", "Clock against bots", "Bots' pace", "Late players",
    "Look into seats", "All cards, late", "Spectators' words", "Rated", "Strict dice", "Ranked",
    "Staying power", "Date",
)  # fmt: skip


async def set_up(four: Evening, camera: Camera) -> None:
    """Show a table before the start, and what stands behind its buttons."""
    await _open(four, four.ann, "action_cards", SCENARIO, TABLE)
    await four.take(four.ben, f"Join {TABLE}")
    await seated(four, four.ben)
    await four.write(four.ben, "Say something", "I take the Choir of Ash, if nobody minds.")
    await four.write(four.ann, "Say something", "All yours. Cid comes at nine.")
    await _dress(four)
    await four.until(lambda: four.ann.sees(phrase("map.name")))
    camera.take(four.ann.app, "setup")
    await four.take(four.ann, "Factions", "About Salt Column")
    await four.until(lambda: four.ann.session.factions.of("action_cards", "column") is not None)
    camera.take(four.ann.app, "faction")
    four.ann.close_pages()
    await four.take(four.ann, "About seat 2")
    camera.take_page(four.ann.app, "seat")
    four.ann.close_pages()
    await four.take(four.ann, "About seat 4")
    await four.until(lambda: four.ann.sees("Keep for Dora"))
    camera.take_page(four.ann.app, "seat-kept")
    four.ann.close_pages()
    await four.take(four.ann, "Date", "A day later")
    camera.take_page(four.ann.app, "date")
    four.ann.close_pages()
    await four.take(four.ann, "Set-ups")
    await four.write(four.ann, "Name to keep it by", "Friday at eight")
    await four.until(lambda: four.ann.sees("Set up as Friday at eight"))
    camera.take_page(four.ann.app, "set-ups")
    four.ann.close_pages()
    await four.take(four.ann, "Password")
    await four.write(four.ann, "A password for those who come", "hare", enters=False)
    camera.take_page(four.ann.app, "password")
    four.ann.close_pages()


async def _dress(four: Evening) -> None:
    """Let Ben be ready with a faction of his own, and a bot have the third seat."""
    four.ann.session.say(AddBot(kind="level2", seat=2))
    await four.told(four.ann, lambda table: table.seats[2].bot)
    systems = four.ben.session.conversation.systems
    assert systems is not None
    cards = next(one for one in systems.systems if one.id == "action_cards")
    factions = next(one for one in cards.scenarios if one.id == SCENARIO).factions
    four.ben.session.say(ChooseFaction(faction=factions[3].id))
    four.ann.session.say(ChooseFaction(faction=factions[0].id))
    await four.told(four.ann, lambda table: table.seats[0].faction and table.seats[1].faction)
    four.ben.session.say(SetReady(ready=True))
    await four.told(four.ann, lambda table: table.seats[1].ready)


async def ranked(four: Evening, camera: Camera) -> None:
    """Show the options of a ranked table."""
    await _open(four, four.dora, "action_cards", "salt_road", "Ranked, salt road")
    four.dora.session.say(ChangeTable(ranked=True))
    await four.told(four.dora, lambda table: table.ranked)
    camera.take_around(four.dora.app, "ranked", *OPTIONS, edge=3)


async def lobby(four: Evening, camera: Camera) -> None:
    """Show the lobby with open, dated, guarded and live tables, a search, and the door of a guarded one."""
    four.ann.session.say(ChangeTable(begins=int(time.time()) // 3600 * 3600 + DATE_IN))
    await four.told(four.ann, lambda table: table.begins)
    await _open(four, four.cid, "one_page", "open_field_3000", "Two armies, by mail")
    four.cid.session.say(ChangeTable(mail=True))
    await four.told(four.cid, lambda table: table.mail)
    four.cid.navigator.to_lobby()
    await _open(four, four.cid, "apocalypse_earth", "three_bridges", "Three bridges for friends")
    four.cid.session.say(ChangeTable(password="hare"))
    await four.told(four.cid, lambda table: table.guarded)
    await _open(four, four.cid, "action_cards", "first_patrol", "A first patrol")
    four.cid.session.say(AddBot(kind="level1"))
    four.cid.session.say(SetReady(ready=True))
    await four.told(four.cid, lambda table: table.seats[1].bot and table.seats[0].ready)
    four.cid.session.say(StartMatch())
    await four.told(four.cid, lambda table: table.state == "live")
    await four.to_lobby()
    await four.until(
        lambda: four.ann.sees("Join Three bridges for friends") and four.ann.sees("Play for a bot at A first patrol")
    )
    camera.take(four.ann.app, "lobby")
    for label in ("Game filter", "Free seats filter"):
        await four.take(four.ann, label)
    await four.until(lambda: four.ann.can("All tables") and not four.ann.sees("Join Two armies, by mail"))
    top = four.ann.app.find("Name of a table or of a player")[1]
    camera.take(four.ann.app, "search", Rect(0, top - 330, 880, 330 + 30))
    await four.take(four.ann, "All tables")
    await four.take(four.ann, "Join Three bridges for friends")
    await four.until(lambda: four.ann.sees("Password of the table"))
    camera.take_page(four.ann.app, "door")


async def quick_match(four: Evening, camera: Camera) -> None:
    """Show what one looks for, and the match that is offered."""
    players = (four.ben, four.dora)
    await four.take(four.ben, "Find players")
    camera.take_page(four.ben.app, "find-players")
    four.ben.close_pages()
    for visitor in players:
        await four.take(visitor, "Find players")
        for count in (3, 4, 5, 6):
            await four.take(visitor, f"{count} players")
        await four.take(visitor, "Ranked: no", "Look for players")
    await four.until(lambda: all(visitor.can("Play") for visitor in players))
    await four.take(four.dora, "Play")
    search = four.ben.session.match_search
    await four.until(lambda: search.offer is not None and search.offer.confirmed == 1)
    camera.take_page(four.ben.app, "offered-match")
    await four.take(four.ben, "No, stop looking")


async def _open(four: Evening, owner: Visitor, system: str, scenario: str, name: str) -> None:
    """Let somebody open a table."""
    owner.navigator.go(CreateTable(system=system, scenario=scenario, name=name))
    await four.told(owner, lambda table: table.name == name and table.state == "open")
    await four.until(lambda: owner.can("Scenario"))


async def back_at_the_table(four: Evening) -> None:
    """Bring Ann and Ben back to their table, as it was before its date."""
    await go_back(four, four.ann, four.ben)
    four.ann.session.say(ChangeTable(begins=0))
    await four.told(four.ann, lambda table: not table.begins)
