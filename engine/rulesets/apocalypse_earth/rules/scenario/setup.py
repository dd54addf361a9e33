"""The set-up in its order: terrain, initiative, zones, forces, infiltrators, who goes first (AE-SETUP-01,
AE-TURN-03)."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from msgspec.structs import replace

from engine.core.rules.errors import SetupRefused
from engine.core.rules.questions import pick_one
from engine.kit.rules import Game, Pool, Seat, implements
from engine.kit.units import raised
from engine.rulesets.apocalypse_earth.content import laying
from engine.rulesets.apocalypse_earth.rules.scenario import aid_posts, deployment
from engine.rulesets.apocalypse_earth.rules.support import support
from engine.rulesets.apocalypse_earth.rules.table import zones
from engine.rulesets.apocalypse_earth.rules.turns import turns
from engine.rulesets.apocalypse_earth.state.model import Resolved
from engine.rulesets.apocalypse_earth.state.profiles import UnitProfile
from engine.rulesets.apocalypse_earth.state.setup_events import OrderSettled, PlacingBegun, TerrainLaid, ZoneTaken
from engine.rulesets.apocalypse_earth.state.state import DEPLOY, INFILTRATE, Battle, Figure, SeatState, Unit
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Option
from protocol.text import text

INITIATIVE: Final = "ae.dice.initiative"
ZONE: Final = "ae.zone"
FIRST: Final = "ae.first"
MOST_TIES: Final = 100


@implements("AE-GEN-06", "AE-SEAT-01")
def start(resolved: Resolved, seats: int) -> Battle:
    """Return the state of a match that begins. Raises SetupRefused unless all players are there."""
    wanted = len(resolved.scenario.seats)
    if seats != wanted or len(resolved.forces) != wanted:
        raise SetupRefused(text("ae.setup.seats", seats=wanted, given=seats))
    units: dict[GroupId, Unit] = {}
    figures: dict[FigureId, Figure] = {}
    forces = [force.units for force in resolved.forces]
    sizes = [[len(one.figures) if isinstance(one, UnitProfile) else 1 for one in force] for force in forces]
    for id, seat, entry, own in raised(sizes):
        figures |= {figure: Figure(figure, seat, entry, place) for place, figure in enumerate(own)}
        units[id] = Unit(id, seat, entry, entry + 1, own, len(own), strength=len(own))
    cards = tuple([force.cards for force in resolved.forces])
    # what every seat's picture of the state carries may not name them
    known = replace(resolved, forces=tuple([replace(force, cards=()) for force in resolved.forces]))
    return Battle(known, tuple([SeatState() for _ in range(wanted)]), units, figures, support=cards)


@implements("AE-TURN-03")
async def open_table(game: Game[Battle]) -> None:
    """Lay the terrain, settle initiative and zones, and let the first side deploy."""
    await game.round()
    game.emit(TerrainLaid(laying.lay(game)))
    first, sides = game.state.resolved.scenario.first, _sides(game.state)
    given = (first, *[side for side in sides if side != first])
    game.emit(OrderSettled(given if first >= 0 else tuple(ranked(game, sides))))
    support.roll_off(game)
    await _choose_zones(game)
    _next_deployment(game, DEPLOY)


def _sides(state: Battle) -> list[int]:
    return sorted({state.side(seat) for seat in state.players})


@implements("AE-SETUP-01", "AE-SEAT-02")
def speaker(state: Battle, side: int) -> int:
    """Return the seat that rolls and chooses for a side: that with the highest rating, of equals the lowest."""
    return max(state.seats_of(side), key=lambda seat: (state.resolved.forces[seat].initiative, -seat))


@implements("AE-SETUP-01", "AE-SEAT-04")
def ranked(game: Game[Battle], sides: list[int], tries: int = MOST_TIES) -> list[int]:
    """Return the sides from the highest total of a die and the rating down; those that tie roll again."""
    if len(sides) < 2 or not tries:
        return sides
    totals: dict[int, list[int]] = {}
    for side in sides:
        seat = speaker(game.state, side)
        rating = game.state.resolved.forces[seat].initiative
        totals.setdefault(game.roll(Pool(1), INITIATIVE, Seat(seat)).total + rating, []).append(side)
    return [side for total in sorted(totals, reverse=True) for side in ranked(game, totals[total], tries - 1)]


@implements("AE-SETUP-01", "AE-SEAT-04")
async def _choose_zones(game: Game[Battle]) -> None:
    """Let the sides choose their zones from the highest down; the last one takes what is left, and given ones are
    taken at once."""
    table = zones.zones(game.state)
    given = {seat: plan.zone for seat, plan in enumerate(game.state.resolved.scenario.seats) if plan.zone >= 0}
    for seat, zone in given.items():
        game.emit(ZoneTaken(seat, zone, table[zone].edge))
    free = [*range(len(table))]
    for side in game.state.order if not given else ():
        seats, chosen = game.state.seats_of(side), free[0]
        if len(free) > 1:
            usual = side if side in free and game.state.sides else free[0]
            options = [Option(str(number), text(f"ae.edge.{table[number].edge}")) for number in free]
            ask = pick_one(text("ae.ask.zone"), options, str(usual), "AE-SETUP-01")
            answer = await game.ask(Seat(speaker(game.state, side)), ask, ZONE)
            chosen = int(answer)
        free.remove(chosen)
        game.emit(*[ZoneTaken(seat, chosen, table[chosen].edge) for seat in seats])


@implements("AE-SETUP-01", "AE-SEAT-04")
def deployment_order(state: Battle) -> list[int]:
    """Return the seats in the order in which they deploy: the side that won the initiative last, seat after seat."""
    sides = state.resolved.scenario.deploys or tuple(reversed(state.order))
    return [seat for side in sides for seat in state.seats_of(side)]


@implements("AE-SETUP-01", "AE-SETUP-03")
async def next_deployment(game: Game[Battle]) -> None:
    """Go on once a seat has nothing left to place: the next seat, then infiltrators, then the first turn."""
    _next_deployment(game, game.state.phase)
    if not game.state.placing:
        await aid_posts.mark_posts(game)
        await _choose_first(game)
        await turns.start_turn(game)


def _next_deployment(game: Game[Battle], phase: str) -> None:
    """Begin the placing of the next seat that has anything to place; nobody has where none begins."""
    state, order = game.state, deployment_order(game.state)
    done = state.placed if state.phase == DEPLOY else ()
    stages = [(DEPLOY, seat) for seat in order if phase == DEPLOY and seat not in done]
    stages += [(INFILTRATE, seat) for seat in _infiltration_order(state, order)]
    for stage, seat in stages:
        if units := deployment.to_place(state, seat, late=stage == INFILTRATE):
            game.emit(PlacingBegun(seat, stage, units))
            return


@implements("AE-SETUP-01")
def _infiltration_order(state: Battle, seats: list[int]) -> list[int]:
    """Return the seats as their infiltrators come, from the one after who has just placed: the sides in turn."""
    by_side = [[seat for seat in seats if state.side(seat) == side] for side in dict.fromkeys(map(state.side, seats))]
    order = [seat for round in zip_longest(*by_side) for seat in round if seat is not None]
    start = order.index(state.acting) + 1 if state.phase == INFILTRATE else 0
    return [*order[start:], *order[:start]]


@implements("AE-SETUP-01")
async def _choose_first(game: Game[Battle]) -> None:
    """Let the winner of the initiative choose between going first and second, where there are two sides."""
    state = game.state
    if state.resolved.scenario.first >= 0 or not state.sides:
        return
    options = [Option("first", text("ae.first.first")), Option("second", text("ae.first.second"))]
    ask = pick_one(text("ae.ask.first"), options, "first", "AE-SETUP-01")
    chosen = await game.ask(Seat(speaker(state, state.order[0])), ask, FIRST)
    if chosen == "second":
        game.emit(OrderSettled(tuple(reversed(state.order))))
