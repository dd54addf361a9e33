"""Moving: a group goes straight to a place in reach."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.system import Intent
from engine.kit.blanks import Draft, point
from engine.kit.verbs import Label, Verb
from protocol.ids import GroupId
from protocol.scene.advice import Gesture
from protocol.scene.fields import PickPoint

from . import table
from .content import RADIUS, Point
from .state import Battle, GroupMoved
from .turns import check_ready, finish, group_of, pick, ready


class Move(Intent, frozen=True, tag="skeleton.move"):
    """A group goes where its lead goes."""

    group: GroupId
    to: Point


async def move(game: Game[Battle], seat: Seat, move: Move) -> None:
    """Move a group straight to a place."""
    group = check_ready(game.state, seat, move.group)
    places = table.places(game.state, group, move.to)
    game.emit(GroupMoved(group.id, (game.state.figures[group.figures[0]].at, move.to), places))
    finish(game, seat, group.id)


def _to(draft: Draft[Battle], field: PickPoint) -> PickPoint:
    """Show where the lead may go."""
    group, state = group_of(draft), draft.state
    at, region = state.figures[group.figures[0]].at, table.reach(state, group)
    return replace(field, start=at, reach=state.profile(group).speed, regions=(region,), radius=RADIUS, default=at)


MOVE: Final = Verb(
    Label("move", "m", "Move", "Go straight to a place in reach."),
    move,
    pick("group", ready),
    point("to", _to),
    gesture=Gesture("group", "to", "point", mark="move"),
)
