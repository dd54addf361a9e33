"""Resolution of close combats: targets named together, dice in seat order, casualties, then the aftermath."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.core.rules.questions import SEALED, Ask, pick_one
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.action_cards.rules.board import combats, firepower, weather
from engine.rulesets.action_cards.rules.close_combat.aftermath import aftermath
from engine.rulesets.action_cards.rules.close_combat.damage import fall, strike_of
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.combat_events import CombatFought, CombatStruck, TargetsNamed, combat_by_id
from engine.rulesets.action_cards.state.state import Combat, Skirmish
from protocol.scene.fields import Option
from protocol.text import Text


@implements("AC-HTH-02")
async def resolve(game: Game[Skirmish], combats: Iterable[Combat]) -> None:
    """Resolve these combats: dice and casualties of each in the order they began, then the aftermath of each."""
    order = [combat.id for combat in sorted(combats, key=lambda combat: combat.order)]
    for combat in order:
        await fight(game, combat)
    for combat in order:
        await aftermath(game, combat)


@implements("AC-HTH-03", "AC-HTH-05")
async def after_losses(game: Game[Skirmish]) -> None:
    """End at once the combats in which fewer than two factions are left."""
    for combat in game.state.combats:
        if combats.is_over(game.state, combat):
            await aftermath(game, combat.id)


@implements("AC-HTH-04")
async def fight(game: Game[Skirmish], combat_id: str) -> None:
    """Fight the one round of a combat, if enemies are left in it. Damage is simultaneous: all dice are rolled before
    any figure is removed."""
    combat = combat_by_id(game.state, combat_id)
    if combats.is_over(game.state, combat):
        return
    groups = combat.groups
    fighting = game.declare("combat", Seat(-1), group=names.group_node(groups[0]), foe=names.group_node(groups[-1]))
    standing = len(game.state.figures)
    targets = await name_targets(game, combat)
    game.emit(TargetsNamed(combat_id, targets))
    for seat, target in targets.items():
        roll_close_combat(game, combat_id, Seat(seat), target)
    strikes = combat_by_id(game.state, combat_id).strikes
    for victim in sorted(targets):
        for strike in strikes:
            await fall(game, combat_id, strike, victim)
    game.emit(CombatFought(combat_id))
    fighting.resolve("done", killed=standing - len(game.state.figures))


@implements("AC-HTH-04")
async def name_targets(game: Game[Skirmish], combat: Combat) -> dict[int, int]:
    """Return the target of each faction's dice by seat; asked, sealed and together, where there is a choice."""
    seats = combats.factions_in(game.state, combat)
    foes = {seat: foes_of(game.state, combat, seat) for seat in seats}
    asks = {Seat(seat): _ask_target(game.state, combat, seat) for seat in seats if len(foes[seat]) > 1}
    named: Mapping[Seat, int] = await game.ask_together(asks, "target", SEALED)
    return {seat: named.get(Seat(seat), foes[seat][0]) for seat in seats}


@implements("AC-HTH-04", "AC-OPEN-01")
def foes_of(state: Skirmish, combat: Combat, seat: int) -> list[int]:
    """Return whom a faction may name, from the next seat on: none in a cease-fire with it, unless there is no other."""
    others = [o for o in combats.seats_after(combats.factions_in(state, combat), seat) if state.hostile(o, seat)]
    return [other for other in others if not weather.in_truce(state, seat, other)] or others


@implements("AC-HTH-04")
def likely_target(state: Skirmish, combat: Combat, seat: int) -> int:
    """Return the target of a faction that names none: the one with most figures, of equals the next in seat order."""
    return max(foes_of(state, combat, seat), key=lambda other: len(combats.figures_in(state, combat, other)))


def roll_close_combat(game: Game[Skirmish], combat_id: str, seat: Seat, target: int) -> None:
    """Roll the close combat dice of all figures of a faction in the combat. Removes nobody."""
    state = game.state
    combat = combat_by_id(state, combat_id)
    pool = firepower.close_pool(state, combat, seat)
    roll = pool.roll(game, "dice.close_combat", seat) if pool.count else None
    strike = strike_of(state, combat, seat, target, roll)
    game.emit(CombatStruck(combat_id, strike))


def _ask_target(state: Skirmish, combat: Combat, seat: int) -> Ask[int]:
    options = [Option(names.seat_node(foe), names.faction(state, foe)) for foe in foes_of(state, combat, seat)]
    title = Text("ask.target", {"combat": combat.id})
    ask = pick_one(title, options, names.seat_node(likely_target(state, combat, seat)), "AC-HTH-04")
    return Ask(ask.title, ask.choices, ask.default, lambda reply: int(names.local_id(reply.choice)), ask.rule)
