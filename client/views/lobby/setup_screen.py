"""Screen of a table before the start: seats, factions, options and readiness, with the owner's controls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from client.draw.emblem import draw_emblem
from client.draw.panels.log import draw_chat
from client.input.key_table import KeyPress
from client.model.lobby.scenarios import next_form, next_scenario
from client.model.session import ClientSession
from client.model.table.sides import in_words, with_side
from client.model.words.chat_words import chat_words
from client.model.words.seat_words import holder_in_words, readiness_in_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid
from client.ui.scrolled_rows import ScrolledRows, draw_bar
from client.ui.text_input import TextInput
from client.views.lobby.date_popup import DatePopup
from client.views.lobby.delayed_view_choice import DelayedViewChoice
from client.views.lobby.host_line import LINE, draw_host_line
from client.views.lobby.list_builder import ListBuilder
from client.views.lobby.password_popups import PasswordPopup
from client.views.lobby.scenario_map import ScenarioMap
from client.views.lobby.seat_popup import SeatPopup
from client.views.lobby.seat_tone import readiness_tone
from client.views.lobby.setups_popup import SetupsPopup
from client.views.lobby.table_options import draw_options
from client.views.owner_controls import draw_invite_code, remove_person
from client.views.people_popup import PeoplePopup
from client.views.popups import Confirmation, draw_away
from client.views.rulebook_page import RulebookPage
from client.views.screen import Screen
from protocol.limits import Limits
from protocol.text import Text
from protocol.wire.choices import FactionChoice, ScenarioChoice, SystemChoice
from protocol.wire.from_client import AddBot, ChangeTable, ChooseFaction, RemoveSeat, StartMatch
from protocol.wire.from_server import SeatView, TableView

if TYPE_CHECKING:
    from client.app.navigator import Navigator
    from client.app.window import App

SEATS_WIDTH = 84
MAP_WIDTH = 72
LISTS, FACTION = 76, 40
"""Height in pixels of the button to one's army list, with what it says below; of the one that chooses a faction where
there is no room for a list of them."""
NARROW = 560
"""Width in pixels of a seat below which one button is left room for."""
ROOMY = 360
"""Height in pixels from which a scenario is told of in more than one line."""


class SetupScreen(Screen):
    """Seats at the left, faction and table at the right."""

    def __init__(self, app: App, session: ClientSession, navigator: Navigator) -> None:
        super().__init__(app)
        self.session = session
        self.navigator = navigator
        self.made_for = session.at_table
        self.chosen = -1
        """The seat whose bot is set up, as long as it has one; -1 for the person's own."""
        self.say = TextInput(most=Limits().chat_length, enter=self._say)
        self.rulebook = RulebookPage(session, lambda: self.table.system if self.table is not None else "")
        self.lists = ListBuilder(session, navigator, self.open_factions)
        self.people = PeoplePopup(session, navigator)
        self.seat_popup = SeatPopup(session)
        self.date = DatePopup(session)
        self.setups = SetupsPopup(session, navigator.table_setups)
        self.password = PasswordPopup(session)
        self.delayed_view = DelayedViewChoice(session)
        self.map = ScenarioMap(session, app.ground_worker)
        self.options, self.choices = ScrolledRows(), ScrolledRows()
        self._started_at: tuple[int, int] | None = None
        """Problems and links there had been when the start was asked for; None where it was not."""

    def enter(self) -> None:
        self.say.set(self.session.unsent_to(self.made_for)[0])

    def leave(self) -> None:
        self.session.keep_unsent(self.made_for, self.say.text)

    def sync(self) -> None:
        """Take in the session's change; all else is read from it when it is drawn."""
        self.lists.sync()
        if self._started_at != (self.session.problems, self.session.links_made):
            self._started_at = None

    @property
    def table(self) -> TableView | None:
        return self.session.conversation.table

    def _system(self) -> SystemChoice | None:
        systems = self.session.conversation.systems
        wanted = self.table.system if self.table is not None else ""
        return next((system for system in (systems.systems if systems else ()) if system.id == wanted), None)

    def _scenario(self) -> ScenarioChoice | None:
        system, table = self._system(), self.table
        if system is None or table is None:
            return None
        return next((scenario for scenario in system.scenarios if scenario.id == table.scenario), None)

    def build(self, ui: Ui) -> None:
        table = self.table
        if table is None:
            return
        self.map.begin()
        if self.map.is_open and not self.session.away:
            self.map.draw_page(ui, table, self._scenario())
            return
        owner = table.owner == self.session.conversation.you
        head, rest = ui.window.cut_top(ui.px(56))
        self._head(ui, head, table)
        rest = rest.inset(ui.px(8))
        side, main = rest.cut_right(min(ui.px(424), on_grid(rest.w * 0.42)), ui.px(8))
        line, main = main.cut_bottom(ui.px(LINE), ui.px(4))
        chat, seats = main.cut_bottom(min(ui.px(152), on_grid(main.h * 0.3)), ui.px(8))
        self._seats(ui, seats, table, owner=owner)
        picture, chat = self.map.place(ui, chat, table)
        if picture is not None:
            self.map.draw_small(ui, picture, table)
        self._chat(ui, chat, table, is_folded=picture is None)
        draw_host_line(ui, line, self.session)
        self._table(ui, side, table, owner=owner)
        if self.session.away:
            draw_away(ui, self.session, self.app.close)
        elif self.rulebook.is_open:
            self.rulebook.draw(ui)
        elif self.lists.is_open:
            self.lists.draw(ui)
        elif self.people.is_open:
            self.people.draw(ui)
        elif self.seat_popup.is_open:
            self.seat_popup.draw(ui, table)
        elif self.date.is_open:
            self.date.draw(ui, table)
        elif self.setups.is_open:
            self.setups.draw(ui, table, self._system())
        elif self.password.is_open:
            self.password.draw(ui, table)

    def _head(self, ui: Ui, rect: Rect, table: TableView) -> None:
        ui.painter.rect(rect, theme.PANEL)
        inside = rect.inset(ui.px(8))
        lobby, inside = inside.cut_right(ui.px(112), 8)
        leave, inside = inside.cut_right(ui.px(112), 8)
        people, inside = inside.cut_right(ui.px(112), 8)
        self.people.draw_button(ui, people)
        ui.button(lobby, phrase("setup.lobby"), self.navigator.to_lobby, tip=phrase("setup.lobby.tip"))
        promised = table.begins and table.seat >= 0
        ui.button(leave, phrase("setup.withdraw" if promised else "setup.leave"), partial(self._leave, table))
        if self.rulebook.book.sections:
            rules, inside = inside.cut_right(ui.px(112), 8)
            ui.button(rules, self.session.texts.say(Text("book.open")), self.rulebook.open, key=ui.keys.shown("rules"))
        words, good = self.session.status()
        ui.label(table.name, inside.x, inside.centre[1], size=theme.TITLE, bold=True, room=inside.w * 0.6)
        tone = theme.GOOD if good else theme.WARN
        ui.label(words, inside.right, inside.centre[1], colour=tone, anchor="right", room=inside.w * 0.36)

    def _leave(self, table: TableView) -> None:
        """Leave the table; the owner is asked first, since the table does not come back to them."""
        if table.owner != self.session.conversation.you:
            self.navigator.leave_table()
            return
        about, yes = phrase("setup.leave.about"), phrase("setup.leave.yes")
        self.app.ask(Confirmation(phrase("setup.leave.title"), about, yes, self.navigator.leave_table))

    def _seats(self, ui: Ui, rect: Rect, table: TableView, *, owner: bool) -> None:
        inside = ui.panel(rect, phrase("setup.seats"))
        asked = ui.px(32) if table.all_views and table.seat >= 0 else 0
        height = min(ui.px(60), on_grid((inside.h - asked) / max(len(table.seats), 1)) - ui.px(4))
        for seat in table.seats:
            box, inside = inside.cut_top(height, ui.px(4))
            self._seat(ui, box, table, seat, owner=owner)
            if asked and seat.seat == table.seat:
                row, inside = inside.cut_top(asked - ui.px(4), ui.px(4))
                self.delayed_view.draw(ui, row, seat)

    def _seat(self, ui: Ui, box: Rect, table: TableView, seat: SeatView, *, owner: bool) -> None:
        mine = seat.seat == table.seat
        ui.painter.rect(box, theme.RAISED if seat.who or seat.bot else theme.FIELD, 5)
        if mine:
            ui.painter.frame(box, 2, theme.FOCUS, 5)
        inside = box.inset(min(ui.px(8), on_grid(box.h * 0.15)))
        r = min(ui.px(12), inside.h / 2)
        draw_emblem(ui.painter, seat.seat, inside.x + r, inside.centre[1], r)
        # beside a person stands one button: in a narrow window their name has the room of the other
        is_narrow = bool(seat.who) and inside.w < ui.px(NARROW)
        buttons, text = inside.cut_right(ui.px(92 if is_narrow else 192), ui.px(8))
        more, text = text.cut_right(ui.px(36), ui.px(8))
        self.seat_popup.draw_button(ui, more.middle(more.w, min(ui.px(28), more.h)), seat)
        text = text.cut_left(2 * r + ui.px(8))[1]
        faction = self.session.texts.say(seat.faction_name) or phrase("setup.no_faction")
        if seat.brings is not None:
            brings = self.session.texts.say(seat.brings)
            faction = brings if brings.startswith(faction) else f"{faction}: {brings}"
        self._holder(ui, box, text, table, seat, with_side(seat.side, faction))
        self.people.tag(ui, text, seat.who, seat.name)
        self._seat_buttons(ui, buttons, table, seat, owner=owner, mine=mine)

    def _holder(self, ui: Ui, box: Rect, text: Rect, table: TableView, seat: SeatView, faction: str) -> None:
        """Draw who holds a seat, whether they are ready, and below that their faction; where there is room for one
        line, the faction of those who are ready beside their name."""
        holder, state = holder_in_words(table, seat, self.session.texts), readiness_in_words(table, seat)
        tone, is_low = readiness_tone(table, seat), box.h < 2 * ui.line_height(theme.BODY) * 0.9
        if is_low and tone == theme.GOOD:
            state, tone = faction, theme.MUTED
        up = 0 if is_low else min(ui.px(10), box.h * 0.23)
        taken = min(ui.width(state, size=theme.SMALL), text.w * 0.5) + ui.px(8)
        ui.label(holder, text.x, box.centre[1] + up, bold=True, room=text.w - taken)
        ui.label(state, text.right, box.centre[1] + up, size=theme.SMALL, colour=tone, anchor="right", room=taken)
        if not is_low:
            ui.label(faction, text.x, box.centre[1] - up, colour=theme.MUTED, room=text.w)

    def _seat_buttons(self, ui: Ui, rect: Rect, table: TableView, seat: SeatView, *, owner: bool, mine: bool) -> None:
        row = rect.middle(rect.w, ui.px(28))
        left, right = row.columns(2, ui.px(8)) if rect.w > ui.px(92) else (row, row)
        number = seat.seat + 1
        if mine:
            words = phrase("setup.unready") if seat.ready else phrase("setup.ready")
            ui.button(right, words, partial(self.delayed_view.get_ready, table, seat), primary=not seat.ready)
        elif owner and not seat.who and not seat.bot:
            system = self._system()
            kinds = system.bots if system is not None and not table.ranked else ()
            for box, kind in zip(_cells(rect, len(kinds), ui.px(4), ui.px(28)), kinds, strict=False):
                words = self.session.texts.bot(kind)
                act = partial(self.session.say, AddBot(kind=kind, seat=seat.seat))
                tip = phrase("setup.add_bot.tip", kind=words)
                ui.button(box, f"+ {words}", act, name=phrase("setup.add_bot", kind=kind, seat=number), tip=tip)
        elif owner:
            name = phrase("setup.remove.of", seat=number)
            ui.button(right, phrase("setup.remove"), partial(self._remove, seat), name=name)
            if seat.bot:
                chosen = self.chosen == seat.seat
                act = partial(self._choose_for, seat.seat)
                name = phrase("setup.faction.of", seat=number)
                ui.button(left, phrase("setup.faction"), act, chosen=chosen, name=name)

    def _remove(self, seat: SeatView) -> None:
        """Take a bot from its seat; before a person is removed the owner is asked."""
        if seat.who:
            self.app.ask(remove_person(self.session, seat))
        else:
            self.session.say(RemoveSeat(seat=seat.seat))

    def _choose_for(self, seat: int) -> None:
        self.chosen = -1 if self.chosen == seat else seat

    def _table(self, ui: Ui, rect: Rect, table: TableView, *, owner: bool) -> None:
        inside = ui.panel(rect)
        say, scenario = self.session.texts.say, self._scenario()
        row, inside = inside.cut_top(ui.px(32), ui.px(4))
        kept, row = row.cut_right(ui.px(SEATS_WIDTH), ui.px(8))
        self.setups.draw_button(ui, kept, table)
        seats, row = row.cut_right(ui.px(SEATS_WIDTH), ui.px(8))
        words = phrase("setup.scenario", scenario=say(scenario.name) if scenario is not None else table.scenario)
        tip = phrase("setup.scenario.tip") if owner else phrase("setup.scenario.owner")
        act = self._next_scenario if owner else None
        ui.button(row, words, act, left=True, name=phrase("scenario.name"), tip=tip)
        tip = phrase("players.tip") if owner else phrase("setup.players.owner")
        act = self._next_form if owner else None
        ui.button(
            seats,
            in_words(len(table.seats), [s.side for s in table.seats if s.side >= 0]),
            act,
            name=phrase("players.name"),
            tip=tip,
        )
        foot, inside = inside.cut_bottom(ui.px(36), ui.px(8))
        if scenario is not None:
            most = 4 if inside.h > ui.px(ROOMY) else 1
            inside = ui.lines(say(scenario.about), inside, size=theme.SMALL, colour=theme.MUTED, most=most, gap=8)
        last = [partial(self._password, ui, table, owner=owner)]
        if self.session.invitations.is_known:
            last.insert(0, partial(self._date, ui, table, owner=owner))
        codes = 2 if table.code else 1 if owner else 0
        # the way to a faction is left room for, however large the text
        least = ui.px(LISTS if scenario is not None and scenario.points else FACTION)
        options = inside.cut_bottom(codes * ui.px(36) + least)[1]
        about = table, self.session.say, self._system(), self.session.texts
        below = draw_options(ui, options, *about, owner=owner, scrolled=self.options, last=last)
        inside = inside.cut_top(options.top - below.top)[1]
        if codes:
            rows = [inside.cut_top(ui.px(32))[0], inside.cut_top(ui.px(36))[1].cut_top(ui.px(32))[0]]
            draw_invite_code(ui, iter(rows), table, self.session, self.navigator, owner=owner)
            inside = inside.cut_top(codes * ui.px(36))[1]
        self._start(ui, foot, table, owner=owner, lists=scenario is not None and scenario.points > 0)
        if self.session.notice:
            note, inside = inside.cut_bottom(ui.px(44), ui.px(4))
            ui.lines(self.session.notice, note, colour=theme.WARN, most=2)
        self._factions(ui, inside, table, scenario)

    def _date(self, ui: Ui, table: TableView, box: Rect, *, owner: bool) -> None:
        self.date.draw_button(ui, box, table, owner=owner)

    def _password(self, ui: Ui, table: TableView, box: Rect, *, owner: bool) -> None:
        self.password.draw_button(ui, box, table, owner=owner)

    def _start(self, ui: Ui, rect: Rect, table: TableView, *, owner: bool, lists: bool) -> None:
        free = sum(1 for seat in table.seats if not seat.who and not seat.bot)
        unready = [seat.name for seat in table.seats if seat.who and not seat.ready]
        why = ""
        if free:
            why = phrase("setup.start.free", free=free)
        elif lists and (without := [seat.name for seat in table.seats if seat.who and seat.brings is None]):
            why = phrase("setup.start.lists", names=", ".join(without))
        elif unready:
            why = phrase("setup.start.unready", names=", ".join(unready))
        elif not owner:
            why = phrase("setup.start.owner")
        elif self._started_at is not None:
            why = phrase("setup.start.begun")
        if owner and free and not table.ranked:
            bots, rect = rect.cut_left(on_grid(rect.w * 0.55), 8)
            ui.button(bots, phrase("setup.fill"), self.navigator.fill_with_bots)
        ui.button(rect, phrase("setup.start"), None if why else self._begin, primary=True, tip=why)

    def _begin(self) -> None:
        """Ask for the start, once until it is answered."""
        self._started_at = self.session.problems, self.session.links_made
        self.session.say(StartMatch())

    def _factions(self, ui: Ui, rect: Rect, table: TableView, scenario: ScenarioChoice | None) -> None:
        """Draw the factions that the player's seat, or the bot's that the owner picked, may play."""
        view = self._chosen_seat()
        if scenario is None or view is None:
            return
        seat = view.seat
        whose = phrase("setup.your_faction") if seat == table.seat else phrase("setup.faction_of", seat=seat + 1)
        if scenario.points:
            row, rect = rect.cut_top(ui.px(36), ui.px(8))
            row = self._factions_button(ui, row, view)
            mine = seat == table.seat
            key = Text("lists.open") if mine else Text("lists.open.bot", {"seat": seat + 1})
            ui.button(row, self.session.texts.say(key), partial(self.lists.open, None if mine else seat), primary=True)
            brings = self.session.texts.say(view.brings or Text("lists.none"))
            row, rect = rect.cut_top(ui.px(24), ui.px(8))
            ui.line(brings, row, colour=theme.MUTED)
            if mine:  # the form has the armies to choose from; a bot draws a list of the faction that it is given
                return
        head, rect = rect.cut_top(ui.px(28), ui.px(4))
        if rect.h < ui.px(32):
            self._faction_button(ui, Rect(head.x, rect.y, head.w, head.top - rect.y), view)
            return
        if not scenario.points:
            head = self._factions_button(ui, head, view)
        ui.line(phrase("setup.choose", whose=whose), head, bold=True)
        self._faction_list(ui, rect, view, scenario.factions)

    def _faction_list(self, ui: Ui, rect: Rect, view: SeatView, factions: Sequence[FactionChoice]) -> None:
        """Draw the factions in two columns; where some have no room, the wheel brings them."""
        pairs = [factions[first : first + 2] for first in range(0, len(factions), 2)]
        if len(pairs) * ui.px(32 + 4) - ui.px(4) > rect.h:
            bar, rect = rect.cut_right(ui.px(4), ui.px(4))
            draw_bar(ui, bar, self.choices.first, int(rect.h // ui.px(32 + 4)), len(pairs))
        rows = self.choices.fitting(ui, rect, pairs, ui.px(32), ui.px(4))
        cells = [zip(row.columns(2, ui.px(4)), pair, strict=False) for row, pair in rows]
        for place, faction in chain.from_iterable(cells):
            lines = " ".join(self.session.texts.say(line) for line in faction.lines)
            act = self._choosing(faction)
            tip = lines if act is not None else phrase("setup.taken")
            label = self.session.texts.say(faction.name)
            ui.button(place, label, act, chosen=faction.id == view.faction, tip=tip, left=True, listed=True)

    def _factions_button(self, ui: Ui, row: Rect, view: SeatView) -> Rect:
        """Draw the button to the pages of the factions at the end of a row; return the rest of that."""
        if not self.session.factions.is_known:
            return row
        box, rest = row.cut_right(ui.px(120), ui.px(6))
        key = ui.keys.shown("factions")
        tip = phrase("factions.open.tip", at=key)
        ui.button(box, phrase("factions.open"), partial(self.open_factions, view.faction), key=key, tip=tip)
        return rest

    def _faction_button(self, ui: Ui, room: Rect, view: SeatView) -> None:
        """Draw the button that chooses a faction from its page, at the foot of what room there is."""
        row = room.cut_bottom(min(ui.px(30), room.h))[0]
        if self.session.factions.is_known and row.h >= ui.px(20):
            name = self.session.texts.say(view.faction_name) or phrase("setup.no_faction")
            words = phrase("factions.chosen", faction=name)
            act = partial(self.open_factions, view.faction)
            ui.button(row, words, act, key=ui.keys.shown("factions"), name=phrase("factions.open"))

    def open_factions(self, faction: str = "") -> None:
        """Open the pages of the factions, at this one or that of the seat that is chosen for; they can be chosen there
        where they can here."""
        table, scenario = self.table, self._scenario()
        seat = self._chosen_seat()
        if table is None or scenario is None or seat is None:
            self.rulebook.factions.choose = None
        else:
            # a person's own list says which faction it is
            self.rulebook.factions.choose = None if scenario.points and seat.seat == table.seat else self._choosing
        self.rulebook.open_factions(faction or (seat.faction if seat is not None else ""))

    def _chosen_seat(self) -> SeatView | None:
        """Return the seat that a faction is chosen for: the person's, or the bot's that the owner picked."""
        table = self.table
        if table is None:
            return None
        is_owner = table.owner == self.session.conversation.you
        picked = next((view for view in table.seats if view.seat == self.chosen and view.bot and is_owner), None)
        return picked or next((view for view in table.seats if view.seat == table.seat), None)

    def _choosing(self, faction: FactionChoice) -> Act | None:
        """Return the act by which the chosen seat takes a faction, None where another seat has it."""
        table, scenario, view = self.table, self._scenario(), self._chosen_seat()
        if table is None or scenario is None or view is None:
            return None
        # where lists are brought, two seats may play the same faction
        taken = {other.faction for other in table.seats if other.seat != view.seat and not scenario.points}
        choose = ChooseFaction(faction=faction.id, seat=None if view.seat == table.seat else view.seat)
        return partial(self.session.say, choose) if faction.id not in taken else None

    def _next_scenario(self) -> None:
        system, table = self._system(), self.table
        if system is None or table is None or not system.scenarios:
            return
        self.session.say(ChangeTable(scenario=next_scenario(system.scenarios, table.scenario)))

    def _next_form(self) -> None:
        system, table = self._system(), self.table
        if system is not None and table is not None:
            self.session.say(ChangeTable(scenario=next_form(system.scenarios, table.scenario)))

    def _chat(self, ui: Ui, rect: Rect, table: TableView, *, is_folded: bool) -> None:
        inside = ui.panel(rect)
        line, inside = inside.cut_bottom(ui.px(28), ui.px(4))
        if is_folded and self.session.previews.is_known:
            folded, line = line.cut_right(ui.px(MAP_WIDTH), ui.px(8))
            self.map.draw_button(ui, folded, table)
        ui.input(line, self.say, phrase("chat.say"))
        lines = self.session.feed.chat
        said = (
            (line, chat_words(line, self.table, self.session.texts), theme.seat_colour(line.seat))
            for line in reversed(lines)
        )
        draw_chat(ui, inside, said, self.people.of_line)

    def tick(self, seconds: float) -> bool:
        if self.table is not None:
            self.session.previews.want(self.table)
        return False

    def pictures(self) -> object:
        return self.map.pictures()

    def draw_below(self) -> None:
        self.map.draw_below()

    def wheel(self, x: float, y: float, steps: int) -> None:
        self.map.wheel(x, y, steps)

    def drag(self, x: float, y: float, dx: float, dy: float, buttons: int) -> None:
        self.map.drag(dx, dy)

    def places(self) -> tuple[str, ...]:
        if self.map.is_open:
            return ("map",)
        is_building = self.lists.is_open and not self.lists.kept.is_open
        return ("page",) if self.rulebook.is_open else ("builder",) if is_building else ("setup",)

    def key(self, press: KeyPress) -> bool:
        if self.rulebook.is_open:
            return self.rulebook.key(press)
        if self.lists.is_open:
            return self.lists.key(press)
        pages = (self.people, self.seat_popup, self.date, self.setups, self.password)
        if any(page.is_open for page in pages):
            return False
        if self.table is not None and self.map.key(press, self.table):
            return True
        if press.means("rules") and not self.map.is_open:
            self.rulebook.open()
            return True
        if press.means("factions") and not self.map.is_open and self.session.factions.is_known:
            self.open_factions()
            return True
        return False

    def escape(self) -> None:
        """Close the topmost page: they stand in the order in which `build` looks for the one to draw."""
        pages = (
            self.map, self.rulebook, self.lists, self.people, self.seat_popup, self.date, self.setups, self.password,
        )  # fmt: skip
        topmost = next((page for page in pages if page.is_open), None)
        if topmost is not None and not self.session.away:
            topmost.close()

    def _say(self) -> None:
        self.session.chat(self.say.text)
        self.say.set("")


def _cells(rect: Rect, count: int, gap: float, highest: float) -> list[Rect]:
    """Return two columns with room for `count` buttons, row by row from the top, none higher than `highest`."""
    rows = max(1, (count + 1) // 2)
    height = max(1.0, min(highest, (rect.h - gap * (rows - 1)) / rows))
    top = rect.centre[1] + (rows * height + (rows - 1) * gap) / 2
    lines = [Rect(rect.x, top - row * (height + gap) - height, rect.w, height) for row in range(rows)]
    return [cell for line in lines for cell in line.columns(2, gap)][:count]
