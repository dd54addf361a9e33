"""Hands: two ways in which a person carries out a deed at the window, each input counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from arcade import key as keys

from client.input.drafts import AssignDraft, OptionDraft, PiecesDraft
from client.input.prompt_driver import CHOOSING, FILLING
from client.model.words.option_names import option_name
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Choice, Point
from tests.support.clients.windows.deeds import Deed
from tests.support.clients.windows.local_table import LocalTable
from tests.support.systems.hand import Hand

TURNS = 40
"""Turns of the window's loop after which what was waited for does not come."""

MOST_FIELDS = 12
"""Fields that the form asks for at most, some of them twice."""


class Stuck(AssertionError):
    """A deed that the hand cannot do at this window."""


class PlayingHand(ABC):
    """Hand at a window. `inputs` counts the clicks, drags and keys since the count was last set to zero."""

    def __init__(self, local: LocalTable) -> None:
        self.local = local
        self.app = local.table.app
        self.hand = Hand(self.app)
        self.inputs = 0

    @property
    def view(self) -> TableScreen:
        view = self.app.front
        assert isinstance(view, TableScreen)
        return view

    @abstractmethod
    def do(self, deed: Deed) -> None:
        """Carry a deed out. Raises Stuck."""

    def give_up(self) -> None:
        """Take back what has come to nothing, step by step."""
        for _ in range(8):
            if not self.is_in_the_way():
                return
            self.press(keys.ESCAPE)

    @abstractmethod
    def is_in_the_way(self) -> bool:
        """Tell whether something half done must be taken back before another deed."""

    def confirm(self) -> None:
        """Say yes where the window asks before an act."""
        self.until(lambda: self.app.confirmation is not None or not self.is_busy())
        if self.app.confirmation is not None:
            self.press(keys.Y)

    def is_busy(self) -> bool:
        """Tell whether something that was clicked is under way."""
        return isinstance(self.app.front, TableScreen) and self.view.controller.busy

    def click(self, place: tuple[float, float]) -> None:
        self.inputs += 1
        self.hand.click(place)

    def press(self, symbol: int, modifiers: int = 0) -> None:
        self.inputs += 1
        self.hand.press(symbol, modifiers)

    def until(self, condition: Callable[[], object]) -> bool:
        """Let the window's time pass until a condition holds; return False where it does not."""
        for _ in range(TURNS):
            if condition():
                return True
            self.local.turn()
        return bool(condition())

    def variant(self, deed: Deed) -> str:
        """Return the label of the option of a deed in the bar at the pointer. Raises Stuck."""
        _, aims = self.view.gestures.menu or (NO_NODE, [])
        name = next((aim.name for aim in aims if aim.fields.items() <= deed.fields.items()), None)
        if name is None:
            raise Stuck(f"{deed.choice.id} is not offered at the pointer")
        return self.say(name)

    def button(self, label: str) -> tuple[float, float] | None:
        """Return the place of a button outside the panel's list or in it, if it can be seen and pressed."""
        return self.app.enabled().get(label)

    def say(self, name: Any) -> str:
        return self.view.model.texts.say(name)

    def place(self, thing: NodeId) -> tuple[float, float] | None:
        """Return where a thing can be clicked on the board, None where it is not to be seen or something covers it."""
        self.app.build()
        view, top = self.view, self.view.model.top
        pieces = top.pieces_of(thing) or [(thing, top.pieces[thing])] if thing in top.pieces else top.pieces_of(thing)
        for _, piece in pieces:
            spot = self.free(piece.at)
            if spot is not None and thing in top.things_at(piece.at, view.board.slack()):
                return spot
        return None

    def free(self, point: Point) -> tuple[float, float] | None:
        """Return a place of the table in the window, None where something else would be clicked there."""
        self.app.build()
        place = self.view.board.camera.to_window(*point)
        spot = self.app.ui.hit(*place)
        is_free = self.view.layout.board.contains(*place) and (spot is None or spot.act is None)
        return place if is_free else None


