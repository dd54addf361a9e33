"""Special Events: the draw, their factions, and each kind of effect."""

from __future__ import annotations

import math

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import CardDrawn, DeckShuffled
from engine.core.rules.system import Intent, all_parts
from engine.rulesets.action_cards.rules.board import table as lookup, weather
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move, allowance_of
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.special_events import event_arrivals, event_choices
from engine.rulesets.action_cards.rules.verbs import VERBS
from engine.rulesets.action_cards.state.event_facts import (
    EventOver,
    EventShown,
    EventStruck,
    GroupArrived,
    LastingEnded,
)
from engine.rulesets.action_cards.state.events import RowLaid
from engine.rulesets.action_cards.state.model import Condition, Effect, EventCard, Special, Zone
from engine.rulesets.action_cards.state.state import Danger, Lasting, Skirmish
from engine.rulesets.action_cards.view import scene
from engine.space.terrain.contact import gap
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint
from protocol.scene.nodes import Row
from tests.support.systems import skirmish
from tests.support.systems.eventful import GROUPS, ROW, happen, table, with_open
from tests.support.systems.skirmish import DALEKS, MILITIA, SPUGS, UNIT, Play, area, barrier, line_up

GROUP_1_1 = GroupId("1.1")
GROUP_0_1 = GroupId("0.1")
FIGURE_1_1_1 = FigureId("1.1/1")

opened = pytest.mark.rule("AC-OPEN-01")


def refusal(play: Play, seat: int, intent: Intent) -> str:
    with pytest.raises(IllegalIntent) as refused:
        play.do(seat, intent)
    return refused.value.refusal.code


# Which event comes


def mixed(face_down: bool) -> Skirmish:
    mix = tuple(EventCard(f"e{n}", "event.e", "event.e.text", (Effect("lift"),)) for n in range(3))
    return setup.start(skirmish.resolved((UNIT, DALEKS), mix=mix, face_down=face_down), 2)


@pytest.mark.rule("AC-DECK-01")
def test_an_open_event_card_shows_in_the_row_what_it_is() -> None:
    """In sorted order the four first cards of the deck are those of seat 0: so many rows later come the events."""
    play = Play(mixed(False))
    while not any(card.kind == "event" for card in play.state.row):
        play.do(play.match.may_act()[0], EndCard())
    laid = play.events(RowLaid)[-1]
    shown = [card.event for card in laid.cards if card.kind == "event"]
    assert shown
    assert all(shown)
    drawn = [card.card for card in play.events(CardDrawn) if card.deck == "events"]
    assert drawn == shown


@pytest.mark.rule("AC-DECK-01", "AC-DECK-02")
def test_a_face_down_event_card_shows_its_face_when_its_turn_comes() -> None:
    play = Play(mixed(True))
    while not any(card.kind == "event" for card in play.state.row):
        play.do(play.match.may_act()[0], EndCard())
    assert [card.event for card in play.state.row if card.kind == "event" and card.state == "waiting"].count("") >= 1
    while not play.events(EventShown):
        play.do(play.match.may_act()[0], EndCard())
    assert play.events(EventShown)[0].event in {"e0", "e1", "e2"}


@pytest.mark.rule("AC-DECK-01")
def test_events_are_shuffled_again_when_all_have_come() -> None:
    state = with_open(table(Effect("lift"), row=("0.single.1", "event.1", "event.2", "0.single.2")))
    play = happen(state)
    assert [shown.event for shown in play.events(EventShown)] == ["it", "it"]
    assert [deck.deck for deck in play.events(DeckShuffled)].count("events") == 2
    assert [over.idle for over in play.events(EventOver)] == [True, True]
    assert play.state.discard[-2:] == ("event.1", "event.2")


# Whom it is about


def standing(**removed: int) -> Skirmish:
    """Return a state in which seat 0 leads by its condition; seat 1 has one of three figures left, seat 2 all four."""
    groups = {"0.1": GROUPS["0.1"], "1.1": GROUPS["1.1"][:1], "2.1": GROUPS["2.1"]}
    lead = Condition("c", "survive", "c", "c", goal=1)
    roles = (skirmish.role(lead), skirmish.role(left=2400), skirmish.role(left=4800))
    return table(Effect("lift"), groups=groups, roles=roles)


