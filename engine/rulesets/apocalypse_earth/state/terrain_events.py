"""Events of terrain: hits on buildings, their collapse, fires that start, spread and go out."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import also, its, sets
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent
from engine.rulesets.apocalypse_earth.state.lasting import Blaze
from engine.rulesets.apocalypse_earth.state.model import Feature
from engine.rulesets.apocalypse_earth.state.state import Battle


class BuildingHit(BattleEvent, frozen=True, tag="ae.building_hit"):
    """Hits on a building, of which so many went `through` its armour; `high`: by a weapon of high calibre, for which it
    may collapse."""

    feature: str
    weapon: str
    hits: int
    through: int
    high: bool = False
    cue = says("shot", "ae.log.building", "AE-BLD-02", "feature", "hits", "through")

    def apply(self, state: Battle) -> Battle:
        if not self.high or not self.through:
            return state
        breaches = {**state.breaches, self.feature: state.breaches.get(self.feature, 0) + self.through}
        return replace(state, breaches=breaches)


class FeatureChanged(BattleEvent, frozen=True, tag="ae.feature_changed"):
    """Change of a piece of terrain: it collapses or burns out, and nothing of it burns any more. `kind` "": it is open
    ground from now on; `why` is a key of `ae.log.feature`."""

    feature: str
    kind: str
    why: str
    cue = says("note", "ae.log.feature.{it.why}", "AE-OPEN-28", "feature")

    def apply(self, state: Battle) -> Battle:
        old = next(one for one in state.features if one.id == self.feature)
        new = (Feature(old.id, self.kind, old.outline),) if self.kind else ()
        features = tuple([one for own in state.features for one in (new if own.id == self.feature else (own,))])
        return replace(state, features=features, fires=tuple([f for f in state.fires if f.feature != self.feature]))


class FeatureParted(BattleEvent, frozen=True, tag="ae.feature_parted"):
    """Division of a long piece of terrain into sections, each of which burns by itself."""

    feature: str
    parts: tuple[Feature, ...]

    def apply(self, state: Battle) -> Battle:
        return replace(
            state,
            features=tuple(
                [one for own in state.features for one in (self.parts if own.id == self.feature else (own,))]
            ),
        )


class FireStarted(BattleEvent, frozen=True, tag="ae.fire_started"):
    """Start of a fire; `spread`: from another one."""

    fire: Blaze
    spread: bool = False
    cue = says("note", ("spread", "ae.log.fire.spread", "ae.log.fire.started"), "AE-FIRES-01", feature="fire.feature")
    apply = sets(fires=also(its.fire))


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
