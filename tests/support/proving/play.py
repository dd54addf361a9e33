"""The procedures of a turn."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.rules.audience import Seat, only
from engine.core.rules.defaults import DefaultRules
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.questions import CHOICE, SEALED
from engine.core.rules.system import Intent, Procedure, Turn
from engine.kit.interrupted_moves import walk
from protocol.scene.grid import Cell
from tests.support.proving import asks, events, ground, watching
from tests.support.proving.fire import draw_card, fire, reveal
from tests.support.proving.hexes import neighbours
from tests.support.proving.reacting import Reactions, running
from tests.support.proving.secrets import marker
from tests.support.proving.state import (
    ACTS,
    ANGLES,
    CARDS,
    FLAG,
    FLAG_REACH,
    FLAGS,
    GRID,
    HOMES,
    SMOKE,
    Field,
    Unit,
    free_at_home,
    in_range,
    way_over,
    ways,
)


class ProvingRules(DefaultRules[Field]):
    """Procedures of the proving game."""

    def __init__(self, reactions: Reactions) -> None:
        self._reactions = reactions

    def procedure(self, game: Game[Field], seat: Seat, intent: Intent) -> Procedure:
        match intent:
            case events.Advance():
                return advance(game, seat, intent, self._reactions)
            case events.March():
                return march(game, seat, intent, self._reactions)
            case events.SetFlags():
                return set_flags(game, seat, intent)
            case events.Shift():
                return shift(game, seat, intent)
            case events.Ready():
                return get_ready(game, seat)
            case events.Creep():
                return creep(game, seat, intent)
            case events.Watch():
                return watch(game, seat, intent)
            case events.Face():
                return face(game, seat, intent)
            case events.LaySmoke():
                return lay_smoke(game, seat, intent)
        return next_turn(game)

    def flow(self, game: Game[Field]) -> Procedure | None:
        state = game.state
        if not state.turn and not state.units:
            return set_out(game)
        if state.preparing:
            return begin(game) if len(state.ready) == state.seats else None
        return next_turn(game) if not game.state.over and not game.state.acts else None

    def turn(self, state: Field) -> Mapping[Seat, Turn]:
        if state.preparing and state.units:
            waited = (Seat(seat) for seat in range(state.seats) if seat not in state.ready)
            return {seat: Turn(events.Ready(), apart=True) for seat in waited}
        return {} if state.over or not state.turn else {Seat(state.acting): Turn(events.EndTurn())}


async def set_out(game: Game[Field]) -> None:
    """Place units in the open, then let all hide one each at the same time; deal a card to each."""
    await game.round()
    seats = range(game.state.seats)
    units = tuple(Unit(s * 3 + n, s, HOMES[s][n], "", f"u{s}{n}") for s in seats for n in (0, 1))
    game.emit(events.SetOut((*units, *(ground.hostile_units() if len(seats) == 1 else ()))))
    cells = await game.ask_together({Seat(s): asks.where_to_hide(s) for s in seats}, "hide", SEALED)
    for seat, cell in cells.items():
        unit = seat * 3 + 2
        placed = Unit(unit, seat, cell, game.opaque(f"own/{seat}/{unit}"), strength=2)
        game.emit_split(events.WentDark(marker(unit, seat)), {seat: events.Deployed(placed)})
    game.deck("cards").new(CARDS)
    for holder in seats:
        draw_card(game, holder)
    if not game.state.preparing:
        game.emit(events.TurnBegun())


async def begin(game: Game[Field]) -> None:
    """Begin the first turn once all are ready."""
    game.emit(events.Prepared(), events.TurnBegun())


async def shift(game: Game[Field], seat: Seat, intent: events.Shift) -> None:
    """Move a unit to another free cell at home, once, while one prepares."""
    unit = fresh(game.state, seat, intent.unit)
    if not game.state.preparing or intent.cell not in free_at_home(game.state, seat):
        raise IllegalIntent("way/none")
    game.emit(events.Shifted(unit.id, intent.cell))


async def get_ready(game: Game[Field], seat: Seat) -> None:
    """End one's own time to prepare."""
    if not game.state.preparing:
        raise IllegalIntent("turn/not-yours")
    game.emit(events.Readied(seat))