@opened
@pytest.mark.parametrize(
    ("word", "seats"), [("all", (0, 1, 2)), ("leader", (0,)), ("last", (1,)), ("weakest", (1,)), ("next", (1,))]
)
def test_words_for_factions(word: str, seats: tuple[int, ...]) -> None:
    """A card of seat 1 follows the event card in the row."""
    play = Play(standing())
    state = with_open(play.state, current=1)
    assert event_choices.meant(state, word) == seats
    assert event_choices.standing_of(state, 1) == (0, 33)


@opened
@pytest.mark.parametrize(
    ("groups", "found"), [("any", ("0.1", "1.1", "2.1")), ("open", ("1.1", "2.1")), ("covered", ("0.1",))]
)
def test_words_for_groups(groups: str, found: tuple[str, ...]) -> None:
    state = table(Effect("lift"), features=[area("wood", "trees", 0, 800, 900, 1200)])
    assert event_choices.groups(state, Effect("stun", groups=groups), (0, 1, 2)) == found
    assert event_choices.groups(state, Effect("stun", terrain=("trees",)), (0, 1, 2)) == ("0.1",)
    assert event_choices.groups(state, Effect("stun", groups="weak"), (0, 1, 2)) == ("2.1",)  # 4 of 12
    assert event_choices.groups(state, Effect("stun", groups="large"), (0, 1)) == ("0.1", "1.1")


# What holds for a while


@pytest.mark.rule("AC-DECK-02")
@opened
def test_weather_shortens_sight_and_moves_and_is_over_after_its_row() -> None:
    near = {**GROUPS, "1.1": line_up(3, 300, 1900)}
    play = happen(table(Effect("weather", sight=800, move=50), groups=near), *(1,) * 18)
    assert (weather.sight_limit(play.state), allowance_of(play.state, play.state.groups[GROUP_1_1])) == (800, 400)
    assert refusal(play, 1, Shoot(GROUP_1_1, GROUP_0_1)) == "shoot/too-far-to-see"
    assert refusal(play, 1, Move(GROUP_1_1, FIGURE_1_1_1, (300, 2400))) == "move/too-far"
    play.do(1, Move(GROUP_1_1, FIGURE_1_1_1, (300, 1750))).do(1, Shoot(GROUP_1_1, GROUP_0_1)).expire()
    play.do(2, EndCard()).do(0, EndCard())
    assert play.state.turn == 2
    assert weather.sight_limit(play.state) == 800
    while play.state.turn == 2:
        play.do(play.match.may_act()[0], EndCard())
    assert [ended.event for ended in play.events(LastingEnded)] == ["it"]


@opened
def test_a_card_gives_more_or_fewer_actions_but_never_none() -> None:
    fewer = happen(table(Effect("weather", actions=-1)))
    assert fewer.state.left == 1
    fewer.do(1, EndCard())
    assert (fewer.match.may_act(), fewer.state.left) == ((2,), 1)  # a single card: its last action is not taken
    fewest = happen(table(Effect("weather", actions=-9)))
    assert (fewest.match.may_act(), fewest.state.left) == ((1,), 1)
    assert happen(table(Effect("weather", actions=1))).state.left == 3


@opened
def test_the_row_shows_how_many_actions_the_cards_give_now() -> None:
    play = happen(table(Effect("weather", actions=1)))
    row = next(part.make() for part in all_parts(scene.public(play.state)) if part.id == "row")
    assert isinstance(row, Row)
    assert [card.pips for card in row.cards] == [2, 0, 3, 2, 2]


@opened
def test_weather_shows_how_far_somebody_burrows_now() -> None:
    play = happen(table(Effect("weather", move=50), row=("0.single.1", "event.1", "2.single.1")))
    field = VERBS.detail_for(play.match.probe(Seat(2)), Seat(2), "special/burrow", {"group": ["group/2.1"]})
    assert isinstance(field, PickPoint)
    assert field.reach == 800