class FormHand(PlayingHand):
    """Hand that fills in the form: the choice, then one field after another."""

    def do(self, deed: Deed) -> None:
        driver = self.view.controller.driver
        assert driver is not None
        if deed.point is not None and self.free(deed.point) is None:
            raise Stuck(f"{deed.point} cannot be seen")
        self._click_choice(deed.choice)
        for _ in range(MOST_FIELDS):
            if not self.until(lambda: self._waits() or self._is_done()) or self._is_done():
                return
            self._field(deed)
        raise Stuck(f"{deed.choice.id} goes on asking")

    def is_in_the_way(self) -> bool:
        return not self._is_done()

    def _waits(self) -> bool:
        if not isinstance(self.app.front, TableScreen):
            return False
        driver = self.view.controller.driver
        return driver is not None and driver.stage == FILLING and not self.view.controller.busy

    def _is_done(self) -> bool:
        if not isinstance(self.app.front, TableScreen):
            return True
        driver = self.view.controller.driver
        return driver is None or driver.stage == CHOOSING

    def _click_choice(self, choice: Choice) -> None:
        label = self.say(choice.name)
        for _ in range(10):
            place = self.button(label)
            if place is not None:
                self.click(place)
                return
            x, y = self.view.layout.prompt.centre
            self.app.dispatch_event("on_mouse_scroll", round(x), round(y), 0, -3)
            self.app.dispatch_events()
        raise Stuck(label)

    def _field(self, deed: Deed) -> None:
        driver = self.view.controller.driver
        assert driver is not None
        draft = driver.draft
        assert draft is not None
        wanted = deed.fields.get(draft.field.key)
        is_as_wanted = wanted is None or isinstance(draft, AssignDraft)
        if is_as_wanted or (not draft.missing() and wanted == draft.value()):
            self.press(keys.ENTER)
            return
        if isinstance(draft, PiecesDraft | OptionDraft):
            for id in wanted if isinstance(wanted, list) else [wanted]:
                self._pick(NodeId(str(id)), draft)
            if self._waits() and driver.draft is draft and not draft.missing():
                self.press(keys.ENTER)
            return
        if isinstance(wanted, list) and len(wanted) == 2 and all(isinstance(part, int) for part in wanted):
            place = self.free((wanted[0], wanted[1]))
            if place is not None:
                self.click(place)
        if self._waits() and driver.draft is draft:
            self.press(keys.ENTER)

    def _pick(self, thing: NodeId, draft: PiecesDraft | OptionDraft) -> None:
        option = draft.selectable()[thing]
        place = self.place(thing) or self.button(option_name(self.view.model, thing, option.name))
        if place is None:
            raise Stuck(thing)
        self.click(place)


class GestureHand(PlayingHand):
    """Hand that clicks on the table alone, and on the bars that lie over it."""

    def do(self, deed: Deed) -> None:
        gestures = self.view.gestures
        gesture = deed.choice.gesture
        if (deed.thing or deed.point) and self._object_place(deed) is None:
            raise Stuck(f"{deed.thing or deed.point} cannot be seen")
        if deed.subject and gesture is not None and gesture.subject and gestures.subject != deed.subject:
            self._take_up(deed.subject)
        if gestures.picking is not None:
            self._pick(deed)
        elif gesture is None or not gesture.object:
            self._bar_or_thing(deed)
        elif not (deed.thing or deed.point):
            raise Stuck(deed.choice.id)
        else:
            self._object(deed)

    def is_busy(self) -> bool:
        is_at_table = isinstance(self.app.front, TableScreen)
        return super().is_busy() or (is_at_table and self.view.gestures.waiting is not None)

    def is_in_the_way(self) -> bool:
        gestures = self.view.gestures
        return bool(gestures.held or gestures.armed or gestures.menu or gestures.note)

    def _on_board(self, label: str) -> tuple[float, float] | None:
        """Return the place of a button that lies over the board."""
        self.app.build()
        board = self.view.layout.board
        spots = [spot for spot in self.app.ui.hotspots if spot.label == label and spot.act is not None]
        return next((spot.rect.centre for spot in spots if board.contains(*spot.rect.centre)), None)

    def _take_up(self, subject: NodeId) -> None:
        place = self.place(subject) or self._on_board(self.view.model.group_name(subject))
        if place is None:
            raise Stuck(subject)
        self.click(place)
        self.until(lambda: self.view.gestures.survey.is_done)

    def _bar_or_thing(self, deed: Deed) -> None:
        self.until(lambda: self.view.gestures.survey.is_done)
        place = self._on_board(self.say(deed.choice.name))
        place = place or next(filter(None, map(self.place, deed.choice.about)), None)
        if place is None:
            raise Stuck(f"{deed.choice.id} is in no bar: {sorted(self.app.enabled())}")
        self.click(place)

    def _pick(self, deed: Deed) -> None:
        place = self._on_board(self.say_accept())
        if place is None:
            raise Stuck("nothing can be accepted")
        self.click(place)

    def say_accept(self) -> str:
        return next(label for label in self.app.enabled() if label == "Accept")

    def _object_place(self, deed: Deed) -> tuple[float, float] | None:
        """Return where the object of a deed can be clicked."""
        if deed.thing or deed.point is None:
            return self.place(deed.thing)
        view = self.view
        things = view.model.top.things_at(deed.point, view.board.slack())
        return None if any(thing.startswith("group/") for thing in things) else self.free(deed.point)

    def _object(self, deed: Deed) -> None:
        gestures = self.view.gestures
        self.until(lambda: gestures.survey.is_done)
        place = self._object_place(deed)
        if place is None:
            raise Stuck(f"{deed.thing or deed.point} is covered")
        table_point = self.view.board.camera.to_table(round(place[0]), round(place[1]))
        meant = next(iter(gestures.aims(self.view.pointer.pointed(table_point))), None)
        if meant is None or meant.choice.id != deed.choice.id:
            bar = self._on_board(self.say(deed.choice.name))
            if bar is None:
                raise Stuck(f"{deed.choice.id} is in no bar")
            self.click(bar)
        self.click(place)
        self.until(lambda: gestures.waiting is None)
        if gestures.menu is not None:
            button = self._on_board(self.variant(deed))
            if button is None:
                raise Stuck(f"{self.variant(deed)} cannot be clicked")
            self.click(button)
