"""The move of up to 3 inches after a melee that has destroyed the enemy (OP-MELEE-05)."""

from __future__ import annotations

from functools import partial
from typing import Final, cast

from engine.core.rules.errors import is_legal
from engine.core.rules.questions import Ask
from engine.kit.rules import Game, Gesture, Seat, implements
from engine.rulesets.one_page.rules import casualties, driving, facings, formations, moving, traits
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.events import UnitMoved
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.movement.steering import Steering
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint
from protocol.scene.nodes import Choice, Reply
from protocol.text import text

PURSUE: Final = "op.pursue"
REACH: Final = 300
STAY: Final = "stay"

Step = tuple[tuple[Point, ...], dict[FigureId, Point]]


@implements("OP-MELEE-05")
async def pursue(game: Game[Battle], id: GroupId) -> None:
    """Ask the owner of a unit that has destroyed its enemy for a move of up to 3 inches, into cover too; a Vehicle
    moves straight ahead or back."""
    state = game.state
    unit = state.units[id]
    if unit.tracked:
        return
    ask = _vehicle(state, unit) if traits.is_vehicle(state, unit) else _on_foot(state, unit)
    step = await game.ask(Seat(unit.owner), ask, PURSUE)
    if step is not None:
        game.emit(UnitMoved(id, "on", *step, facings.along(state, unit, step[0])))
        await casualties.cross_mines(game, state, id, step[0])


def _on_foot(state: Battle, unit: Unit) -> Ask[Step | None]:
    at = state.leader(unit).at
    ring = tuple([along(at, direction, REACH) for direction in DIRECTIONS[::4]])
    to = PickPoint("to", text("op.field.to"), regions=(ring,), start=at, reach=REACH, default=at)
    go = Choice("go", text("op.choice.pursue"), (to,), gesture=Gesture(object="to", on="point", mark="move"))
    choices = (Choice(STAY, text("op.choice.stay")), go)

    def read(reply: Reply) -> Step | None:
        if reply.choice == STAY:
            return None
        x, y = cast("list[int]", reply.fields["to"])
        way = (at, (x, y))
        moving.check_way(state, unit, way, REACH)
        return way, formations.settled(state, unit, way[-1], {})

    return Ask(text("op.ask.pursue", unit=names.unit(state, unit.id)), choices, Reply(STAY), read, "OP-MELEE-05")


def _vehicle(state: Battle, unit: Unit) -> Ask[Step | None]:
    facing = state.leader(unit).facing
    ahead = Choice("ahead", text("op.choice.ahead"))
    back = Choice("back", text("op.choice.back"))

    def read(reply: Reply) -> Step | None:
        if reply.choice == STAY:
            return None
        drive = Steering(0, facing, REACH if reply.choice == "ahead" else -REACH // 2)
        way = driving.check_drive(state, unit, drive, REACH).way
        return way, {unit.leader: way[-1]}

    choices = (
        Choice(STAY, text("op.choice.stay")),
        *[one for one in (ahead, back) if is_legal(partial(read, Reply(one.id)))],
    )
    return Ask(text("op.ask.pursue", unit=names.unit(state, unit.id)), choices, Reply(STAY), read, "OP-MELEE-05")
