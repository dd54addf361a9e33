"""Reactions to an activation: declared sealed and together, ordered, interrupted, tested."""

from __future__ import annotations

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.game import Game, Pending
from engine.core.rules.questions import CHOICE, SEALED, Window
from tests.support.proving import asks
from tests.support.proving.events import Answered, CardPlayed, Lapsed, Ordered, Reacting, Tested, WatchEnded
from tests.support.proving.fire import draw_card, fire, reveal
from tests.support.proving.hexes import distance
from tests.support.proving.state import Activation, Field, Unit, in_range


def running(game: Game[Field]) -> Activation:
    """Return the activation that is being resolved."""
    assert game.state.activation is not None
    return game.state.activation


class Reactions:
    """The chain of one activation. Tests replace it by copies that break one promise each."""

    def who_might(self, state: Field) -> list[Seat]:
        """Return the seats that could react by public knowledge: a unit in the open in range, or any in the dark."""
        assert state.activation is not None
        path = state.activation.path
        others = (seat for seat in range(state.seats) if state.hostile(seat, state.acting))
        return [Seat(seat) for seat in others if any(_might(unit, path) for unit in state.of(seat))]

    def window(self, state: Field) -> Window:
        """Return the time for others to think about reacting."""
        return SEALED

    async def declare(self, game: Game[Field]) -> dict[int, Pending[Field]]:
        """Ask all others at once, under seal, for their reactions. Return them by unit: each is to be resolved."""
        reactions: dict[int, Pending[Field]] = {}
        might = self.who_might(game.state)
        said = await game.ask_together(
            {seat: asks.reactions(game.state, seat) for seat in might}, "react", self.window(game.state)
        )
        for declared in said.values():
            for id, at in declared.items():
                unit = reveal(game, id)
                if unit is not None:
                    reactions[id] = game.declare("reaction", Seat(unit.owner), group=unit.node)
                game.emit(Reacting(id, at))
        return reactions

    async def put_in_order(self, game: Game[Field]) -> None:
        """Order the reactions, the nearest first; the active player orders equally near ones."""
        active = game.state.unit(running(game).unit)
        units = [unit for r in running(game).reactions if (unit := game.state.unit(r.unit)) is not None]
        if active is None or len(units) < 2:
            return
        cell = active.cell
        near = sorted(units, key=lambda unit: (distance(unit.cell, cell), unit.owner, unit.shown))
        wanted = await game.ask(Seat(active.owner), asks.order_of(near), "order", CHOICE)
        by_id = {unit.id: unit for unit in near}
        game.emit(Ordered(tuple(sorted(wanted, key=lambda id: distance(by_id[id].cell, cell)))))

    async def test(self, game: Game[Field], id: int, reaction: Pending[Field]) -> None:
        """Test a reaction: overwatch first, then cards, then one die each: the higher acts first, the active unit on a
        tie."""
        await self.interrupt(game, id)
        reacting, active = game.state.unit(id), game.state.unit(running(game).unit)
        if reacting is None or active is None or running(game).broken:
            lapse(game, id, reaction)
            return
        played = await self.cards(game)
        mine = game.roll(Pool(1), "pv.reaction", Seat(reacting.owner)).total
        theirs = game.roll(Pool(1), "pv.activation", Seat(active.owner)).total
        for seat, face in ((reacting.owner, mine), (active.owner, theirs)):
            if face == 1:
                draw_card(game, seat)
        game.emit(Tested(id, mine + played.count("dash") > theirs + played.count("nerve")))

    async def cards(self, game: Game[Field]) -> list[str]:
        """Let each holder of cards play one; the number that each holds is public."""
        holders = {Seat(seat): asks.card(hand) for seat, hand in enumerate(game.state.hands) if hand}
        played = {s: card for s, card in (await game.moment("before-test", holders)).items() if card != "hold"}
        game.emit(*(CardPlayed(seat, card) for seat, card in played.items()))
        return list(played.values())

    async def interrupt(self, game: Game[Field], id: int) -> None:
        """Let a unit of the acting seat on overwatch fire before the reaction is even tested."""
        reacting = game.state.unit(id)
        seat = Seat(game.state.acting)
        if reacting is None:
            return
        cell = reacting.cell
        watchers = [u for u in game.state.of(seat, hidden=False) if u.watching and in_range(u.cell, cell)]
        if not watchers:
            return
        chosen = await game.ask(seat, asks.interruption(watchers, reacting), "overwatch", CHOICE)
        watcher = next((unit for unit in watchers if unit.node == chosen), None)
        if watcher is None:
            return
        mine = game.roll(Pool(1), "pv.overwatch", seat).total + 1
        theirs = game.roll(Pool(1), "pv.reaction", Seat(reacting.owner)).total
        if mine >= theirs:
            fire(game, watcher, reacting, watcher.strength)
        else:
            game.emit(WatchEnded(watcher.id))

    def carry_out(self, game: Game[Field], id: int, reaction: Pending[Field]) -> None:
        """Fire the reaction, where both units are still there and in range."""
        reacting, active = game.state.unit(id), game.state.unit(running(game).unit)
        if reacting is None or active is None or running(game).broken or not in_range(reacting.cell, active.cell):
            lapse(game, id, reaction)
            return
        fire(game, reacting, active, reacting.strength)
        game.emit(Answered(id))
        reaction.resolve("fired")


def lapse(game: Game[Field], id: int, reaction: Pending[Field]) -> None:
    """End a declared reaction that comes to nothing."""
    game.emit(Lapsed(id))
    reaction.resolve("lapsed")


def _might(unit: Unit, path: tuple[tuple[int, int], ...]) -> bool:
    return unit.hidden or (not unit.spent and any(in_range(unit.cell, cell) for cell in path))