async def next_turn(game: Game[Field]) -> None:
    """Begin the next seat's turn, or end the game."""
    if game.state.turn >= game.state.turns:
        game.emit(events.Over())
        return
    await game.round()
    if game.state.seats == 1:
        ground.act(game)
    game.emit(events.TurnBegun())


def own(state: Field, seat: Seat, id: int) -> Unit:
    """Return a seat's own unit."""
    unit = state.unit(id)
    if unit is None or unit.owner != seat:
        raise IllegalIntent("unit/none")
    return unit


def fresh(state: Field, seat: Seat, id: int) -> Unit:
    """Return a seat's own unit that may still be activated."""
    unit = own(state, seat, id)
    if unit.spent or unit.hidden:
        raise IllegalIntent("unit/spent")
    return unit


async def advance(game: Game[Field], seat: Seat, intent: events.Advance, chain: Reactions) -> None:
    """Declare the way; reactions that win their test come before it, the others after; then fire."""
    unit = fresh(game.state, seat, intent.unit)
    path = ways(game.state, unit).get(intent.goal)
    if path is None:
        raise IllegalIntent("way/none")
    if intent.facing not in ANGLES:
        raise IllegalIntent("facing/none")
    await along(game, unit, path, intent.facing, chain)


async def march(game: Game[Field], seat: Seat, intent: events.March, chain: Reactions) -> None:
    """Go over corners of one's own choosing."""
    unit = fresh(game.state, seat, intent.unit)
    path = way_over(game.state, unit, intent.corners)
    if path is None:
        raise IllegalIntent("way/none").showing(unit.node, GRID.centre(intent.corners[-1]))
    await along(game, unit, path, unit.facing, chain)


async def along(game: Game[Field], unit: Unit, path: tuple[Cell, ...], facing: int, chain: Reactions) -> None:
    """Follow a way among the reactions of others, then turn and fire."""
    advancing = game.declare("advance", Seat(unit.owner), group=unit.node)
    game.emit(events.Declared(unit.id, path))
    reactions = await chain.declare(game)
    await chain.put_in_order(game)
    for reaction in running(game).reactions:
        await chain.test(game, reaction.unit, reactions[reaction.unit])
    seen = watching.halts(game.state)

    def go(corner: int) -> bool:
        for further in range(running(game).at + 1, corner + 1):
            go_on(game, further)
        return not running(game).broken and running(game).at == corner

    async def meet(corner: int) -> None:
        for won in [r for r in running(game).reactions if r.won and r.at == corner]:
            chain.carry_out(game, won.unit, reactions[won.unit])
        await watching.come_into_view(game, seen.get(corner, ()))

    await walk([*(r.at for r in running(game).reactions if r.won), *seen, len(path) - 1], go, meet)
    if not running(game).broken:
        game.emit(events.Turned(unit.id, facing))
    for late in running(game).reactions:
        chain.carry_out(game, late.unit, reactions[late.unit])
    await split_fire(game)
    await fall_back(game)
    how = "broken" if running(game).broken else "done"
    game.emit(events.Completed())
    advancing.resolve(how)


def go_on(game: Game[Field], corner: int) -> None:
    """Move to this corner of the path; a hidden unit met there is revealed, and bars the way."""
    activation = running(game)
    if activation.broken or activation.at != corner - 1:
        return
    cell = activation.path[corner]
    met = next((u for u in game.state.units if u.hidden and u.cell == cell), None)
    if met is not None:
        reveal(game, met.id)
    elif game.state.open_at(cell) is None:
        game.emit(events.Moved(activation.unit, cell))


