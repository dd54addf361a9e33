"""Shooting: legal targets, the dice, and linked fire (AC-SHOOT-*)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.core.rules.errors import is_legal
from engine.core.rules.node_ids import feature_node
from engine.core.rules.replies import field_refused
from engine.core.view.prompts import sorted_out
from engine.kit import forecasts
from engine.kit.blanks import Hint, hint, option
from engine.kit.board.board import kept
from engine.kit.forecasts import lines_of, pool_of
from engine.kit.pools import DicePool, expected_multiples, multiples, of_multiples
from engine.kit.rules import (
    Counted,
    Forecast,
    Game,
    Gesture,
    IllegalIntent,
    Intent,
    Label,
    Seat,
    Verb,
    forbid,
    implements,
)
from engine.rulesets.action_cards.rules.board import casualties, combats, cover, firepower, table, weather
from engine.rulesets.action_cards.rules.cards.actions import (
    Choosing,
    acting,
    actions_left,
    check_actions,
    check_group,
    own,
    pick,
    rivals,
    take_action,
)
from engine.rulesets.action_cards.rules.close_combat import damage, resolution
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import VolleyEnded, VolleyFired
from engine.rulesets.action_cards.state.state import Combat, Skirmish, Volley
from engine.space.sight.lines import Obstacle
from protocol.ids import GroupId, NodeId
from protocol.scene.fields import Option, PickOption
from protocol.scene.nodes import NO_NODE
from protocol.text import Text

SHOTS: Final = ("group", "first", "second", "third")
"""Fields that name the group of a shot."""
PURPOSE: Final = "dice.shooting"


class Aim(msgspec.Struct, frozen=True):
    """Legal target of a shot: a group, or (with `combat`) the faction `faction` in a close combat."""

    target: GroupId
    faction: int
    combat: Combat | None
    inside: bool


class CheckedShot(msgspec.Struct, frozen=True):
    """Checked shot, with all that is decided before its dice are rolled. `number` is the target's kill number, 0 for
    fire into a close combat, where each faction has its own."""

    aim: Aim
    groups: tuple[GroupId, ...]
    pool: DicePool
    number: int


class Shoot(Intent, frozen=True, tag="shoot"):
    """Shoot with one group at one enemy group; `faction`: the target seat where fire goes into a combat (-1: none)."""

    group: GroupId
    target: GroupId
    faction: int = -1


@implements("AC-SHOOT-01", "AC-SHOOT-02")
async def shoot(game: Game[Skirmish], seat: Seat, shot: Shoot) -> None:
    """Shoot with one group at one enemy group: all its dice, added up."""
    check_actions(game.state)
    checked = check_shot(game.state, seat, shot)
    take_action(game, shot.group, "shoot")
    await fire(game, seat, checked)


@kept(table.board, "combats", "lasting")
def check_shot(state: Skirmish, seat: int, shot: Shoot) -> CheckedShot:
    """Return the checked shot of a group. Raises IllegalIntent."""
    return checked_shot(state, (shot.group,), check_aim(state, seat, shot.group, shot.target, shot.faction))


def checked_shot(state: Skirmish, shots: tuple[GroupId, ...], aim: Aim) -> CheckedShot:
    """Return the shots of these groups with their dice together, one group id for each shot."""
    groups = tuple(dict.fromkeys(shots))
    number = 0
    if aim.combat is None:
        number = table.kill_of(state, aim.target).number(shots_cover(state, groups, aim.target))
    return CheckedShot(aim, groups, firepower.pool_together(state, shots), number)


@implements("AC-SHOOT-01")
def check_aim(state: Skirmish, seat: int, group: GroupId, target: GroupId, faction: int = -1) -> Aim:
    """Return the aim at a target, or at a faction in its combat (-1: the target's). Raises IllegalIntent."""
    check_group(state, seat, group)
    forbid(target not in state.groups, "shoot/no-such-target")
    owner = state.groups[target].owner
    forbid(not state.hostile(owner, seat), "shoot/own-group")
    forbid(not firepower.dice_of(state, group), "shoot/no-dice")
    named = owner if faction < 0 else faction
    weather.check_truce(state, seat, named)
    own, combat = combats.combat_of(state, group), combats.combat_of(state, target)
    if own is not None:
        forbid(combat is None or combat.id != own.id, "shoot/locked")
        return _aim_into(state, seat, own, target, named, inside=True)
    forbid(combat is not None and seat in combats.factions_in(state, combat), "shoot/own-combat")
    _check_sight(state, group, target)
    if combat is None:
        return Aim(target, owner, None, inside=False)
    aim = _aim_into(state, seat, combat, target, named, inside=False)
    others = [other.id for other in combats.groups_in(state, combat, named)]
    is_seen = named == owner or any(table.sight(state, group, other).clear for other in others)
    forbid(not is_seen, "shoot/faction-not-seen")
    return aim


@implements("AC-SHOOT-02")
async def fire(game: Game[Skirmish], seat: Seat, checked: CheckedShot) -> None:
    """Roll the dice of all shots together and remove their kills."""
    aim, standing = checked.aim, len(game.state.figures)
    first, target = names.group_node(checked.groups[0]), names.group_node(aim.target)
    shot = game.declare("shot", seat, expect=partial(_expected, game.state, checked), group=first, target=target)
    total, kills = await _strike(game, seat, checked)
    shot.resolve("done", kills, damage=total, killed=standing - len(game.state.figures))


async def _strike(game: Game[Skirmish], seat: Seat, checked: CheckedShot) -> tuple[int, int]:
    """Roll the dice and remove their kills. Return the total and, out of close combat, the kills."""
    aim = checked.aim
    roll = checked.pool.roll(game, PURPOSE, seat)
    if aim.combat is not None:
        await damage.apply_fire(game, seat, aim.combat, Seat(aim.faction), roll, checked.groups, inside=aim.inside)
        await resolution.after_losses(game)
        return roll.total, 0
    target = game.state.groups[aim.target]
    kills = multiples(roll.total, checked.number, len(target.figures))
    shot = (roll.id, checked.pool.count, roll.total, checked.number, kills)
    game.emit(VolleyFired(Volley("shooting", seat, aim.target, checked.groups, *shot)))
    if kills:
        await casualties.remove(game, seat, Seat(target.owner), target.figures, kills)
    game.emit(VolleyEnded())
    return roll.total, kills


@implements("AC-SHOOT-04")
def shots_cover(state: Skirmish, groups: Iterable[GroupId], target: GroupId) -> str:
    """Return the cover against these groups together: of that among them against which the kill number is highest."""
    against = [cover.cover_against(state, state.groups[group].figures, target) for group in groups]
    return max(against, key=table.kill_of(state, target).number)


def _aim_into(state: Skirmish, seat: int, combat: Combat, target: GroupId, faction: int, *, inside: bool) -> Aim:
    if not state.hostile(faction, seat) or faction not in combats.factions_in(state, combat):
        raise IllegalIntent("shoot/faction-not-in-combat")
    return Aim(target, faction, combat, inside)


def _check_sight(state: Skirmish, group: GroupId, target: GroupId) -> None:
    sight, at = table.sight(state, group, target), names.group_node(target)
    forbid(not sight.clear and sight.blocker is None, "shoot/too-far-to-see", at)
    if not sight.clear:
        blocker = blocker_name(state, sight.blocker)
        raise IllegalIntent("shoot/no-line-of-sight", blocker=blocker).showing(blocker_node(sight.blocker), at)


def blocker_node(blocker: Obstacle | None) -> NodeId:
    """Return the node of what hides a target."""
    if blocker is None:
        return NO_NODE
    id = str(blocker.id)
    return names.group_node(GroupId(id)) if blocker.kind == "group" else feature_node(id)


def blocker_name(state: Skirmish, blocker: Obstacle | None) -> Text:
    """Return the name of what hides a target."""
    if blocker is None:
        return names.UNKNOWN
    if blocker.kind == "group":
        return names.group(state, GroupId(str(blocker.id)))
    return names.feature(state, str(blocker.id))


def check_shooter(state: Skirmish, seat: int, group: GroupId) -> None:
    """Check that a group could shoot, whatever its target. Raises IllegalIntent."""
    check_group(state, seat, group)
    forbid(not firepower.dice_of(state, group), "shoot/no-dice")


def _shooters(draft: Choosing) -> tuple[GroupId, ...]:
    return tuple(id for key in SHOTS for id in draft.groups(key))


def _check_target(draft: Choosing, target: GroupId, faction: int = -1) -> None:
    for shooter in dict.fromkeys(_shooters(draft)):
        check_aim(draft.state, draft.seat, shooter, target, faction)


def _odds(draft: Choosing, target: GroupId) -> Hint:
    state, shooters = draft.state, _shooters(draft)
    dice = sum(firepower.dice_of(state, shooter) for shooter in shooters)
    count = len(state.groups[target].figures)
    if combats.combat_of(state, target) is not None:
        return hint("hint.into_combat", {"dice": dice, "figures": count})
    protection = shots_cover(state, dict.fromkeys(shooters), target)
    number = table.kill_of(state, target).number(protection)
    numbers = {"dice": dice, "number": number, "figures": count}
    return hint("hint.shot", numbers, cover=Text(f"cover.{protection}"))


def forecast_of(state: Skirmish, checked: CheckedShot) -> Forecast | None:
    """Return the figures that a target loses; None for fire into a close combat, where others may fall."""
    if checked.aim.combat is not None:
        return None
    target = checked.aim.target
    figures = len(state.groups[target].figures)
    losses = of_multiples(checked.pool.total, checked.number, figures)
    protection = Text(f"cover.{shots_cover(state, checked.groups, target)}")
    return forecasts.forecast(losses, (pool_of(checked.pool, Text(PURPOSE)),), lines_of(checked.pool), protection)


def _expected(state: Skirmish, checked: CheckedShot) -> int:
    """Return the mean of `forecast_of`, in hundredths; -1 where that is None."""
    if checked.aim.combat is not None:
        return -1
    figures, pool = len(state.groups[checked.aim.target].figures), checked.pool
    return expected_multiples(pool.count, checked.number, figures, pool.sides)


def _forecast(draft: Choosing) -> Forecast | None:
    return forecast_of(draft.state, check_shot(draft.state, draft.seat, _shot(draft)))


def counted(draft: Choosing, shooter: str) -> Counted:
    """Return whose losses a shot is about. `shooter`: the key of the field of the group that shoots."""
    return Counted((names.group_node(draft.group("target")),), names.group_node(draft.group(shooter)))


def _shot(draft: Choosing) -> Shoot:
    return Shoot(draft.group("group"), draft.group("target"), named_faction(draft))


def _in_sight(draft: Choosing) -> list[GroupId]:
    """Return the possible targets; `bare`, without those out of sight, whose reasons cost more than the check."""
    if not draft.bare:
        return rivals(draft)
    state, board = draft.state, table.board(draft.state)
    free = [id for id in _shooters(draft) if id in state.groups and combats.combat_of(state, id) is None]
    seen = [id for id in rivals(draft) if all(board.sight(shooter, id).clear for shooter in free)]
    return [id for id in seen if is_legal(partial(_check_target, draft, id))]


def _factions(draft: Choosing, field: PickOption) -> PickOption:
    """Fill in the factions that the even dice may go against; nothing to choose unless the target is in a combat."""
    state, target = draft.state, draft.group("target")
    combat = combats.combat_of(state, target)
    if combat is None:
        return field
    options, barred = sorted_out(
        combats.factions_in(state, combat),
        names.seat_node,
        lambda named: _check_target(draft, target, named),
        lambda node, named: Option(node, names.faction(state, named)),
    )
    return replace(field, options=options, barred=barred, default=names.seat_node(state.groups[target].owner))


def named_faction(draft: Choosing) -> int:
    """Return the seat of the faction to shoot at, out of several ("seat/2"); -1 where it is left out or empty."""
    value = draft.word("faction", "")
    number = names.local_id(value) if value else "-1"
    if number != "-1" and not (number.isascii() and number.isdigit() and len(number) < 3):
        raise field_refused("bad-field", "faction")
    return int(number)


TARGET: Final = (pick("target", _in_sight, _check_target, _odds), option("faction", _factions, auto=True))
"""The fields of a target: a group, and in a combat of several factions one of them."""
SHOOT: Final = Verb(
    Label("shoot", "s", "Shoot", "A group fires all its dice at one group it sees."),
    shoot,
    acting(own, check_shooter),
    *TARGET,
    when=actions_left,
    make=_shot,
    forecast=_forecast,
    counted=lambda draft: counted(draft, "group"),
    gesture=Gesture("group", "target", "group", mark="shot", ends=True),
)
