"""Events of assaults: charges, combats and those who join them, duels, rounds."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import drop, its, sets
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, happens, of_unit, with_unit
from engine.rulesets.apocalypse_earth.state.lasting import Combat
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId


class ChargeOrdered(BattleEvent, frozen=True, tag="ae.charge_ordered"):
    """Order to a unit to charge: it does not fire in this turn."""

    unit: GroupId
    target: GroupId
    cue = says("move", "ae.log.charge", "AE-ASLT-01", "unit", "target", seat="unit", about="unit target")
    apply = of_unit(fired=True)


class CombatBegun(BattleEvent, frozen=True, tag="ae.combat_begun"):
    """Start of a close combat between two units, which give up overwatch."""

    combat: Combat

    def apply(self, state: Battle) -> Battle:
        for id in self.combat.units:
            state = with_unit(state, id, overwatch=False)
        return replace(state, combats=(*state.combats, self.combat))


class CombatJoined(BattleEvent, frozen=True, tag="ae.combat_joined"):
    """Entry of a unit that charges in to support its side."""

    number: int
    unit: GroupId
    cue = happens("ae.log.joined", "AE-ASLT-10")

    def apply(self, state: Battle) -> Battle:
        combat = state.combat(self.number)
        leads = state.units[combat.chargers[0]].owner
        own = "charged" if state.hostile(leads, state.units[self.unit].owner) else "chargers"
        line = (*getattr(combat, own), self.unit)
        return _with(state, combat, fresh=(*combat.fresh, self.unit), **{own: line})


class LineDrawn(BattleEvent, frozen=True, tag="ae.line_drawn"):
    """Order of a unit's figures for the duels, as its owner gave it; `idle`: those who use a contact weapon in place of
    their first duel."""

    number: int
    unit: GroupId
    figures: tuple[FigureId, ...]
    idle: tuple[FigureId, ...] = ()

    def apply(self, state: Battle) -> Battle:
        combat = state.combat(self.number)
        lines = {**combat.lines, self.unit: self.figures}
        return _with(state, combat, lines=lines, idle=(*combat.idle, *self.idle))


class DuelFought(BattleEvent, frozen=True, tag="ae.duel_fought"):
    """A duel: the totals of a figure of those who began the combat, and of its opponent."""

    number: int
    charger: FigureId
    charged: FigureId
    totals: tuple[int, int]
    cue = says(
        "note",
        ("won", "ae.log.duel.won", "ae.log.duel.lost"),
        "AE-ASLT-05",
        "charger",
        "charged",
        total=lambda event: event.totals[0],
        other=lambda event: event.totals[1],
    )

    @property
    def won(self) -> bool:
        """True where the side that began the combat wins."""
        return self.totals[0] > self.totals[1]

    def apply(self, state: Battle) -> Battle:
        combat = state.combat(self.number)
        return _with(state, combat, fought=(*combat.fought, self.charger, self.charged))


class RoundFought(BattleEvent, frozen=True, tag="ae.round_fought"):
    """End of a round of a combat with the figures that each side lost in it."""

    number: int
    unit: GroupId
    lost: tuple[int, int]
    cue = says(
        "note",
        "ae.log.round",
        "AE-ASLT-08",
        "unit",
        seat="unit",
        about="unit",
        lost=lambda event: event.lost[0],
        killed=lambda event: event.lost[1],
    )

    def apply(self, state: Battle) -> Battle:
        combat = state.combat(self.number)
        return _with(state, combat, rounds=combat.rounds + 1, fresh=(), idle=())


class RoundLost(BattleEvent, frozen=True, tag="ae.round_lost"):
    """Note that a unit had to check its morale for a lost round."""

    number: int
    unit: GroupId

    def apply(self, state: Battle) -> Battle:
        combat = state.combat(self.number)
        losses = {**combat.losses, self.unit: combat.losses.get(self.unit, 0) + 1}
        return _with(state, combat, losses=losses)


class CombatEnded(BattleEvent, frozen=True, tag="ae.combat_ended"):
    """End of a close combat: one side has nobody left in it."""

    number: int
    cue = says("note", "ae.log.combat_ended", "AE-ASLT-10")
    apply = sets(combats=drop(its.number, "number"))


def _with(state: Battle, combat: Combat, **changes: Any) -> Battle:
    """Return the state with some fields of a combat changed."""
    changed = replace(combat, **changes)
    return replace(state, combats=tuple([changed if one is combat else one for one in state.combats]))


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
