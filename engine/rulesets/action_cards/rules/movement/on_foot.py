"""The verb "move": a group on foot goes where one of its figures leads it (AC-MOVE-01)."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.core.rules.system import Intent
from engine.kit.blanks import places, point
from engine.kit.verbs import Label, Verb
from engine.rulesets.action_cards.rules.board import followers, table
from engine.rulesets.action_cards.rules.cards.picking import Choosing, acting, figures, on_foot
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.special_events import event_strikes
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import GroupMoved
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId, GroupId
from protocol.scene.advice import Gesture
from protocol.scene.fields import PickPoint, Placement


class Move(Intent, frozen=True, tag="move"):
    """Move a group: its `lead` figure in a straight line to `to`, the others as placed (missing ones: by default)."""

    group: GroupId
    lead: FigureId
    to: Point
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


@implements("AC-MOVE-01")
async def move(game: Game[Skirmish], seat: Seat, intent: Move) -> None:
    """Carry out a move: the lead goes straight, the rest of its group is placed next to it; contact locks."""
    lead_move = moves.check_lead(game.state, seat, intent.group, intent.lead, intent.to)
    places = followers.check_places(game.state, lead_move, intent.places)
    moves.check_charge(game.state, seat, lead_move)
    came = game.state.figures[lead_move.lead].at
    moves.spend(game, lead_move.group)
    moving = game.declare("move", seat, group=names.group_node(lead_move.group))
    game.emit(GroupMoved(lead_move.group, lead_move.lead, came, places))
    await event_strikes.arrive(game, lead_move.group, moving)


def _reach(draft: Choosing, field: PickPoint) -> PickPoint:
    state, group_id, lead = draft.state, draft.group("group"), draft.figure("lead")
    group = moves.check_mover(state, draft.seat, group_id, lead)
    return msgspec.structs.replace(
        field,
        regions=moves.regions(state, group_id, lead),
        start=state.figures[lead].at,
        reach=moves.allowance_of(state, group),
        radius=table.radius(state, lead),
    )


def _places(draft: Choosing, field: Placement) -> Placement:
    state, to = draft.state, draft.point("to")
    lead_move = moves.check_lead(state, draft.seat, draft.group("group"), draft.figure("lead"), to)
    return followers.places_field(state, lead_move, field)


MOVE: Final = Verb(
    Label("move", "m", "Move", "One figure leads in a straight line; the rest of its group forms up around it."),
    move,
    acting(on_foot, moves.check_ready),
    figures("lead", lambda draft: draft.state.groups[draft.group("group")].figures),
    point("to", _reach),
    places("places", _places),
    gesture=Gesture("group", "to", "point", mark="move"),
)
