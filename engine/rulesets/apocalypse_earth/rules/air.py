"""Superiority in the air, settled in the set-up (AE-SETUP-02, AE-SUPPORT-05)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.state.support_events import AirSettled

AIR: Final = "ae.dice.air"
STATUS: Final = ((7, 3, -3), (4, 1, -1), (1, 0, -1))
"""Least differences of the totals, with what they are worth to the better side and to the other."""


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
        totals[side] = ratings[best] + game.roll(Pool(1), AIR, Seat(best)).total
    game.emit(AirSettled(totals))


@implements("AE-SUPPORT-05")
def modifier(state: Battle, side: int) -> int:
    """Return what the status in the air adds to the dice of a side's airstrikes: against the enemy with the best
    total."""
    others = [total for other, total in state.air.items() if other != side]
    if side not in state.air or not others:
        return 0
    lead = state.air[side] - max(others)
    for least, better, worse in STATUS:
        if abs(lead) >= least:
            return better if lead > 0 else worse
    return 0
