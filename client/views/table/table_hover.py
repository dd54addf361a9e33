"""Things of a table under the mouse: what is pointed at, what is marked on the board, and what is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.draw.board.groups import Marks
from client.ui.frame import Ui
from client.ui.tooltips import tooltip_for
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE

if TYPE_CHECKING:
    from client.views.table.table_screen import TableScreen


class TableHover:
    """The thing under the mouse (`thing`, "" for none) at the table of a screen."""

    def __init__(self, screen: TableScreen) -> None:
        self.screen = screen
        self.thing = NO_NODE

    def look(self, x: float, y: float) -> None:
        """Take what is at a place of the window: one that could be picked first, else the feature, the group, the
        figure."""
        screen, driver = self.screen, self.screen.controller.driver
        self.thing = NO_NODE
        if not screen.layout.board.contains(x, y):
            return
        things = screen.model.top.things_at(screen.board.camera.to_table(x, y), screen.board.slack())
        known = {**driver.selectable(), **driver.barred()} if driver is not None else {}
        self.thing = next((thing for thing in things if thing in known), things[-1] if things else NO_NODE)

    def draw_tip(self, ui: Ui) -> None:
        """Describe the tooltip, unless the mouse places something or measures."""
        screen = self.screen
        tip = self.tip_of(self.thing)
        if tip and not screen.pointer.is_placing and not screen.pointer.is_dragging and screen.board.tool is None:
            ui.tooltip(tip)

    def tip_of(self, thing: NodeId) -> str:
        """Return the lines about a thing on the board: itself, and what could be done to it now."""
        screen = self.screen
        lines = [
            tooltip_for(screen.model, screen.controller.driver, thing),
            *screen.pointer.tip(screen.model, thing),
        ]
        return "\n".join(line for line in lines if line)

    def looked_at(self) -> NodeId:
        """Return the thing whose unit card is shown: under the mouse if it has one, else in focus, else picked."""
        driver = self.screen.controller.driver
        if driver is None or self.screen.model.top.sheet_of(self.thing) is not None:
            return self.thing
        picked = driver.draft.picked() if driver.draft is not None else ()
        return driver.focus or next(iter(picked), NO_NODE)

    def marks(self) -> Marks:
        """Return what is marked on the board."""
        screen, driver = self.screen, self.screen.controller.driver
        stack = screen.model.top.resolved
        hover = screen.panel.hover or self.thing
        if driver is None or screen.controller.busy:
            return Marks(hover=hover, about=stack)
        picked = set(driver.draft.picked()) if driver.draft is not None else set()
        if driver.focus:
            picked.add(driver.focus)
        for value in driver.filled().values():
            picked.update(
                NodeId(part) for part in (value if isinstance(value, list) else [value]) if isinstance(part, str)
            )
        pickable, barred = frozenset(driver.selectable()), frozenset(driver.barred())
        return Marks(pickable, frozenset(picked), barred, hover, stack, frozenset(screen.asked))
