"""Events of moves: marches declared, gone and ended, overwatch set and used."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import its, moves, sets
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, SideEvent, happens, with_unit
from engine.rulesets.apocalypse_earth.state.lasting import March
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId


class MarchBegun(BattleEvent, frozen=True, tag="ae.march_begun"):
    """Declaration of a move: it is public before anybody reacts."""

    march: March
    cue = says(
        "move",
        "ae.log.march.{it.march.how}",
        "AE-MOVE-01",
        unit="march.unit",
        about="march.unit",
        path="march.way",
    )
    apply = sets(march=its.march)


class MarchGone(BattleEvent, frozen=True, tag="ae.march_gone"):
    """Move of a unit's figures along their declared ways, up to these places."""

    unit: GroupId
    places: dict[FigureId, Point]
    apply = moves()


class MarchEnded(BattleEvent, frozen=True, tag="ae.march_ended"):
    """End of a declared move. `spent`: by figure what its way has cost in this action so far."""

    unit: GroupId
    spent: dict[FigureId, int]

    def apply(self, state: Battle) -> Battle:
        active = state.active
        if active is not None and active.unit == self.unit:
            active = replace(active, spent={**active.spent, **self.spent})
        return with_unit(replace(state, march=None, active=active), self.unit, moved=True)


class FiguresMoved(BattleEvent, frozen=True, tag="ae.figures_moved"):
    """Move of figures by the rules: aside, into cover, back into coherency. `why` is a key of `ae.log.moved`."""

    unit: GroupId
    places: dict[FigureId, Point]
    why: str
    cue = happens("ae.log.moved.{it.why}", "AE-MOVE-01")
    apply = moves()


class OverwatchSet(BattleEvent, frozen=True, tag="ae.overwatch_set"):
    """Units on overwatch for the next turn, of those that are not hidden; all others are off it."""

    units: tuple[GroupId, ...]
    cue = says("note", "ae.log.overwatch", "AE-OVER-01", count=lambda event: len(event.units))

    def apply(self, state: Battle) -> Battle:
        units = {id: replace(unit, overwatch=id in self.units) for id, unit in state.units.items()}
        return replace(state, units=units)


class HiddenOnWatch(SideEvent, frozen=True, tag="ae.hidden_on_watch"):
    """Hidden units on overwatch, which their side alone knows."""

    units: tuple[GroupId, ...]

    def apply(self, state: Battle) -> Battle:
        for id in self.units:
            state = with_unit(state, id, overwatch=True)
        return state


class OverwatchUsed(BattleEvent, frozen=True, tag="ae.overwatch_used"):
    """Use of a unit's overwatch, which is its action for the turn; `moves`: it moves once the enemy's action is
    over."""

    unit: GroupId
    moves: bool = False
    cue = happens(("moves", "ae.log.overwatch.moves", "ae.log.overwatch.fires"), "AE-OVER-02")

    def apply(self, state: Battle) -> Battle:
        state = with_unit(state, self.unit, overwatch=False, acted=True, fired=True)
        return replace(state, replies=(*state.replies, self.unit)) if self.moves else state


class ReplyMade(BattleEvent, frozen=True, tag="ae.reply_made"):
    """End of a unit's wait to move by overwatch."""

    unit: GroupId

    def apply(self, state: Battle) -> Battle:
        return replace(state, replies=tuple([id for id in state.replies if id != self.unit]))


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
