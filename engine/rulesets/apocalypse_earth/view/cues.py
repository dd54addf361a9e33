"""Cues of events whose class does not declare its own: dice, losses, points, the order of play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.rules.events import DiceRolled
from engine.kit.present.cues import Cues, roll
from engine.rulesets.apocalypse_earth.rules.scenario import setup
from engine.rulesets.apocalypse_earth.rules.turns import morale
from engine.rulesets.apocalypse_earth.state import fire_events, names, setup_events, turn_events
from engine.rulesets.apocalypse_earth.state.state import GONE, TABLE, Battle
from protocol.scene.nodes import Cue
from protocol.text import Text, text

SILENT: Final = ("ae.dice.terrain", "ae.order.")
"""Beginnings of the purposes of rolls that nobody is told of."""
TESTS: Final = frozenset({morale.MORALE, morale.AGAIN})
"""Rolls of which each die passes or fails."""
RULES: Final = {morale.MORALE: "AE-MOR-01", morale.AGAIN: "AE-OPEN-07", setup.INITIATIVE: "AE-SETUP-01"}

cues: Final = Cues[Battle](
    {
        **dict.fromkeys(("unit", "target", "captor", "vessel", "by", "caller", "escort"), names.unit),
        "seat": names.army,
        **dict.fromkeys(("figure", "charger", "charged"), names.figure),
        "feature": names.feature,
        "weapon": lambda state, id: Text(state.resolved.weapons[id].name),
        "card": lambda state, id: Text(state.resolved.cards[id].name),
        "power": lambda state, id: Text(state.resolved.powers[id].name),
        "code": lambda state, id: Text(state.resolved.codes[id].name),
    },
    lambda state, unit: state.units[unit].owner,
    {**dict.fromkeys(("figure", "charger", "charged"), names.piece_node), "feature": names.feature_node},
)


@cues.of(DiceRolled)
def _rolled(event: DiceRolled, before: Battle, after: Battle) -> Iterator[Cue]:
    if event.purpose.startswith(SILENT):
        return
    army = names.army(after, event.seat) if event.seat >= 0 else text("ae.name.table")
    yield roll(event, "ae.", army, RULES.get(event.purpose, ""), _outcome(event))


def _outcome(event: DiceRolled) -> tuple[Text, ...]:
    """Return what a roll came to: of dice that count, how many; of a check, whether it is passed."""
    if not event.low:
        return ()
    count = sum(event.low <= face <= event.high for face in event.faces)
    if event.purpose in TESTS:
        return (text("ae.roll.passed" if count == len(event.faces) else "ae.roll.failed"),)
    return (text("ae.roll.count", count=count, dice=len(event.faces)),)


@cues.of(fire_events.FiguresFell)
def _fell(event: fire_events.FiguresFell, before: Battle, after: Battle) -> Iterator[Cue]:
    unit = after.units[event.unit]
    name, count = names.unit(after, unit.id), len(event.figures)
    shown = before.units[unit.id].where == TABLE and not before.units[unit.id].hidden
    pieces = tuple(map(names.piece_node, event.figures)) if shown else ()
    line = text(f"ae.log.fell.{event.how}", unit=name, count=count, left=len(unit.figures))
    yield Cue("casualty", line, "AE-FIRE-07", unit.owner, pieces)
    if unit.where == GONE:
        yield Cue("casualty", text("ae.log.gone", unit=name), "AE-OPEN-27", unit.owner)


@cues.of(fire_events.FigureShaken)
def _shaken(event: fire_events.FigureShaken, before: Battle, after: Battle) -> Iterator[Cue]:
    unit = after.unit_of(event.figure)
    key = "ae.log.shaken" if event.shaken else "ae.log.steady"
    line = text(key, figure=names.figure(after, event.figure), unit=names.unit(after, unit.id))
    about = () if unit.hidden else (names.piece_node(event.figure),)
    yield Cue("note", line, "AE-COH-03", unit.owner, about)


@cues.of(setup_events.OrderSettled)
def _order(event: setup_events.OrderSettled, before: Battle, after: Battle) -> Iterator[Cue]:
    if event.order:
        first = after.seats_of(event.order[0])[0]
        yield Cue("note", text("ae.log.order", army=names.army(after, first)), "AE-SETUP-01", first)


@cues.of(turn_events.PointsEarned)
def _earned(event: turn_events.PointsEarned, before: Battle, after: Battle) -> Iterator[Cue]:
    seat = after.seats_of(event.earned.side)[0]
    what = Text(f"ae.prize.{event.earned.what}")
    line = text("ae.log.earned", army=names.army(after, seat), what=what, points=event.earned.points)
    yield Cue("note", line, "AE-OPEN-27", seat)
