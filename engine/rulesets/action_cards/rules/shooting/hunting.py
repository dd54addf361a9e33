"""Shots at a neutral monster (AC-OPEN-01): it is no group, so that neither cover nor close combat matters."""

from __future__ import annotations

from typing import Final

from engine.kit import forecasts
from engine.kit.blanks import Among, Hint, hint
from engine.kit.forecasts import lines_of, pool_of
from engine.kit.pools import multiples
from engine.kit.rules import Forecast, Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.board import firepower
from engine.rulesets.action_cards.rules.cards.actions import Choosing, acting, check_acting, own, take_action
from engine.rulesets.action_cards.rules.shooting import place_sight, shooting
from engine.rulesets.action_cards.rules.special_events import monsters
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Danger, Skirmish
from protocol.ids import GroupId
from protocol.scene.fields import Pieces
from protocol.text import Text


class Hunt(Intent, frozen=True, tag="hunt"):
    """Shoot with a group at a monster."""

    group: GroupId
    monster: str


@implements("AC-OPEN-01", "AC-SHOOT-02")
async def hunt(game: Game[Skirmish], seat: Seat, intent: Hunt) -> None:
    """Shoot at a monster with all dice of a group, added up."""
    check_hunter(game.state, seat, intent.group)
    monster = check_prey(game.state, intent.group, intent.monster)
    take_action(game, intent.group, "shoot")
    shot = game.declare("hunt", seat, group=names.group_node(intent.group))
    roll = firepower.pool_of(game.state, intent.group).roll(game, shooting.PURPOSE, seat)
    game.emit(monsters.hit(monster, seat, intent.group, roll))
    shot.resolve("done", damage=roll.total)


@implements("AC-OPEN-01")
def check_hunter(state: Skirmish, seat: int, group: GroupId) -> None:
    """Check that the group may shoot at monsters now: it is free and has dice. Raises IllegalIntent."""
    check_acting(state, seat, group)
    forbid(not firepower.dice_of(state, group), "shoot/no-dice")


@implements("AC-OPEN-01", "AC-SHOOT-01")
def check_prey(state: Skirmish, group: GroupId, id: str) -> Danger:
    """Return the monster, if a figure of the group sees it. Raises IllegalIntent."""
    monster = next((one for one in monsters.standing(state) if one.id == id), None)
    if monster is None:
        raise IllegalIntent("hunt/no-such-monster")
    if not place_sight.sees(state, group, monster.at):
        raise place_sight.unseen(state, group, monster.at, "shoot/no-line-of-sight")
    return monster


def _prey(draft: Choosing) -> tuple[Danger, ...]:
    check_hunter(draft.state, draft.seat, draft.group("group"))
    return monsters.standing(draft.state)


def _odds(draft: Choosing, monster: Danger) -> Hint:
    dice = firepower.dice_of(draft.state, draft.group("group"))
    return hint("hint.hunt", {"dice": dice, "number": monster.kill, "wounds": monster.wounds})


def _forecast(draft: Choosing) -> Forecast | None:
    group = draft.group("group")
    check_hunter(draft.state, draft.seat, group)
    monster = check_prey(draft.state, group, draft.node("prey"))
    pool = firepower.pool_of(draft.state, group)
    falls = pool.total.mapped(lambda points: multiples(points, monster.kill, monster.wounds) // monster.wounds)
    return forecasts.forecast(falls, (pool_of(pool, Text(shooting.PURPOSE)),), lines_of(pool))


PREY: Final = Among(
    shape=Pieces("prey", Text(""), lazy=True),
    word="target",
    candidates=_prey,
    check=lambda draft, monster: check_prey(draft.state, draft.group("group"), monster.id),
    node=lambda monster: names.monster_node(monster.id),
    name=lambda state, monster: names.event(state, monster.event),
    odds=_odds,
)
HUNT: Final = Verb(
    Label("hunt", "k", "Shoot at a monster", "A group fires all its dice at a monster it sees."),
    hunt,
    acting(own, check_hunter),
    PREY,
    when=lambda state, seat: state.left and monsters.standing(state),
    make=lambda draft: Hunt(draft.group("group"), draft.node("prey")),
    forecast=_forecast,
    gesture=Gesture("group", "prey", "group", 2, "shot", ends=True),
)
