"""Keys of the table: those of the page that lies over it, else of the prompt, the talk, the match and the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from client.draw.panels.prompt import letter_keys
from client.input.key_table import KeyPress
from client.input.prompt_driver import CHOOSING, FILLING
from protocol.scene.nodes import Point

if TYPE_CHECKING:
    from client.views.table.table_screen import TableScreen

PLACES: Final = ("table", "board")
WAYS: Final = ((-1, 0), (1, 0), (0, 1), (0, -1))
"""Directions of the arrows, in the order of the table of keys: left, right, up, down."""
COARSE: Final = 50
"""Hundredths by which an arrow moves what is being placed."""
FINE: Final = 5
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
        return next((places for is_open, places, _ in self._pages() if is_open), PLACES)

    def take(self, press: KeyPress) -> bool:
        """Take a key; return False if it means nothing here."""
        for is_open, _, key in self._pages():
            if is_open:
                return key(press)
        screen = self.screen
        if press.digit:
            screen.to_truth()
            return False
        if press.means("undo"):
            screen.controller.undo()
        elif press.means("menu"):
            screen.toggle_menu()
        elif press.means("rules"):
            screen.look_up()
        elif press.means("fair"):
            screen.fairness.toggle()
        elif press.means("past"):
            screen.ribbon.toggle()
        elif screen.diplomacy.key(press) or screen.controls.key(press):
            return True
        elif press.means("take"):
            if not screen.gestures.accept():
                screen.controller.confirm()
        elif press.means("go_on"):
            self._go_on()
        elif (back := press.which("next")) is not None:
            return self._cycle(-1 if back else 1)
        else:
            return self._nudge(press) or self._letter(press) or self._step(press) or screen.board.key(press)
        return True

    def _pages(self) -> tuple[tuple[bool, tuple[str, ...], Callable[[KeyPress], bool]], ...]:
        """Return the pages over the table, the topmost first, with their places and keys: while one is open no key of
        the table acts below it."""
        screen = self.screen
        return (
            (screen.registration.is_open, (), _no_key),
            (screen.menu, (), self._menu_key),
            (screen.controls.is_conceding, (), _no_key),
            (screen.rulebook.is_open, ("page",), screen.rulebook.key),
            (screen.diplomacy.is_open, ("talk",), screen.diplomacy.key),
            (screen.fairness.is_open, ("page",), self._fairness_key),
            (bool(screen.session.away), (), _no_key),
        )

    def _menu_key(self, press: KeyPress) -> bool:
        if press.means("menu"):
            self.screen.toggle_menu()
        elif any(press.means(action) for action in MENU_KEYS):
            self.screen.toggle_menu()
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

    def _step(self, press: KeyPress) -> bool:
        """Take + and - while a number, a cell, an angle or a point of a path is asked for; return False otherwise."""
        draft = self.screen.controller.draft
        back = press.which("zoom")
        return draft is not None and back is not None and draft.step(-1 if back else 1)

    def _nudge(self, press: KeyPress) -> bool:
        """Move what is being placed; return False where nothing is."""
        draft = self.screen.controller.draft
        for action, by in (("nudge", COARSE), ("nudge_fine", FINE)):
            way = press.which(action)
            if draft is not None and way is not None:
                return draft.nudge(WAYS[way][0] * by, WAYS[way][1] * by)
        return False

    def _go_on(self) -> None:
        """Play the choice that running out of time would play, or confirm the field."""
        controller = self.screen.controller
        driver = controller.driver
        if self.screen.to_truth() or driver is None:
            return
        if driver.stage == FILLING:
            controller.confirm()
        elif driver.stage == CHOOSING and driver.prompt.default:
            controller.choose(driver.prompt.default)

    def _cycle(self, step: int) -> bool:
        """Put the mouse on the next thing that can be picked, and focus or hold it; return False where there is
        none."""
        screen = self.screen
        driver, draft = screen.controller.driver, screen.controller.draft
        holdable = draft.holdable() if draft is not None else ()
        options = list(holdable or (driver.selectable() if driver is not None else ()))
        if driver is None or not options:
            return False
        self._cycled = (self._cycled + step) % len(options)
        place = screen.board.places.get(options[self._cycled])
        if place is not None:
            screen.app.ui.mouse = place
        if driver.stage == CHOOSING:
            driver.focus = options[self._cycled]
        elif draft is not None and holdable:
            draft.hold(options[self._cycled])
            screen.panel.scroll = max(self._cycled - ABOVE, 0)
        return True


def direction(press: KeyPress, action: str) -> Point | None:
    """Return the direction of an arrow of an action; None for any other key."""
    way = press.which(action)
    return WAYS[way] if way is not None else None


def _no_key(press: KeyPress) -> bool:
    """Take no key."""
    return False
