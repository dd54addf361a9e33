"""Exact odds of a round of close combat: the figures of both sides that fall in its duels (AE-ASLT-05, AE-ASLT-06)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from engine.kit import distributions
from engine.kit.distributions import Distribution
from engine.kit.rules import implements
from engine.rulesets.apocalypse_earth.rules.assault import duels
from engine.rulesets.apocalypse_earth.rules.assault.duels import Duel
from engine.rulesets.apocalypse_earth.state.lasting import Combat
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId

Fallen = frozenset[FigureId]


@implements("AE-ASLT-07", "AE-ASLT-09")
def fallen(state: Battle, combat: Combat) -> tuple[Distribution, Distribution]:
    """Return the distributions of the figures that fall in the duels of the next round of a combat: of those who began
    it, and of those who were charged. What comes of the checks afterwards is left out."""
    places: list[list[Duel]] = []
    for duel in duels.pairing(state, combat):
        if not (duel.charger_follows or duel.charged_follows):
            places.append([])  # the next two of both lines meet
        places[-1].append(duel)
    chances = [_place_chances(state, combat, place) for place in places]
    began = [_count(found, {duel.charger for duel in place}) for found, place in zip(chances, places, strict=True)]
    others = [_count(found, {duel.charged for duel in place}) for found, place in zip(chances, places, strict=True)]
    return distributions.summed(began), distributions.summed(others)


def _place_chances(state: Battle, combat: Combat, place: Sequence[Duel]) -> dict[Fallen, Fraction]:
    """Return the chances of who falls at one place of the line, where some take on the same opponent in turn."""
    found: dict[Fallen, Fraction] = {frozenset(): Fraction(1)}
    for duel in place:
        pair = {duel.charger, duel.charged}
        if pair.intersection(combat.idle):
            continue
        ahead = duels.bonus(state, combat, duel.charger, duel.charger_follows)
        ahead -= duels.bonus(state, combat, duel.charged, duel.charged_follows)
        won, after = duels.chance(ahead), dict[Fallen, Fraction]()
        for down, chance in found.items():
            ends = [(down, chance)]
            if not pair & down:
                ends = [(down | {duel.charged}, chance * won), (down | {duel.charger}, chance * (1 - won))]
            for end, share in ends:
                after[end] = after.get(end, Fraction(0)) + share
        found, combat = after, replace(combat, fought=(*combat.fought, *pair))
    return found


def _count(found: dict[Fallen, Fraction], own: set[FigureId]) -> Distribution:
    """Return the distribution of how many of these figures fall."""
    chances: dict[int, Fraction] = {}
    for down, chance in found.items():
        chances[len(down & own)] = chances.get(len(down & own), Fraction(0)) + chance
    return distributions.of_chances(chances)