@opened
def test_clear_sky_ends_what_shortens_sight_or_moves_and_nothing_else() -> None:
    ended = (Lasting("fog", 9, sight=500), Lasting("mud", 9, move=99))
    hurried = (Lasting("double_time", 9, move=150), Lasting("drums", 9, actions=1))
    kept = (Lasting("flag", 9, truce=(0, 1)), Lasting("radio_silence", 9, actions=-1), *hurried)
    assert happen(with_open(table(Effect("lift")), lasting=(*ended, *kept))).state.lasting == kept


@pytest.mark.rule("AC-SHOOT-01")
@opened
def test_who_takes_a_cease_fire_holds_fire_at_the_others_who_did() -> None:
    near = {"0.1": line_up(4, 300, 1000), "1.1": line_up(3, 300, 1500), "2.1": line_up(4, 300, 2000)}
    play = happen(table(Effect("truce"), groups=near), *(1,) * 18)
    assert play.asked == ("event", (0, 1, 2))
    play.answer(0, "yes").answer(1, "yes").answer(2, "no").expire()
    assert play.state.lasting[0].truce == (0, 1)
    assert refusal(play, 1, Shoot(GROUP_1_1, GROUP_0_1)) == "truce/kept"
    assert refusal(play, 1, Move(GROUP_1_1, FIGURE_1_1_1, (300, 1102))) == "truce/kept"
    play.do(1, Shoot(GROUP_1_1, GroupId("2.1")))


@opened
def test_one_alone_makes_no_truce_and_the_worn_down_take_it_by_default() -> None:
    whole = {**GROUPS, "0.2": line_up(4, 300, 3000)}
    play = happen(table(Effect("truce"), groups={**whole, "1.1": GROUPS["1.1"][:1]})).expire()
    assert play.state.lasting == ()
    worn = {**GROUPS, "0.1": GROUPS["0.1"][:2], "1.1": GROUPS["1.1"][:1]}
    assert happen(table(Effect("truce"), groups=worn)).expire().state.lasting[0].truce == (0, 1)


# What hurts


@opened
def test_a_strike_by_choice_counts_for_who_chose() -> None:
    """Seat 1 is last and cannot name its own; the dice count against the target's cover."""
    wood = area("wood", "trees", 0, 800, 900, 1200)
    groups = {**GROUPS, "1.1": GROUPS["1.1"][:1]}
    play = happen(table(Effect("strike", by="last", dice=4), groups=groups, features=[wood]), 6, 6, 6, 6)
    assert play.asked == ("event", (1,))
    play.answer(1, "group/0.1")
    assert play.rolls == [(1, "dice.event", 4)]
    [struck] = play.events(EventStruck)
    assert (struck.volley.kill_number, struck.volley.kills) == (12, 2)
    assert play.asked == ("casualties", (0,))
    play.expire()
    assert (len(play.state.groups[GROUP_0_1].figures), play.state.seats[1].removed) == (2, {0: 2})


@opened
def test_a_strike_by_lot_counts_for_nobody_and_kills_so_many_at_most() -> None:
    play = happen(table(Effect("strike", who="next", dice=20, most=1), groups=GROUPS), *[6] * 20)
    play.expire()
    assert len(play.state.groups[GROUP_1_1].figures) == 2
    assert all(not seat.removed for seat in play.state.seats)


@opened
def test_a_strike_on_each_group_in_a_river_with_weather() -> None:
    river = area("river", "river", 0, 900, 7200, 1100)
    effects = (Effect("strike", terrain=("river",), each=True, dice=2), Effect("weather", move=75))
    play = happen(table(*effects, features=[river]), 1, 1, 1, 1)
    assert [struck.volley.target for struck in play.events(EventStruck)] == ["0.1", "2.1"]
    assert allowance_of(play.state, play.state.groups[GROUP_1_1]) == 600


@opened
def test_an_ambush_stuns_who_is_left() -> None:
    play = happen(table(Effect("strike", who="next", dice=1, stuns=True)), 6)
    assert play.state.groups[GROUP_1_1].stunned


