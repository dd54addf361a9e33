"""Labels on recorded boards of all systems: near their groups, apart, over no base, and steady while the board
rests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from pathlib import Path

import pytest

from client.draw.board.groups import base_rects, place_group_names
from client.draw.board.name_candidates import Name
from client.draw.board.name_places import NamePlaces, PlacedName
from client.draw.board.overlays import place_zone_names
from client.model.replay.replay_player import ReplayPlayer
from client.model.table.tabletop import Tabletop
from client.model.words.short_names import short_name
from client.text.texts import Texts
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.table_layout import table_layout
from protocol.fairness.replay import read
from protocol.ids import NodeId
from protocol.limits import Limits
from protocol.wire.scene_model import SceneModel
from tests.support.examples.recorded import recorded
from tests.support.examples.recorded_table import as_heard

GOLDEN = Path(__file__).parents[3] / "golden"
FURTHEST = 24
"""Pixels from a name to its group."""
STEADY = 8
"""Pixels that a name moves at most between two frames of a board that rests."""
WINDOWS = [(1280, 800), (1024, 640)]
POSITIONS = {"action_cards": 90, "one_page": 80, "apocalypse_earth": 40}
"""Boards of each system that are looked at: more than 200."""
DECISIONS = 60
Position = tuple[Tabletop, Texts]


def replayed(pattern: str, every: int) -> Iterator[Position]:
    """Yield the boards of recorded matches, of each at every so many of its steps in turn."""
    for path in sorted(GOLDEN.glob(f"{pattern}.replay")):
        player = ReplayPlayer(read(path.read_bytes(), Limits()))
        for step in range(0, player.last + 1, every):
            player.go(step)
            yield Tabletop(player.nodes()), player.texts


def heard(system: str, decisions: int) -> Iterator[Position]:
    """Yield the boards of a match of bots as a spectator is told of them."""
    scene, (_, texts) = SceneModel(), recorded(system, decisions)
    for frame in as_heard(system, decisions, -1):
        scene.take(frame)
        yield Tabletop(scene.nodes), texts


def positions(system: str) -> Iterator[Position]:
    """Yield boards of a system, the last of each match most crowded with what has happened."""
    return heard(system, DECISIONS) if system == "apocalypse_earth" else replayed(f"{system}-*", 2)


def gap(a: Rect, b: Rect) -> float:
    return math.hypot(max(a.x - b.right, b.x - a.right, 0), max(a.y - b.top, b.y - a.top, 0))


class Labels:
    """Labels of a board, frame after frame, as the window places them."""

    def __init__(self, window: tuple[int, int]) -> None:
        self.ui, self.window, self.camera = Ui({}, window), window, Camera()
        self.names, self.areas = NamePlaces(), NamePlaces()

    def look_at(self, top: Tabletop) -> None:
        """Let the board of the window show a table whole."""
        self.camera.look_at(table_layout(*self.window, cards=top.row is not None).board, top.table.size)

    def placed(self, top: Tabletop, texts: Texts, covered: Sequence[Rect] = ()) -> dict[NodeId, PlacedName]:
        """Return the labels of all groups and areas in the next frame."""
        bases = base_rects(self.ui, top, self.camera).values()
        names = place_group_names(self.ui, self.names, top, self.camera, texts, covered)
        taken = [*covered, *bases, *(name.box for name in names.values())]
        return {**names, **place_zone_names(self.ui, self.areas, top, self.camera, texts, taken)}

    def check(self, top: Tabletop, labels: dict[NodeId, PlacedName]) -> None:
        """Check one frame."""
        bases = base_rects(self.ui, top, self.camera)
        nameless = set()
        for id, group in top.groups.items():
            own = [bases[piece] for piece in group.pieces if piece in bases]
            if own and id not in labels:
                nameless.add(id)
            elif own:
                assert min(gap(labels[id].box, base) for base in own) <= FURTHEST
        # in the middle of a heap in the smaller window there may be no room at all for one
        assert len(nameless) <= (self.ui.size != WINDOWS[0]), nameless
        for a, b in combinations(labels.values(), 2):
            assert not a.box.overlaps(b.box), (a, b)
        for label in labels.values():
            assert not [base for base in bases.values() if base.overlaps(label.box)], label


def check_all(found: Iterable[Position], window: tuple[int, int]) -> int:
    """Check boards one after another, each in a second frame in which something else has changed; return their
    number."""
    labels, checked = Labels(window), 0
    for top, texts in found:
        labels.look_at(top)
        first = labels.placed(top, texts)
        labels.check(top, first)
        board = labels.camera.board
        rests = labels.placed(top, texts, [Rect(board.x, board.y, 1, 1)])
        for id, name in first.items():
            assert rests[id].words == name.words
            assert math.dist(rests[id].box.centre, name.box.centre) <= STEADY, (id, name)
        checked += 1
    return checked


@pytest.mark.parametrize(("system", "count"), POSITIONS.items())
def test_labels_stand_well_on_more_than_two_hundred_recorded_boards(system: str, count: int) -> None:
    assert check_all(islice(positions(system), count), WINDOWS[0]) == count
    assert sum(POSITIONS.values()) > 200


@pytest.mark.long("client")
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("system", POSITIONS)
def test_labels_stand_well_on_all_recorded_boards(system: str, window: tuple[int, int]) -> None:
    found = heard(system, 400) if system == "apocalypse_earth" else replayed(f"{system}-*", 1)
    assert check_all(found, window) >= POSITIONS[system]


LETTERS = (("Fen Levy 5", 60.0, 18.0), ("FL5", 24.0, 18.0))
BOARD = Rect(0, 0, 400, 300)


def one(id: str, *places: tuple[float, float]) -> Name:
    return Name(NodeId(id), LETTERS, tuple(Rect(x, y, 10, 10) for x, y in places))


def test_a_name_stays_while_another_group_walks_past() -> None:
    places, still, seen = NamePlaces(), one("a", (200, 150)), []
    for x in range(100, 300, 5):
        walker = one("b", (x, 135))
        found = places.place([still, walker], BOARD, [*still.bases, *walker.bases], (), is_moving=x > 100)
        seen.append(found[still.id].box)
    assert len(set(seen)) == 1
    arrived = one("b", (195, 135))
    resting = places.place([still, arrived], BOARD, [*still.bases, *arrived.bases], ())
    assert not resting[still.id].box.overlaps(arrived.bases[0])


def test_a_name_goes_with_its_group() -> None:
    places = NamePlaces()
    way = one("a", (100, 100)), one("a", (180, 120))
    before, after = (places.place([name], BOARD, name.bases, ())[name.id].box for name in way)
    assert (after.x - before.x, after.y - before.y) == (80, 20)


def test_names_of_a_hurried_frame_are_apart_and_the_next_one_knows_nothing_of_it() -> None:
    labels, others = Labels(WINDOWS[0]), NamePlaces()
    ui, camera, places = labels.ui, labels.camera, labels.names
    for top, texts in replayed("one_page-rules6*", 8):
        labels.look_at(top)
        hurried = place_group_names(ui, places, top, camera, texts, (), is_hurried=True)
        for a, b in combinations(hurried.values(), 2):
            assert not a.box.overlaps(b.box), (a, b)
        bases = base_rects(ui, top, camera).values()
        assert not [name for name in hurried.values() if any(base.overlaps(name.box) for base in bases)]
        after = place_group_names(ui, places, top, camera, texts, ())
        assert len(hurried) >= 0.8 * len(after)
        assert after == place_group_names(ui, others, top, camera, texts, ())


def test_where_there_is_no_room_a_short_form_stands_and_grows_again() -> None:
    places, board = NamePlaces(), Rect(0, 0, 40, 60)
    tight = one("a", (15, 20))
    assert places.place([tight], board, tight.bases, ())[tight.id].words == "FL5"
    assert places.place([tight], Rect(-50, 0, 140, 60), tight.bases, ())[tight.id].words == "Fen Levy 5"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Fen Levy 5", "FL5"),
        ("Lightward Guard 2-5", "LG2-5"),
        ("U.N.I.T. 6", "U6"),
        ("Pilgrims", "Pil"),
        ("Iron March", "IM"),
        ("7", "7"),
        ("", ""),
    ],
)
def test_short_names_are_initials_with_the_number(name: str, short: str) -> None:
    assert short_name(name) == short
