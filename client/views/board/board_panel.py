"""The board panel: terrain, figures, overlays, with pan, zoom and tools. Shared by table and replay."""

from __future__ import annotations

from collections.abc import Sequence

from client.draw.board import overlays
from client.draw.board.acts import draw_playing
from client.draw.board.figures import Figures
from client.draw.board.groups import (
    Marks,
    base_rects,
    draw_group_names,
    draw_groups,
    draw_piece_marks,
    place_group_names,
)
from client.draw.board.name_places import NamePlaces
from client.draw.board.terrain.ground_worker import GroundJob, GroundWorker
from client.draw.board.terrain.picture import LONGEST, plain_ground, terrain_picture
from client.input.board_drafts import PointDraft, TemplateDraft
from client.input.drafts import Draft
from client.input.key_table import KeyPress
from client.model.playback.walking import places_of
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.ui import theme
from client.ui.backdrop import Backdrop
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.ids import NodeId
from protocol.scene.nodes import Feature, Point, Table

PANS = ((60, 0), (-60, 0), (0, -60), (0, 60))
"""Pixels by which the table moves for the keys left, right, up, down."""
ZOOM_STEP = 1.2


class BoardPanel:
    """The board with its camera, and with the pictures that are expensive to make anew: the ground has `most` pixels
    along its longer side. With a `worker` it is painted beside the window, else at once."""

    def __init__(self, most: int = LONGEST, worker: GroundWorker | None = None) -> None:
        self.most = most
        self.worker = worker
        self.job: GroundJob | None = None
        """The ground that is being painted."""
        self.camera = Camera()
        self.figures = Figures()
        self.rect = Rect(0, 0, 1, 1)
        self.ground = Backdrop()
        self.painted: tuple[Table, tuple[Feature, ...]] | None = None
        self.tool: overlays.Tool | None = None
        self.top = Tabletop({})
        self.moving = False
        self.group_names, self.zone_names = NamePlaces(), NamePlaces()

    def build(
        self,
        ui: Ui,
        rect: Rect,
        model: ViewModel,
        marks: Marks,
        draft: Draft | None = None,
        covered: Sequence[Rect] = (),
        buttons: Sequence[Rect] = (),
        *,
        glide: bool = False,
        whole_names: bool = False,
        is_hurried: bool = False,
    ) -> dict[NodeId, Rect]:
        """Describe the board; return the places of the groups' names.

        With `glide` figures move over in `glide`, and what is drawn around them goes with them. No name stands where
        something else lies over the board (`covered`), and no words of an act on one of `buttons`; with `whole_names`
        groups have theirs in full. `is_hurried`: the places of names are looked for in the next frame.
        """
        top = model.top
        walking = places_of(model.playing, top.nodes)
        # a figure that a question asks is drawn where a click finds it
        self.figures.stand(top, (*walking, *marks.asked))
        self.rect = rect
        self.camera.look_at(rect, top.table.size)
        self._paint(top.table, tuple(top.features.values()))
        self.moving = self.figures.place(top, self.camera, 0.0 if glide else float("inf"))
        view = self.camera.view
        ui.part("grid", (top.table.grid, view), lambda: overlays.draw_grid(ui, top, self.camera))
        ui.part("zones", (top.zones, top.seats, view), lambda: overlays.draw_zones(ui, top, self.camera))
        seen = top.with_pieces_at(self.figures.positions) if self.moving else top
        draw_groups(ui, seen, self.camera, marks)
        draw_piece_marks(ui, seen, self.camera, marks)
        overlays.draw_facings(ui, seen, self.camera)
        if draft is not None:
            colour = theme.seat_colour(top.colour_of(model.seat))
            overlays.draw_draft(ui, self.camera, top, draft, self._aim(ui, draft), colour)
        is_moving = self.moving or bool(walking)
        names = place_group_names(
            ui,
            self.group_names,
            seen,
            self.camera,
            model.texts,
            covered,
            is_moving=is_moving,
            whole=whole_names,
            is_hurried=is_hurried,
        )
        draw_group_names(ui, seen, names, marks.picked)
        taken = [*covered, *base_rects(ui, seen, self.camera).values(), *(name.box for name in names.values())]
        given = top.zones, top.goal_features, top.seats, view, model.words, taken, is_hurried
        ui.part(
            "zone_names",
            given,
            lambda: overlays.draw_zone_names(
                ui,
                top,
                overlays.place_zone_names(
                    ui, self.zone_names, top, self.camera, model.texts, taken, is_hurried=is_hurried
                ),
            ),
        )
        if model.playing is not None:
            draw_playing(ui, rect, self.camera, top, model.texts, model.playing, buttons)
        if self.tool is not None:
            overlays.draw_tool(ui, self.camera, top, model.texts, self.tool)
        self.top = top
        return {id: name.box for id, name in names.items()}

    @property
    def places(self) -> dict[NodeId, tuple[float, float]]:
        """Places in the window of the pieces, groups and features of the last frame."""
        top = self.top
        known = ((id, top.centre_of(id)) for id in (*top.pieces, *top.groups, *top.features))
        return {id: self.camera.to_window(*centre) for id, centre in known if centre is not None}

    def _aim(self, ui: Ui, draft: Draft) -> Point | None:
        """Return the place that a click would mean, if the mouse is over the board."""
        if not self.rect.contains(*ui.mouse):
            return None
        point = self.camera.to_table(*ui.mouse)
        return draft.meant(point) if isinstance(draft, PointDraft | TemplateDraft) else point

    def prepare(self, top: Tabletop) -> None:
        """Paint the terrain of a scene that is shown later; its pieces are kept."""
        features = tuple(top.features.values())
        if self.worker is not None:
            self.worker.paint(top.table, features, self.most)
        else:
            terrain_picture(top.table, features, self.most)

    def _paint(self, table: Table, features: tuple[Feature, ...]) -> None:
        """Lay the ground under the camera, painted again if it or its terrain has changed."""
        if self.painted != (table, features):
            before, self.painted = self.painted, (table, features)
            if self.worker is None:
                self.ground.show(terrain_picture(table, features, self.most))
            else:
                self._paint_beside(self.worker, before[0] if before is not None else None)
        if self.worker is not None and self.job is not None and self.job.picture is not None:
            self.ground.show_slowly(self.job.picture, self.worker.want_frame)
            self.job = None
        scale = self.camera.scale
        self.ground.place = Rect(*self.camera.to_window(0, 0), table.size[0] * scale, table.size[1] * scale)

    def _paint_beside(self, worker: GroundWorker, shown: Table | None) -> None:
        """Begin to paint beside the window; of another table than is `shown` plain ground is seen meanwhile."""
        assert self.painted is not None
        table, features = self.painted
        if self.job is not None:
            self.job.is_wanted = False
        if table != shown:
            self.ground.show(plain_ground(table))
        self.job = worker.paint(table, features, self.most)

    def glide(self, model: ViewModel, seconds: float) -> bool:
        """Move gliding figures on; return True if any was moving, so that what is around it must be described anew."""
        was_moving = self.moving
        if was_moving:
            self.moving = self.figures.place(model.top, self.camera, seconds)
        return was_moving

    def pictures(self) -> list[object]:
        """Return ground and figures with all that one sees of them, to be compared."""
        return [self.ground.looks(), self.figures.changes]

    def slack(self) -> int:
        """Return how far beside a base a click still means it, in hundredths: more when the table is shown small."""
        return max(int(7 / self.camera.scale) - 30, 10)

    def begin_tool(self, kind: str) -> None:
        """Take the ruler or the line of sight; the same again puts it away."""
        self.tool = None if self.tool is not None and self.tool.kind == kind else overlays.Tool(kind)

    def measure_from(self, x: float, y: float) -> bool:
        """Begin to measure at a place; return False where no tool is in hand."""
        if self.tool is None:
            return False
        self.tool.start = self.tool.end = self.camera.to_table(x, y)
        return True

    def measure_to(self, x: float, y: float) -> None:
        if self.tool is not None and self.tool.start is not None:
            self.tool.end = self.camera.to_table(x, y)

    def wheel(self, x: float, y: float, steps: int) -> None:
        self.camera.zoom_at(x, y, ZOOM_STEP**steps)

    def key(self, press: KeyPress) -> bool:
        """Take a key that zooms, moves the table or takes a tool; return False for any other."""
        if (out := press.which("zoom")) is not None:
            self.camera.zoom_at(*self.rect.centre, 1 / ZOOM_STEP if out else ZOOM_STEP)
        elif (way := press.which("pan")) is not None:
            self.camera.pan(*PANS[way])
        elif press.means("whole"):
            self.camera.fit()
        elif press.means("ruler"):
            self.begin_tool("ruler")
        elif press.means("sight"):
            self.begin_tool("sight")
        else:
            return False
        return True
