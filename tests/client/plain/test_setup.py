"""Plain text before a match: the lobby's tables, seats and settings by number, and an army list row by row."""

from __future__ import annotations

from msgspec.structs import replace

from client.draw.board.terrain.picture import PAINTERS
from client.net.connection import Down
from client.text.phrases import ENGLISH
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.choices import FactionChoice, ScenarioChoice, SystemChoice
from protocol.wire.codec import encode
from protocol.wire.faction_pages import FactionRule, FactionSheet, FactionUnit, ReadyList
from protocol.wire.from_client import (
    AddBot,
    BringList,
    BuildList,
    ChangeTable,
    ChooseFaction,
    CreateTable,
    JoinTable,
    SetReady,
    StartMatch,
    WatchTable,
)
from protocol.wire.from_server import ListShown, SeatView, Systems, TableView, Welcome
from protocol.wire.list_form import Change, Count, FormSection, ListForm, Pick
from protocol.wire.previews import GetPreview, Preview
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.plain.table import PlainTable
from tests.support.examples import scenes
from tests.support.examples.faction_sheets import shown
from tests.support.examples.scenario_previews import preview

MILL = ScenarioChoice("mill", Text("Mill"), Text("Hold it."), 2, (FactionChoice("ash", Text("Ash")),), points=100)
SYSTEMS = Systems((SystemChoice("action_cards", Text("Cards"), (MILL,), ("random", "level1", "level2")),))
WELCOME = Welcome("who1", "Bertram", "secret-token", "test server", "0.1.0")
SHEET = FactionSheet(
    Text("Ash"),
    about=(Text("How they play: fast."),),
    strong=Text("Many."),
    weak=Text("Brittle."),
    numbers=(Text("Move 8"),),
    units=(FactionUnit(Text("Guard"), "rifle", Text("10 points"), (Text("Rifle"),)),),
    rules=(FactionRule(Text("Fear"), Text("Others run.")),),
    lists=(ReadyList(Text("90 of 100 points"), (Text("9 x Guard"),)),),
)
ROWS = (
    TableRow(TableId("t7"), "Friday", "action_cards", Text("Mill"), "open", 2, 1),
    TableRow(TableId("t8"), "Late", "action_cards", Text("Mill"), "live", 2, 2, waits=("Ada",)),
)
SEATS = (SeatView(0, "", "", "", None), SeatView(1, "who1", "Bertram", "ash", Text("Ash"), connected=True))


def in_lobby() -> PlainTable:
    """Return a program that has just come to a lobby with two tables."""
    return PlainTable([encode(message) for message in (WELCOME, scenes.CATALOGUE, SYSTEMS, Lobby(ROWS))])


def before_start(welcome: Welcome = WELCOME) -> tuple[PlainTable, TableView]:
    """Return a program at a table of the person's own that has not begun."""
    view = replace(scenes.table_view(1, "open"), owner="who1", seats=SEATS, watchers=())
    messages = (welcome, scenes.CATALOGUE, SYSTEMS, Lobby(()), view)
    return PlainTable([encode(message) for message in messages]), view


def test_the_lobby_lists_its_tables_by_number_and_takes_one_to_join_or_watch() -> None:
    table = in_lobby()
    told = table.write("join 1", "watch 2", "join 3", "join")
    assert told[0] == "The lobby of 127.0.0.1:8440. You are Bertram."
    assert "1. Friday. Mill, 1 of 2 seats taken" in told
    assert "2. Late. Mill, 2 of 2 seats taken. waits for Ada" in told
    assert table.last(JoinTable) == JoinTable(table=TableId("t7"))
    assert table.last(WatchTable) == WatchTable(table=TableId("t8"))
    assert told[-2:] == [
        "There is no 3 here: type a number from 1 to 2.",
        "Which table? Type list, then its number behind the command, or the code that you were given.",
    ]


def test_a_table_is_made_by_questions_whose_defaults_enter_takes() -> None:
    table = in_lobby()
    told = table.write("create", "", "", "2", "Ours")
    assert "1. Mill, 2 seats, 90 minutes. Hold it." in told
    made = table.last(CreateTable)
    assert made == CreateTable(system="action_cards", scenario="mill", name="Ours", private=True)
    assert table.write("create", "9", "back")[-1] == "Dropped."


def test_seats_are_told_with_what_is_to_be_done_next_and_filled_with_bots() -> None:
    table, view = before_start()
    told = table.write("bots", "bot 1", "2", "ready", "start", "look")
    assert told[:4] == [
        "Friday night: Cards, Mill. The match has not begun. Seats:",
        "1. Free seat, no faction chosen",
        "2. Bertram (you), owner, Ash, not ready",
        "Invite code: K7Q4XZ",
    ]
    assert told[4].startswith("Seats are free. Type bots")
    bots = [message for message in table.said if isinstance(message, AddBot)]
    assert bots == [AddBot(kind="level2", seat=0), AddBot(kind="level1", seat=0)]
    assert table.last(SetReady) == SetReady(ready=True)
    assert table.last(StartMatch) == StartMatch()
    assert told[-1] == "look means nothing here. Type help for what does."
    table.hear(replace(view, seats=(replace(SEATS[0], bot="level1", name="Bot"), SEATS[1])))
    assert table.write() == ["1. Bot: Bot, no faction chosen, not ready", "Bring an army: type army."]


