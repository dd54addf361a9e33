"""The stages of a battle: roll-off, deployment, rounds, arrivals, the end (OP-SETUP-03, OP-ACT-01, OP-ACT-02)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.errors import SetupRefused
from engine.core.rules.questions import pick_one
from engine.kit.pools import DieTest
from engine.kit.rules import Game, Intent, Pool, Seat, implements
from engine.kit.units import raised
from engine.rulesets.one_page.content import laying
from engine.rulesets.one_page.rules import activations, deployment, psychic, traits
from engine.rulesets.one_page.state import events, profiles as rules
from engine.rulesets.one_page.state.model import SEATS, Resolved
from engine.rulesets.one_page.state.placing_events import PlacingBegun, SidesTaken, TerrainLaid
from engine.rulesets.one_page.state.state import AWAY, RESERVE, Battle, Figure, SeatState, Unit
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Option
from protocol.text import text

ROUNDS: Final = 6
ROLL_OFF: Final = "op.dice.roll_off"
POWER_DICE: Final = "op.dice.power_dice"
RESERVES: Final = "op.dice.reserves"
SIDE: Final = "op.side"
ARRIVES: Final = DieTest(4)
MOST_TIES: Final = 100


def start(resolved: Resolved, seats: int) -> Battle:
    """Return the state before anything has happened. Raises SetupRefused unless all players are there."""
    wanted = len(resolved.scenario.sides) or SEATS
    if seats != wanted or len(resolved.forces) != wanted:
        raise SetupRefused(text("op.setup.seats", seats=wanted, given=seats))
    units: dict[GroupId, Unit] = {}
    figures: dict[FigureId, Figure] = {}
    for id, seat, entry, own in raised([[len(unit.arms) for unit in force.units] for force in resolved.forces]):
        figures |= {figure: Figure(figure, seat, entry, place) for place, figure in enumerate(own)}
        size = len(own) if len(own) > 1 else resolved.forces[seat].units[entry].profile.tough
        units[id] = Unit(id, seat, entry, entry + 1, own, size)
    return Battle(resolved, tuple([SeatState() for _ in range(wanted)]), units, figures)


@implements("OP-SETUP-02", "OP-SETUP-03")
async def open_table(game: Game[Battle]) -> None:
    """Lay the terrain and roll off; the winner chooses a side and deploys first."""
    await game.round()
    game.emit(TerrainLaid(laying.lay(game)))
    seat = roll_off(game)
    options = [Option(side, text(f"op.side.{side}")) for side in ("south", "north")]
    side = await game.ask(Seat(seat), pick_one(text("op.ask.side"), options, "south", "OP-SETUP-03"), SIDE)
    game.emit(SidesTaken(seat, side))
    deployment.begin(game, seat, "deploy")


@implements("OP-SETUP-03")
def roll_off(game: Game[Battle]) -> int:
    """Roll a die for each side until they differ, and return the winner's first seat; after MOST_TIES ties seat 0."""
    leaders = game.state.leaders
    for _ in range(MOST_TIES):
        faces = [game.roll(Pool(1), ROLL_OFF, Seat(seat)).total for seat in leaders]
        if faces[0] != faces[1]:
            return leaders[faces.index(max(faces))]
    return leaders[0]


@implements("OP-SETUP-03", "OP-SR-17")
async def next_deployment(game: Game[Battle]) -> None:
    """Begin the next deployment: the other player's, then Scouts in the order of a roll-off; then the first round."""
    state = game.state
    if len(state.placed) < len(state.seats):
        following = state.side_by_side(state.placed[0])[len(state.placed)]
        deployment.begin(game, following, state.phase)
        return
    if state.phase == "deploy":
        scouting = [seat for seat in state.players if deployment.to_place(state, seat, "scouts")]
        is_open = any(state.hostile(scouting[0], seat) for seat in scouting[1:])
        first = roll_off(game) if is_open else (scouting or [state.first])[0]
        deployment.begin(game, first, "scouts")
        return
    await start_round(game)


@implements("OP-ACT-02", "OP-SR-14")
async def start_round(game: Game[Battle]) -> None:
    """Start a round: the player who finished first goes first; power dice are rolled, then the dice for reserves."""
    await game.round()
    state = game.state
    first = next((seat for seat in state.players if state.seats[seat].rank == 1), state.first)
    dice = tuple([_power_dice(game, Seat(seat)) for seat in state.players])
    game.emit(events.RoundStarted(first, dice))


@implements("OP-SR-14")
def _power_dice(game: Game[Battle], seat: Seat) -> int:
    levels = psychic.levels(game.state, seat)
    return psychic.pool_size(game.roll(Pool(1), POWER_DICE, seat).total, levels) if levels else 0


@implements("OP-SR-02", "OP-SETUP-03")
def _arrivals(game: Game[Battle], seat: int) -> None:
    """Roll from round 2 on for each unit that can Deep Strike; units that found no room before come in without a
    roll."""
    coming: list[GroupId] = []
    for unit in game.state.units_of(seat, RESERVE) if game.state.round > 1 else ():
        deep = traits.has(game.state, unit, rules.DEEP_STRIKE)
        if not deep or ARRIVES.passed(game.roll(ARRIVES.pool(1), RESERVES, Seat(seat)).total):
            coming.append(unit.id)
    game.emit(PlacingBegun(seat, "reserves", tuple(coming)))


@implements("OP-SR-02", "OP-ACT-02")
async def next_arrivals(game: Game[Battle]) -> None:
    """Let the other player place arrivals; once both have, let the battle go on."""
    state = game.state
    if len(state.placed) < len(state.seats):
        _arrivals(game, state.side_by_side(state.first)[len(state.placed)])
    else:
        game.emit(events.BattleJoined(state.first))


@implements("OP-ACT-02")
def out_now(state: Battle) -> list[int]:
    """Return the players who have just run out of units to activate, this round's first player first."""
    order = (state.first, *state.after(state.first)[:-1])
    return [seat for seat in order if not state.seats[seat].rank and not activations.waiting(state, seat)]


@implements("OP-ACT-01", "OP-ACT-02")
async def go_on(game: Game[Battle]) -> None:
    """Go on between two activations: record players who ran out of units, pass the turn, or begin the next round."""
    for seat in out_now(game.state):
        game.emit(events.RanOut(seat))
    state = game.state
    if not any(activations.waiting(state, seat) for seat in state.players):
        if state.round >= ROUNDS:
            game.emit(events.BattleEnded("rounds"))
        else:
            await start_round(game)
    elif not activations.waiting(state, state.acting):
        game.emit(events.TurnPassed(activations.next_player(state, state.acting)))


@implements("OP-ACT-02", "OP-SETUP-04")
def beaten(state: Battle) -> bool:
    """Tell if a side has no unit left on the table, aboard or in reserve, or, before the first round, to deploy."""
    deploys = state.round == 0
    left = [seat for seat in state.players if any(deploys or unit.where != AWAY for unit in state.own(seat))]
    return not any(state.hostile(left[0], seat) for seat in left)


class ConcedeBattle(Intent, frozen=True, tag="op.concede"):
    """Departure of a player's whole army from the table."""


async def concede(game: Game[Battle], seat: Seat, intent: ConcedeBattle) -> None:
    """Remove all units of a player; without an ally that ends the battle."""
    for unit in list(game.state.own(seat)):
        game.emit(events.ModelsRemoved(unit.id, unit.figures, "left"))
    if beaten(game.state):
        game.emit(events.BattleEnded("left"))
