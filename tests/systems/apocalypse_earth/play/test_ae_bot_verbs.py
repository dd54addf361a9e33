"""Bots of Apocalypse: Earth do more than move, charge and fire: they ride, lob, blow up, and use all powers."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.core.bots.selfplay import SelfPlay, SelfPlayView
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.rulesets.apocalypse_earth.bots.bot import Level1
from engine.rulesets.apocalypse_earth.bots.level2 import Level2
from engine.rulesets.apocalypse_earth.bots.level3 import Level3
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, LostGun
from engine.rulesets.apocalypse_earth.state.model import Objective
from engine.rulesets.apocalypse_earth.state.profiles import Ability
from engine.rulesets.apocalypse_earth.state.state import ABOARD, BATTLE, MOVE, POWERS, Activation, Battle
from engine.rulesets.apocalypse_earth.system import system
from protocol.ids import GroupId
from protocol.scene.nodes import Reply
from tests.support.systems import ae_shipped
from tests.support.systems.ae_battle import Squad, battle, block, cm, row, squad, vehicle
from tests.support.systems.ae_bots import MATCH, begun, chosen, decided, look_at, view_of

FIRST = GroupId("0.1")
FAR = squad((150, 110), points=1)
ACTS: dict[str, Any] = {"active": Activation(FIRST, MOVE)}
MOVED: dict[str, Any] = {"active": Activation(FIRST, POWERS)}


def rider(**changes: Any) -> Squad:
    """A squad in the second unit of its seat."""
    return squad(*row(3, 30, 20, 0), where=ABOARD, vessel=GroupId("0.2"), **changes)


def deployed(scenario: str) -> SelfPlay[Battle]:
    """Return a match of four that level 2 has set up."""
    raw = msgspec.msgpack.encode(ae_shipped.resolved(scenario))
    play = SelfPlay(Match(system, MATCH, MatchDice(bytes(32), MATCH)), watched=False)
    play.begin(Start(MATCH, 4, raw))
    bots = {Seat(seat): Level2(seat) for seat in range(4)}
    while play.match.state.phase != BATTLE:
        assert play.decide(bots)
    return play


def test_units_whose_way_is_long_start_aboard() -> None:
    play = deployed("the_hummvees:four")
    riding = [unit for unit in play.match.state.units.values() if unit.where == ABOARD]
    assert len(riding) >= 3
    assert {play.match.state.side(unit.owner) for unit in riding} == {0}


def test_those_who_hold_a_place_start_hidden_in_its_buildings() -> None:
    """Those who have to take it stand in the open."""
    play = deployed("loophole:four")
    hidden = {play.match.state.side(unit.owner) for unit in play.match.state.units.values() if unit.hidden}
    assert hidden == {1}


def test_a_hidden_unit_comes_out_to_move() -> None:
    state = battle([squad((20, 20)), squad(*row(3, 60, 20), hidden=True)], [squad((60, 90))])
    reply = chosen(state, Level1(1))
    assert (reply.choice, reply.fields["unit"]) == ("move", ["group/0.2"])


def test_a_bot_does_not_think_again_after_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    play, bot, asked = begun(battle([squad(*row(3, 60, 20))], [FAR])), Level2(1), list[str]()
    detail = SelfPlayView.detail

    async def counted(view: Any, choice: str, fields: Any, *, bare: bool = False) -> Any:
        asked.append(choice)
        return await detail(view, choice, fields, bare=bare)

    monkeypatch.setattr(SelfPlayView, "detail", counted)
    first = decided(play, bot)
    thought = len(asked)
    bot.refused(first, "move/impassable")
    assert decided(play, bot) != first
    assert len(asked) == thought > 0


def test_a_unit_boards_where_its_way_is_long_and_walks_where_it_is_short() -> None:
    for goal, choice in (((170, 60), "board"), ((50, 20), "move")):
        table = {"objectives": (Objective("o", cm(goal)[0], 50),)}
        state = battle([squad(*row(3, 20, 20)), vehicle((24, 25))], [FAR], table=table, **ACTS)
        assert chosen(state, Level2(1)).choice == choice


@pytest.mark.parametrize("level", [Level1, Level2, Level3])
def test_a_unit_gets_out_where_there_is_an_enemy_or_its_vehicle_is_stuck_and_else_rides_on(level: type[Level1]) -> None:
    for foe, hull, choice in (((60, 20), (), "get_out"), ((150, 110), ("whl",), "get_out"), ((150, 110), (), "stand")):
        car = vehicle((30, 20), acted=True)
        state = battle([rider(), car], [squad(foe)])
        wrecked = replace(state.units[GroupId("0.2")], hull=replace(state.units[GroupId("0.2")].hull, codes=hull))
        state = replace(state, units={**state.units, GroupId("0.2"): wrecked})
        reply = chosen(state, level(1))
        assert (reply.choice, reply.fields["unit"]) == (choice, ["group/0.1"])


def test_a_vehicle_is_not_driven_into_what_bars_it() -> None:
    house = block("h", "house", 50, 10, 60, 30)
    look = look_at(battle([vehicle((30, 20))], [FAR], features=[house]))
    car = look.units["group/0.1"]
    assert not look.is_lane(car, (7000, 2000))
    assert look.is_lane(car, (4000, 2000))
    assert look.is_lane(car, (3000, 5000))
    assert not look.is_lane(car, (3000, -500))


def test_grenades_are_lobbed_at_enemies_in_cover_before_the_others_fire() -> None:
    wall = block("ruin", "rubble", 80, 30, 100, 36)
    own = squad(*row(4, 84, 22), arms=[("ar",), ("ar",), ("ar", "fr"), ("ar", "fr")])
    play = begun(battle([own], [squad(*row(8, 82, 32, 2))], features=[wall], **MOVED))
    bot, choices = Level2(1), list[str]()
    while play.match.state.active is not None:
        reply = decided(play, bot)
        choices.append(reply.choice)
        play.submit(Seat(0), reply)
    assert choices == ["lob", "lob", "fire"]


def test_mortars_drop_bombs_on_those_whom_others_see() -> None:
    hall = block("h", "house", 80, 40, 100, 50)
    mortar = squad(*row(3, 86, 12), arms=[("mo60",), ("pi",), ("pi",)])
    state = battle(
        [mortar, squad((86, 56), weapons=("pi",), roles={0: ("radio",)}, acted=True)],
        [squad(*row(6, 84, 75, 2))],
        features=[hall],
        **ACTS,
    )
    reply = chosen(known(state), Level2(1))
    assert (reply.choice, reply.fields.get("weapon")) == ("lob", "mo60")


def test_a_grenade_is_put_into_a_building_full_of_enemies() -> None:
    house = block("house", "house", 84, 40, 96, 50)
    state = battle([squad((90, 39), weapons=("fr",))], [squad(*row(4, 86, 45))], features=[house], **ACTS)
    play, bot = begun(state), Level2(1)
    reply = decided(play, bot)
    assert reply == Reply("place", {"unit": ["group/0.1"], "use": "0.1.1/fr/house"})
    play.submit(Seat(0), reply)
    assert decided(play, bot).choice == "away"


def test_a_figure_that_has_aimed_does_not_aim_again_after_another_reply_was_refused() -> None:
    """The prompt is the same before and after the second figure has aimed."""
    house = block("house", "house", 84, 40, 96, 50)
    own, foe = squad(*row(2, 88, 39), weapons=("fr",)), squad(*row(4, 86, 45))
    play, bot = begun(battle([own], [foe], features=[house], **ACTS)), Level2(1)
    play.submit(Seat(0), decided(play, bot))
    decided(play, bot)
    bot.refused(Reply("fire"), "fire/no-target")
    second, prompt = decided(play, bot), view_of(play, 0).prompt.id
    assert second == Reply("place", {"unit": ["group/0.1"], "use": "0.1.2/fr/house"})
    play.submit(Seat(0), second)
    assert view_of(play, 0).prompt.id == prompt
    assert decided(play, bot).choice == "away"


def asked(state: Battle, order: Reply, secret: int) -> Reply | None:
    """Return what a bot answers to the question that follows its order; None where these dice let it come to none."""
    play = begun(state, secret.to_bytes(32, "big"))
    play.submit(Seat(0), order)
    question = play.match.question
    return decided(play, Level2(1)) if question is not None and Seat(0) in question.asks else None


@pytest.mark.parametrize(("arms", "others", "used"), [("dc", 6, 1), ("dc", 1, 0), ("cu", 2, 2), ("sv", 6, 1)])
def test_charges_in_contact_are_used_where_they_win_something(arms: str, others: int, used: int) -> None:
    """Two bearers in a crowd, or against one man; cutters are used by all."""
    own = squad(*row(2, 60, 60), weapons=(arms,), points=20)
    foe = squad(*row(others, 60, 63, 2.2), fired=True, points=120 if others > 1 else 5)
    state, order = battle([own], [foe]), Reply("charge", {"unit": ["group/0.1"], "target": ["group/1.1"]})
    reply = next(filter(None, (asked(state, order, secret) for secret in range(20))))
    blown = reply.fields.get("blown", [])
    assert isinstance(blown, list)
    assert (reply.choice, len(blown)) == ("line", used)


def test_vehicles_are_charged_by_those_who_carry_something_against_them() -> None:
    for arms, charges in (("dc", True), ("pi", False)):
        state = battle([squad(*row(3, 60, 60), weapons=(arms,))], [vehicle((60, 70), points=150), FAR], **ACTS)
        assert (chosen(state, Level2(1)).choice == "charge") == charges


def test_a_bomb_goes_off_among_enemies() -> None:
    bomb = vehicle((60, 60), weapons=(), places=0, traits=("bomb",), points=30)
    state = battle([bomb], [squad(*row(6, 60, 66), points=90), FAR], **MOVED)
    assert chosen(state, Level2(1)).choice == "detonate"
    assert chosen(battle([bomb], [FAR], **MOVED), Level2(1)).choice == "finish"


def test_smoke_hides_a_vehicle_that_has_nothing_to_fire_at() -> None:
    car = vehicle((60, 60), weapons=(), traits=("smoke",), points=120)
    guns = [squad(*row(3, 60, 85), weapons=("rg",))]
    assert chosen(battle([car], guns, **MOVED), Level2(1)).choice == "lay_smoke"
    assert chosen(battle([car], [FAR], **MOVED), Level2(1)).choice == "finish"


def test_a_set_is_taken_up_while_there_are_cards() -> None:
    for cards, choice in ((("FS-3",), "take_set"), ((), "finish")):
        state = battle([squad((60, 60))], [FAR], radio_sets={FIRST: (6000, 6100)}, support=(cards, ()), **MOVED)
        assert chosen(state, Level2(1)).choice == choice


def test_the_gun_of_a_lost_gunner_is_taken_over() -> None:
    state = battle([squad((60, 60))], [FAR], guns=(LostGun(FIRST, "hmg50", (6000, 6100)),), **MOVED)
    assert chosen(state, Level2(1)).choice == "take_gun"


def test_a_unit_gets_out_of_a_fire() -> None:
    woods = block("w", "woods", 55, 55, 65, 65)
    state = battle([squad((60, 60))], [FAR], features=[woods], fires=(Blaze("w", 1),), **ACTS)
    assert chosen(state, Level1(1)).choice == "escape"


GUNS = squad(*row(6, 86, 70), weapons=("mg",), points=60)
DONE: dict[str, Any] = {"acted": True, "fired": True}


@pytest.mark.parametrize("level", [Level2, Level3])
@pytest.mark.parametrize(
    ("power", "friend", "foe"),
    [
        ("fog_of_mind", squad(*row(6, 86, 36), points=120, **DONE), squad(*row(6, 86, 58), weapons=("mg",))),
        ("shroud", squad(*row(6, 86, 36), points=120, **DONE), GUNS),
        ("frenzy", squad(*row(9, 80, 44), weapons=("bl",), ccr=5), squad(*row(9, 80, 56), ccr=5, points=200, **DONE)),
        ("pyre", squad((86, 30), **DONE), squad(*row(9, 80, 54, 2.1), points=150, weapons=("bl",))),
        ("foresight", squad(*row(6, 86, 36), weapons=("mg",), acted=True), squad(*row(9, 80, 70), points=150)),
        ("puppet", squad((86, 30), **DONE), squad(*row(9, 80, 50), points=150, weapons=("mg",), **DONE)),
        ("far_voice", squad((86, 30), **DONE), squad(*row(3, 80, 90), weapons=("bl",), roles={1: ("radio",)})),
    ],
)
def test_every_power_is_tried_where_it_wins_something(
    level: type[Level2], power: str, friend: Squad, foe: Squad
) -> None:
    """With one power alone, and with nobody whom it helps or harms."""
    assert psychic(level, power, friend, foe).fields.get("power") == power
    assert psychic(level, power, squad((86, 30), **DONE), FAR, "fr").choice == "finish"


def known(state: Battle) -> Battle:
    """Return a table whose lists tell of a psychic and of a radio."""
    told = {"psi_3": 3, "radio": 0}
    gifts = {id: Ability(id, f"ae.ability.{id}", f"ae.ability.{id}.text", 5, psi) for id, psi in told.items()}
    return replace(state, resolved=replace(state.resolved, abilities=gifts))


def psychic(level: type[Level2], power: str, friend: Squad, foe: Squad, *more: str) -> Reply:
    """Return what a bot does with a strong psychic who has tried all powers but one. `more`: weapons beside a blade."""
    seer = squad(*row(3, 86, 40), weapons=("bl", *more), roles={0: ("psi_3",)}, moved=True, points=3)
    state = battle([seer, friend], [foe, squad((150, 112), points=1)], support=((), ("FS-3",)), **MOVED)
    tried = tuple([id for id in state.resolved.powers if id != power])
    return chosen(known(replace(state, seats=(replace(state.seats[0], powers=tried), *state.seats[1:]))), level(1))
