"""Filling in of a field by the person at the window: by clicks on the board where possible, else by label or key."""

from __future__ import annotations

import random
from collections.abc import Callable

from arcade import key as keys

from client.input.board_drafts import CellDraft, FacingDraft, PathDraft, PlacementDraft, PointDraft, TemplateDraft
from client.input.drafts import AssignDraft, NumberDraft, OptionDraft, OrderDraft, PiecesDraft
from client.input.prompt_driver import PromptDriver
from client.input.way_draft import WayDraft
from client.model.table.shapes import nearest_allowed
from client.model.words.option_names import option_name
from client.ui.frame import Hotspot
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.fields import Option
from protocol.scene.nodes import Point
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

STEPS = 12
ACCEPTED = 3
"""So many steps later what is proposed has been accepted, or leads nowhere either."""
MANY = 2
"""More things than this to be picked are mostly left as they are proposed."""
ADVANCES = ("walk", "run")
"""Choices whose points it looks for among its enemies."""


def occasion(view: TableScreen) -> str:
    """Return the prompt's id with the number of the public scene: it changes with the table, even where the prompt
    stays."""
    driver, scene = view.controller.driver, view.session.conversation.scene
    return f"{driver.prompt.id if driver is not None else ''} at {scene.numbers[0] if scene is not None else 0}"


