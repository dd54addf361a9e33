"""Pages over a table, one at a time: the topmost is drawn, and Esc closes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.ui.frame import Ui
from client.views.popups import draw_away
from client.views.table.menu import TableMenu

if TYPE_CHECKING:
    from client.views.table.table_screen import TableScreen


class TablePages:
    """Pages of the table of a screen. `menu`: it is open."""

    def __init__(self, screen: TableScreen) -> None:
        self.screen = screen
        self.menu = False

    def toggle_menu(self) -> None:
        """Open or close the menu."""
        self.menu = not self.menu

    def draw(self, ui: Ui) -> None:
        """Describe the page that lies over everything, if any is open."""
        screen = self.screen
        if screen.session.away:
            draw_away(ui, screen.session, screen.app.close)
        elif screen.registration.is_open:
            screen.registration.draw(ui)
        elif screen.people.is_open:
            screen.people.draw(ui)
        elif self.menu:
            TableMenu(
                ui,
                screen.model,
                screen.session,
                self.toggle_menu,
                screen.navigator,
                screen.controls,
                screen.registration,
                screen.people,
                screen.fold,
            ).draw()
        elif screen.controls.is_conceding:
            screen.controls.draw_concede_popup(ui)
        elif screen.rulebook.is_open:
            screen.rulebook.draw(ui)
        elif screen.diplomacy.is_open:
            screen.diplomacy.draw(ui, screen.model)
        elif screen.fairness.is_open:
            screen.fairness.draw(ui, screen.model.texts)

    def close_one(self) -> bool:
        """Close the page that `draw` draws; return False where none is open."""
        screen = self.screen
        if screen.session.away:
            return True
        if screen.registration.is_open:
            screen.registration.close()
        elif screen.people.is_open:
            screen.people.close()
        elif self.menu:
            self.menu = False
        elif screen.controls.is_conceding:
            screen.controls.stop_conceding()
        elif screen.rulebook.is_open:
            screen.rulebook.close()
        elif screen.diplomacy.is_open:
            screen.diplomacy.toggle()
        elif screen.fairness.is_open:
            screen.fairness.is_open = False
        else:
            return False
        return True
