"""Scenes: sections, parts and statuses."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.core.rules.system import Part, Section, all_parts
from engine.kit.present import scene as kit
from engine.kit.present.scene import Sections, Statuses, part
from engine.kit.terrain.ground import prepared
from engine.kit.units import ABOARD, GONE, TABLE
from protocol.ids import NodeId
from protocol.scene.nodes import RESULT_NODE, Counter, Feature, Group, Piece as ScenePiece, Result, Sheet, Table
from protocol.text import text


class Yard(msgspec.Struct, frozen=True):
    """A state."""

    boats: tuple[str, ...]
    turn: int = 1


class Piece(msgspec.Struct, frozen=True):
    """A piece of terrain, which is its own kind."""

    id: str
    outline: tuple[tuple[int, int], ...]
    line: bool = False
    blocks: bool = False
    impassable: bool = False


POND = Piece("pond", ((0, 0), (900, 0), (0, 900)), impassable=True)
WALL = Piece("wall", ((2000, 0), (2000, 900)), line=True, blocks=True)


def _boats(state: Yard) -> Iterator[Part]:
    for boat in state.boats:
        yield part(NodeId(f"counter/{boat}"), (boat,), Counter, text(boat), len(boat))


def _turn(state: Yard) -> Iterator[Part]:
    yield part(NodeId("counter/turn"), (state.turn,), Counter, text("turn"), state.turn)


SECTIONS = Sections[Yard](("boats", "boats", _boats), ("clock", "turn boats", _turn))


def test_sections_follow_the_fields_that_decide_what_is_in_them() -> None:
    state = Yard(("yawl", "ketch"), 3)
    whole = SECTIONS.of(state)
    assert (whole.id, whole.key) == ("all", (state.boats, 3))
    own = [one for one in whole.parts() if isinstance(one, Section)]
    assert [(one.id, one.key) for one in own] == [("boats", (state.boats,)), ("clock", (3, state.boats))]
    shown = {one.id: one.make() for one in all_parts([whole])}
    assert shown[NodeId("counter/ketch")] == Counter(text("ketch"), 5)
    assert list(shown) == ["counter/yawl", "counter/ketch", "counter/turn"]


def test_statuses_hold_in_the_order_of_their_table() -> None:
    table = Statuses(
        ("late", "too late", lambda state, boat: state.turn > 2),
        ("here", "", lambda state, boat: boat in state.boats),
        ("sunk", "at the bottom"),
    )
    assert table.of(Yard(("yawl",), 3), "yawl") == ("late", "here")
    assert table.of(Yard(("yawl",), 1), "ketch") == ()
    assert table.english == {"status.late": "too late", "status.sunk": "at the bottom"}


def test_terrain_and_seats_have_nodes() -> None:
    assert kit.feature(WALL, WALL, "y.wall", "cover", ("old",)) == Feature(
        WALL.outline, "wall", text("y.wall"), line=True, cover="cover", blocks=True, states=("old",)
    )
    assert [kit.seat(text("red"), 1, 4, alive=alive).status for alive in (True, False)] == [(), ("out",)]


def test_ground_is_prepared_by_its_kinds() -> None:
    ground = prepared((3000, 2000), [(POND, POND), (WALL, WALL)])
    [pond], [wall] = ground.areas, ground.barriers
    assert (ground.width, ground.height) == (3000, 2000)
    assert (pond.id, pond.impassable, pond.blocks_sight) == ("pond", True, False)
    assert (wall.id, wall.blocks_sight) == ("wall", True)


class Force(msgspec.Struct, frozen=True):
    units: tuple[str, ...]


class Roster(msgspec.Struct, frozen=True):
    forces: tuple[Force, ...]


class Muster(msgspec.Struct, frozen=True):
    resolved: Roster


def test_each_unit_of_a_force_has_a_sheet() -> None:
    def sheet(state: Muster, seat: int, entry: int) -> Sheet:
        return Sheet(text(state.resolved.forces[seat].units[entry]), owner=seat)

    state = Muster(Roster((Force(("a", "b")), Force(("c",)))))
    parts = list(kit.sheets_of(sheet)(state))
    assert [one.id for one in parts] == ["sheet/0.0", "sheet/0.1", "sheet/1.0"]
    assert parts[2].make() == Sheet(text("c"), owner=1)
    assert all(one.key == (state.resolved,) for one in parts)


class Field(msgspec.Struct, frozen=True):
    scenario: Size
    terrain: dict[str, Piece]


class Size(msgspec.Struct, frozen=True):
    size: tuple[int, int] = (4000, 3000)
    ground: str = "grass"


class Laid(msgspec.Struct, frozen=True):
    id: str
    kind: str


class Squad(msgspec.Struct, frozen=True):
    id: str
    figures: tuple[str, ...]
    where: str = TABLE
    vessel: str = ""

    @property
    def leader(self) -> str:
        return self.figures[0]


class Camp(msgspec.Struct, frozen=True):
    resolved: Field
    features: tuple[Laid, ...] = ()
    units: dict[str, Squad] = {}
    acts: str = ""
    ended: str = ""

    def members(self, unit: Squad) -> list[Pawn]:
        return [Pawn(id) for id in unit.figures]


class Pawn(msgspec.Struct, frozen=True):
    id: str


CAMP = Camp(
    Field(Size(), {"pond": POND}),
    (Laid("p1", "pond"), Laid("p2", "pond")),
    {
        "a": Squad("a", ("a1", "a2")),
        "b": Squad("b", ("b1",), ABOARD, "a"),
        "c": Squad("c", (), GONE),
    },
    "a",
)


def test_the_ground_is_the_table_and_its_pieces() -> None:
    def show(state: Camp, piece: Laid, kind: Piece) -> Feature:
        return kit.feature(kind, kind, piece.id, "", ())

    parts = list(kit.grounds("cm", show, lambda state: {"p2"})(CAMP))
    assert parts[0].make() == Table((4000, 3000), "cm", "grass")
    assert [(one.id, one.key[1]) for one in parts[1:]] == [("feature/p1", False), ("feature/p2", True)]
    assert parts[2].make() == kit.feature(POND, POND, "p2", "", ())


def test_a_unit_is_a_group_with_its_pieces_where_it_is_shown() -> None:
    def group(state: Camp, unit: Squad, pieces: tuple[NodeId, ...]) -> Group:
        return Group(0, text(unit.id), pieces)

    def piece(state: Camp, unit: Squad, figure: Pawn, riders: int) -> ScenePiece:
        return ScenePiece((0, 0), 50, name=text(figure.id), counters={"aboard": riders})

    sections = kit.units_of(
        lambda unit: unit.where != GONE, lambda unit: unit.where == TABLE, group, piece, lambda state, unit: ("more",)
    )
    found = list(sections(CAMP))
    assert [one.id for one in found] == ["unit/a", "unit/b"]
    assert found[0].key == (CAMP.units["a"], True, "more", CAMP.units["b"], Pawn("a1"), Pawn("a2"))
    nodes = {one.id: one.make() for one in all_parts(found)}
    assert list(nodes) == ["group/a", "piece/a1", "piece/a2", "group/b"]
    assert nodes[NodeId("group/a")] == Group(0, text("a"), (NodeId("piece/a1"), NodeId("piece/a2")))
    assert nodes[NodeId("piece/a2")] == ScenePiece((0, 0), 50, name=text("a2"), counters={"aboard": 1})
    assert nodes[NodeId("group/b")] == Group(0, text("b"), ())


def test_the_result_is_shown_once_it_is_over() -> None:
    def final(state: Camp) -> Result:
        return Result(text(state.ended), ())

    public = Sections[Camp](("acts", "acts", lambda state: ())).with_result(final)
    assert [one.id for one in public(CAMP)] == ["all"]
    over = list(public(msgspec.structs.replace(CAMP, ended="won")))
    assert [one.id for one in over] == ["all", RESULT_NODE]
    assert over[1].key == ("won",)
