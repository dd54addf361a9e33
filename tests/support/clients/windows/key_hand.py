"""Hand that presses keys alone: numbers, letters, Tab, arrows and Enter, as what stands on the screen tells it."""

from __future__ import annotations

from typing import Final

from arcade import key as keys

from client.input.board_drafts import PlacementDraft, PointDraft
from client.input.drafts import AssignDraft, OptionDraft, PiecesDraft
from client.model.words.option_names import option_name
from client.ui.hotspots import Hotspot
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Choice, Point
from tests.support.clients.windows.deeds import Deed
from tests.support.clients.windows.hands import FormHand, Stuck

MOST_TABS: Final = 150
MOST_PAGES: Final = 12
STEPS: Final = ((600, keys.MOD_CTRL), (100, 0), (5, keys.MOD_SHIFT))
"""Hundredths that an arrow moves the cursor, with the key that is held."""


class KeyHand(FormHand):
    """Hand on the keyboard. `by_table` counts the acts that were made on the table, without the form."""

    by_table = 0

    def do(self, deed: Deed) -> None:
        has_object = bool(deed.thing or deed.point) and self.view.gestures.picking is None
        stands = deed.subject and self.view.model.top.centre_of(deed.subject) is not None
        if deed.choice.gesture is not None and has_object and stands:
            self._on_table(deed)
        else:
            self._form(deed)

    def give_up(self) -> None:
        for _ in range(8):
            if not self.is_in_the_way() and not self.view.gestures.subject:
                return
            self.press(keys.ESCAPE)

    def is_busy(self) -> bool:
        is_at_table = isinstance(self.app.front, TableScreen)
        return super().is_busy() or (is_at_table and self.view.gestures.waiting is not None)

    def is_in_the_way(self) -> bool:
        gestures = self.view.gestures
        return bool(gestures.held or gestures.armed or gestures.menu or gestures.note) or super().is_in_the_way()

    # On the table

    def _on_table(self, deed: Deed) -> None:
        gestures = self.view.gestures
        if gestures.subject != deed.subject:
            if gestures.subject:
                self.give_up()
            self._put_on(deed.subject)
            self.press(keys.ENTER)
        self.until(lambda: gestures.survey.is_done)
        if gestures.subject != deed.subject:
            raise Stuck(f"{deed.subject} cannot be taken up")
        if deed.thing:
            self._put_on(deed.thing)
        elif deed.point is not None:
            self._go_to(deed.point)
        at = self.view.cursor.at
        assert at is not None
        thing = self.view.cursor.thing
        meant = next(iter(gestures.aims(self.view.pointer.pointed(at, (thing,) if thing else None))), None)
        if meant is None or meant.choice.id != deed.choice.id:
            self._type(self._spot(self.say(deed.choice.name), over_board=True))
        self.press(keys.ENTER)
        self.until(lambda: gestures.waiting is None)
        if gestures.menu is not None:
            self._type(self._spot(self.variant(deed), over_board=True))
        self.by_table += 1

    def _put_on(self, thing: NodeId) -> None:
        """Put the cursor on a thing by Tab, else by the key that goes through everything."""
        for key in (keys.TAB, keys.PERIOD):
            first = NO_NODE
            for _ in range(MOST_TABS):
                if self.view.cursor.thing == thing:
                    return
                self.press(key)
                first = first or self.view.cursor.thing
                if self.view.cursor.thing == first != thing and _ > 0 and self.view.gestures.menu is None:
                    break
        if self.view.cursor.thing != thing:
            raise Stuck(f"the cursor does not come to {thing}")

    def _go_to(self, point: Point) -> None:
        """Move the cursor to a place, as near as its small steps allow."""
        if self.view.cursor.at is None:
            self.press(keys.RIGHT)
        for axis, (less, more) in enumerate(((keys.LEFT, keys.RIGHT), (keys.DOWN, keys.UP))):
            for step, held in STEPS:
                self._approach(point[axis], axis, step, (less, more), held)

    def _approach(self, wanted: int, axis: int, step: int, arrows: tuple[int, int], held: int) -> None:
        for _ in range(MOST_TABS):
            at = self.view.cursor.at
            assert at is not None
            way = wanted - at[axis]
            if abs(way) * 2 <= step:
                return
            self.press(arrows[way > 0], held)

    # By the form

    def _form(self, deed: Deed) -> None:
        if self.view.gestures.subject:
            self.give_up()
        super().do(deed)

    def _click_choice(self, choice: Choice) -> None:
        self._type(self._spot(self.say(choice.name)))

    def _field(self, deed: Deed) -> None:
        driver = self.view.controller.driver
        assert driver is not None
        draft = driver.draft
        assert draft is not None
        wanted = deed.fields.get(draft.field.key)
        if (
            wanted is None
            or isinstance(draft, AssignDraft | PlacementDraft)
            or (not draft.missing() and wanted == draft.value())
        ):
            self.press(keys.ENTER)
        elif isinstance(draft, PiecesDraft | OptionDraft):
            for id in wanted if isinstance(wanted, list) else [wanted]:
                option = draft.selectable()[NodeId(str(id))]
                self._type(self._spot(option_name(self.view.model, NodeId(option.id), option.name)))
            if self._waits() and driver.draft is draft and not draft.missing():
                self.press(keys.ENTER)
        else:
            if isinstance(draft, PointDraft) and isinstance(wanted, list):
                self._go_to((int(wanted[0]), int(wanted[1])))
                self.press(keys.ENTER)
            if self._waits() and driver.draft is draft:
                self.press(keys.ENTER)

    # Numbers

    def _spot(self, label: str, *, over_board: bool = False) -> Hotspot:
        """Return the line of a list, turned until it is seen."""
        found: list[Hotspot] = []
        for _ in range(MOST_PAGES):
            self.app.build()
            board = self.view.layout.board
            spots = [spot for spot in self.app.ui.front_spots if spot.listed and spot.can and spot.label == label]
            found = [spot for spot in spots if not over_board or board.contains(*spot.rect.centre)]
            if found or over_board:
                break
            self.press(keys.PAGEDOWN)
        if not found:
            raise Stuck(f"{label} stands in no list")
        return found[0]

    def _type(self, spot: Hotspot) -> None:
        """Press the digits of a line's number."""
        digits = len(str(max(spot.number for spot in self.app.ui.front_spots)))
        for digit in f"{spot.number:0{digits}}":
            self.press(keys.KEY_0 + int(digit))
