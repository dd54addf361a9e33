"""Keys of the table: those of the page that lies over it, else of the prompt, the talk, the match and the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from arcade import key as keys

from client.draw.panels.choices import letter_keys
from client.input.board_drafts import PlacementDraft
from client.input.drafts import NumberDraft, WordsDraft
from client.input.key_table import AT_TABLE, KeyPress
from client.input.prompt_driver import CHOOSING, FILLING
from client.ui.table_layout import PAST
from protocol.scene.nodes import TURN, Point

if TYPE_CHECKING:
    from client.views.table.table_screen import TableScreen

WAYS: Final = ((-1, 0), (1, 0), (0, 1), (0, -1))
"""Directions of the arrows, in the order of the table of keys: left, right, up, down."""
COARSE: Final = 50
"""Hundredths by which an arrow moves what is being placed."""
FINE: Final = 5
STEP, FAR = 100, 600
"""Hundredths by which the arrows move the cursor."""
ABOVE: Final = 3
"""Rows of a list that stay in sight above the one that is held."""
MENU_KEYS: Final = ("pause", "end")
"""Actions whose keys are named beside lines of the menu."""


class TableKeys:
    """Keys of one table's screen."""

    def __init__(self, screen: TableScreen) -> None:
        self.screen = screen
        self._cycled = -1

    def places(self) -> tuple[str, ...]:
        """Return where keys act now: on the topmost page, else at the table."""
        return next((places for is_open, places, _ in self._pages() if is_open), AT_TABLE)

    def take(self, press: KeyPress) -> bool:
        """Take a key; return False if it means nothing here."""
        for is_open, _, key in self._pages():
            if is_open:
                return key(press)
        screen = self.screen
        if press.digit:
            screen.to_truth()
            return self._digit(int(press.digit))
        if press.means("undo"):
            screen.controller.undo()
        elif press.means("menu"):
            screen.pages.toggle_menu()
        elif press.means("rules"):
            screen.rules.look_up()
        elif press.means("fair"):
            screen.fairness.toggle()
        elif press.means("past"):
            screen.turn_tab(PAST)
        elif screen.diplomacy.key(press) or screen.controls.key(press):
            return True
        elif press.means("take"):
            if not (screen.cursor.click() or screen.gestures.accept()):
                screen.controller.confirm()
        elif press.means("go_on"):
            self._go_on()
        elif press.means("fold"):
            screen.fold()
        elif (back := press.which("next")) is not None:
            return self._cycle(-1 if back else 1)
        else:
            handlers = (self._cursor, self._nudge, self._letter, self._step, screen.board.key)
            return any(handler(press) for handler in handlers)
        return True

    def _pages(self) -> tuple[tuple[bool, tuple[str, ...], Callable[[KeyPress], bool]], ...]:
        """Return the pages over the table, the topmost first, with their places and keys: while one is open no key of
        the table acts below it."""
        screen = self.screen
        return (
            (bool(screen.session.away), (), _no_key),
            (screen.registration.is_open, (), _no_key),
            (screen.people.is_open, (), _no_key),
            (screen.pages.menu, (), self._menu_key),
            (screen.controls.is_conceding, (), _no_key),
            (screen.rulebook.is_open, ("page",), screen.rulebook.key),
            (screen.diplomacy.is_open, ("talk",), screen.diplomacy.key),
            (screen.fairness.is_open, ("page",), self._fairness_key),
        )

    def _menu_key(self, press: KeyPress) -> bool:
        if press.means("menu"):
            self.screen.pages.toggle_menu()
        elif any(press.means(action) for action in MENU_KEYS):
            self.screen.pages.toggle_menu()
            self.screen.controls.key(press)
        else:
            return False
        return True

    def _fairness_key(self, press: KeyPress) -> bool:
        if press.means("fair"):
            self.screen.fairness.toggle()
        return press.means("fair") or self.screen.fairness.key(press)

    def _letter(self, press: KeyPress) -> bool:
        """Take a letter that stands for a choice; return False where there is none to take."""
        driver = self.screen.controller.driver
        if driver is None or driver.stage != CHOOSING or not press.letter:
            return False
        choice = letter_keys(driver.prompt.choices, press.table).get(press.letter)
        if choice is None:
            return False
        self.screen.to_truth()
        self.screen.controller.choose(choice)
        return True

    def _digit(self, digit: int) -> bool:
        """Type a number where one is asked for; else the digit is one of a line's number."""
        draft = self.screen.controller.draft
        if isinstance(draft, NumberDraft):
            draft.type(digit)
        return isinstance(draft, NumberDraft)

    def _step(self, press: KeyPress) -> bool:
        """Take + and - while a number, a cell, an angle or a point of a path is asked for; return False otherwise."""
        draft = self.screen.controller.draft
        back = press.which("zoom")
        return draft is not None and back is not None and draft.step(-1 if back else 1)

    def _nudge(self, press: KeyPress) -> bool:
        """Move what is being placed, else the cursor, in small steps; return False for any other key."""
        draft = self.screen.controller.draft
        for action, by in (("nudge", COARSE), ("nudge_fine", FINE)):
            way = direction(press, action)
            if way is not None:
                if draft is None or not draft.nudge(way[0] * by, way[1] * by):
                    self.screen.cursor.move(way[0] * FINE, way[1] * FINE)
                return True
        return False

    def _go_on(self) -> None:
        """Show what is true now; else confirm the field, or answer a question as silence would. It ends no turn."""
        controller = self.screen.controller
        driver = controller.driver
        if self.screen.to_truth():
            return
        if driver is None:
            self.screen.ask_for_next()
        elif driver.stage == FILLING:
            controller.confirm()
        elif driver.stage == CHOOSING and driver.prompt.default and driver.prompt.window != TURN:
            controller.choose(driver.prompt.default)

    def _cycle(self, step: int) -> bool:
        """Go on to the next thing that can be picked, or take the next that is placed in hand; of a thing to which more
        than one can be done, first through these. Return False where there is none."""
        screen = self.screen
        if screen.gestures.menu is not None and self._mark_in_bar(step):
            return True
        draft = screen.controller.draft
        ghosts = list(screen.gestures.ghosts.shown().values()) if screen.gestures.held else []
        if ghosts:
            self._cycled = (self._cycled + step) % len(ghosts)
            screen.cursor.put_at(ghosts[self._cycled])
            return True
        if isinstance(draft, WordsDraft):
            screen.app.ui.focus = screen.panel.words
            return True
        things = list(draft.holdable()) if draft is not None else []
        if draft is None or not things:
            is_left, screen.gestures.menu = screen.gestures.menu is not None, None
            return (not is_left and screen.cursor.offer_thing()) or screen.cursor.step(step)
        self._cycled = (self._cycled + step) % len(things)
        draft.hold(things[self._cycled])
        screen.panel.scroll = max(self._cycled - ABOVE, 0)
        return True

    def _mark_in_bar(self, step: int) -> bool:
        """Mark the next button of the bar at the pointer; return False behind the last one."""
        screen, ui = self.screen, self.screen.app.ui
        _, aims = screen.gestures.menu or (None, [])
        names = [screen.model.texts.say(aim.name or aim.choice.name) for aim in aims]
        board = screen.layout.board
        bar = [spot for spot in ui.front_spots if spot.label in names and board.contains(*spot.rect.centre)]
        marked = bar.index(ui.marked) + step if ui.marked in bar else (0 if step > 0 else len(bar) - 1)
        ui.marked = bar[marked] if 0 <= marked < len(bar) else None
        return ui.marked is not None

    def _cursor(self, press: KeyPress) -> bool:
        """Move the cursor, or what is held; return False for any other key."""
        screen, draft = self.screen, self.screen.controller.draft
        for action, by in (("cursor", STEP), ("far", FAR)):
            way = direction(press, action)
            if way is not None:
                if not (isinstance(draft, PlacementDraft) and draft.held and draft.nudge(way[0] * by, way[1] * by)):
                    screen.cursor.move(way[0] * by, way[1] * by)
                return True
        if (back := press.which("things")) is not None:
            screen.cursor.step(-1 if back else 1, among_all=True)
        elif press.means("all_here"):
            screen.cursor.offer()
        elif press.means("point_out"):
            screen.point_out(screen.cursor.at or screen.board.camera.to_table(*screen.app.ui.mouse))
        elif press.means("keep"):
            screen.cursor.click(keys.MOD_CTRL)
        elif press.means("corner"):
            screen.cursor.click(keys.MOD_SHIFT)
        else:
            return False
        return True


def direction(press: KeyPress, action: str) -> Point | None:
    """Return the direction of an arrow of an action; None for any other key."""
    way = press.which(action)
    return WAYS[way] if way is not None else None


def _no_key(press: KeyPress) -> bool:
    """Take no key."""
    return False
