"""Cost of the dearest question of the card game: getting out of a vehicle with several doors."""

from __future__ import annotations

from engine.core.rules.audience import Seat
from engine.rulesets.action_cards.rules.verbs import VERBS
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint
from tests.support.play.calls import calls_of
from tests.support.systems import motors
from tests.support.systems.motors import aboard, with_vehicle
from tests.support.systems.skirmish import Play, area, line_up

MOST = 14_000


def test_getting_out_of_a_vehicle_among_many_is_told_cheaply() -> None:
    enemies = {f"1.{n}": line_up(5, 1200 + 500 * (n % 4), 1600 + 220 * (n // 4)) for n in range(1, 9)}
    woods = [area(f"w{n}", "scrub", 600 + 500 * n, 1300, 900 + 500 * n, 1500) for n in range(4)]
    state = motors.table({"0.1": line_up(4, 400, 1600), **enemies}, woods, cards=("0.triple.1",))
    play = Play(aboard(with_vehicle(state, GroupId("0.9"), "lorry", (1000, 2000)), GroupId("0.1"), FigureId("0.9/1")))
    probe, found = play.match.probe(Seat(0)), list[object]()
    fields = {"group": ["group/0.1"]}
    asked = calls_of(lambda: found.append(VERBS.detail_for(probe, Seat(0), "disembark", fields)))
    field = found[0]
    assert isinstance(field, PickPoint)
    assert len(field.regions) == 2
    assert all(len(one) > 8 for one in field.regions)
    assert asked < MOST, asked
