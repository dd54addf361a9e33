"""Fire support: airstrikes by the status in the air, artillery in the administration phase (AE-SUPPORT-01 to -05)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kit.blanks import Filled, option, template
from engine.kit.rules import Counted, Game, Gesture, IllegalIntent, Label, Pool, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.harm import blasts, casualties
from engine.rulesets.apocalypse_earth.rules.table import sighting
from engine.rulesets.apocalypse_earth.rules.turns import activations, officers
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, able, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.lasting import Mission
from engine.rulesets.apocalypse_earth.state.profiles import SupportCard
from engine.rulesets.apocalypse_earth.state.state import FIRE, Battle, Figure
from engine.rulesets.apocalypse_earth.state.support_events import (
    AirSettled,
    FigureBusy,
    MissionCalled,
    MissionEnded,
    StrikeFlown,
)
from engine.space.terrain import templates
from engine.space.vectors.headings import ANGLES, heading_to
from engine.space.vectors.points import Point, within
from protocol.ids import GroupId
from protocol.scene.fields import Facing, Option, PickOption, Template
from protocol.text import Text

STRIKE: Final = "ae.dice.strike"
ARTILLERY: Final = "ae.dice.artillery"
DISTANCE: Final = "ae.dice.scatter"
SPREAD: Final = "ae.dice.spread"
SAME: Final = 600
"""AE-OPEN-24: points so near to each other are the same."""
AIR: Final = ((4, "aborted", 0), (6, "astray", 2), (9, "near", 1))
GUNS: Final = ((3, "refused", 0), (5, "astray", 2), (8, "near", 1))
"""Greatest totals of a result; what is above is on target. The last number: of an airstrike how often 2D6 cm count, of
artillery the D6 of its scatter."""
STATUS_ROLL: Final = "ae.dice.air"
STATUS: Final = ((7, 3, -3), (4, 1, -1), (1, 0, -1))
"""Least differences of the totals, with what they are worth to the better side and to the other."""


class Call(UnitIntent, frozen=True, tag="ae.call"):
    """Call of fire support on a point; `facing`: the direction of a strip, -1 for away from the caller."""

    card: str
    at: Point
    facing: int = -1


@implements("AE-SUPPORT-01", "AE-SUPPORT-02")
def check_callers(state: Battle, seat: int, id: GroupId) -> list[Figure]:
    """Return the figures of a unit that may call fire support now. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, FIRE)
    forbid(not state.support[seat], "call/no-card")
    found = [] if unit.fired else officers.callers(state, unit)
    forbid(not found, "call/nobody")
    return found


@implements("AE-SUPPORT-01", "AE-SUPPORT-03")
def check_call(state: Battle, seat: int, call: Call) -> tuple[Figure, SupportCard]:
    """Return the caller and the card. Raises IllegalIntent."""
    found = check_callers(state, seat, call.unit)
    forbid(call.card not in state.support[seat] or call.card not in state.resolved.cards, "call/no-card")
    forbid(not _is_on_table(state, call.at), "call/off-table", call.at)
    forbid(call.facing != -1 and call.facing not in ANGLES, "move/turn")
    seeing = [figure for figure in found if sighting.sees_point(state, figure, call.at)]
    forbid(not seeing, "call/no-sight", call.at)
    return seeing[0], state.resolved.cards[call.card]


def _is_on_table(state: Battle, at: Point) -> bool:
    width, height = state.resolved.scenario.size
    return 0 <= at[0] <= width and 0 <= at[1] <= height


@implements("AE-SUPPORT-02", "AE-SUPPORT-03", "AE-OPEN-24")
async def call(game: Game[Battle], seat: Seat, call: Call) -> None:
    """Play a card in place of the caller's fire: aircraft come at once, artillery is on its way."""
    caller, card = check_call(game.state, seat, call)
    calling = activations.start(game, "call", call.unit, step=FIRE)
    game.emit(FigureBusy(caller.id))
    if card.kind == "artillery":
        game.emit(MissionCalled(Mission(seat, call.unit, card.id, call.at)))
    else:
        await _fly(game, seat, call, caller.at, card)
    calling.resolve("done")


def _result(table: tuple[tuple[int, str, int], ...], total: int) -> tuple[str, int]:
    return next(((how, dice) for most, how, dice in table if total <= most), ("on", 0))


@implements("AE-SUPPORT-03", "AE-SUPPORT-05")
async def _fly(game: Game[Battle], seat: Seat, call: Call, origin: Point, card: SupportCard) -> None:
    """Resolve an airstrike."""
    bonus = 0 if card.orbit else modifier(game.state, game.state.side(seat))
    how, times = _result(AIR, game.roll(Pool(2), STRIKE, seat).total + bonus)
    game.emit(StrikeFlown(call.unit, seat, card.id, how))
    if how == "aborted":
        return
    at, before = call.at, game.state.units
    if times:
        at = blasts.scattered(game, seat, origin, at, 2, DISTANCE, times * card.scatter)
    await _land(game, seat, card, at, call.facing if call.facing >= 0 else heading_to(origin, call.at))
    casualties.settle(game, before)