def test_factions_and_options_are_changed_by_their_numbers() -> None:
    table, _ = before_start()
    told = table.write("faction", "1", "options", "options 2")
    assert table.last(ChooseFaction) == ChooseFaction(faction="ash")
    assert "2. By mail: no" in told
    assert table.last(ChangeTable) == ChangeTable(mail=True)


def test_the_table_of_the_scenario_is_told_once_it_has_come_and_again_by_map() -> None:
    table, view = before_start()
    assert table.write("map")[-1] == "This server does not show its scenarios."
    table, view = before_start(replace(WELCOME, previews=True))
    table.write("look")
    assert table.last(GetPreview) == GetPreview(view.system, view.scenario)
    table.hear(preview(view.system, view.scenario))
    lines = [
        "The table is 48 inches wide and 32 inches high. "
        "Terrain: 2 x wall, 1 x building, 1 x dream pond, 3 pieces laid by the dice.",
        "Start zones: one in the middle, still to be given; 1 in the west; 2 Bertram in the east.",
    ]
    assert table.write() == lines
    assert table.write() == []
    assert table.write("map") == lines
    table.hear(replace(view, scenario="bog"))
    table.write()
    text = Text("There is no such scenario.")
    table.hear(Preview(view.system, "bog", code="table/unknown-scenario", text=text))
    assert table.write("map")[-1] == "There is no such scenario."


def test_factions_are_listed_and_one_is_told_in_full() -> None:
    table, view = before_start()
    table.write()
    assert table.write("sheet") == ["1. Ash", "sheet 3 tells number 3 in full."]
    assert table.write("sheet 1") == ["This server does not tell more of factions."]
    table.session.factions.begin(is_known=True)
    table.hear(shown(view.system, "ash", sheet=SHEET))
    assert table.write("sheet 1") == [
        "Ash",
        "How they play: fast.",
        "Move 8",
        "Strong: Many.",
        "Weak: Brittle.",
        "Special rules",
        "Fear: Others run.",
        "What they have",
        "Guard: 10 points; Rifle",
        "Ready list, 90 of 100 points: 9 x Guard",
    ]
    table.session.factions.begin(is_known=True)
    table.hear(shown(view.system, "ash", sheet=None, code="bound/lists-person", text=Text("Wait a little.")))
    other = FactionChoice("sun", Text("Sun"))
    table.hear(replace(SYSTEMS, systems=(replace(SYSTEMS.systems[0], scenarios=(replace(MILL, factions=(other,)),)),)))
    table.hear(shown(view.system, "sun", sheet=None, code="bound/lists-person", text=Text("Wait a little.")))
    assert table.write("sheet 1") == ["Wait a little."]


def test_every_kind_of_terrain_that_is_drawn_has_its_word() -> None:
    assert [kind for kind in PAINTERS if f"plain.kind.{kind}" not in ENGLISH] == []


def test_an_army_list_is_changed_row_by_row_and_only_what_changes_is_told_again() -> None:
    table, _ = before_start()
    rows = (Count("units/a", Text("Guard"), value=1), Pick("army", Text("Army"), options=(Text("Ash"), Text("Sun"))))
    form = ListForm("d1", Text("Ash"), Text("10 of 100"), (FormSection(Text("Units"), rows),))
    table.write("army")
    table.hear(ListShown(1, form))
    told = table.write("look")
    assert told[:4] == ["Ash. 10 of 100", "Units", "1. Guard: 1", "2. Army: Ash"]
    table.write("1")
    asked = table.last(BuildList)
    assert isinstance(asked, BuildList)
    assert asked.change == Change("units/a", 2)
    more = replace(form, draft="d2", total=Text("20 of 100"), sections=(FormSection(Text("Units"), (
        replace(rows[0], value=2), rows[1])),))  # fmt: skip
    table.hear(ListShown(1, more))
    assert table.write("9")[-1] == "There is no 9 here: type a number from 1 to 2."
    table.write("")
    assert table.last(BringList) == BringList(list="d2")


def test_a_server_that_cannot_be_reached_is_told_once_and_ends_the_program() -> None:
    table = PlainTable([])
    table.wire.waiting[:] = [Down("nobody listens there", 0)]
    assert table.write("help") == ["127.0.0.1:8440: nobody listens there."]
    assert table.program.is_over
