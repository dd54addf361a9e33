"""Dice in and into close combat: their shares by faction, and the figures that each share kills."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.rules.dice import Roll
from engine.kit.pools import multiples
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.action_cards.rules.board import casualties, combats, cover, table
from engine.rulesets.action_cards.state.combat_events import FireFell, combat_by_id
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.state import Combat, Skirmish, Strike
from protocol.ids import GroupId

Shares = dict[int, tuple[int, ...]]


@implements("AC-HTH-03")
def spread(faces: Sequence[int], target: int, others: Sequence[int]) -> Shares:
    """Share out faces: even ones to the target, odd ones dealt round the others in order; without others, all to it."""
    if not others:
        return {target: tuple(faces)}
    odd = [face for face in faces if face % 2]
    dealt = {other: tuple(odd[place :: len(others)]) for place, other in enumerate(others)}
    return {target: tuple(face for face in faces if face % 2 == 0), **dealt}


def bystanders(state: Skirmish, combat: Combat, target: int, roller: int) -> tuple[int, ...]:
    """Return the factions in the combat that are neither the target nor the roller, in seat order after the target."""
    seats = combats.seats_after(combats.factions_in(state, combat), target)
    return tuple(seat for seat in seats if seat not in (target, roller))


@implements("AC-HTH-04")
def close_kill_number(state: Skirmish, combat: Combat, seat: int) -> int:
    """Return the kill number of a faction on foot against dice from within: in the open, unless it defends a position
    and more than half of its figures in the combat are in it."""
    kill = state.faction(seat).kill
    if seat != combat.defender or combat.defended in state.gone:
        return kill.open
    figures = [figure for group in combats.on_foot(state, combat, seat) for figure in group.figures]
    inside = len(combats.holders(state, combat.defended, figures))
    return kill.number(table.kind(state, combat.defended).cover) if 2 * inside > len(figures) else kill.open


def fire_kill_number(state: Skirmish, combat: Combat, shooters: Sequence[GroupId], seat: int) -> int:
    """Return the kill number of a faction on foot against fire from outside: the highest that more than half of its
    figures in the combat have; of several shooting groups, that of the group for which it is highest."""
    groups = combats.on_foot(state, combat, seat)

    def against(shooter: GroupId) -> int:
        firing = state.groups[shooter].figures
        numbers = [
            number for group in groups for number in [cover.kill_number(state, firing, group.id)] * len(group.figures)
        ]
        return sorted(numbers, reverse=True)[len(numbers) // 2]

    return max(against(shooter) for shooter in shooters)


@implements("AC-HTH-04")
def number_of_vehicle(state: Skirmish, shooters: Sequence[GroupId], id: GroupId) -> int:
    """Return the kill number of a vehicle: the highest for any group that fires from outside; within as in the open."""
    if not shooters:
        return table.kill_of(state, id).open
    return max(cover.kill_number(state, state.groups[shooter].figures, id) for shooter in shooters)


def strike_of(
    state: Skirmish, combat: Combat, seat: int, target: int, roll: Roll | None, shooters: Sequence[GroupId] = ()
) -> Strike:
    """Return the effect of this roll of `seat` on each faction (None: it has no dice), fired by `shooters` from outside
    or rolled within. Each share is divided on its own, and the rest is lost."""
    faces = roll.faces if roll is not None else ()
    kills: dict[int, int] = {}
    wrecks: dict[int, int] = {}
    for victim, share in spread(faces, target, bystanders(state, combat, target, seat)).items():
        fallen, destroyed = falling(state, combat, victim, sum(share), shooters)
        kills[victim] = fallen + destroyed
        if destroyed:
            wrecks[victim] = destroyed
    return Strike(seat, target, roll.id if roll is not None else None, sum(faces), kills, wrecks)


@implements("AC-HTH-04")
def falling(state: Skirmish, combat: Combat, seat: int, total: int, shooters: Sequence[GroupId]) -> tuple[int, int]:
    """Return the figures on foot, and after all of them the vehicles, that so many points remove of a faction."""
    walking = sum(len(group.figures) for group in combats.on_foot(state, combat, seat))
    fallen = 0
    if walking:
        number = fire_kill_number(state, combat, shooters, seat) if shooters else close_kill_number(state, combat, seat)
        fallen = multiples(total, number, walking)
        total -= fallen * number
    wrecks = 0
    for id in combats.vehicles_in(state, combat, seat) if fallen == walking else ():
        total -= number_of_vehicle(state, shooters, id)
        if total < 0:
            break
        wrecks += 1
    return fallen, wrecks


@implements("AC-HTH-03")
async def apply_fire(
    game: Game[Skirmish],
    shooter_seat: Seat,
    combat: Combat,
    target_seat: Seat,
    roll: Roll,
    shooters: tuple[GroupId, ...],
    *,
    inside: bool,
) -> None:
    """Apply a roll shot into a combat, by groups in it (`inside`) or by others; casualties follow at once.

    The caller has checked that they may shoot, and closes ended combats with `resolution.after_losses`.
    """
    state = game.state
    strike = strike_of(state, combat, shooter_seat, target_seat, roll, () if inside else shooters)
    game.emit(FireFell(combat.id, strike))
    for victim in strike.kills:
        await fall(game, combat.id, strike, victim)


async def fall(game: Game[Skirmish], combat_id: str, strike: Strike, victim: int) -> None:
    """Remove what a strike kills of a faction: on foot as its owner chooses, vehicles in the order they came in."""
    combat = combat_by_id(game.state, combat_id)
    walking = [figure for group in combats.on_foot(game.state, combat, victim) for figure in group.figures]
    hulls = [game.state.groups[id].figures[0] for id in combats.vehicles_in(game.state, combat, victim)]
    wrecks = strike.wrecks.get(victim, 0)
    count = min(strike.kills.get(victim, 0) - wrecks, len(walking))
    if count:
        await casualties.remove(game, strike.seat, Seat(victim), walking, count)
    if hulls[:wrecks]:
        game.emit(FiguresRemoved(strike.seat, tuple(hulls[:wrecks])))