@opened
def test_groups_in_close_combat_are_spared() -> None:
    near = {**GROUPS, "0.1": line_up(4, 2700, 3500)}
    state = table(Effect("strike", each=True, dice=1), groups=near, row=("0.triple.1", "event.1", "2.single.1"))
    state = with_open(state, row=(msgspec.structs.replace(state.row[0], kind="single"), *state.row[1:]))
    play = Play(state, 1).do(0, Move(GROUP_0_1, FigureId("0.1/1"), (2700, 3898))).do(0, EndCard())
    assert [struck.volley.target for struck in play.events(EventStruck)] == ["2.1"]


@opened
def test_a_building_comes_down_on_whoever_is_in_it_and_is_rubble_then() -> None:
    house = area("house", "building", 0, 900, 1000, 1100, (500, 900))
    play = happen(table(Effect("collapse", dice=2), features=[house]), 5, 5)
    [struck] = play.events(EventStruck)
    assert (struck.volley.kill_number, struck.volley.kills) == (6, 1)
    play.expire()
    assert (play.state.gone, play.state.ruined) == (("house",), ("house",))
    assert lookup.kind(play.state, "house").id == "rubble"
    assert lookup.board(play.state).standing[GROUP_0_1].inside == {"house": 3}


@opened
def test_no_building_that_a_special_action_needs_comes_down() -> None:
    house = area("house", "building", 0, 900, 1000, 1100)
    search = Special("search", "special.search", "search", feature="house")
    play = happen(table(Effect("collapse", dice=2), features=[house], specials=(search,)))
    assert (play.state.gone, play.events(EventOver)[0].idle) == ((), True)


@opened
def test_only_buildings_collapse_unless_other_terrain_is_named() -> None:
    works = [area("wood", "trees", 4900, 900, 5500, 1100), area("house", "building", 0, 2000, 300, 2300)]
    play = happen(table(Effect("collapse", by="next", dice=1), features=works))
    assert (play.asked, play.state.ruined) == (None, ("house",))


@opened
def test_a_faction_may_choose_the_building() -> None:
    houses = [area("one", "building", 0, 2000, 300, 2300), area("two", "building", 4900, 900, 5500, 1100)]
    play = happen(table(Effect("collapse", by="next", dice=1), features=houses), 1)
    assert play.asked == ("event", (1,))
    play.expire()
    assert play.state.ruined == ("two",)  # by default where most others are


@opened
def test_a_wall_is_gone() -> None:
    fences = [barrier("wall", "wall", (0, 3000), (900, 3000)), area("wood", "trees", 0, 2000, 400, 2400)]
    assert happen(table(Effect("clear", terrain=("wall",)), features=fences)).state.gone == ("wall",)


MARSH = Zone("marsh", "zone.marsh", ((0, 700), (1000, 700), (1000, 1300), (0, 1300)))


@opened
def test_a_danger_bites_when_it_comes_and_after_each_row_as_it_wanders_and_goes() -> None:
    """Its circle of three inches round the middle of the zone holds three of four figures; after the next row it is
    over."""
    play = happen(table(Effect("danger", radius=300, speed=400, dice=2, rows=1), zones=(MARSH,)), 3, 3, 1, 1, 1, 1)
    [danger] = play.state.dangers
    assert (danger.at, danger.until, danger.wounds) == ((500, 1000), 2, 0)
    [struck] = play.events(EventStruck)
    assert struck.volley.kills == 1
    play.expire()
    while play.state.turn == 1:
        play.expire()
    assert play.state.dangers[0].at == lookup.board(play.state).standing[GROUP_0_1].centre
    assert len(play.events(EventStruck)) == 2
    while play.state.turn == 2:
        play.expire()
    assert "danger.1" not in {danger.id for danger in play.state.dangers}


@pytest.mark.rule("AC-MOVE-01")
@opened
def test_who_stops_in_a_danger_is_hurt() -> None:
    mine = Danger("danger.1", "it", (700, 1600), 150, 4, 99)
    play = Play(with_open(table(Effect("lift")), dangers=(mine,)), 6, 6, 6, 6)
    play.do(0, Move(GROUP_0_1, FigureId("0.1/4"), (700, 1600)))
    told = [(hit.event, hit.volley.kill_number, hit.volley.kills, hit.volley.seat) for hit in play.events(EventStruck)]
    assert told == [("it", 6, 4, -1)]


