"""Picture of the scenario that a table plays: small on the screen of its set-up, and large as a page over it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from client.draw.board.groups import Marks
from client.draw.board.start_marks import draw_start_marks
from client.draw.board.terrain.ground_worker import GroundWorker
from client.draw.board.terrain.picture import SMALL
from client.input.key_table import KeyPress
from client.model.lobby.scenario_previews import SeenScenario
from client.model.session import ClientSession
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.camera import MARGIN
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.views.board.board_panel import BoardPanel
from protocol.scene.nodes import Zone
from protocol.wire.choices import ScenarioChoice
from protocol.wire.from_server import TableView

LEAST, WIDEST, CAPTION = 100, 260, 20
"""Of the small picture: least height, greatest width, height of the line below it."""
BESIDE: Final = 432
"""Width that it leaves to what stands beside it; where that is not there it is folded to a button."""
USUAL: Final = 1.5
"""Width of a table by its height, where it is not known yet."""
HEAD, FOOT = 44, 44
EMBLEM, EMBLEM_SMALL = 14, 8


class ScenarioMap:
    """Both pictures on a screen, of whatever scenario its table has now; a `worker` paints them beside the window."""

    def __init__(self, session: ClientSession, worker: GroundWorker | None = None) -> None:
        self.session = session
        self.is_open = False
        self._small, self._large = BoardPanel(SMALL, worker), BoardPanel(worker=worker)
        self._shown: BoardPanel | None = None
        """That one of them which was described last."""
        self._read: tuple[SeenScenario | None, Tabletop, Tabletop] = (None, Tabletop({}), Tabletop({}))
        """The preview that was shown last, whole, and as it is shown small."""

    def begin(self) -> None:
        """Begin to describe the screen."""
        self._shown = None

    def place(self, ui: Ui, rect: Rect, table: TableView) -> tuple[Rect | None, Rect]:
        """Return the place of the small picture at the right of `rect`, None where there is no room, and the rest."""
        height = rect.h - self._below(ui, table)
        width = min(on_grid(height * self._shape(table)), ui.px(WIDEST))
        if not self.session.previews.is_known or height < ui.px(LEAST) or rect.w - width < ui.px(BESIDE):
            return None, rect
        return rect.cut_right(width, ui.px(8))

    def _below(self, ui: Ui, table: TableView) -> int:
        """Return the height of the line below the small picture, 0 where nothing is to be said."""
        seen = self.session.previews.of(table)
        return ui.px(CAPTION) if seen is not None and seen.left_out else 0

    def _shape(self, table: TableView) -> float:
        seen = self.session.previews.of(table)
        if seen is None:
            return USUAL
        width, height = self._tops(seen)[0].table.size
        return min(max(width / max(height, 1), 0.5), 3.0)

    def draw_small(self, ui: Ui, rect: Rect, table: TableView) -> None:
        """Draw the small picture: a click on it opens the page."""
        seen = self.session.previews.of(table)
        caption, room = rect.cut_bottom(self._below(ui, table))
        height = min(on_grid(room.w / self._shape(table)), room.h)
        picture = room.cut_top(height)[0]
        if seen is not None and seen.left_out:
            ui.line(phrase("map.more", count=seen.left_out), caption, size=theme.SMALL, colour=theme.MUTED)
        if seen is None:
            ui.painter.box(picture, theme.PANEL, 1, theme.PANEL_EDGE)
            ui.lines(self._instead(table), picture.inset(ui.px(8)), size=theme.SMALL, colour=theme.MUTED)
            return
        self._draw(ui, self._small, picture, self._tops(seen)[1])
        ui.painter.frame(picture, 1, theme.PANEL_EDGE)
        ui.tag(picture, phrase("map.name"), phrase("map.tip", at=ui.keys.shown("map")), self.open)

    def draw_button(self, ui: Ui, rect: Rect, table: TableView) -> None:
        """Draw the button that stands for the small picture where there is no room for it."""
        seen = self.session.previews.of(table)
        tip = phrase("map.tip", at=ui.keys.shown("map")) if seen is not None else self._instead(table)
        act = self.open if seen is not None else None
        ui.button(rect, phrase("map.open"), act, name=phrase("map.name"), tip=tip)

    def _instead(self, table: TableView) -> str:
        """Return the words in the place of a picture that is not there."""
        why = self.session.previews.why_not(table)
        return self.session.texts.say(why) if why is not None else phrase("on_now.asking")

    def draw_page(self, ui: Ui, table: TableView, scenario: ScenarioChoice | None) -> None:
        """Draw the page: the table as large as the window, zoomed and moved as in a match."""
        seen = self.session.previews.of(table)
        head, rest = ui.window.cut_top(ui.px(HEAD))
        foot, board = rest.cut_bottom(ui.px(FOOT))
        if seen is not None:
            self._draw(ui, self._large, board, self._tops(seen)[0])
        else:
            ui.lines(self._instead(table), board.inset(ui.px(20)), colour=theme.MUTED)
        for strip in (head, foot):
            ui.painter.rect(strip, theme.PANEL)
        name = self.session.texts.say(scenario.name) if scenario is not None else table.scenario
        ui.line(phrase("map.title", scenario=name), head.inset(ui.px(8)), size=theme.LARGE, bold=True)
        close, words = foot.inset(ui.px(8)).cut_right(ui.px(128), ui.px(8))
        ui.button(close, phrase("results.close"), self.close, primary=True, key=ui.keys.shown("back"))
        keys = phrase("map.keys", zoom=ui.keys.shown("zoom"), pan=ui.keys.shown("pan"), whole=ui.keys.shown("whole"))
        more = phrase("map.left_out", count=seen.left_out) if seen is not None and seen.left_out else ""
        told = " · ".join(filter(None, (more, keys)))
        ui.line(told, words, size=theme.SMALL, colour=theme.MUTED)

    def _draw(self, ui: Ui, board: BoardPanel, rect: Rect, top: Tabletop) -> None:
        """Draw a board: of the small one the table fills the place."""
        self._shown = board
        place = rect if board is self._large else rect.inset(-MARGIN)
        board.build(ui, place, ViewModel(top, self.session.texts), Marks())
        draw_start_marks(ui, top, board.camera, ui.px(EMBLEM if board is self._large else EMBLEM_SMALL))
        ui.on("panels")

    def _tops(self, seen: SeenScenario) -> tuple[Tabletop, Tabletop]:
        """Return the table whole, and without the names of its areas, for which there is no room in the small one."""
        if self._read[0] is not seen:
            bare = {id: replace(node, name=None) if isinstance(node, Zone) else node for id, node in seen.nodes.items()}
            self._read = seen, Tabletop(seen.nodes), Tabletop(bare)
        return self._read[1:]

    def pictures(self) -> object:
        """Return what `draw_below` draws, to be compared."""
        return self._shown.pictures() if self._shown is not None else None

    def draw_below(self) -> None:
        """Draw the ground."""
        if self._shown is not None:
            self._shown.ground.draw()

    def open(self) -> None:
        self.is_open = True
        self._large.camera.fit()

    def close(self) -> None:
        self.is_open = False

    def key(self, press: KeyPress, table: TableView) -> bool:
        """Take the key that opens and closes the page, and while it is open those of the board; return False for any
        other."""
        if press.means("map") and self.session.previews.of(table) is not None:
            if self.is_open:
                self.close()
            else:
                self.open()
            return True
        return self.is_open and any(press.means(name) for name in ("zoom", "pan", "whole")) and self._large.key(press)

    def wheel(self, x: float, y: float, steps: int) -> None:
        """Zoom the page."""
        if self.is_open:
            self._large.wheel(x, y, steps)

    def drag(self, dx: float, dy: float) -> None:
        """Move the table of the page."""
        if self.is_open:
            self._large.camera.pan(dx, dy)