async def _land(game: Game[Battle], seat: Seat, card: SupportCard, at: Point, facing: int = 0) -> None:
    """Land one template of a card; off the table it does nothing."""
    if _is_on_table(game.state, at):
        blast = blasts.circle(card, at, seat)
        if card.template.is_strip:
            blast = blast._replace(shape=templates.box(at, facing, *card.template.strip))
        await blasts.land(game, blast)


@implements("AE-SUPPORT-04", "AE-OPEN-24")
async def land_all(game: Game[Battle]) -> None:
    """Land all artillery that was called in this turn, in the order of play."""
    order = {unit.id: place for place, unit in enumerate(game.state.in_order())}
    for mission in sorted(game.state.missions, key=lambda mission: order[mission.caller]):
        state, seat, at = game.state, Seat(mission.seat), mission.at
        caller, card = state.units[mission.caller], state.resolved.cards[mission.card]
        known = any(turn == state.turn - 1 and within(spot, at, SAME) for turn, spot in state.shelled)
        how, dice = _result(GUNS, game.roll(Pool(2), ARTILLERY, seat).total + known)
        game.emit(MissionEnded(mission, how))
        origin = state.leader(caller).at if caller.figures else at
        if dice:
            at = blasts.scattered(game, seat, origin, at, dice, DISTANCE, card.scatter)
        for number in range(card.templates if how != "refused" else 0):
            astray = card.around or number
            place = blasts.scattered(game, seat, origin, at, card.spread, SPREAD) if astray else at
            await _land(game, seat, card, place)
        casualties.settle(game, state.units)


def _cards(draft: Choosing, field: PickOption) -> PickOption:
    kinds = draft.state.resolved.cards
    own = [kinds[id] for id in dict.fromkeys(draft.state.support[draft.seat]) if id in kinds]
    options = tuple([Option(card.id, Text(card.name), Text(card.text)) for card in own])
    return replace(field, options=options, default=options[0].id if options else "")


def _card(draft: Choosing) -> SupportCard:
    card = draft.state.resolved.cards.get(draft.word("card"))
    if card is None:
        raise IllegalIntent("call/no-card")
    return card


def _spot(draft: Choosing, field: Template) -> Template:
    """Return a field of the point to call on, with the size of the template; by default the nearest enemy in sight."""
    state, unit, shape = draft.state, unit_of(draft), _card(draft).template
    seen = [enemy for enemy in state.enemies(draft.seat) if sighting.sees(state, unit, enemy)]
    nearest = min(seen, key=lambda enemy: sighting.distance(state, unit, enemy), default=unit)
    size = shape.circle or shape.strip[0] // 2
    return replace(field, size=size, start=state.leader(unit).at, default=state.leader(nearest).at)


def _facing(draft: Choosing, field: Facing) -> Facing:
    """Return a field of the direction of a strip, by default away from the caller."""
    at, shape = draft.point("at"), _card(draft).template
    away = heading_to(draft.state.leader(unit_of(draft)).at, at)
    return replace(field, at=at, angles=ANGLES, default=away, box=shape.strip if shape.is_strip else None)


def _call(draft: Choosing) -> Call:
    """Return the call that is filled in; a circle has no direction."""
    facing = draft.number("facing", -1)
    turn = facing if _card(draft).template.is_strip else -1
    return Call(draft.group("unit"), draft.word("card"), draft.point("at"), turn)


def _losses(draft: Choosing) -> Counted | None:
    """Return all units whose losses by an airstrike count."""
    if _card(draft).kind != "air":
        return None
    units = tuple([names.group_node(unit.id) for unit in draft.state.seen(draft.seat)])
    return Counted(units, names.group_node(draft.group("unit")))


CALL: Final = Verb(
    Label(
        "call", "c", "Call fire support", "In place of the officer's fire: aircraft at once, artillery after the turn."
    ),
    call,
    pick("unit", able(check_callers, FIRE)),
    option("card", _cards),
    template("at", _spot),
    Filled(Facing("facing", Text(""), lazy=True, auto=True), how=_facing),
    make=_call,
    counted=_losses,
    gesture=Gesture("unit", "at", "point", 3, "shot"),
)


@implements("AE-SETUP-02", "AE-SUPPORT-05", "AE-SEAT-02")
def roll_off(game: Game[Battle]) -> None:
    """Let each side roll a die and add its best air power rating, where air support and its status are in play."""
    options = game.state.resolved.options
    if not (options.air and options.support):
        return
    totals: dict[int, int] = {}
    for side in game.state.order:
        ratings = {seat: game.state.resolved.forces[seat].air for seat in game.state.seats_of(side)}
        best = max(ratings, key=lambda seat: (ratings[seat], -seat))
        totals[side] = ratings[best] + game.roll(Pool(1), STATUS_ROLL, Seat(best)).total
    game.emit(AirSettled(totals))


@implements("AE-SUPPORT-05")
def modifier(state: Battle, side: int) -> int:
    """Return what the status in the air adds to the dice of a side's airstrikes: against the enemy with the best
    total."""
    if not state.air:
        return 0
    lead = state.air[side] - max(total for other, total in state.air.items() if other != side)
    for least, better, worse in STATUS:
        if abs(lead) >= least:
            return better if lead > 0 else worse
    return 0
