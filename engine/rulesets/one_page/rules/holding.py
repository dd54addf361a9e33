"""Hold: a unit stays where it is, and a Vehicle may turn (OP-ACT-03, OP-VEH-03)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.core.rules.system import Intent
from engine.kit.verbs import Verb, facing
from engine.rulesets.one_page.rules import activations, driving, moving, traits
from engine.rulesets.one_page.rules.picking import pick, unit_of
from engine.rulesets.one_page.state.events import UnitMoved
from engine.rulesets.one_page.state.state import Battle
from engine.space.vectors.headings import STEP
from protocol.ids import GroupId


class Hold(Intent, frozen=True, tag="op.hold"):
    """Hold of a unit; a Vehicle may turn."""

    unit: GroupId
    facing: int = -1


@implements("OP-VEH-03")
async def hold(game: Game[Battle], seat: Seat, hold: Hold) -> None:
    """Hold with a unit; a Vehicle may turn by up to 180 degrees."""
    unit = activations.check_action(game.state, seat, hold.unit)
    if hold.facing >= 0:
        if not traits.is_vehicle(game.state, unit) or hold.facing % STEP or hold.facing >= 360:
            raise IllegalIntent("move/turn")
        moving.check_free(unit)
    activations.begin(game, unit.id, "hold")
    if hold.facing >= 0:
        at = game.state.leader(unit).at
        game.emit(UnitMoved(unit.id, "turn", (at, at), {unit.leader: at}, hold.facing))


HOLD: Final = Verb(
    id="hold",
    title="Hold",
    hint="Stand still, then shoot. Relentless units fire every weapon.",
    key="h",
    intent=Hold,
    run=hold,
    fields=(pick("unit", activations.standing),),
)
TURN: Final = Verb(
    id="turn",
    title="Hold and turn",
    hint="Turn on the spot to any facing, then shoot.",
    key="t",
    intent=Hold,
    run=hold,
    fields=(
        pick("unit", activations.drivers),
        facing("facing", lambda draft, field: driving.box_at(draft.state, unit_of(draft), field)),
    ),
)
