"""Events of fire support and of those who serve: air status, cards, missions, medics, radio sets."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import its, sets
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, happens
from engine.rulesets.apocalypse_earth.state.lasting import Mission
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId


class AirSettled(BattleEvent, frozen=True, tag="ae.air_settled"):
    """Totals of the sides for superiority in the air."""

    totals: dict[int, int]
    apply = sets(air=its.totals)


class FigureBusy(BattleEvent, frozen=True, tag="ae.figure_busy"):
    """Work of a figure in place of its fire, in this action."""

    figure: FigureId

    def apply(self, state: Battle) -> Battle:
        if state.active is None:
            return state
        return replace(state, active=replace(state.active, busy=(*state.active.busy, self.figure)))


def without_card(state: Battle, seat: int, card: str) -> tuple[tuple[str, ...], ...]:
    """Return the cards of all seats without one; where its kind is not known, without any."""
    own = list(state.support[seat])
    own.remove(card if card in own else "")
    return tuple([tuple(own) if other == seat else cards for other, cards in enumerate(state.support)])


class StrikeFlown(BattleEvent, frozen=True, tag="ae.strike_flown"):
    """Airstrike by a seat's card; `how`: aborted, astray, near or on."""

    unit: GroupId
    seat: int
    card: str
    how: str
    cue = says("shot", "ae.log.strike.{it.how}", "AE-SUPPORT-03", "unit", "card", seat="seat", about="unit")

    def apply(self, state: Battle) -> Battle:
        return replace(state, support=without_card(state, self.seat, self.card))


class MissionCalled(BattleEvent, frozen=True, tag="ae.mission_called"):
    """Artillery on its way: everyone sees where it is to land."""

    mission: Mission
    barrier = "revealed"
    cue = says(
        "note",
        "ae.log.mission",
        "AE-OPEN-24",
        unit="mission.caller",
        card="mission.card",
        seat="mission.seat",
        about="mission.caller",
    )

    def apply(self, state: Battle) -> Battle:
        called = self.mission
        support = without_card(state, called.seat, called.card)
        return replace(state, support=support, missions=(*state.missions, called))


class MissionEnded(BattleEvent, frozen=True, tag="ae.mission_ended"):
    """End of a mission; `how`: refused (the card is kept), astray, near or on."""

    mission: Mission
    how: str
    cue = says("shot", "ae.log.mission.{it.how}", "AE-OPEN-24", card="mission.card", seat="mission.seat")

    def apply(self, state: Battle) -> Battle:
        own, cards = self.mission, state.support
        if self.how == "refused":
            kept = (*cards[own.seat], own.card)
            cards = tuple([kept if seat == own.seat else other for seat, other in enumerate(cards)])
        recent = [one for one in state.shelled if one[0] >= state.turn - 1]
        shelled = (*recent, (state.turn, own.at))
        return replace(
            state, missions=tuple([one for one in state.missions if one != own]), support=cards, shelled=shelled
        )


class MedicTended(BattleEvent, frozen=True, tag="ae.medic_tended"):
    """Help of a medic for the first casualty of the turn near him."""

    medic: FigureId
    figure: FigureId
    unit: GroupId
    saved: bool
    cue = happens(("saved", "ae.log.saved", "ae.log.not_saved"), "AE-OPEN-26")

    def apply(self, state: Battle) -> Battle:
        own = replace(state.figures[self.medic], tended=state.turn)
        return replace(state, figures={**state.figures, self.medic: own})


class SetTaken(BattleEvent, frozen=True, tag="ae.set_taken"):
    """Radio set taken up by another figure, who works it from the next turn on."""

    unit: GroupId
    figure: FigureId
    cue = happens("ae.log.set_taken", "AE-OPEN-26")

    def apply(self, state: Battle) -> Battle:
        left = {id: at for id, at in state.radio_sets.items() if id != self.unit}
        own = replace(state.figures[self.figure], radio=state.turn + 1)
        return replace(state, radio_sets=left, figures={**state.figures, self.figure: own})


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
