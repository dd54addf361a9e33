"""Screen of a live table: the board with its panels, and playing by prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import arcade
from arcade import key as keys

from client.draw.board.groups import base_rects, group_label
from client.draw.board.pointed import draw_pointed
from client.draw.board.stack import StackBoxes, draw_stack_box
from client.draw.board.verb_bar import Placed, draw_bars
from client.draw.die import tumbling
from client.draw.panels.prompt import PromptPanel, draw_prompt
from client.draw.panels.seats import draw_seats
from client.draw.panels.word_tags import draw_part_marks
from client.input.activation_ending import ActivationEnding
from client.input.gestures.controller import GestureController
from client.input.key_table import KeyPress
from client.input.prompt_controller import PromptController
from client.model.lobby.paces import plays_with_bots
from client.model.playback.durations import NORMAL, SPEEDS
from client.model.playback.walking import places_of
from client.model.session import TOO_LATE, ClientSession
from client.model.table.group_card import group_card
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.table_layout import CHAT, LOG, PAST, PROMPT_TAB
from client.ui.text_input import TextInput
from client.views.board.board_screen import BoardScreen
from client.views.board.ribbon_view import RibbonView
from client.views.board.table_panels import LogActs, draw_chat_panel, draw_log_and_dice, draw_top, named_parts
from client.views.name_registration import NameRegistration
from client.views.people_popup import PeoplePopup
from client.views.popups import Confirmation
from client.views.rulebook_page import RulebookPage
from client.views.table.cursor import TableCursor
from client.views.table.diplomacy import TableDiplomacy
from client.views.table.fairness_page import FairnessPage
from client.views.table.kept_clear import asked_places, folded, marked_places
from client.views.table.lesson_guide import LessonGuide
from client.views.table.match_controls import MatchControls
from client.views.table.pointer import TablePointer
from client.views.table.spectator_roles import draw_view_label
from client.views.table.table_hover import TableHover
from client.views.table.table_keys import TableKeys
from client.views.table.table_pages import TablePages
from client.views.table.table_rules import TableRules
from client.views.table.watchers_requests import draw_requests, requests_height
from protocol.ids import NodeId
from protocol.limits import Limits
from protocol.scene.nodes import NO_NODE, Choice, Piece, Point
from protocol.wire.from_client import BotPace

if TYPE_CHECKING:
    from client.app.navigator import Navigator
    from client.app.window import App


LOOKED_AWAY: Final = 2.0
"""Seconds without a turn of the window, after which what has happened meanwhile is not played."""


class TableScreen(BoardScreen):
    """Table at which the person plays one seat, or watches. `navigator` decides what comes after it."""

    def __init__(self, app: App, session: ClientSession, navigator: Navigator) -> None:
        super().__init__(app)
        self.session = session
        self.navigator = navigator
        self.made_for = session.at_table
        self._scene = Tabletop({})
        self.controller = PromptController(session)
        self.controller.before_choice = self.to_truth
        self.ending = ActivationEnding(lambda: session.profile.ending, session.intend)
        self.gestures = GestureController(self.controller, session, session.take_advice, session.clock)
        self.controller.ask_first = self._ask_first
        self.gestures.confirm = lambda: navigator.profile.confirm
        self.pointer = TablePointer(self.board, self.controller, self.gestures, lambda: self.model.top)
        self.pages = TablePages(self)
        self.rules = TableRules(self)
        self.panel = PromptPanel(self.controller, self.pages.toggle_menu, self.rules.explain, self.gestures.accept)
        self.say = TextInput(most=Limits().chat_length)
        self.say.enter = self._say
        self.fairness = FairnessPage(session, navigator)
        self.controls = MatchControls(session, app.ask, self._warn)
        self.registration = NameRegistration(session)
        self.people = PeoplePopup(session, navigator)
        self.rulebook = RulebookPage(session, lambda: self.model.view.system if self.model.view is not None else "")
        self.diplomacy = TableDiplomacy(session, self.say, self._write, self._show_chat)
        self.cursor = TableCursor(self)
        self.keys = TableKeys(self)
        self.ribbon = RibbonView(session.story)
        self.guide = LessonGuide(session, self.gestures, self.board, self.ribbon)
        self.stack = StackBoxes()
        self.named: dict[NodeId, Rect] = {}
        """Places of the names where a click means the group."""
        self.hover = TableHover(self)
        self.second = 0.0
        self.tab = "" if self.is_folded else self.tab
        self.model = self._gather()

    def enter(self) -> None:
        words, self.diplomacy.whisper = self.session.unsent_to(self.made_for)
        self.say.set(words)
        self.session.story.lead(is_led=True)
        self.sync()

    @property
    def is_folded(self) -> bool:
        return self.navigator.profile.folded

    def fold(self) -> None:
        """Fold the panels away, or bring them back; kept for other tables."""
        self.navigator.profile.folded = not self.is_folded
        self.tab = "" if self.is_folded else PROMPT_TAB
        self.ribbon.turn(is_open=False)
        self.navigator.keep()
        self.app.refresh()

    def leave(self) -> None:
        self.session.keep_unsent(self.made_for, self.say.text, self.diplomacy.whisper)
        self.session.story.lead(is_led=False)

    def sync(self) -> None:
        """Take in the session's change."""
        conversation = self.session.conversation
        prompt = self.session.prompt
        if conversation.table is not None and not conversation.table.lesson:
            self.ending.update(conversation.table.id, prompt)
        self.controls.sync()
        self.registration.sync()
        self.diplomacy.sync()
        self.controller.update(prompt, conversation.pending)
        if prompt is None or not prompt.choices:
            self.panel.numbers.rest()
        self.ribbon.sync(prompt, conversation.table.seat if conversation.table is not None else -1)
        if self.session.problem_code == TOO_LATE and self.session.notice == self.session.problem:
            # said before the start, and overtaken by it: the table shows that the match has begun
            self.session.notice = ""
        if self.session.notice and self.controller.driver is not None:
            self.controller.driver.note, self.session.notice = self.session.notice, ""
        self.gestures.update()
        self.model = self._gather()
        self.guide.sync(prompt)

    def _gather(self) -> ViewModel:
        conversation, feed = self.session.conversation, self.session.feed
        words, good = self.session.status()
        story = self.session.story
        places = places_of(story.playing, story.nodes) | self.asked
        check = self.session.table_check.check
        self._scene = self._scene.moved_on(story.nodes)
        return ViewModel(
            self._scene.with_pieces_at(places),
            self.session.texts,
            conversation.table,
            feed.log,
            feed.chat,
            feed.dice,
            words,
            good,
            self.session.clock() - self.session.table_at,
            self.session.clock() - self.session.clocks_at,
            fairness=self.session.table_check if check is not None else None,
            playing=story.playing,
            notice=self.session.notice,
            strictness=check.parts.strictness if check is not None else lambda roll: None,
            last=story.ribbon.last_act,
        )

    @property
    def asked(self) -> dict[NodeId, tuple[float, float]]:
        """Figures of which a question asks some, with their true places."""
        scene, picking = self.session.conversation.scene, self.gestures.picking
        if scene is None or picking is None:
            return {}
        found = {NodeId(option.id): scene.nodes.get(NodeId(option.id)) for option in picking.draft.field.options}
        return {id: node.at for id, node in found.items() if isinstance(node, Piece)}

    def build(self, ui: Ui) -> None:
        self.lay_out(ui)
        self.layout = self.guide.make_room(ui, self.layout, self.model)
        self.board.camera.look_at(self.layout.board, self.model.top.table.size)
        self.cursor.follow(ui)
        self.hover.look(*ui.mouse)
        self.panel.hover, self.panel.choice = NO_NODE, ""
        ui.tip_room = self.layout.board
        asked = asked_places(self.gestures, self.model.top, self.board.camera)
        clear = [*asked, *self.guide.kept]
        bars = self.pointer.place_bars(ui, self.model, self.panel.numbers, clear)
        self.panel.picking = self.gestures.picking
        self.panel.found = self.gestures.of_subject
        self.panel.barred = {one.choice: one.tip for bar in bars for _, one in bar if one.choice and one.act is None}
        self._build_panels(ui)
        names = self._build_board(ui, folded(bars, clear), clear)
        self.guide.draw(ui, self.layout, self.model, names)
        ui.clear = [*asked, *self.guide.kept]
        self.pages.draw(ui)
        if self.hover.thing and ui.front == "panels" and not any(box.contains(*ui.mouse) for box in names.values()):
            self.hover.draw_tip(ui)

    def lay_out(self, ui: Ui) -> None:
        super().lay_out(ui)
        # what opens by itself takes nobody's prompt away
        if self.ribbon.is_open and not (self.ribbon.opened_itself and PROMPT_TAB in self.layout.names):
            wanted, self.tab = self.tab, PAST
            super().lay_out(ui)
            self.tab = wanted

    def prompt_height(self) -> int:
        return self.panel.wanted(self.model)

    def turn_tab(self, name: str) -> None:
        if name != PAST:
            super().turn_tab(name)
        self.ribbon.turn(is_open=name == PAST and self.layout.shown != PAST)

    def tab_words(self, name: str) -> str:
        if name == PAST:
            return phrase("ribbon.tab", count=len(self.ribbon.entries(self.model.seat)))
        unread = self.session.feed.unread if name == CHAT else 0
        return phrase("tab.chat.unread", count=unread) if unread else super().tab_words(name)

    def tab_calls(self, name: str) -> bool:
        if name == PROMPT_TAB:
            return self.layout.shown != name and self.controller.driver is not None
        return name == CHAT and self.session.feed.unread > 0

    def _build_panels(self, ui: Ui) -> None:
        """Describe the panels around the board."""
        layout, model = self.layout, self.model
        draw_top(ui, layout.row, model)
        if layout.seats.w:
            draw_seats(ui, layout.seats, model, self.people.of_person)
        if layout.prompt.w:
            draw_prompt(ui, layout.prompt, model, self.panel, group_card(model, self.hover.looked_at()))
        self._build_feed(ui)
        self.draw_tabs(ui)
        parts = named_parts(ui, layout)
        draw_part_marks(ui, {name: part for name, part in parts.items() if name != "board"}, self.rules.look_up)

    def _build_feed(self, ui: Ui) -> None:
        """Describe log and dice, past acts, or chat: what is open of them."""
        layout, model = self.layout, self.model
        self.ribbon.hovered = None
        if layout.place_of(LOG).w:
            acts = LogActs(self.fairness.toggle, partial(self.rules.explain, ""), self.session.ask_older)
            draw_log_and_dice(ui, layout.feed, model, self.log, acts, tumbling(model.playing))
        elif layout.place_of(PAST).w:
            self.ribbon.draw(ui, model, layout.feed)
        if layout.place_of(CHAT).w:
            write = partial(self.diplomacy.draw_chat_line, ui) if self.diplomacy.can_chat else None
            draw_chat_panel(ui, layout.place_of(CHAT), model, self.chat, write, self.people.of_line)
            self.session.feed.read_chat()

    def _build_board(self, ui: Ui, bars: Sequence[Placed], clear: Sequence[Rect]) -> dict[NodeId, Rect]:
        """Describe the board and all that lies on it, on none of the `clear` places; return the places of the groups'
        names."""
        board, model, driver = self.layout.board, self.model, self.controller.driver
        draft = driver.draft if driver is not None else None
        buttons = [box for bar in bars for box, _ in bar]
        ui.spared = list(base_rects(ui, model.top, self.board.camera).values())
        stack = self.stack.place(ui, board, model, [*ui.spared, *buttons], self.board.group_names.boxes)
        covered = [box for box, _ in (*stack, *(bars[0] if bars else ()))]
        marks = self.hover.marks()
        names = self.board.build(ui, board, model, marks, draft, covered, [*buttons, *clear], glide=True)
        ringed = self.pointer.draw(ui, model, list(names.values()))
        ui.ringed = [*ringed, *marked_places(marks, model.top, self.board.camera)]
        free = {group: box for group, box in names.items() if not any(box.overlaps(rect) for rect in buttons)}
        self.named = {group: box for group, box in free.items() if self.pointer.takes(group)}
        for group, box in names.items():
            label = group_label(model.texts, model.top.groups[group])
            act = partial(self._click_name, group) if group in self.named else None
            ui.tag(box, label, self.hover.tip_of(group), act)
        ui.on("panels")
        for box, words in stack:
            draw_stack_box(ui, box, words)
        self.ribbon.point(ui, self.board.camera, model)
        ui.on("panels")
        self.controls.draw(ui, board, model)
        draw_view_label(ui, board, model)
        draw_requests(ui, board, model, self.session)
        you = self.session.conversation.you
        self.diplomacy.draw_waiting(ui, board, requests_height(ui, model.view, you))
        draw_bars(ui, bars, clear)
        self.cursor.draw(ui)
        draw_pointed(ui, self.board.camera, model, self.session.marks.shown())
        return names

    def tick(self, seconds: float) -> bool:
        if self.hover.thing in self.asked:
            self.to_truth()
        glided = self._play_on(seconds) | self.board.glide(self.model, seconds)
        glided = self.pointer.tick(self.app.ui.mouse) or self.session.marks.tick() or glided
        glided = self.guide.tick(seconds) or glided
        self.second += seconds
        if self.second < 1:
            return glided
        self.second = 0.0
        self.model.elapsed = self.session.clock() - self.session.table_at
        self.model.clocks_elapsed = self.session.clock() - self.session.clocks_at
        return glided or self.model.shows_time or self.controls.ticks()

    def _play_on(self, seconds: float) -> bool:
        """Lead the shown scene on; return True if it has changed."""
        story = self.session.story
        story.scene.speed = SPEEDS.get(self.navigator.profile.speed, SPEEDS[NORMAL])
        if seconds > LOOKED_AWAY or self.app.is_hidden:
            story.jump()
        if not story.advance(seconds):
            return False
        self.model = self._gather()
        if not story.scene.is_behind:
            # what waits for the end, such as the result
            self.session.changes += 1
        return True

    def ask_for_next(self) -> None:
        """Ask for the next act of the bots at once, where one plays with some and is not asked for anything."""
        if plays_with_bots(self.session.conversation.table):
            self.session.say(BotPace())

    def _warn(self) -> None:
        """Warn the player that their time runs out."""
        self.app.sounds.play("clock")
        self.app.call_person()

    def _ask_first(self, choice: Choice, act: Callable[[], None]) -> None:
        """Put the question before a choice that gives something up."""
        say = self.session.texts.say
        self.app.ask(Confirmation(say(choice.name), say(choice.confirm), say(choice.name), act))

    def to_truth(self) -> bool:
        """Show the true scene, for a gesture or a key that acts on it; return True if something was left out."""
        was_behind = self.session.story.jump()
        if was_behind:
            self.model = self._gather()
            self.session.changes += 1
        return was_behind

    def press(self, x: float, y: float, button: int) -> None:
        self.to_truth()
        if self.layout.board.contains(x, y) and not self._points_out(button):
            spot = self.app.ui.hit(x, y)
            at = spot.rect if spot is not None and spot.can else None
            named = next((group for group, box in self.named.items() if box == at), NO_NODE)
            self.pointer.press(x, y, button, named, in_bar=at is not None and not named)

    def grip(self, x: float, y: float, button: int) -> None:
        self.pointer.grip(x, y, button)

    def _points_out(self, button: int = arcade.MOUSE_BUTTON_LEFT) -> bool:
        """Point at the place under the mouse for one's side, if Alt is held; return False where it is not."""
        is_meant = button == arcade.MOUSE_BUTTON_LEFT and bool(self.app.ui.modifiers & keys.MOD_ALT)
        if is_meant:
            self.point_out(self.board.camera.to_table(*self.app.ui.mouse))
        return is_meant

    def point_out(self, at: Point) -> None:
        """Point at a place of the table for one's side; a spectator points at nothing."""
        if self.model.seat >= 0:
            self.session.marks.point_at(at)

    def drag(self, x: float, y: float, dx: float, dy: float, buttons: int) -> None:
        self.pointer.drag(x, y, dx, dy, buttons)

    def release(self, x: float, y: float, button: int) -> None:
        self.pointer.release(x, y, button, self.app.ui.modifiers)

    def _click_name(self, group: NodeId) -> None:
        self.to_truth()
        if not self._points_out():
            self.pointer.click_name(group, self.app.ui.modifiers)

    def places(self) -> tuple[str, ...]:
        return self.keys.places()

    def key(self, press: KeyPress) -> bool:
        return self.keys.take(press)

    def escape(self) -> None:
        if self.pages.close_one():
            return
        if self.board.tool is not None:
            self.board.tool = None
        elif not self.gestures.take_back():
            self.controller.back()

    def _write(self, field: TextInput) -> None:
        """Let a field take what is typed; that of the chat is brought into sight."""
        if field is self.say:
            self._show_chat()
        self.app.ui.focus = field

    def _show_chat(self) -> None:
        if not self.layout.place_of(CHAT).w:
            self.tab = CHAT
            self.ribbon.turn(is_open=False)

    def _say(self) -> None:
        self.diplomacy.say()
        if not self.say.text:
            self.app.ui.focus = None
