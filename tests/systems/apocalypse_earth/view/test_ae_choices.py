"""Choices of vehicles, support, powers and those who serve, filled in as a client fills them in (docs/kit.md,
Verbs)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import Intent
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.flow import VERBS
from engine.rulesets.apocalypse_earth.state.lasting import LostGun
from engine.rulesets.apocalypse_earth.state.state import DEPLOY, Battle
from protocol.ids import GroupId
from protocol.limits import Limits
from protocol.scene.fields import AnyField, Assign
from protocol.scene.nodes import Reply
from protocol.wire.codec import decode_message, encode
from protocol.wire.from_server import Proposed
from tests.support.systems.ae_battle import Fight, battle, row, squad, vehicle

FOE = squad(*row(3, 50, 70))


def value_of(field: AnyField) -> Any:
    """Return a field's default as a reply tells it; of a way a place ahead."""
    default = getattr(field, "default", None)
    return [7000, 6000] if field.key == "way" else default


def filled(state: Battle, id: str, **values: Any) -> Intent:
    """Fill a choice in field by field, as far as it may not be left out, and return its intent."""
    choice = next(one for one in VERBS.choices(state, Seat(0)) if one.id == id)
    given: dict[str, Any] = {}
    for field in choice.fields:
        shown = VERBS.detail(state, Seat(0), id, given) if field.lazy else field
        assert shown.key == field.key
        given[field.key] = values.get(field.key, value_of(shown))
    return VERBS.parse(state, Seat(0), Reply(id, given))


STAFF = squad(*row(3, 50, 60), roles={0: ("officer",), 1: ("radio",)})
CALLERS = battle([STAFF], [FOE], support=(("FS-1", "FS-6"), ()))
SEERS = battle([squad(*row(3, 50, 60), roles={0: ("psi_3",)})], [FOE])
ARMED = battle([vehicle((60, 60), weapons=("mg", "hmg127"))], [FOE, squad(*row(3, 70, 70))])
CARS = battle([vehicle((60, 60), traits=("smoke", "bomb")), squad(*row(2, 58, 64))], [FOE])
RIDING = battle([vehicle((60, 60)), squad(*row(2, 60, 60), where="aboard", vessel=GroupId("0.1"))], [FOE])
LOADING = battle(
    [vehicle((60, 6)), squad((0, 0), where="away")], [FOE], phase=DEPLOY, placing=(GroupId("0.2"),), placed=(0,)
)
GUN = battle([squad((60, 60))], [FOE], guns=(LostGun(GroupId("0.1"), "hmg50", (6300, 6000)),))
RADIO = battle([squad((60, 60))], [FOE], radio_sets={GroupId("0.1"): (6300, 6000)})


@pytest.mark.rule("AE-OPEN-16")
@pytest.mark.parametrize(
    ("state", "id", "values"),
    [
        (CALLERS, "call", {"card": "FS-1"}),
        (CALLERS, "call", {"card": "FS-6"}),
        (SEERS, "power", {}),
        (SEERS, "power", {"power": "puppet"}),
        (SEERS, "pyre", {}),
        (CARS, "drive", {}),
        (CARS, "lay_smoke", {}),
        (CARS, "detonate", {}),
        (CARS, "board", {}),
        (RIDING, "get_out", {}),
        (LOADING, "load", {}),
        (RADIO, "take_set", {}),
        (GUN, "take_gun", {}),
    ],
)
def test_each_choice_offers_what_may_be_done(state: Battle, id: str, values: dict[str, Any]) -> None:
    assert Fight(state).may(0, filled(state, id, **values))


@pytest.mark.rule("AE-MOVE-01")
def test_nobody_leads_who_is_not_of_the_unit() -> None:
    state = battle([squad(*row(3, 60, 20))], [squad((60, 90))])
    for lead in ("piece/nobody", "piece/1.1.1"):
        with pytest.raises(IllegalIntent, match="move/lead"):
            VERBS.detail(state, Seat(0), "move", {"unit": ["group/0.1"], "lead": [lead]})


@pytest.mark.rule("AE-FIRE-01")
def test_what_a_vehicle_fires_is_named_as_programs_of_people_take_it() -> None:
    """A name that is not plain is a frame that no client reads, and its player leaves the match over and over."""
    field = VERBS.detail(ARMED, Seat(0), "volley", {"unit": ["group/0.1"]})
    assert isinstance(field, Assign)
    named = Proposed(1, {"unit": ["group/0.1"], field.key: dict(field.default)}, (field,))
    assert decode_message(encode(named), Limits()) == named
    fire = filled(ARMED, "volley", split=dict(field.default))
    assert isinstance(fire, Fire)
    assert {shot.weapon for shot in fire.shots} == {"mg", "hmg127"}
