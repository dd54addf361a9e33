"""Screen of the lobby: the player's tables, open, live and finished ones, and making a new table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from client.input.key_table import KeyPress
from client.model.lobby.scenarios import next_form, next_scenario
from client.model.session import ClientSession
from client.model.table.sides import in_words
from client.model.words.table_row_words import row_note, row_words
from client.text.phrases import phrase, yes_or_no
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid
from client.ui.text_input import TextInput
from client.views.lobby.account_page import AccountPage
from client.views.lobby.host_line import LINE, draw_host_line
from client.views.lobby.lobby_talk_panel import LobbyTalkPanel
from client.views.lobby.moderation_page import ModerationPage
from client.views.lobby.on_now_popup import OnNowPopup
from client.views.lobby.password_popups import DoorPopup
from client.views.lobby.quick_match_popup import QuickMatchPopup
from client.views.lobby.results_page import ResultsPage
from client.views.lobby.table_filters import TableFilters
from client.views.lobby.webhook_page import WebhookPage
from client.views.name_registration import NameRegistration
from client.views.people_popup import PeoplePopup
from client.views.popups import draw_away
from client.views.screen import Screen
from protocol.ids import TableId
from protocol.limits import Limits
from protocol.wire.choices import ScenarioChoice, SystemChoice
from protocol.wire.table_lists import TableRow

if TYPE_CHECKING:
    from client.app.navigator import Navigator
    from client.app.window import App

SEATS_WIDTH = 84
TITLE_WIDTH = 100
NARROW = 0.88
"""Share of their usual width that words in the narrow cut take."""
SIDE = 0.42
"""Share of the window's width that a new table and codes take at most."""
FIELDS, TELLING = 15, 3
"""Rows of a new table and of codes, including the room for a note; those among them that only tell."""