async def split_fire(game: Game[Field]) -> None:
    """Fire the active unit's dice, split among all in range as its player likes."""
    unit = game.state.unit(running(game).unit)
    if unit is None or running(game).broken:
        return
    cell = unit.cell
    targets = [
        u
        for u in game.state.units
        if not u.hidden and game.state.hostile(u.owner, unit.owner) and in_range(u.cell, cell)
    ]
    if not targets:
        return
    shares = await game.ask(Seat(unit.owner), asks.split(unit.strength, targets), "split", CHOICE)
    for id, dice in shares.items():
        target = game.state.unit(id)
        if target is not None:
            fire(game, unit, target, dice)


async def fall_back(game: Game[Field]) -> None:
    """Move the active unit out of its place where its nerve failed; a hidden unit met there is revealed, and bars the
    way."""
    unit = game.state.unit(running(game).unit)
    if unit is None or not running(game).broken or not asks.cells_back(game.state, unit):
        return
    cell, facing = await game.ask(Seat(unit.owner), asks.fall_back(game.state, unit), "fall-back", CHOICE)
    met = next((u for u in game.state.units if u.hidden and u.cell == cell), None)
    if met is not None:
        reveal(game, met.id)
    else:
        game.emit(events.FellBack(unit.id, cell, facing))


async def creep(game: Game[Field], seat: Seat, intent: events.Creep) -> None:
    """Move a hidden unit by one cell, unseen."""
    unit = own(game.state, seat, intent.unit)
    if not unit.hidden or unit.crept:
        raise IllegalIntent("unit/spent")
    if intent.cell not in neighbours(GRID, unit.cell) or game.state.open_at(intent.cell) is not None:
        raise IllegalIntent("way/none")
    creeping = game.declare("creep", seat, only(seat), group=unit.node)
    game.emit(events.Crept(unit.id, seat, intent.cell))
    creeping.resolve("done")


async def watch(game: Game[Field], seat: Seat, intent: events.Watch) -> None:
    """Go on overwatch instead of an activation."""
    game.emit(events.WatchBegun(fresh(game.state, seat, intent.unit).id))


async def face(game: Game[Field], seat: Seat, intent: events.Face) -> None:
    """Turn to another facing."""
    unit = own(game.state, seat, intent.unit)
    if unit.hidden or unit.facing == intent.facing or intent.facing not in ANGLES:
        raise IllegalIntent("facing/none")
    game.emit(events.Turned(unit.id, intent.facing))


async def lay_smoke(game: Game[Field], seat: Seat, intent: events.LaySmoke) -> None:
    """Lay a round template within range of a unit in the open; before the first activation of a turn."""
    if not game.state.charges[seat] or game.state.acts < ACTS:
        raise IllegalIntent("smoke/none")
    x, y = intent.at
    reach = 4 * GRID.size + SMOKE
    near = [GRID.centre(unit.cell) for unit in game.state.of(seat, hidden=False)]
    if not any((x - a) ** 2 + (y - b) ** 2 <= reach * reach for a, b in near):
        raise IllegalIntent("smoke/far")
    game.emit(events.SmokeLaid(seat, intent.at))


async def set_flags(game: Game[Field], seat: Seat, intent: events.SetFlags) -> None:
    """Set flags around a unit in the open, once in a game; before the first activation of a turn."""
    unit = next(game.state.of(seat, hidden=False), None)
    if unit is None or game.state.flags[seat] or game.state.acts < ACTS or len(intent.places) != FLAGS:
        raise IllegalIntent("flags/none")
    a, b = GRID.centre(unit.cell)
    reach = FLAG_REACH + 2 * FLAG
    if any((x - a) ** 2 + (y - b) ** 2 > reach * reach for x, y in intent.places):
        raise IllegalIntent("flags/far")
    game.emit(events.FlagsSet(seat, intent.places))