class Filler:
    """Filler of the open field, one input at a time. `seen` counts inputs, `dead` holds dead ends."""

    def __init__(self, app: ReadableApp, hand: Hand, dice: random.Random, picture: Callable[[str], None]) -> None:
        self.app = app
        self.hand = hand
        self.dice = dice
        self.picture = picture
        self.seen: dict[str, int] = {}
        self.dead: set[tuple[str, str, str]] = set()

    def click_if_seen(self, label: str, once: str = "") -> bool:
        """Click a visible, enabled label; labels marked `once` are not clicked again."""
        if once and self.seen.get(once):
            return False
        place = self.app.enabled().get(label)
        if place is None:
            return False
        if once:
            self.seen[once] = 1
        self.hand.click(place)
        return True

    def fill(self, view: TableScreen, driver: PromptDriver) -> None:
        """Give one input for the field; after long without effect the proposed value is accepted, and a choice that
        still leads nowhere is given up step by step."""
        draft = driver.draft
        assert draft is not None
        now = occasion(view)
        steps = f"steps of {now}, {self.seen.get(now, 0)}"
        self.seen[steps] = self.seen.get(steps, 0) + 1
        if self.seen[steps] > STEPS:
            stuck = draft.touched or draft.missing() or self.seen[steps] > STEPS + ACCEPTED
            self.hand.press(keys.ESCAPE if stuck else keys.ENTER)
            return
        kind = f"first-{type(driver.field).__name__.lower()}"
        if not self.seen.get(kind):
            self.seen[kind] = 1
            self.picture(kind)
        match draft:
            case PiecesDraft() | OptionDraft():
                self._pick(view, driver, draft)
            case PointDraft():
                self._point(view, draft)
            case CellDraft() | PathDraft() | FacingDraft() | WayDraft():
                self._step(draft)
            case TemplateDraft():
                self._lay(view, draft)
            case PlacementDraft() | NumberDraft() | OrderDraft():
                self.hand.press(keys.ENTER)
            case AssignDraft():
                self._assign(view, draft)
            case _:
                self._write()
        if view.controller.driver is driver and driver.draft is draft and driver.note:
            self.hand.press(keys.ESCAPE)

    def _pick(self, view: TableScreen, driver: PromptDriver, draft: PiecesDraft | OptionDraft) -> None:
        many = isinstance(draft, PiecesDraft) and draft.field.least > MANY and self.dice.random() < 0.8
        if not draft.missing() and (draft.touched or many):
            self.hand.press(keys.ENTER)
            return
        picked = set(draft.picked()) if draft.touched else set()
        path = (occasion(view), driver.choice.id if driver.choice is not None else "")
        offered = draft.selectable()
        options = [o for key, o in offered.items() if key not in picked and (*path, key) not in self.dead]
        if not options and draft.missing():
            self._dead_end(view, driver)
            return
        if not options:
            self.hand.press(keys.ENTER)
            return
        option = self.dice.choice(options)
        if not self._on_board(view, NodeId(option.id), draft):
            self._by_label(view, option, draft)

    def _dead_end(self, view: TableScreen, driver: PromptDriver) -> None:
        """Go a step back where nothing can be picked, and not this way again before the table has changed."""
        assert driver.choice is not None
        before = list(driver.filled().values())[-1:] or [""]
        wrong = before[0] if isinstance(before[0], list) else [before[0]]
        self.dead.update((occasion(view), driver.choice.id, str(thing)) for thing in wrong)
        self.hand.press(keys.ESCAPE)

    def _on_board(self, view: TableScreen, node_id: NodeId, draft: PiecesDraft | OptionDraft) -> bool:
        """Click the thing itself where it is drawn, if a click there means it."""
        place = view.board.places.get(node_id)
        if place is None or not view.layout.board.contains(*place):
            return False
        top = view.model.top
        things = top.things_at(view.board.camera.to_table(*place), view.board.slack())
        meant = next((thing for thing in things if thing in draft.selectable()), "")
        covered = self._covered(place)
        if meant != node_id or (covered is not None and covered.act is not None):
            return False
        self.hand.click(place)
        return True

    def _covered(self, place: tuple[float, float]) -> Hotspot | None:
        return self.app.hot_at(*place)

    def _by_label(self, view: TableScreen, option: Option, draft: PiecesDraft | OptionDraft) -> None:
        """Click the option's line in the panel, turning the list until it is seen."""
        label = option_name(view.model, NodeId(option.id), option.name)
        for _ in range(20):
            if self.click_if_seen(label):
                return
            x, y = view.layout.prompt.centre
            self.app.dispatch_event("on_mouse_scroll", round(x), round(y), 0, -3)
            self.app.dispatch_events()
        self.hand.press(keys.ESCAPE)

    def _point(self, view: TableScreen, draft: PointDraft) -> None:
        """Click on the board, towards a place picked at random; nearer to the start at every further try."""
        driver = view.controller.driver
        choice = driver.choice.id if driver is not None and driver.choice is not None else ""
        advances = choice in ADVANCES and not draft.field.auto
        stays = choice == "fly" or advances  # where it is
        untouched = draft.point is not None and not draft.touched and not stays
        if untouched and (choice in ADVANCES or self.dice.random() < 0.5):
            self.hand.press(keys.ENTER)
            return
        width, height = view.model.top.table.size
        goal: Point = (self.dice.randrange(width), self.dice.randrange(height))
        enemies = [piece.at for piece in view.model.top.pieces.values() if piece.owner != view.model.seat]
        if advances and enemies:
            goal = self.dice.choice(enemies)
        field = draft.field
        place = nearest_allowed(goal, field.start, field.reach, field.regions)
        window = view.board.camera.to_window(*place)
        spot = self._covered(window)
        if not view.layout.board.contains(*window) or (spot is not None and spot.act is not None):
            return
        self.hand.click(window)

    def _step(self, draft: CellDraft | PathDraft | FacingDraft | WayDraft) -> None:
        """Step through cells, corners of a path or angles, or add corners to a way, by key for a while, then
        accept."""
        if draft.missing() or self.dice.random() < 0.5:
            self.hand.press(keys.PLUS)
        else:
            self.hand.press(keys.ENTER)

    def _lay(self, view: TableScreen, draft: TemplateDraft) -> None:
        """Lay a template by a click near its place, then accept."""
        if draft.touched:
            self.hand.press(keys.ENTER)
            return
        width, height = view.model.top.table.size
        anywhere = (self.dice.randrange(width), self.dice.randrange(height))
        x, y = view.board.camera.to_window(*(draft.point or anywhere))
        spot = self._covered((x + 9, y + 6))
        if spot is not None and spot.act is not None:
            self.hand.press(keys.ENTER)
        else:
            self.hand.click((x + 9, y + 6))

    def _assign(self, view: TableScreen, draft: AssignDraft) -> None:
        without = next((item for item in draft.field.items if item.id not in draft.slot_of), None)
        if without is None:
            self.hand.press(keys.ENTER)
        else:
            self.hand.click_on(f"{option_name(view.model, NodeId(without.id), without.name)}: nowhere yet")

    def _write(self) -> None:
        self.hand.click_on("Write here")
        self.hand.type("May we?")
        self.hand.press(keys.ENTER)
