"""Shooting: dice for every figure, at a group in range and sight."""

from __future__ import annotations

from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.node_ids import group_node
from engine.core.rules.system import Intent
from engine.kit import forecasts
from engine.kit.blanks import Draft
from engine.kit.distributions import successes
from engine.kit.pools import DicePool, DieTest, PoolPart
from engine.kit.verbs import Label, Verb
from protocol.ids import GroupId
from protocol.scene.advice import Forecast, Gesture
from protocol.text import text

from . import table
from .state import Battle
from .turns import at_enemies, check_ready, finish, kill

DICE: Final = "skeleton.dice.shoot"


class Shoot(Intent, frozen=True, tag="skeleton.shoot"):
    """A group shoots at another."""

    group: GroupId
    target: GroupId


def check_shot(state: Battle, seat: Seat, shooter: GroupId, aim: GroupId) -> tuple[DicePool, DieTest]:
    """Return the dice of a shot, and what each of them needs. Raises IllegalIntent."""
    group, target = check_ready(state, seat, shooter), state.groups.get(aim)
    if target is None or target.owner == seat or not target.figures:
        raise IllegalIntent("shoot/no-target")
    profile, far = state.profile(group), table.distance(state, group.id, target.id)
    if far > profile.range:
        raise IllegalIntent("shoot/too-far", inches=-(-far // 100), range=profile.range // 100)
    if not table.board(state).sight(group.id, target.id).clear:
        raise IllegalIntent("shoot/no-sight")
    pool = DicePool.of([PoolPart(text(DICE), profile.dice, len(group.figures))])
    return pool, DieTest(min(6, profile.hits + table.has_cover(state, target)))


async def shoot(game: Game[Battle], seat: Seat, shot: Shoot) -> None:
    """Shoot: each die that hits kills a figure, the last ones first."""
    pool, test = check_shot(game.state, seat, shot.group, shot.target)
    action = game.declare("shoot", seat, group=group_node(shot.group), target=group_node(shot.target))
    killed = kill(game, shot.target, test.successes(pool.roll(game, DICE, seat).faces))
    finish(game, seat, shot.group)
    action.resolve("done", killed=killed)


def _forecast(draft: Draft[Battle]) -> Forecast:
    """Say what a shot comes to."""
    target = draft.state.groups[draft.group("target")]
    pool, test = check_shot(draft.state, draft.seat, draft.group("group"), target.id)
    killed = successes(pool.count, test.chance).mapped(lambda hits: min(hits, len(target.figures)))
    return forecasts.forecast(killed, [forecasts.pool_of(pool, text(DICE), test.need)])


SHOOT: Final = Verb(
    Label("shoot", "s", "Shoot", "Roll for every figure: each hit kills."),
    shoot,
    *at_enemies(check_shot),
    gesture=Gesture("group", "target", "group", mark="shot", ends=True),
    forecast=_forecast,
)
