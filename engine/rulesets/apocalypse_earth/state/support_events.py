"""Events of fire support, of specialists and of psychics: air status, missions, medics, radio sets, powers."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import also, drop_first, drop_key, in_turn, inside, its, now, of, sets
from engine.kit.present.cues import happens, says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, UnitEvent, of_figure, of_seat, of_unit
from engine.rulesets.apocalypse_earth.state.lasting import Effect, LostGun, Mission
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId
from protocol.scene.nodes import RollId


class AirSettled(BattleEvent, frozen=True, tag="ae.air_settled"):
    """Totals of the sides for superiority in the air."""

    totals: dict[int, int]
    apply = sets(air=its.totals)


class FigureBusy(BattleEvent, frozen=True, tag="ae.figure_busy"):
    """Work of a figure in place of its fire, in this action."""

    figure: FigureId
    apply = sets(active=inside(busy=also(its.figure)))


def _without_card(state: Battle, seat: int, card: str) -> tuple[tuple[str, ...], ...]:
    """Return the cards of all seats without one; where its kind is not known, without any."""
    own = list(state.support[seat])
    own.remove(card if card in own else "")
    return (*state.support[:seat], tuple(own), *state.support[seat + 1 :])


class StrikeFlown(UnitEvent, frozen=True, tag="ae.strike_flown"):
    """Airstrike by a seat's card; `how`: aborted, astray, near or on."""

    seat: int
    card: str
    how: str
    cue = says("shot", "ae.log.strike.{it.how}", "AE-SUPPORT-03", "unit", "card", seat="seat", about="unit")

    def apply(self, state: Battle) -> Battle:
        return replace(state, support=_without_card(state, self.seat, self.card))


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
        support = _without_card(state, self.mission.seat, self.mission.card)
        return replace(state, support=support, missions=(*state.missions, self.mission))


class MissionEnded(BattleEvent, frozen=True, tag="ae.mission_ended"):
    """End of a mission; `how`: refused (the card is kept), astray, near or on."""

    mission: Mission
    how: str
    cue = says("shot", "ae.log.mission.{it.how}", "AE-OPEN-24", card="mission.card", seat="mission.seat")

    def apply(self, state: Battle) -> Battle:
        own, cards = self.mission, state.support
        if self.how == "refused":
            cards = (*cards[: own.seat], (*cards[own.seat], own.card), *cards[own.seat + 1 :])
        recent = [one for one in state.shelled if one[0] >= state.turn - 1]
        missions = tuple([one for one in state.missions if one != own])
        return replace(state, missions=missions, support=cards, shelled=(*recent, (state.turn, own.at)))


class MedicTended(UnitEvent, frozen=True, tag="ae.medic_tended"):
    """Help of a medic for the first casualty of the turn near him."""

    medic: FigureId
    figure: FigureId
    saved: bool
    cue = happens(("saved", "ae.log.saved", "ae.log.not_saved"), "AE-OPEN-26")
    apply = of("figures", "medic")(tended=now.turn)


class SetTaken(UnitEvent, frozen=True, tag="ae.set_taken"):
    """Radio set taken up by another figure, who works it from a turn on."""

    figure: FigureId
    since: int
    cue = happens("ae.log.set_taken", "AE-OPEN-26")
    apply = in_turn(sets(radio_sets=drop_key(its.unit)), of_figure(radio=its.since))


class GunTaken(UnitEvent, frozen=True, tag="ae.gun_taken"):
    """Gun of a lost gunner taken over by another figure of his unit."""

    figure: FigureId
    gun: LostGun
    cue = happens("ae.log.gun_taken", "AE-OPEN-02", weapon="ae.weapon.{it.gun.weapon}")

    def apply(self, state: Battle) -> Battle:
        one, weapon = state.figures[self.figure], self.gun.weapon
        armed = replace(one, spent=tuple([id for id in one.spent if id != weapon]))
        if not state.guns_of(armed):  # it was never his own
            armed = replace(armed, gun=weapon)
        guns = tuple([gun for gun in state.guns if gun != self.gun])
        return replace(state, guns=guns, figures={**state.figures, one.id: armed})


class PowerTried(UnitEvent, frozen=True, tag="ae.power_tried"):
    """Attempt of a psychic at a power, once a turn for each force."""

    figure: FigureId
    seat: int
    power: str
    roll: RollId
    works: bool
    cue = says(
        "power",
        ("works", "ae.log.power.works", "ae.log.power.fails"),
        "AE-OPEN-25",
        "unit",
        seat="seat",
        about="unit",
        power="ae.power.{it.power}",
    )
    apply = in_turn(of_seat(powers=also(its.power)), sets(active=inside(cast=also(its.figure))))


class Affected(UnitEvent, frozen=True, tag="ae.affected"):
    """Start of an effect on a unit."""

    effect: Effect
    apply = of_unit(effects=also(its.effect))


class EffectSpent(UnitEvent, frozen=True, tag="ae.effect_spent"):
    """End of an effect by its use."""

    power: str
    apply = of_unit(effects=drop_first(its.power, "power"))


class WatchChanged(UnitEvent, frozen=True, tag="ae.watch_changed"):
    """Overwatch of a unit that a power gives or takes."""

    overwatch: bool
    apply = of_unit(overwatch=its.overwatch)


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
