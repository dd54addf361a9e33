"""The way from a table into its rulebook: at a choice, at a rule, at what is under the mouse."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from client.ui.frame import Act
from client.ui.tooltips import rule_of

if TYPE_CHECKING:
    from client.views.table.table_screen import TableScreen


class TableRules:
    """Rules of the table of a screen."""

    def __init__(self, screen: TableScreen) -> None:
        self.screen = screen

    def explain(self, choice: str, rule: str) -> Act | None:
        """Return an act that opens the rulebook at a choice, else at a rule; None where it tells of neither."""
        rulebook = self.screen.rulebook
        place = rulebook.book.of_choice(choice) or rulebook.book.of_rule(rule)
        return partial(rulebook.open, place) if place is not None else None

    def look_up(self) -> None:
        """Open the rules at the choice under the mouse or being made; else where the book was open."""
        screen, driver = self.screen, self.screen.controller.driver
        making = driver.choice.id if driver is not None and driver.choice is not None else ""
        spot = screen.app.ui.hovered()
        asked = (spot.rule if spot is not None else "") or rule_of(screen.model, screen.hover.thing)
        choice = "" if asked else screen.panel.choice or making
        act = self.explain(choice, asked or (driver.prompt.rule if driver is not None else ""))
        (act or screen.rulebook.open)()
