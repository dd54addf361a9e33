"""Screen of a match's end: who won, each condition met or not, and how it went, round by round."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from client.draw.emblem import draw_emblem
from client.draw.fairness.mark import draw_verdict
from client.draw.panels.plot import draw_plot
from client.model.session import ClientSession
from client.model.table.sides import with_side
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.model.words.result_words import result_title
from client.model.words.series_words import courses_of
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.views.link_row import draw_link
from client.views.popups import draw_away
from client.views.screen import Screen
from protocol.scene.nodes import Result, SeatResult
from protocol.wire.from_server import TableView

if TYPE_CHECKING:
    from client.app.navigator import Navigator
    from client.app.window import App

TALLEST: Final = 240
"""Height in pixels that the box of a seat has at most."""


class ResultScreen(Screen):
    """Seats side by side, with buttons below to play again, watch or save the replay, look at the table, or go to the
    lobby."""

    def __init__(self, app: App, session: ClientSession, navigator: Navigator) -> None:
        super().__init__(app)
        self.session = session
        self.navigator = navigator
        self.made_for = session.at_table
        self.course = -1
        """Place of the series that is shown, -1 for how each seat came out."""
        self.sync()

    def enter(self) -> None:
        self.session.sounds.tell_outcome()

    def sync(self) -> None:
        """Read the scene as it is now."""
        conversation = self.session.conversation
        nodes = conversation.scene.nodes if conversation.scene is not None else {}
        self.model = ViewModel(Tabletop(nodes), self.session.texts, conversation.table)

    def build(self, ui: Ui) -> None:
        result, view = self.model.top.result, self.model.view
        head, rest = ui.window.inset(ui.px(24)).cut_top(ui.px(40))
        ui.line(result_title(self.model, result), head, size=theme.TITLE, bold=True)
        why, rest = rest.cut_top(ui.px(32), ui.px(8) if result is None else 0)
        words = result.why if result is not None else view.result if view is not None else None
        ranked = phrase("result.ranked") if view is not None and view.ranked else ""
        ui.line(ranked + self.model.texts.say(words), why, colour=theme.MUTED)
        rest = self._foot(ui, rest)
        if result is not None:
            self._how(ui, rest, result)
        elif view is not None:
            self._holders(ui, rest, view)
        if self.session.away:
            draw_away(ui, self.session, self.app.close)

    def _how(self, ui: Ui, rest: Rect, result: Result) -> None:
        """Draw how each seat came out, or one of the series, which are chosen above."""
        courses = courses_of(self.model, result)
        if courses:
            row, rest = rest.cut_top(ui.px(32), ui.px(12))
            names = (phrase("series.none"), *[course.name for course in courses])
            for place, (box, name) in enumerate(zip(row.columns(len(names)), names, strict=True), -1):
                ui.button(box, name, partial(self._choose, place), chosen=place == self.course, listed=True)
        if 0 <= self.course < len(courses):
            draw_plot(ui, ui.panel(rest), self.model, courses[self.course])
        else:
            self._seats(ui, rest, result)

    def _choose(self, place: int) -> None:
        self.course = place

    def _holders(self, ui: Ui, rest: Rect, view: TableView) -> None:
        """Draw who held the seats of a match that ended without a result."""
        for seat in view.seats:
            row, rest = rest.cut_top(ui.px(36), ui.px(4))
            r = ui.px(12)
            draw_emblem(ui.painter, self.model.top.colour_of(seat.seat), row.x + r, row.centre[1], r)
            name = f"{self.model.seat_name(seat.seat)}, {self.model.player_name(seat.seat)}"
            ui.label(name, row.x + 2 * r + 8, row.centre[1], room=row.w - 2 * r - 8)

    def _seats(self, ui: Ui, rest: Rect, result: Result) -> None:
        """Draw the seats, the winners first."""
        columns = 3 if len(result.seats) > 2 else max(len(result.seats), 1)
        lines = -(-len(result.seats) // columns)
        height = min(on_grid((rest.h - ui.px(8) * (lines - 1)) / max(lines, 1)), ui.px(TALLEST))
        order = sorted(result.seats, key=lambda seat: (not seat.won, -seat.score))
        boxes = (box for row in rest.rows(height, ui.px(8)) for box in row.columns(columns, ui.px(8)))
        for box, seat in zip(boxes, order, strict=False):
            self._seat(ui, box, seat)

    def _seat(self, ui: Ui, box: Rect, seat: SeatResult) -> None:
        inside = ui.panel(box)
        if seat.won:
            ui.painter.frame(box, 2, theme.GOOD)
        node = self.model.top.seats.get(seat.seat)
        head, inside = inside.cut_top(ui.px(28))
        r = ui.px(12)
        draw_emblem(ui.painter, node.colour if node is not None else -1, head.x + r, head.centre[1], r)
        mine = phrase("seats.you") if seat.seat == self.model.seat else ""
        name = self.model.seat_name(seat.seat) + mine
        ui.label(name, head.x + 2 * r + 8, head.centre[1], bold=True, room=head.w * 0.66 - 2 * r)
        outcome = phrase("result.has_won" if seat.won else "result.has_lost")
        words = f"{outcome}, {seat.score}" if seat.score else outcome
        tone = theme.GOOD if seat.won else theme.MUTED
        ui.label(words, head.right, head.centre[1], colour=tone, anchor="right", room=head.w * 0.3)
        who, inside = inside.cut_top(ui.px(20), ui.px(4))
        player = with_side(node.side if node is not None else -1, self.model.player_name(seat.seat))
        ui.line(player, who, size=theme.SMALL, colour=theme.MUTED)
        for condition in seat.conditions:
            tone = theme.GOOD if condition.met else theme.BAD
            state = phrase("goals.state.met" if condition.met else "goals.not_met")
            secret = phrase("result.secret") if condition.secret else ""
            title = f"{self.model.texts.say(condition.name)}: {state}{secret}"
            inside = ui.lines(title, inside, colour=tone, bold=True, most=2)
            inside = ui.lines(self.model.texts.say(condition.text), inside, size=theme.SMALL, colour=theme.MUTED, gap=8)

    def _foot(self, ui: Ui, rest: Rect) -> Rect:
        """Draw the buttons, above them the link to the replay and the verdict of the match's check; return the room
        above all."""
        foot, rest = rest.cut_bottom(ui.px(36), ui.px(12))
        self._buttons(ui, foot)
        table = self.session.conversation.table
        if table is not None and table.state == "finished" and table.code:
            line, rest = rest.cut_bottom(ui.px(32), ui.px(8))
            draw_link(ui, line, self.session.link_to(table.code), self.navigator.copy)
        after = self.session.replays.finished_check
        if after is not None:
            line, rest = rest.cut_bottom(ui.px(20), ui.px(8))
            draw_verdict(ui, line, after.verdict, self.model.texts.say(after.why))
        return rest

    def _buttons(self, ui: Ui, rect: Rect) -> None:
        again, watch, save, look, lobby, note = rect.columns(6)
        table = self.session.conversation.table
        self._again(ui, again, table)
        ready = table is not None and table.replay
        is_coming = table is None or table.replay_coming
        tip = "" if ready else phrase("result.replay.wait" if is_coming else "result.replay.none")
        ui.button(watch, phrase("result.watch"), self._watch if ready else None, tip=tip or phrase("result.watch.tip"))
        ui.button(save, phrase("result.replay"), self._save if ready else None, tip=tip)
        ui.button(look, phrase("result.table"), self.navigator.look_at_table)
        ui.button(lobby, phrase("to_lobby"), self.navigator.to_lobby)
        if self.session.notice:
            ui.lines(self.session.notice, note, size=theme.SMALL, colour=theme.GOOD, most=2)
        elif table is not None and table.replay_coming:
            ui.lines(phrase("result.replay.wait"), note, size=theme.SMALL, colour=theme.MUTED, most=2)

    def _again(self, ui: Ui, rect: Rect, table: TableView | None) -> None:
        """Draw the button of a rematch, which those who played may ask for."""
        if not self.session.invitations.is_known or table is None:
            ui.button(rect, phrase("result.again"), None, tip=phrase("result.again.unknown"))
            return
        is_over, has_played = table.state == "finished", table.seat >= 0
        key = "wait" if not is_over else "players" if not has_played else "opened" if table.again else "tip"
        act = self.navigator.play_again if is_over and has_played else None
        ui.button(rect, phrase("result.again"), act, primary=act is not None, tip=phrase(f"result.again.{key}"))

    def _watch(self) -> None:
        table = self.session.conversation.table
        if table is not None:
            self.navigator.links.watch(table.id, table.code)

    def _save(self) -> None:
        table = self.session.conversation.table
        if table is not None:
            self.session.replays.fetch(table.id, self.navigator.replay_folder())

    def escape(self) -> None:
        self.navigator.look_at_table()
