"""Cursor on the table, moved by keys: it stands where the pointer would, and shows and does the same there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from client.input.drafts import Draft
from client.input.gestures.aims import subjects
from client.model.words.option_names import option_name
from client.ui import theme
from client.ui.frame import Ui
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Point

if TYPE_CHECKING:
    from client.views.table.table_screen import TableScreen

MARGIN = 48
"""Pixels that stay between the cursor and the edge of the board, as long as the table goes on there."""
GRASP = 30
"""Hundredths beside a ghost's base at which the cursor still stands on it."""
ARM, GAP = 15, 5
"""Pixels of the cross: how far its lines go out, and how far from its middle they begin."""


class TableCursor:
    """Cursor of one table. `at`: its place in hundredths, None where it is not out; `thing`: what it has been put on;
    `is_armed`: it has been moved since the last click, and for the field that is being filled, so that Enter means a
    click there."""

    def __init__(self, screen: TableScreen) -> None:
        self.screen = screen
        self.at: Point | None = None
        self.thing = NO_NODE
        self._moved = False
        self._for: Draft | None = None
        self._mouse: tuple[float, float] | None = None

    @property
    def is_armed(self) -> bool:
        return self._moved and self._for is self.screen.controller.draft

    def put_away(self) -> None:
        """Take the cursor from the table."""
        self.at, self.thing, self._moved, self._mouse = None, NO_NODE, False, None

    def follow(self, ui: Ui) -> None:
        """Hold the window's pointer over the cursor; a mouse that has moved since takes it away."""
        if self.at is None:
            return
        if ui.mouse != self._mouse:
            self.put_away()
            return
        self._mouse = ui.mouse = self.screen.board.camera.to_window(*self.at)

    def move(self, dx: int, dy: int) -> None:
        """Move the cursor by hundredths, and the ghost that it stands on; it comes out where something is pointed at,
        or in the middle of the view."""
        gestures = self.screen.gestures
        with_ghost = self.at is not None and gestures.grab(self.at, GRASP)
        x, y = self.at or self._start()
        width, height = self.screen.model.top.table.size
        self._put((min(max(x + dx, 0), width), min(max(y + dy, 0), height)))
        if with_ghost and self.at is not None:
            gestures.move_ghost(self.at)
            gestures.drop_ghost()
            self._moved = False

    def put_at(self, at: Point) -> None:
        """Put the cursor on a ghost: arrows then move it, and Enter accepts what is proposed."""
        self._put(at)
        self._moved = False

    def put_on(self, thing: NodeId) -> bool:
        """Put the cursor on a thing; return False for one that has no place on the table."""
        at = self.screen.model.top.centre_of(thing)
        if at is None:
            return False
        self._put(at, thing)
        return True

    def click(self, modifiers: int = 0) -> bool:
        """Click at the cursor; return False where it has not been moved since the last click there."""
        if self.at is None or not self.is_armed:
            return False
        self._moved = False
        self.screen.to_truth()
        self.screen.pointer.click_at(self.at, (self.thing,) if self.thing else None, modifiers)
        return True

    def offer(self) -> bool:
        """Offer all that a click at the cursor could mean; return False where no cursor is."""
        if self.at is None:
            return False
        self.screen.to_truth()
        self.screen.pointer.offer_at(self.at)
        return True

    def offer_thing(self) -> bool:
        """Offer all that could be done to the thing at the cursor, else below the mouse; return False where it is not
        more than one, or there is no thing."""
        screen, mouse = self.screen, self.screen.app.ui.mouse
        if self.at is None and not screen.layout.board.contains(*mouse):
            return False
        at = self.at or screen.board.camera.to_table(*mouse)
        pointed = screen.pointer.pointed(at, (self.thing,) if self.thing else None)
        if sum(bool(aim.thing) for aim in screen.gestures.aims(pointed)) < 2:
            return False
        screen.to_truth()
        return screen.gestures.offer(pointed)

    def step(self, by: int, *, among_all: bool = False) -> bool:
        """Go on to the next thing that can be picked or clicked, or to the next of all; return False where there is
        none."""
        things = list(self._everything() if among_all else self._stops())
        if not things:
            return False
        now = things.index(self.thing) + by if self.thing in things else (0 if by > 0 else -1)
        thing = things[now % len(things)]
        return self.put_on(thing) or self._mark_row(thing)

    def draw(self, ui: Ui) -> None:
        """Draw a cross at the cursor, bright while Enter would click there."""
        if self.at is None:
            return
        ui.on("marks")
        x, y = self.screen.board.camera.to_window(*self.at)
        near, far, tone = ui.px(GAP), ui.px(ARM), theme.SELECT if self.is_armed else theme.GHOST
        for ax, ay in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            ends = [(x + ax * near, y + ay * near), (x + ax * far, y + ay * far)]
            ui.painter.stroke(ends, 5, theme.CASING)
            ui.painter.stroke(ends, 2.5, tone)

    def _start(self) -> Point:
        """Return where the cursor comes out: at what is pointed at or filled in, else in the middle of the view."""
        screen = self.screen
        mouse, board = screen.app.ui.mouse, screen.layout.board
        start = getattr(screen.controller.draft.field, "start", None) if screen.controller.draft is not None else None
        if screen.gestures.subject:
            start = start or screen.model.top.centre_of(screen.gestures.subject)
        return start or screen.board.camera.to_table(*(mouse if board.contains(*mouse) else board.centre))

    def _put(self, at: Point, thing: NodeId = NO_NODE) -> None:
        ui, camera = self.screen.app.ui, self.screen.board.camera
        self.at, self.thing, self._moved, self._for = at, thing, True, self.screen.controller.draft
        camera.show(*at, MARGIN)
        ui.marked = None
        self._mouse = ui.mouse = camera.to_window(*at)

    def _stops(self) -> Iterator[NodeId]:
        """Yield what can be picked in the field being filled; else what the group in focus can reach, and what can
        act."""
        draft, driver = self.screen.controller.draft, self.screen.controller.driver
        if draft is not None:
            yield from draft.selectable() or self._everything()
        elif driver is not None:
            yield from self._on_table(dict.fromkeys((*self._by_gesture(), *driver.selectable())))

    def _by_gesture(self) -> Iterator[NodeId]:
        gestures = self.screen.gestures
        prompt = gestures.prompt
        if prompt is None:
            return
        if gestures.subject:
            yield from (thing for thing, (_, target) in gestures.targets(prompt).items() if target.why is None)
        if gestures.picking is not None:
            yield from gestures.picking.draft.selectable()
        yield from subjects(prompt)
        yield from (thing for choice in prompt.choices for thing in choice.about)

    def _everything(self) -> Iterator[NodeId]:
        """Yield all groups and features on the table, from left to right."""
        top = self.screen.model.top
        known = {thing: top.centre_of(thing) for thing in (*top.groups, *top.features)}
        yield from sorted(self._on_table(known), key=lambda thing: known[thing] or (0, 0))

    def _on_table(self, things: Iterable[NodeId]) -> Iterator[NodeId]:
        centre_of = self.screen.model.top.centre_of
        return (thing for thing in things if centre_of(thing) is not None)

    def _mark_row(self, thing: NodeId) -> bool:
        """Mark the row of a list that stands for a thing without a place."""
        screen = self.screen
        draft: Draft | None = screen.controller.draft
        option = draft.selectable().get(thing) if draft is not None else None
        if draft is None or option is None:
            return False
        self.put_away()
        self.thing = thing
        screen.panel.scroll = max(list(draft.selectable()).index(thing) - 2, 0)
        label = option_name(screen.model, thing, option.name)
        screen.app.refresh()
        screen.app.build()
        ui = screen.app.ui
        ui.marked = next((spot for spot in ui.front_spots if spot.listed and spot.label == label), None)
        return True
