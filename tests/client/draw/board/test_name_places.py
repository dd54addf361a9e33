"""Names of groups on recorded boards: near, apart, over no base, all there, and steady while the board rests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from client.draw.board.groups import place_group_names
from client.draw.board.name_candidates import Name
from client.draw.board.name_places import NamePlaces, PlacedName
from client.model.replay_player import ReplayPlayer
from client.model.short_names import short_name
from client.model.tabletop import Tabletop
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.table_layout import table_layout
from protocol.fairness.replay import read
from protocol.ids import NodeId
from protocol.limits import Limits

GOLDEN = Path(__file__).parents[3] / "golden"
FURTHEST = 24
"""Pixels from a name to its group."""
STEADY = 8
"""Pixels that a name moves at most between two frames of a board that rests."""
WINDOWS = [(1280, 800), (1024, 640)]


def recorded(pattern: str, every: int) -> Iterator[ReplayPlayer]:
    """Yield replays, each at every so many of its steps in turn."""
    for path in sorted(GOLDEN.glob(f"{pattern}.replay")):
        player = ReplayPlayer(read(path.read_bytes(), Limits()))
        for step in range(0, player.last + 1, every):
            player.go(step)
            yield player


def base_rects(top: Tabletop, camera: Camera) -> dict[NodeId, Rect]:
    """Return the squares around the bases in sight, without those of vehicles."""
    found = {}
    for id, piece in top.pieces.items():
        (x, y), r = camera.to_window(*piece.at), max(piece.radius * camera.scale, 4.5)
        if piece.box is None and camera.board.contains(x, y):
            found[id] = Rect(x - r, y - r, 2 * r, 2 * r)
    return found


def gap(a: Rect, b: Rect) -> float:
    return math.hypot(max(a.x - b.right, b.x - a.right, 0), max(a.y - b.top, b.y - a.top, 0))


def check(top: Tabletop, camera: Camera, names: dict[NodeId, PlacedName]) -> None:
    """Check one frame."""
    bases = base_rects(top, camera)
    for id, group in top.groups.items():
        own = [bases[piece] for piece in group.pieces if piece in bases]
        if not own:
            continue
        assert id in names, f"{id} has no name"
        assert min(gap(names[id].box, base) for base in own) <= FURTHEST
    for a, b in combinations(names.values(), 2):
        assert not a.box.overlaps(b.box), (a, b)
    for name in names.values():
        assert not [base for base in bases.values() if base.overlaps(name.box)], name


def check_replays(pattern: str, window: tuple[int, int], every: int) -> int:
    """Check every so many steps of replays, and return their number."""
    ui, camera, places, checked = Ui({}, window), Camera(), NamePlaces(), 0
    for player in recorded(pattern, every):
        top = Tabletop(player.nodes())
        camera.look_at(table_layout(*window, cards=top.row is not None).board, top.table.size)
        names = place_group_names(ui, places, top, camera, player.texts, ())
        check(top, camera, names)
        rests = place_group_names(ui, places, top, camera, player.texts, [Rect(camera.board.x, camera.board.y, 1, 1)])
        for id, name in names.items():
            assert rests[id].words == name.words
            assert math.dist(rests[id].box.centre, name.box.centre) <= STEADY, (id, name)
        checked += 1
    return checked


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("pattern", ["action_cards-rules7*", "one_page-rules4*"])
def test_every_group_of_a_recorded_match_is_named_where_it_stands(window: tuple[int, int], pattern: str) -> None:
    assert check_replays(pattern, window, every=4) >= 8


@pytest.mark.long("client")
def test_names_stand_well_on_all_recorded_boards() -> None:
    assert sum(check_replays("[ao]*", window, every=1) for window in WINDOWS) >= 200


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
    ui, camera, places, others = Ui({}, WINDOWS[0]), Camera(), NamePlaces(), NamePlaces()
    for player in recorded("one_page-rules6*", 8):
        top = Tabletop(player.nodes())
        camera.look_at(table_layout(*WINDOWS[0], cards=top.row is not None).board, top.table.size)
        hurried = place_group_names(ui, places, top, camera, player.texts, (), is_hurried=True)
        for a, b in combinations(hurried.values(), 2):
            assert not a.box.overlaps(b.box), (a, b)
        bases = base_rects(top, camera).values()
        assert not [name for name in hurried.values() if any(base.overlaps(name.box) for base in bases)]
        after = place_group_names(ui, places, top, camera, player.texts, ())
        assert len(hurried) >= 0.8 * len(after)
        assert after == place_group_names(ui, others, top, camera, player.texts, ())


def test_where_there_is_no_room_a_short_form_stands_and_grows_again() -> None:
    places, board = NamePlaces(), Rect(0, 0, 40, 60)
    tight = one("a", (15, 20))
    assert places.place([tight], board, tight.bases, ())[tight.id].words == "FL5"
    assert places.place([tight], Rect(-50, 0, 140, 60), tight.bases, ())[tight.id].words == "Fen Levy 5"


@pytest.mark.parametrize(
    ("name", "short"),
    [("Fen Levy 5", "FL5"), ("U.N.I.T. 6", "U6"), ("Pilgrims", "Pil"), ("Iron March", "IM"), ("7", "7"), ("", "")],
)
def test_short_names_are_initials_with_the_number(name: str, short: str) -> None:
    assert short_name(name) == short
