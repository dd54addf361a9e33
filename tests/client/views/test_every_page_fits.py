"""Every page, as full as it can be, at the largest text scales in the smallest window, a usual and the least one.

Nothing ends the program, and whatever can be clicked lies inside the window and apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, product
from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.app.key_dispatch import SCALES
from client.app.window import LEAST, SMALLEST
from client.model.lobby.table_setups import setup_of, written
from client.model.replay.clip_plan import GIF
from client.model.replay.replay_player import ReplayPlayer
from client.model.session import ClientSession
from client.model.table.view_model import ChatEntry
from client.storage.fault_reports import FaultReports
from client.storage.named_files import MOST_NAME
from client.ui.layout import Rect
from client.views.board.replay_screen import ReplayScreen
from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.setup_screen import SetupScreen
from client.views.moderator_form import on_person
from client.views.result_screen import ResultScreen
from client.views.screen import Screen
from client.views.table.table_screen import TableScreen
from engine.rulesets.action_cards.system import CATALOGUE
from engine.rulesets.action_cards.text.texts import ENGLISH
from protocol.ids import TableId
from protocol.limits import Limits
from protocol.text import Text
from protocol.wire.choices import OptionChoice, ScenarioChoice, SystemChoice
from protocol.wire.from_client import JoinTable
from protocol.wire.from_server import (
    Catalogue,
    ChatLine,
    ClockWarning,
    ListShown,
    LobbyChat,
    OfferView,
    Problem,
    Role,
    Systems,
    VoteView,
    Watcher,
)
from protocol.wire.list_form import Count, FormSection, ListForm
from protocol.wire.on_now import OnNow, OnNowCounter, OnNowRow, OnNowSeat
from protocol.wire.order import (
    AnnouncementRow,
    Announcements,
    AuditPage,
    AuditRow,
    ReportedWords,
    ReportPage,
    ReportRow,
    SanctionPage,
    SanctionRow,
)
from protocol.wire.people import PeoplePage, PersonCard, PersonRow
from protocol.wire.results import RatingView, ResultRow, Results, ResultSeat
from protocol.wire.table_lists import Lobby as LobbyRows, TableRow
from protocol.wire.webhooks import WebhookState
from tests.support.clients.sessions import Table
from tests.support.examples import replays, scenes
from tests.support.examples.faction_sheets import LONG, game, shown as faction_shown
from tests.support.examples.scenario_previews import preview
from tests.support.fairness.dice_marks import told
from tests.support.fairness.entropy_match import EntropyMatch
from tests.support.fairness.signing import HOST

MINE = 1
NAME = "W" * Limits().name_length
CROWD = tuple(Watcher(f"w{number}", NAME, Role("seat", MINE)) for number in range(9))
CURIOUS = tuple(Watcher(f"w{number}", NAME, Role("public", -1, MINE)) for number in range(4))
GROUPS = {f"{faction} {n}" for faction in scenes.FACTIONS for n in range(1, 4)}
BOOK = {key: words for key, words in ENGLISH.items() if key.startswith("book.")}


def crowded(table: Table, **changes: object) -> None:
    """Put people with the longest names in all seats."""
    view = scenes.table_view(MINE)
    seats = tuple(replace(seat, who=f"who{seat.seat}", name=NAME, bot="") for seat in view.seats)
    changes = {"owner": table.session.conversation.you, "seats": seats, "code": "ABCDE12345"} | changes
    table.say(replace(view, **changes))


def playing(table: Table) -> TableScreen:
    view = table.app.front
    assert isinstance(view, TableScreen)
    return view


def opened(table: Table) -> None:
    crowded(table)


def menu(table: Table) -> None:
    crowded(table, watchers=CROWD)
    playing(table).pages.menu = True


def name(table: Table) -> None:
    table.session.registered_name = NAME
    playing(table).registration.open()
    table.session.problem = "That is not the password of this name on this server, try again or ask its host for help."


def conceding(table: Table) -> None:
    playing(table).controls.is_conceding = True


def book(table: Table) -> None:
    table.say(Catalogue("action_cards", "en", "d" * 16, {**scenes.ENTRIES, **BOOK}))
    playing(table).rulebook.open()


def talk(table: Table) -> None:
    crowded(table)
    kinds = (("open", 0, MINE), ("open", MINE, 0), ("accepted", 2, MINE), ("open", 3, MINE)) * 3
    for number, (state, by, to) in enumerate(kinds):
        table.say(OfferView(f"o{number}", by, to, "truce", NAME * 8, state, 1_700_000_000 + number))
    playing(table).diplomacy.toggle()


def no_talk(table: Table) -> None:
    crowded(table)
    playing(table).diplomacy.toggle()


def offers(table: Table) -> None:
    talk(table)
    playing(table).diplomacy.toggle()


def asking(table: Table) -> None:
    crowded(table, watchers=CURIOUS)


def notices(table: Table) -> None:
    vote = VoteView("bot", 0, -1, (0, 1, 2, 3, 4, 5), (1,), (3,), 32_000)
    crowded(table, vote=vote, rest="paused", clocks=scenes.table_view(MINE).clocks)
    view = table.session.conversation.table
    assert view is not None
    seats = tuple(replace(seat, bot="level1" if seat.seat == MINE else "") for seat in view.seats)
    table.say(replace(view, seats=seats), ClockWarning(TableId("t1"), (MINE,), 9_000))


def fairness(table: Table) -> None:
    table.app.on_key_press(keys.F2, 0)
    assert playing(table).fairness.is_open


def fairness_in_full(table: Table) -> None:
    view = table.session.conversation.table
    welcome = table.session.conversation.welcome
    assert view is not None
    assert welcome is not None
    match = EntropyMatch((*["person"] * 5, "empty"))
    for missing in ((), (1,), (0, 2), (), (3,), (), ()):
        match.round(missing)
    match.give_up()
    table.say(replace(welcome, key=HOST.public))
    seats = tuple(replace(seat, who=f"who{seat.seat}", name=NAME) for seat in view.seats)
    table.say(replace(view, id="m1", seats=seats), told(match, MINE))
    table.session.table_check.pinned = bytes(32)
    table.say(Problem("entropy/late", Text("late")))
    fairness(table)


def elsewhere(table: Table) -> None:
    table.session.away = "session/replaced"


def friends(table: Table) -> None:
    crowded(table)
    rows = [PersonRow(f"p{number}", NAME, 1, True, TableId("t2"), NAME, "open", True) for number in range(10)]
    playing(table).people.open()
    table.say(PeoplePage("friends", tuple(rows), 0, 200))


def person(table: Table) -> None:
    friends(table)
    table.session.takes_reports = True
    playing(table).people.look_at("p1")
    table.say(PersonCard("p1", NAME, asking=True, muted=True, blocked=True))


def report(table: Table) -> None:
    person(table)
    playing(table).people.look_at("p1", ChatEntry("Ada", NAME * 12, who="p1"))
    card = PersonCard("p1", NAME)
    table.say(card)
    playing(table).people.report.open(card)


def keys_page(table: Table) -> None:
    table.app.help = True


def settings(table: Table) -> None:
    menu(table)
    table.app.settings_page.toggle()


def sound_settings(table: Table) -> None:
    settings(table)
    table.app.settings_page.show_sounds()


def shown(make: Callable[[Table, ClientSession], Screen]) -> Callable[[Table], None]:
    return lambda table: table.app.show(make(table, table.session))


def over(table: Table) -> None:
    table.say(scenes.snapshot("public", scenes.public_nodes(finished=True), 2))
    table.session.notice = "Saved " + "friday" * 9
    shown(lambda table, session: ResultScreen(table.app, session, table.navigator))(table)


def course(table: Table) -> None:
    over(table)
    front = table.app.front
    assert isinstance(front, ResultScreen)
    front.course = 2


def ended(table: Table) -> None:
    crowded(table, state="finished", result=Text("result.ended"))
    shown(lambda table, session: ResultScreen(table.app, session, table.navigator))(table)


def set_up(table: Table) -> None:
    crowded(table, state="open")
    table.session.people.is_kept = table.session.invitations.is_known = True
    shown(lambda table, session: SetupScreen(table.app, session, table.navigator))(table)


def set_up_ready(table: Table) -> None:
    """Show a table that can be started, with a link to it, army lists, and options of its rules."""
    set_up(table)
    view = table.session.conversation.table
    assert view is not None
    ready = tuple(replace(seat, ready=True, brings=Text("list")) for seat in view.seats)
    scenario = ScenarioChoice(view.scenario, Text("Mill"), Text("a long story " * 20), len(ready), (), points=1500)
    names = ("events", "fog", "wind")
    options = tuple(OptionChoice(name, Text(name), Text("hint"), "flag", default=False) for name in names)
    table.say(Systems((SystemChoice(view.system, Text("system"), (scenario,), (), options),)))
    table.say(replace(view, seats=ready))
    table.session.knows_links = True


def about_seat(table: Table) -> None:
    set_up(table)
    view = table.session.conversation.table
    assert view is not None
    table.say(replace(view, seats=tuple(replace(s, who="", name="") if s.seat == 0 else s for s in view.seats)))
    front = table.app.front
    assert isinstance(front, SetupScreen)
    front.seat_popup.open(0)
    table.say(PeoplePage("friends", tuple(PersonRow(f"f{n}", NAME, here=True) for n in range(10)), 0, 10))


def set_up_date(table: Table) -> None:
    set_up(table)
    front, view = table.app.front, table.session.conversation.table
    assert isinstance(front, SetupScreen)
    assert view is not None
    front.date.open(view)


def set_up_seen(table: Table) -> None:
    table.session.previews.begin(is_known=True)
    set_up(table)
    table.settle()
    view = table.session.conversation.table
    assert view is not None
    table.say(Catalogue("action_cards", "en", "d" * 16, {**scenes.ENTRIES, **CATALOGUE}))
    table.say(game(view.system, view.scenario), preview(view.system, view.scenario))
    table.session.factions.begin(is_known=True)


def set_up_map(table: Table) -> None:
    set_up_seen(table)
    front = table.app.front
    assert isinstance(front, SetupScreen)
    front.map.open()


def set_ups(table: Table) -> None:
    set_up(table)
    front, view = table.app.front, table.session.conversation.table
    assert isinstance(front, SetupScreen)
    assert view is not None
    for number in range(30):
        table.navigator.table_setups.keep("W" * (MOST_NAME - 2) + f"{number:02}", written(setup_of(view, [])))
    front.setups.open(view)


def army_list(table: Table) -> None:
    set_up(table)
    front = table.app.front
    assert isinstance(front, SetupScreen)
    rows = tuple(Count(f"units/{number}", Text(NAME), Text(NAME), value=3) for number in range(30))
    sections = (FormSection(Text(NAME), rows), FormSection(Text(NAME), rows, aside=True))
    for number in range(30):
        table.navigator.army_lists.keep("W" * (MOST_NAME - 2) + f"{number:02}", "[list]")
    front.lists.open()
    table.say(ListShown(MINE, ListForm("d1", Text(NAME), Text(NAME), sections, (Text(NAME),))))


def kept_lists(table: Table) -> None:
    army_list(table)
    front = table.app.front
    assert isinstance(front, SetupScreen)
    front.lists.kept.open()
    table.session.notice = NAME * 4


def set_up_password(table: Table) -> None:
    set_up(table)
    front = table.app.front
    assert isinstance(front, SetupScreen)
    front.password.open()


def door(table: Table) -> None:
    lobby(table)
    table.session.door.go(JoinTable(table=TableId("t2")))
    table.say(Problem("table/wrong-password", Text("That is not the password of this table.")))


def set_up_asked(table: Table) -> None:
    crowded(table, state="open", all_views=True)
    shown(lambda table, session: SetupScreen(table.app, session, table.navigator))(table)


def set_up_book(table: Table) -> None:
    table.say(Catalogue("action_cards", "en", "d" * 16, {**scenes.ENTRIES, **BOOK}))
    set_up(table)
    front = table.app.front
    assert isinstance(front, SetupScreen)
    front.rulebook.open()


def factions(table: Table) -> None:
    table.session.factions.begin(is_known=True)
    set_up(table)
    view = table.session.conversation.table
    assert view is not None
    table.say(Catalogue("action_cards", "en", "d" * 16, {**scenes.ENTRIES, **CATALOGUE}))
    table.say(game(view.system, view.scenario), faction_shown(view.system))
    front = table.app.front
    assert isinstance(front, SetupScreen)
    front.open_factions(LONG)


def factions_below(table: Table) -> None:
    """Show the foot of the page."""
    factions(table)
    table.app.build()
    for _ in range(30):
        table.app.on_key_press(keys.DOWN, 0)


def first_start(table: Table) -> None:
    for number in range(4):
        table.profile.remember_server(f"table-{number}.example.org:8440")
    table.app.show(ConnectScreen(table.app, table.navigator))


def lobby(table: Table) -> None:
    table.session.lobby_feed.is_kept = table.session.people.is_kept = True
    lines = [ChatLine("w1", NAME, "player", NAME * 3, 1, where="lobby", number=number) for number in range(60)]
    row = TableRow(TableId("t2"), NAME, "system0", Text(NAME), "live", 2, 4, bots=1)
    table.say(game("action_cards", "mill"), LobbyRows((row,) * 9), LobbyChat(tuple(lines)))
    table.app.show(LobbyScreen(table.app, table.session, table.navigator))


def results(table: Table) -> None:
    systems = tuple(SystemChoice(f"system{n}", Text(NAME), (), ()) for n in range(3))
    table.app.show(lobby := LobbyScreen(table.app, table.session, table.navigator))
    lobby.results.open()
    seats = tuple(ResultSeat(f"who{n}", NAME, change=-n) for n in range(3))
    row = ResultRow(9, TableId("t9"), NAME, "system0", Text(NAME), 1_790_000_000, Text(NAME), seats, 6, replay=True)
    ratings = tuple(RatingView(system.id, 1_234, 99, 9, new=True) for system in systems)
    table.say(Systems(systems), Results("who0", NAME, ratings, (row,) * 8, 5))


def moderating(table: Table) -> LobbyScreen:
    table.session.moderation.moderates = table.navigator.in_lobby = True
    lobby(table)
    front = table.app.front
    assert isinstance(front, LobbyScreen)
    front.moderation.open()
    return front


def reports(table: Table) -> None:
    moderating(table)
    words = tuple(ReportedWords("u1", NAME, NAME * 16, 1) for _ in range(41))
    row = ReportRow(9, "u1", NAME, "u2", NAME, "cheating", NAME * 16, 1, words, 20, TableId("t2"))
    table.say(ReportPage((row,) * 10, 5))


def sanctions(table: Table) -> None:
    moderating(table).moderation._show("sanctions")
    row = SanctionRow("s1", "ban", "u1", NAME, NAME * 16, NAME, 1, 1, ("address", "name", "network"))
    table.say(SanctionPage((row,) * 12, 12, 100))


def closing(table: Table) -> None:
    moderating(table).moderation._show("tables")


def announcing(table: Table) -> None:
    moderating(table).moderation._show("announcements")
    table.say(Announcements(tuple(AnnouncementRow(f"a{n}", NAME * 8, 1, 600_000) for n in range(3))))
    for row in table.session.announcements.rows:
        table.session.announcements.read(row)
    table.settle()


def audit(table: Table) -> None:
    moderating(table).moderation._show("audit")
    row = AuditRow(9, "ban", 1, NAME, "u1", NAME, 1, "address, name, network", NAME * 16)
    table.say(AuditPage((row,) * 12, 5))


def order_form(table: Table) -> None:
    form = moderating(table).moderation.form
    form.open(on_person("u1", NAME))
    form._choose("ban")
    table.session.notice = NAME * 4


def on_now(table: Table) -> None:
    table.app.show(lobby := LobbyScreen(table.app, table.session, table.navigator))
    lobby.on_now.open()
    seats = tuple(OnNowSeat(NAME, 9_999, bot=True) for _ in range(6))
    counters = (OnNowCounter(Text(NAME), 3, 6),) * 2
    table.say(OnNow((OnNowRow(TableId("t9"), NAME, "x", Text(NAME), seats, counters, 999, (NAME,) * 5),) * 20))


def account(table: Table) -> None:
    table.app.show(lobby := LobbyScreen(table.app, table.session, table.navigator))
    table.session.own_name = NAME
    lobby.account.open()
    lobby.account.ask_to_sign_out()
    lobby.account.ask_to_delete()
    table.session.registered_name, table.session.has_accounts = NAME, True
    table.session.has_own_data = True
    table.session.notice = "That name belongs to somebody else, or did not long ago. Choose another name for yourself."


def webhook(table: Table) -> None:
    table.app.show(lobby := LobbyScreen(table.app, table.session, table.navigator))
    hosts = ("discord.com", "hooks.slack.com", "chat.example.org")
    table.session.webhook.is_known = True
    table.say(WebhookState(hosts, hosts[1], 99, off=True, why=Text("x" * 60)))
    lobby.webhook.open()
    lobby.webhook.address.set("https://hooks.slack.com/" + "a" * 400)
    table.session.notice = "You have been sent 10 messages by webhook in 1 h, the most for one person. Wait 59 min."


def replayed(table: Table) -> None:
    table.app.show(ReplayScreen(table.app, ReplayPlayer(replays.replay())))


def replayed_dice(table: Table) -> None:
    match = EntropyMatch()
    for missing in ((), (2,), (), ()):
        match.round(missing)
    table.app.show(ReplayScreen(table.app, ReplayPlayer(match.replay())))
    table.app.on_key_press(keys.F2, 0)


def exported(table: Table) -> None:
    screen = ReplayScreen(table.app, ReplayPlayer(replays.replay()))
    screen.clips.folder = Path("/nowhere" + "/a-long-place" * 12)
    table.app.show(screen)
    table.app.build()
    table.app.on_key_press(keys.X, 0)
    screen.clips.choose(GIF)


def asked_first(table: Table) -> None:
    crowded(table)
    table.app.on_key_press(keys.F7, 0)


def faulty(table: Table) -> None:
    table.app.reports = FaultReports(Path("/nowhere" + "/a-long-place" * 12))
    table.app.take_fault(ValueError(), "draw")


PAGES = (
    first_start, opened, menu, name, conceding, book, no_talk, talk, offers, asking, notices, fairness,
    fairness_in_full, elsewhere, friends, person, report, keys_page, settings, sound_settings, asked_first, faulty,
    over, course, ended, set_up, set_up_ready, set_up_asked, set_up_book, about_seat, set_up_date, set_ups,
    army_list, kept_lists, set_up_password, door, lobby, results, on_now, account, webhook, replayed, replayed_dice,
    exported, set_up_seen, set_up_map, factions, factions_below, reports, sanctions, closing, announcing, audit,
    order_form,
)  # fmt: skip


IN_SMALLEST = [scale for scale in SCALES if scale <= 160]
HARDEST = ((SMALLEST, IN_SMALLEST[-1]), ((1280, 800), SCALES[-1]), (LEAST, 100))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_where_room_is_short(table: Table, page: Callable[[Table], None]) -> None:
    page(table)
    _fits(table, HARDEST)


@pytest.mark.long("client")
@pytest.mark.parametrize("page", PAGES)
def test_long_a_page_fits_at_every_scale(table: Table, page: Callable[[Table], None]) -> None:
    page(table)
    _fits(table, product([SMALLEST], IN_SMALLEST))


def _fits(table: Table, sizes: Iterable[tuple[tuple[int, int], int]]) -> None:
    app = table.app
    for (width, height), scale in sizes:
        app.ui.scale = scale / 100
        app.describe((width, height))
        window = Rect(0, 0, width, height)
        # the names of groups lie on the board, and whatever is over the board covers them
        can = [
            spot for spot in app.ui.hotspots[app.ui.modal :] if (spot.act or spot.input) and spot.label not in GROUPS
        ]
        assert [spot.label for spot in can if not within(spot.rect, window)] == [], (width, scale)
        assert [(a.label, b.label) for a, b in combinations(can, 2) if a.rect.overlaps(b.rect)] == [], (width, scale)
    app.help = app.settings_page.is_open = False
    app.refresh()


@pytest.mark.parametrize("scale", IN_SMALLEST)
def test_every_seat_is_shown(table: Table, scale: int) -> None:
    app = table.app
    app.ui.scale = scale / 100
    app.ui.begin(SMALLEST)
    playing(table).build(app.ui)
    app.ui.end()
    shown = [spot.label for spot in app.ui.hotspots if spot.label.startswith("seat ")]
    assert len(shown) == len(scenes.FACTIONS)


def within(one: Rect, other: Rect) -> bool:
    return one.x >= other.x and one.y >= other.y and one.right <= other.right + 0.5 and one.top <= other.top + 0.5
