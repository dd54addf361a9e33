"""The dearest questions that a player can ask cost so many calls at most; a thousand take about 0.3 ms."""

from __future__ import annotations

from engine.core.rules.audience import Seat
from engine.rulesets.one_page.rules import formations
from engine.rulesets.one_page.rules.flow import VERBS
from engine.rulesets.one_page.state.profiles import Kind
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId
from protocol.scene.fields import PickPoint, Pieces
from tests.support.play.calls import calls_of
from tests.support.systems.battle import battle, row, squad

MOST = 30_000


def facing_many(kind: Kind, *rules: str) -> Battle:
    """Return a table with one unit in a corner, before twenty units of ten."""
    own = squad((400, 300), kind=kind, size=300) if kind == "vehicle" else squad((400, 300), rules=rules)
    others = [squad(*row(10, 1000 + 1500 * (n % 5), 1500 + 900 * (n // 5))) for n in range(20)]
    return battle([own], others)


def test_a_vehicle_is_told_cheaply_whom_it_may_assault() -> None:
    state = facing_many("vehicle")
    asked = calls_of(lambda: VERBS.detail(state, Seat(0), "assault", {"unit": ["group/0.1"]}))
    field = VERBS.detail(state, Seat(0), "assault", {"unit": ["group/0.1"]})
    assert isinstance(field, Pieces)
    assert len(field.options) + len(field.barred) == 20
    assert asked < MOST


def test_a_flier_in_a_corner_is_told_cheaply_where_it_may_end() -> None:
    state = facing_many("infantry", "flying", "fast")
    asked = calls_of(lambda: VERBS.detail(state, Seat(0), "run", {"unit": ["group/0.1"]}))
    assert isinstance(VERBS.detail(state, Seat(0), "run", {"unit": ["group/0.1"]}), PickPoint)
    assert asked < MOST


def test_a_runner_among_many_is_told_cheaply_where_to() -> None:
    own = squad((4800, 3600), rules=("fast",))
    others = [squad(*row(10, 2000 + 1100 * (n % 5), 1500 + 900 * (n // 5))) for n in range(20)]
    state = battle([own], others)
    assert calls_of(lambda: VERBS.detail(state, Seat(0), "run", {"unit": ["group/0.1"]})) < 40_000


def test_places_for_a_unit_in_a_crowd_are_found_cheaply() -> None:
    crowd = [squad(*row(12, 3000 + 1500 * (n % 3), 2000 + 160 * (n // 3))) for n in range(48)]
    state = battle([squad((4500, 3000), *row(4, 4300, 2900))], crowd)
    unit = state.units[GroupId("0.1")]
    assert calls_of(lambda: formations.nearest_stand(state, unit, (4500, 3200), 1200)) < MOST
