"""Fire and its effects on nerves."""

from __future__ import annotations

from engine.core.rules.audience import Seat, only
from engine.core.rules.dice import Pool
from engine.core.rules.game import Game
from tests.support.proving.events import Broken, CardTaken, Destroyed, Fired, HandGrew, Revealed
from tests.support.proving.state import Field, Unit

FIRE = "pv.fire"


def reveal(game: Game[Field], id: int) -> Unit | None:
    """Reveal the unit and return it."""
    unit = game.state.unit(id)
    if unit is not None and unit.hidden:
        game.emit(Revealed(id, game.opaque(f"shown/{game.state.reveals}")))
    return game.state.unit(id)


def fire(game: Game[Field], firer: Unit, target: Unit, dice: int) -> None:
    """Fire: each 4 or more takes a strength; smoke on the target takes a die."""
    dice -= game.state.smoked(target.cell)
    roll = game.roll(Pool(dice), FIRE, Seat(firer.owner)) if dice > 0 else None
    hits = sum(face >= 4 for face in roll.faces) if roll is not None else 0
    game.emit(Fired(firer.id, target.id, hits, roll.id if roll is not None else None))
    after = game.state.unit(target.id)
    activation = game.state.activation
    active = activation is not None and activation.unit == target.id
    if after is not None and after.strength == 0:
        game.emit(Destroyed(target.id))
        if active:
            game.emit(Broken())
    elif hits and active and game.roll(Pool(1), "pv.nerve", Seat(target.owner)).total <= hits + 1:
        game.emit(Broken())


def draw_card(game: Game[Field], seat: int) -> None:
    """Draw a card into the hand, seen by its owner alone."""
    for card in game.deck("cards").draw(1, only(Seat(seat))):
        game.emit_split(HandGrew(seat), {Seat(seat): CardTaken(seat, card)})