@opened
def test_stunned_are_all_in_that_terrain() -> None:
    wood = area("wood", "trees", 0, 800, 900, 1200)
    play = happen(table(Effect("stun", terrain=("trees",), each=True), features=[wood]))
    assert [group.id for group in play.state.groups.values() if group.stunned] == ["0.1"]


@opened
def test_who_panics_runs_towards_its_start_zone() -> None:
    """The start zone of seat 1 is in the middle of its strip, at the height of the table's middle."""
    play = happen(table(Effect("rout", who="next"), groups={**GROUPS, "1.1": line_up(3, 2700, 4600)}))
    assert play.at("1.1/3")[1] < 4000
    assert not play.state.combats


@opened
def test_who_panics_far_from_its_start_zone_runs_a_whole_move_towards_it() -> None:
    """The middle of the start zone of seat 1 is at (3400, 2400), more than four Moves away."""
    play = happen(table(Effect("rout", who="next"), groups={**GROUPS, "1.1": ((6600, 4400),)}))
    start, home, (x, y) = (6600, 4400), (3400, 2400), play.at("1.1/1")
    run, left = math.dist(start, (x, y)), math.dist((x, y), home)
    assert 795 <= run <= 800
    assert run + left <= math.dist(start, home) + 1


# Who comes


@opened
def test_reinforcements_come_in_the_start_zone_as_their_owner_chooses() -> None:
    play = happen(table(Effect("reinforce", who="all", most=3)))
    assert play.asked == ("event", (0,))  # U.N.I.T. have two kinds of squads
    play.expire()
    arrived = play.events(GroupArrived)
    assert [(came.group.id, len(came.figures)) for came in arrived] == [("0.3", 3), ("1.3", 3), ("2.4", 3)]
    assert len(set(play.state.figures)) == len(play.state.figures) == 11 + 9
    bases = [base for id in play.state.groups for base in lookup.board(play.state).bases(id)]
    assert all(gap(a, b) >= 0 for n, a in enumerate(bases) for b in bases[:n])


@pytest.mark.rule("AC-ACT-02")
def test_reinforcements_come_only_to_factions_on_the_table() -> None:
    play = happen(table(Effect("reinforce", most=3), groups={"0.1": GROUPS["0.1"], "1.1": GROUPS["1.1"]})).expire()
    assert {came.group.owner for came in play.events(GroupArrived)} == {0, 1}


@opened
def test_a_group_is_filled_up_next_to_its_first_figure() -> None:
    short = {**GROUPS, "0.1": GROUPS["0.1"][:2], "0.2": line_up(3, 300, 3000)}
    play = happen(table(Effect("refit", who="leader", most=2), groups=short))
    play = happen(table(Effect("refit", who="all", most=2), groups=short))
    assert play.asked == ("event", (0,))
    play.answer(0, "group/0.1")
    assert len(play.state.groups[GROUP_0_1].figures) == 4
    assert len(play.state.groups[GROUP_1_1].figures) == 3  # nobody is missing
    new = play.state.groups[GROUP_0_1].figures[-1]
    assert play.state.figures[new].profile == "rifle"
    assert event_arrivals.FIRST_LATER == 1001
    assert new == "0-1002"


@opened
def test_militia_too_large_for_its_zone_gets_nobody() -> None:
    """No figure arrives where the start zone has no room."""
    tight = msgspec.structs.replace(skirmish.role(), start=((0, 0), (90, 0), (90, 90), (0, 90)))
    roles = (tight, skirmish.role(left=2400), skirmish.role(left=4800))
    mix = (EventCard("it", "event.it", "event.it.text", (Effect("reinforce"),)),)
    state = skirmish.table(GROUPS, (), (MILITIA, DALEKS, SPUGS), ROW, mix=mix, roles=roles)
    assert {came.group.owner for came in happen(state).events(GroupArrived)} == {1, 2}
