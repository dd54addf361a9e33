"""Shipped Special Events: each does what its text says, number by number (AC-OPEN-01)."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest

from engine.rulesets.action_cards.state.model import Effect, EventCard
from tests.support.systems.shipped import shipped_content

# as text/events.toml tells players; lengths in hundredths of an inch, a monster's body is half as wide as its base
EVENTS: Final = {
    "fog": (Effect("weather", sight=1200),),
    "cloudburst": (Effect("weather", sight=1800, move=75),),
    "smoke": (Effect("weather", sight=800, rows=0),),
    "clear_sky": (Effect("lift"),),
    "double_time": (Effect("weather", move=150),),
    "mud": (Effect("weather", move=50),),
    "battle_fury": (Effect("weather", actions=1),),
    "radio_silence": (Effect("weather", actions=-1),),
    "second_wind": (Effect("again", who="last"),),
    "lucky_find": (Effect("again", who="chance"),),
    "lost_orders": (Effect("skip", who="leader"),),
    "crossed_wires": (Effect("reorder"),),
    "long_day": (Effect("refill"),),
    "reinforcements": (Effect("reinforce", who="weakest"),),
    "levies": (Effect("reinforce", most=3),),
    "supply_drop": (Effect("refit", most=2),),
    "field_hospital": (Effect("refit", who="weakest"),),
    "air_strike": (Effect("strike", by="last", dice=12),),
    "stray_rounds": (Effect("strike", groups="open", dice=8),),
    "sniper": (Effect("strike", by="weakest", dice=6, most=1),),
    "ambush": (Effect("strike", who="leader", groups="open", dice=8, stuns=True),),
    "barrage": (Effect("strike", groups="open", each=True, dice=3),),
    "mines": (Effect("danger", radius=300, dice=6, rows=20),),
    "gas": (Effect("danger", radius=400, speed=400, dice=4, rows=4),),
    "beast": (Effect("monster", base=100, radius=200, speed=800, dice=9, rows=5, kill=20, wounds=2),),
    "stray_dogs": (Effect("monster", base=100, radius=250, speed=1200, dice=3, rows=3, kill=9, wounds=3),),
    "crows": (Effect("stun", terrain=("trees", "scrub"), each=True),),
    "flood": (Effect("strike", terrain=("river",), each=True, dice=6), Effect("weather", move=75)),
    "collapse": (Effect("collapse", dice=8),),
    "demolition": (Effect("collapse", by="last", dice=8),),
    "breach": (Effect("clear", terrain=("wall", "wooden_fence", "wire_fence")),),
    "panic": (Effect("rout", groups="weak", each=True),),
    "nerves": (Effect("rout", who="leader", stuns=True),),
    "siren": (Effect("stun"), Effect("reorder")),
    "cease_fire": (Effect("truce"),),
}


@cache
def events() -> dict[str, EventCard]:
    return dict(shipped_content().events)


@pytest.mark.rule("AC-OPEN-01")
@pytest.mark.parametrize("id", EVENTS)
def test_an_event_does_what_its_words_say(id: str) -> None:
    assert events()[id].effects == EVENTS[id]


@pytest.mark.rule("AC-OPEN-01")
def test_every_event_has_its_row() -> None:
    assert events().keys() == EVENTS.keys()
