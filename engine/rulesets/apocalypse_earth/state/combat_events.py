"""Events of assaults, buildings and fires: charges, combats, duels, collapses, what burns."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import also, drop, in_turn, its, made, of, plus, put, sets, when
from engine.kit.present.cues import happens, says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, UnitEvent, of_unit
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Combat
from engine.rulesets.apocalypse_earth.state.model import Feature
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId

of_combat = of("combats", "number", by="number")


class ChargeOrdered(UnitEvent, frozen=True, tag="ae.charge_ordered"):
    """Order to a unit to charge: it does not fire in this turn."""

    target: GroupId
    cue = says("move", "ae.log.charge", "AE-ASLT-01", "unit", "target", seat="unit", about="unit target")
    apply = of_unit(fired=True)


class CombatBegun(BattleEvent, frozen=True, tag="ae.combat_begun"):
    """Start of a close combat between two units, which give up overwatch."""

    combat: Combat

    def apply(self, state: Battle) -> Battle:
        engaged = {id: replace(state.units[id], overwatch=False) for id in self.combat.units}
        return replace(state, combats=(*state.combats, self.combat), units={**state.units, **engaged})


class CombatJoined(UnitEvent, frozen=True, tag="ae.combat_joined"):
    """Entry of a unit that charges in to support its side."""

    number: int
    charged: bool = False
    cue = happens("ae.log.joined", "AE-ASLT-10")
    apply = in_turn(
        of_combat(fresh=also(its.unit)),
        when("charged", of_combat(charged=also(its.unit)), of_combat(chargers=also(its.unit))),
    )


class LineDrawn(UnitEvent, frozen=True, tag="ae.line_drawn"):
    """Order of a unit's figures for the duels, as its owner gave it; `idle`: those who use a contact weapon in place of
    their first duel."""

    number: int
    figures: tuple[FigureId, ...]
    idle: tuple[FigureId, ...] = ()
    apply = of_combat(lines=put(its.unit, its.figures), idle=plus(its.idle))


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
    apply = of_combat(fought=plus(made(lambda *pair: pair, its.charger, its.charged)))

    @property
    def won(self) -> bool:
        """True where the side that began the combat wins."""
        return self.totals[0] > self.totals[1]


class RoundFought(UnitEvent, frozen=True, tag="ae.round_fought"):
    """End of a round of a combat with the figures that each side lost in it."""

    number: int
    lost: tuple[int, int]
    cue = happens("ae.log.round", "AE-ASLT-08", lost=lambda event: event.lost[0], killed=lambda event: event.lost[1])
    apply = of_combat(rounds=plus(1), fresh=(), idle=())


class RoundLost(UnitEvent, frozen=True, tag="ae.round_lost"):
    """Note that a unit had to check its morale for a lost round."""

    number: int
    apply = of_combat(losses=put(its.unit, plus(1)))


class CombatEnded(BattleEvent, frozen=True, tag="ae.combat_ended"):
    """End of a close combat: one side has nobody left in it."""

    number: int
    cue = says("note", "ae.log.combat_ended", "AE-ASLT-10")
    apply = sets(combats=drop(its.number, "number"))


class BuildingHit(BattleEvent, frozen=True, tag="ae.building_hit"):
    """Hits on a building, of which so many went `through` its armour; `high`: by a weapon of high calibre, for which it
    may collapse."""

    feature: str
    weapon: str
    hits: int
    through: int
    high: bool = False
    cue = says("shot", "ae.log.building", "AE-BLD-02", "feature", "hits", "through")
    apply = when("high", sets(breaches=put(its.feature, plus(its.through))))


def _replaced(event: FeatureChanged | FeatureParted, state: Battle) -> Battle:
    pieces = tuple([one for own in state.features for one in (event.left if own.id == event.feature else (own,))])
    return replace(state, features=pieces, fires=tuple([one for one in state.fires if one.feature != event.feature]))


class FeatureChanged(BattleEvent, frozen=True, tag="ae.feature_changed"):
    """Change of a piece of terrain: it collapses, burns out or is driven down, and nothing of it burns any more.
    `left`: what takes its place; `why` is a key of `ae.log.feature`."""

    feature: str
    left: tuple[Feature, ...]
    why: str
    cue = says("note", "ae.log.feature.{it.why}", "AE-OPEN-28", "feature")
    apply = _replaced


class FeatureParted(BattleEvent, frozen=True, tag="ae.feature_parted"):
    """Division of a long piece of terrain into sections, each of which burns by itself."""

    feature: str
    left: tuple[Feature, ...]
    apply = _replaced


class FireStarted(BattleEvent, frozen=True, tag="ae.fire_started"):
    """Start of a fire; `spread`: from another one."""

    fire: Blaze
    spread: bool = False
    cue = says("note", ("spread", "ae.log.fire.spread", "ae.log.fire.started"), "AE-FIRES-01", feature="fire.feature")
    apply = sets(fires=also(its.fire))


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
