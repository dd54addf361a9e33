"""A faction's card: numbers, figures, weapons, traits and special actions, as they hold in this match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from protocol.scene import Sheet
from protocol.text import Text, text

if TYPE_CHECKING:
    from engine.rulesets.action_cards.state import Skirmish


def faction(state: Skirmish, seat: int) -> Sheet:
    """The card of the faction that a seat plays."""
    return Sheet(Text(state.faction(seat).name), tuple(_lines(state, seat)), seat)


def _lines(state: Skirmish, seat: int) -> Iterator[Text]:
    own, role = state.faction(seat), state.resolved.scenario.roles[seat]
    kill, cards = own.kill, role.cards or own.cards
    yield text("sheet.role", role=Text(role.name), win=role.win)
    yield text("faction.numbers", move=own.move // 100, open=kill.open, cover=kill.cover, building=kill.building)
    yield text("faction.cards", single=cards.single, double=cards.double, triple=cards.triple)
    count = Counter(profile for group in own.force for profile in group)
    for profile in own.profiles:
        yield text(
            "sheet.figure", figure=Text(profile.name), count=count[profile.id], dice=profile.dice, close=profile.close
        )
    for weapon in own.weapons:
        yield text("sheet.weapon", weapon=Text(weapon.name), dice=weapon.dice)
    yield from (Text(f"trait.{trait}") for trait in own.traits)
    yield from (Text(f"{special.name}.hint") for special in own.specials)