class LobbyScreen(Screen):
    """Lists at the left, a new table and codes at the right."""

    def __init__(self, app: App, session: ClientSession, navigator: Navigator) -> None:
        super().__init__(app)
        self.session = session
        self.navigator = navigator
        self.scroll = 0
        self.system = 0
        self.scenario = ""
        self.private = False
        self.second = 0
        """Of the clock, as it was drawn last while anything that is shown counts it."""
        self.registration = NameRegistration(session)
        self.webhook = WebhookPage(session)
        self.account = AccountPage(session, self.registration, self.webhook, navigator.own_data_folder)
        self.filters = TableFilters(session)
        self.quick = QuickMatchPopup(session, navigator)
        self.results = ResultsPage(session, self._fetch_replay, navigator.links.follow)
        self.on_now = OnNowPopup(session, navigator)
        self.door = DoorPopup(session, navigator)
        self.people = PeoplePopup(session, navigator, self.results.open)
        self.moderation = ModerationPage(session)
        self.talk = LobbyTalkPanel(session, self.people)
        self.name = TextInput(session.table_name, most=Limits().table_name_length, enter=self._create)
        self.code = TextInput(most=16, enter=self._join)

    def enter(self) -> None:
        # what was said while another screen was shown has not been told
        self.session.lobby_feed.ask()

    def places(self) -> tuple[str, ...]:
        pages = (
            self.registration, self.account, self.webhook, self.people, self.results, self.on_now, self.quick,
            self.moderation, self.door,
        )  # fmt: skip
        return () if self.session.away or any(page.is_open for page in pages) else ("chat",)

    def key(self, press: KeyPress) -> bool:
        if self.quick.key(press):
            return True
        if not self.places() or not press.means("talk") or not self.session.lobby_feed.is_kept:
            return False
        self.app.ui.focus = self.talk.box
        return True

    def tick(self, seconds: float) -> bool:
        self.on_now.tick()
        runs = self.session.match_search.is_on or self.moderation.counts_down
        second = int(self.session.clock()) if runs else 0
        self.second, before = second, self.second
        return second != before

    def sync(self) -> None:
        """Take in the session's change; all else is read from it when it is drawn."""
        self.registration.sync()
        self.webhook.sync()

    def build(self, ui: Ui) -> None:
        head, rest = ui.window.cut_top(ui.px(56))
        self._head(ui, head)
        rest = rest.inset(ui.px(8))
        side, main = rest.cut_right(min(ui.px(384), on_grid(rest.w * SIDE)), ui.px(8))
        line, tables = main.cut_bottom(ui.px(LINE), ui.px(4))
        self._tables(ui, self.talk.cut(ui, tables))
        draw_host_line(ui, line, self.session)
        self._new_table(ui, side)
        if self.session.away:
            draw_away(ui, self.session, self.navigator.quit)
        elif self.session.match_search.offer is not None:
            self.quick.draw(ui)
        elif self.door.is_open:
            self.door.draw(ui)
        elif self.registration.is_open:
            self.registration.draw(ui)
        elif self.account.is_open:
            self.account.draw(ui)
        elif self.webhook.is_open:
            self.webhook.draw(ui)
        elif self.people.is_open:
            self.people.draw(ui)
        elif self.results.is_open:
            self.results.draw(ui)
        elif self.on_now.is_open:
            self.on_now.draw(ui)
        elif self.quick.is_open:
            self.quick.draw(ui)
        elif self.moderation.is_open:
            self.moderation.draw(ui)

    def _head(self, ui: Ui, rect: Rect) -> None:
        ui.painter.rect(rect, theme.PANEL)
        inside = rect.inset(ui.px(8))
        words, good = self.session.status()
        tone = theme.GOOD if good else theme.WARN
        where = f"{self.session.address.key}: {words}"
        buttons = list(self._head_buttons(ui))
        names = [name for name, _ in buttons]
        widths = _widths(ui, names, inside.w - ui.px(TITLE_WIDTH))
        if sum(widths) < NARROW * sum(ui.width(name) + ui.px(20) for name in names):
            # the largest text: buttons say where one is, too
            widths = _widths(ui, names, inside.w)
        else:
            ui.label(phrase("lobby.title"), inside.x, inside.centre[1], size=theme.TITLE, bold=True)
        room = inside.w - ui.px(140) - sum(widths) - 8 * len(widths)
        ui.label(where, inside.x + ui.px(120), inside.centre[1], colour=tone, room=room)
        for (_, draw), wide in zip(buttons, widths, strict=True):
            box, inside = inside.cut_right(wide, 8)
            draw(box)

    def _head_buttons(self, ui: Ui) -> Iterator[tuple[str, Callable[[Rect], object]]]:
        """Yield the label of each button on top, from the right, and what draws it."""
        yield phrase("account.open"), partial(self.account.draw_button, ui)
        yield self.registration.title, partial(self.registration.draw_button, ui)
        yield phrase("people.open"), partial(self.people.draw_button, ui)
        if self.session.moderation.moderates:
            yield phrase("order.open"), partial(self.moderation.draw_button, ui)
        another = phrase("lobby.another")
        yield another, lambda box: ui.button(box, another, self.navigator.to_address)
        settings, toggle, tip = phrase("settings.open"), self.app.settings_page.toggle, ui.keys.shown("preferences")
        yield settings, lambda box: ui.button(box, settings, toggle, tip=tip)
        if self.session.conversation.table is not None:
            back = phrase("to_table")
            yield back, lambda box: ui.button(box, back, self.navigator.to_table, primary=True)

    def escape(self) -> None:
        """Close the topmost page: they stand in the order in which `build` looks for the one to draw. A match that is
        offered is above all of them."""
        pages = (
            self.door, self.registration, self.account, self.webhook, self.people, self.results, self.on_now,
            self.quick, self.moderation,
        )  # fmt: skip
        topmost = next((page for page in pages if page.is_open), None)
        if topmost is not None and not self.session.away and self.session.match_search.offer is None:
            topmost.close()

    def _tables(self, ui: Ui, rect: Rect) -> None:
        foot, inside = ui.panel(rect).cut_bottom(ui.px(32), ui.px(4))
        results, pages = foot.cut_left(min(ui.px(192), on_grid(foot.w * 0.28)), ui.px(8))
        on_now, pages = pages.cut_left(min(ui.px(120), on_grid(foot.w * 0.2)), ui.px(8))
        self.on_now.draw_button(ui, on_now)
        ui.button(results, phrase("results.open"), self.results.open, tip=phrase("results.open.tip"))
        self.filters.draw_pages(ui, pages)
        inside = self.filters.draw(ui, inside)
        lobby = self.session.conversation.lobby
        rows = lobby.tables if lobby is not None else ()
        sections = (
            (phrase("lobby.mine"), [row for row in rows if (row.mine or row.kept) and row.state != "finished"]),
            (phrase("lobby.open"), [row for row in rows if not row.mine and not row.kept and row.state == "open"]),
            (phrase("lobby.live"), [row for row in rows if not row.mine and row.state == "live"]),
            (phrase("lobby.finished"), [row for row in rows if row.state == "finished"]),
        )
        lines: list[str | TableRow] = []
        for title, part in sections:
            if part:
                lines += [title, *part]
        if not lines:
            words = self._why_none()
            ui.label(words, inside.x, inside.top - ui.px(12), colour=theme.MUTED, room=inside.w)
            return
        fits = max(int(inside.h // ui.px(52)), 1)
        self.scroll = min(self.scroll, max(len(lines) - fits, 0))
        ui.scrolls(inside, self._turn)
        for line in lines[self.scroll :]:
            height = ui.px(32) if isinstance(line, str) else ui.px(48)
            if inside.h < height:
                return
            box, inside = inside.cut_top(height, ui.px(4))
            if isinstance(line, str):
                ui.label(line, box.x, box.centre[1] - ui.px(2), size=theme.LARGE, bold=True)
            else:
                self._row(ui, box, line)

    def _why_none(self) -> str:
        """Say why no table is shown."""
        if self.session.conversation.lobby is None:
            return phrase("lobby.asking")
        return phrase("find.none") if self.session.search.is_filtered else phrase("lobby.none")

    def _turn(self, steps: int) -> None:
        self.scroll = max(self.scroll - steps, 0)

    def _row(self, ui: Ui, box: Rect, row: TableRow) -> None:
        ui.painter.rect(box, theme.RAISED, 5)
        if row.turn:
            ui.painter.frame(box, 2, theme.WARN, 5)
        inside = box.inset(ui.px(8))
        buttons, text = inside.cut_right(min(ui.px(232), on_grid(inside.w * 0.7)), ui.px(8))
        y1, y2 = box.centre[1] + ui.px(9), box.centre[1] - ui.px(10)
        ui.label(row.name, text.x, y1, bold=True, room=text.w * 0.55)
        note = row_note(row)
        tone = theme.WARN if row.turn else theme.MUTED
        ui.label(note, text.right, y1, colour=tone, size=theme.SMALL, anchor="right", room=text.w * 0.43)
        words = row_words(row, self.session.texts)
        ui.label(words, text.x, y2, size=theme.SMALL, colour=theme.MUTED, room=text.w)
        self._row_buttons(ui, buttons, row)

    def _row_buttons(self, ui: Ui, rect: Rect, row: TableRow) -> None:
        second, first = rect.columns(2, ui.px(8))
        navigator = self.navigator

        def button(box: Rect, deed: str, act: Act, tip: str = "", *, primary: bool = False) -> None:
            name = phrase(f"row.{deed}.of", table=row.name)
            ui.button(box, phrase(f"row.{deed}"), act, name=name, tip=tip, primary=primary, listed=True)

        if row.state == "finished":
            button(second, "replay", lambda: navigator.links.watch(row.id), phrase("row.replay.tip"))
            if row.mine or self.session.search.is_known:
                button(first, "result", lambda: navigator.open_table(row.id))
        elif row.mine:
            button(first, "enter", lambda: navigator.open_table(row.id), primary=True)
        else:
            button(second, "watch", lambda: navigator.watch(table=row.id))
            if row.kept:
                button(first, "sit_down", lambda: navigator.join(table=row.id), primary=True)
            elif row.state == "open" and row.taken < row.seats:
                button(first, "join", lambda: navigator.join(table=row.id), primary=True)
            elif row.bots:
                button(first, "take_seat", lambda: navigator.join(table=row.id), phrase("row.take_seat.tip"))

    def _fetch_replay(self, table: TableId) -> None:
        self.session.replays.fetch(table, self.navigator.replay_folder())

    def _choice(self) -> tuple[SystemChoice, ScenarioChoice] | None:
        systems = self.session.conversation.systems
        if systems is None or not systems.systems:
            return None
        system = systems.systems[self.system % len(systems.systems)]
        if not system.scenarios:
            return None
        return system, next((s for s in system.scenarios if s.id == self.scenario), system.scenarios[0])

    def _new_table(self, ui: Ui, rect: Rect) -> None:
        inside = ui.panel(rect, phrase("new_table.title"))
        choice = self._choice()
        if choice is None:
            ui.lines(phrase("new_table.unknown"), inside, colour=theme.MUTED)
            return
        # where room is short, rows that only tell go first
        is_low = inside.h < FIELDS * (ui.line_height(theme.BODY) + ui.px(4))
        rows = inside.share(FIELDS - TELLING if is_low else FIELDS, ui.px(32), ui.px(4))
        self._game(ui, rows, *choice, is_low=is_low)
        ui.input(next(rows), self.name, phrase("new_table.name"))
        tip = phrase("new_table.private.tip")
        words = phrase("option.private", private=yes_or_no(is_so=self.private))
        ui.button(next(rows), words, self._flip, left=True, name=phrase("option.private.name"), tip=tip)
        ui.button(next(rows), phrase("new_table.create"), self._create, primary=True)
        ui.button(next(rows), phrase("quick_start"), self.navigator.quick_start)
        self.quick.draw_button(ui, next(rows))
        self._lesson(ui, next(rows), choice[0])
        self._codes(ui, rows, is_low=is_low)
        note = self.session.notice or self.session.left
        last = next(rows)
        if note:
            ui.lines(note, Rect(inside.x, inside.y, inside.w, last.top - inside.y), colour=theme.WARN)

    def _game(
        self, ui: Ui, rows: Iterator[Rect], system: SystemChoice, scenario: ScenarioChoice, *, is_low: bool
    ) -> None:
        """Draw the choice of system, scenario and number of players; below it what the scenario is about, unless room
        is short."""
        say = self.session.texts.say
        words, name = phrase("new_table.game", game=say(system.name)), phrase("new_table.game.name")
        ui.button(next(rows), words, self._next_system, left=True, name=name)
        seats, which = next(rows).cut_right(ui.px(SEATS_WIDTH), ui.px(8))
        words = phrase("new_table.scenario", scenario=say(scenario.name), minutes=scenario.minutes)
        name, tip = phrase("scenario.name"), phrase("new_table.scenario.tip")
        ui.button(which, words, self._next_scenario, left=True, name=name, tip=tip)
        words, name = in_words(scenario.seats, scenario.sides), phrase("players.name")
        ui.button(seats, words, self._next_form, name=name, tip=phrase("players.tip"))
        if is_low:
            return
        top, bottom = next(rows), next(rows)
        about = Rect(top.x, bottom.y, top.w, top.top - bottom.y)
        ui.lines(say(scenario.about), about, size=theme.SMALL, colour=theme.MUTED)

    def _lesson(self, ui: Ui, row: Rect, system: SystemChoice) -> None:
        """Draw the button that begins the first lesson of the chosen game, or goes on with it."""
        lesson = next(iter(system.lessons), None)
        if lesson is None:
            ui.button(row, phrase("lesson.learn"), None, tip=phrase("lesson.learn.none"))
            return
        about = self.session.texts.say(lesson.about)
        ui.button(row, phrase("lesson.learn"), partial(self.navigator.learn, system, lesson), tip=about)

    def _codes(self, ui: Ui, rows: Iterator[Rect], *, is_low: bool) -> None:
        """Draw the field for a code, and the buttons for its uses, below a headline unless room is short."""
        if not is_low:
            row = next(rows)
            ui.label(phrase("codes.title"), row.x, row.y + ui.px(8), bold=True)
        ui.input(next(rows), self.code, phrase("codes.code"))
        watch, join = next(rows).columns(2)
        seat = next(rows)
        code, navigator = self.code.text.strip(), self.navigator
        tip = "" if code else phrase("codes.first")
        ui.button(watch, phrase("codes.watch"), partial(navigator.watch, code) if code else None, tip=tip)
        ui.button(join, phrase("codes.join"), self._join if code else None, primary=bool(code), tip=tip)
        tip = tip or phrase("codes.seat.tip")
        ui.button(seat, phrase("codes.seat"), partial(navigator.take_seat, code) if code else None, tip=tip)

    def _next_system(self) -> None:
        self.system, self.scenario = self.system + 1, ""

    def _next_scenario(self) -> None:
        if (choice := self._choice()) is not None:
            self.scenario = next_scenario(choice[0].scenarios, choice[1].id)

    def _next_form(self) -> None:
        if (choice := self._choice()) is not None:
            self.scenario = next_form(choice[0].scenarios, choice[1].id)

    def _flip(self) -> None:
        self.private = not self.private

    def _create(self) -> None:
        choice = self._choice()
        if choice is not None and self.name.text.strip():
            self.navigator.create(choice[0].id, choice[1].id, self.name.text.strip(), private=self.private)

    def _join(self) -> None:
        if self.code.text.strip():
            self.navigator.join(code=self.code.text.strip())


def _widths(ui: Ui, names: Sequence[str], room: float) -> list[float]:
    """Return the widths of buttons side by side, 8 pixels apart: the same for all where their labels have room so, else
    each by its label."""
    equal = min(ui.px(140), on_grid(room / len(names)) - 8)
    wanted = [ui.width(name) + ui.px(20) for name in names]
    if max(wanted) <= equal:
        return [equal] * len(names)
    share = min((room - 8 * len(names)) / sum(wanted), 1)
    return [on_grid(one * share) for one in wanted]
