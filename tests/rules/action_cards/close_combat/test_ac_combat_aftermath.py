"""AC-HTH-05: regrouping, taking the ground, moving apart."""

from __future__ import annotations

import msgspec
import pytest

from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.close_combat import aftermath
from engine.rulesets.action_cards.state.combat_events import (
    CombatEnded,
    GroundTaken,
    GroupCornered,
    GroupRetreated,
)
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.model import Feature, Point
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.terrain.contact import Base, gap
from engine.space.vectors.points import squared
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.melee import Answers, Ran, barrier, block, charge, faction, field_of, only_combat, run

A_1 = FigureId("a.1")
B_1 = FigureId("b.1")
A = GroupId("a")

HOUSE = block("h", "building", 2000, 500, 2600, 1500)
WALL = barrier("w", "wall", (2000, 500), (2000, 1500))


def after(state: Skirmish, answers: Answers | None = None) -> Ran:
    """Run the aftermath of the only combat."""
    return run(state, aftermath.aftermath, only_combat(state).id, answers=answers)


def retreat(state: Skirmish, group: GroupId) -> Ran:
    """Move one group of the only combat back, and no other."""
    combat = only_combat(state)
    return run(state, aftermath.retreat, combat.id, group, aftermath.planned_retreat(state, combat, group))


def lost(state: Skirmish, *figures: str) -> Skirmish:
    """Remove these figures."""
    return FiguresRemoved(-1, tuple(map(FigureId, figures))).apply(state)


def duel(to: Point = (1900, 1000), came: Point = (1400, 1000)) -> Skirmish:
    """Return one figure of seat 0 that has charged one of seat 1, which stands to the right of it, in the open."""
    state = field_of({"a": (0, [came]), "b": (1, [(2000, 1000)])}, size=(7200, 4800))
    return charge(state, A, A_1, to)


@pytest.mark.rule("AC-HTH-05")
def test_on_open_ground_all_move_apart_a_full_move_attackers_first() -> None:
    """The charger goes back along its path and beyond, the other directly away from the charger."""
    ran = after(duel())
    assert [(event.group, event.how) for event in ran.of(GroupRetreated)] == [("a", "path"), ("b", "away")]
    assert ran.state.figures[A_1].at == (1100, 1000)
    assert ran.state.figures[B_1].at == (2800, 1000)
    assert [event.why for event in ran.of(CombatEnded)] == ["apart"]
    assert ran.state.combats == ()


@pytest.mark.rule("AC-HTH-05")
def test_the_way_back_is_the_path_and_not_away_from_the_enemy() -> None:
    """The charger came from above, so it goes back up, though the enemy is to the right."""
    ran = after(duel(came=(1900, 1600)))
    assert ran.state.figures[A_1].at == (1900, 1800)


@pytest.mark.rule("AC-HTH-05")
@pytest.mark.parametrize("bystander", [(2400, 1000), (2400, 1500), (2200, 700)])
def test_the_charged_go_away_from_the_combat_and_not_from_a_bystander(bystander: Point) -> None:
    """Once the charger has gone back, a third faction is nearest; it was not in the combat. Away from that one the
    charged group would follow its charger."""
    groups = {"a": (0, [(1400, 1000)]), "b": (1, [(2000, 1000)]), "c": (2, [bystander])}
    ran = after(charge(field_of(groups, size=(7200, 4800)), A, A_1, (1900, 1000)))
    fled, charger = (table.base(ran.state, id) for id in (B_1, A_1))
    assert fled.at[0] > 2000
    assert gap(fled, charger) >= 1000


@pytest.mark.rule("AC-HTH-05")
@pytest.mark.parametrize("second", [0, 2])
def test_who_is_charged_from_both_sides_runs_into_neither(second: int) -> None:
    """Directly away from one charger is towards the other: the group goes to the side, a full Move from where both
    fought."""
    groups = {"a": (0, [(1400, 1000)]), "b": (1, [(2000, 1000)]), "c": (second, [(2600, 1000)])}
    state = charge(field_of(groups, size=(7200, 4800)), A, A_1, (1900, 1000))
    ran = after(charge(state, GroupId("c"), FigureId("c.1"), (2100, 1000)))
    fled = table.base(ran.state, B_1)
    assert min(gap(fled, Base(FigureId("was"), at, 50)) for at in ((1900, 1000), (2100, 1000))) >= 700
    assert all(gap(fled, table.base(ran.state, id)) >= 700 for id in ran.state.figures if id != "b.1")


@pytest.mark.rule("AC-HTH-05")
def test_each_faction_moves_its_own_move() -> None:
    state = field_of(
        {"a": (0, [(1400, 1000)]), "b": (1, [(2000, 1000)])},
        size=(7200, 4800),
        factions=(faction(0), faction(1, 4, 1600)),
    )
    ran = after(charge(state, A, A_1, (1900, 1000)))
    assert ran.state.figures[A_1].at == (1100, 1000)
    assert ran.state.figures[B_1].at == (3600, 1000)


@pytest.mark.rule("AC-HTH-05")
@pytest.mark.parametrize(("card", "order"), [("0.double.1", "acbd"), ("2.double.1", "cadb"), ("1.double.1", "cabd")])
def test_attackers_move_first_each_from_the_player_whose_card_it_is(card: str, order: str) -> None:
    """Seats 0 and 2 charged; seats 1 and 3 were charged."""
    groups = {
        "a": (0, [(1400, 1000)]),
        "b": (1, [(2000, 1000)]),
        "d": (3, [(2000, 1104)]),
        "c": (2, [(2600, 1000)]),
    }
    state = charge(field_of(groups, size=(7200, 4800), cards=(card,)), A, A_1, (1910, 1052))
    state = charge(state, GroupId("c"), FigureId("c.1"), (2090, 1052))
    moved = [event.group for event in after(state).of(GroupRetreated)]
    assert "".join(moved) == order


@pytest.mark.rule("AC-HTH-05")
@pytest.mark.parametrize("feature", [HOUSE, WALL])
def test_defenders_stay_and_attackers_move_back(feature: Feature) -> None:
    state = field_of({"a": (0, [(1200, 1000)]), "b": (1, [(2055, 1000)])}, feature)
    ran = after(charge(state, A, A_1, (1948, 1000)))
    assert [event.group for event in ran.of(GroupRetreated)] == ["a"]
    assert ran.state.figures[B_1].at == (2055, 1000)
    assert ran.state.figures[A_1].at == (1148, 1000)


@pytest.mark.rule("AC-HTH-05")
def test_where_the_position_is_gone_defenders_move_away_too() -> None:
    state = charge(field_of({"a": (0, [(1200, 1000)]), "b": (1, [(2055, 1000)])}, WALL), A, A_1, (1945, 1000))
    state = msgspec.structs.replace(state, gone=("w",))
    assert [event.group for event in after(state).of(GroupRetreated)] == ["a", "b"]


@pytest.mark.rule("AC-HTH-05")
def test_a_retreat_that_is_blocked_goes_to_the_nearest_legal_place() -> None:
    """Rocks lie across the way back, and nobody is touched, friends included."""
    rocks = block("r", "rocks", 1000, 800, 1300, 1200)
    groups = {"a": (0, [(1400, 1000)]), "b": (1, [(2000, 1000)]), "e": (0, [(1360, 1000), (1360, 1110), (1360, 890)])}
    state = charge(field_of(groups, rocks), A, A_1, (1900, 1000))
    ran = after(state)
    [first, _] = ran.of(GroupRetreated)
    assert (first.group, first.how) == ("a", "path")
    at = ran.state.figures[A_1].at
    assert at != (1100, 1000)
    assert squared(at, (1900, 1000)) <= 800 * 800
    own = table.base(ran.state, A_1)
    others = [table.base(ran.state, id) for id in ran.state.figures if id != "a.1"]
    assert all(gap(own, other) >= 5 for other in others)


@pytest.mark.rule("AC-HTH-05")
def test_a_retreat_stops_at_the_edge_of_the_table() -> None:
    state = field_of({"a": (0, [(300, 1000)]), "b": (1, [(800, 1000)])})
    ran = after(charge(state, A, A_1, (700, 1000)))
    assert ran.state.figures[A_1].at == (50, 1000)


@pytest.mark.rule("AC-HTH-05")
def test_a_whole_group_moves_back_next_to_its_lead_and_touches_nobody() -> None:
    places = [(1400, 1000 + 110 * n) for n in range(4)]
    state = field_of({"a": (0, places), "b": (1, [(2000, 1000 + 110 * n) for n in range(4)])}, size=(7200, 4800))
    ran = after(charge(state, A, A_1, (1900, 1000), _2=(1900, 1110), _3=(1800, 1000), _4=(1800, 1110)))
    lead = table.base(ran.state, A_1)
    assert lead.at == (1100, 1000)
    for figure in (FigureId("a.2"), FigureId("a.3"), FigureId("a.4")):
        assert gap(lead, table.base(ran.state, figure)) <= 200
        assert ran.state.figures[figure].at[0] >= 1100
    foes = [base for id in (A, GroupId("b")) for base in table.board(ran.state).bases(id)]
    assert all(gap(x, y) >= 5 for x in foes[:4] for y in foes[4:])


@pytest.mark.rule("AC-HTH-05")
def test_who_cannot_move_away_goes_to_the_nearest_clear_place() -> None:
    """A ring of bases bars every way, so it goes to a place outside that is an inch clear of every enemy."""
    steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) not in ((0, 0), (1, 0))]
    ring = [(1000 + 120 * dx, 1000 + 120 * dy) for dx, dy in steps]
    state = field_of({"b": (1, [(1000, 1000)]), "a": (0, [(1200, 1000)]), "r": (2, ring)})
    state = charge(state, A, A_1, (1100, 1000))
    ran = retreat(state, GroupId("b"))
    assert [(event.group, event.how) for event in ran.of(GroupRetreated)] == [("b", "clear")]
    own = table.base(ran.state, B_1)
    gaps = [gap(own, base) for id in (A, GroupId("r")) for base in table.board(ran.state).bases(id)]
    assert 100 <= min(gaps) < 130


@pytest.mark.rule("AC-HTH-05")
def test_a_clear_place_is_not_behind_blocking_terrain() -> None:
    """In a corridor, rocks behind the group leave it no room; the table beyond them is empty but out of reach."""
    rocks = block("r", "rocks", 228, 0, 300, 110)
    state = field_of({"a": (0, [(60, 55)]), "b": (1, [(177, 55)])}, rocks, size=(2000, 110))
    state = charge(state, A, A_1, (75, 55))
    ran = retreat(state, GroupId("b"))
    assert [event.group for event in ran.of(GroupCornered)] == ["b"]


@pytest.mark.rule("AC-HTH-05")
def test_who_finds_no_place_at_all_is_removed_to_nobodys_credit() -> None:
    """The table is as wide as two bases: the attacker is lost, and the other has nobody to move away from."""
    state = field_of({"a": (0, [(51, 50)]), "b": (1, [(154, 50)])}, size=(205, 100))
    ran = after(charge(state, A, A_1, (52, 50)))
    assert [event.group for event in ran.of(GroupCornered, GroupRetreated)] == ["a"]
    assert set(ran.state.figures) == {"b.1"}
    assert all(not seat.removed for seat in ran.state.seats)
    assert ran.state.combats == ()


def _taken(feature: Feature, answer: Reply | None = None) -> Ran:
    state = field_of({"a": (0, [(1200, 1000), (1200, 1110)]), "b": (1, [(2055, 1000)])}, feature)
    state = charge(state, A, A_1, (1948, 1000), _2=(1948, 1110))
    return after(lost(state, "b.1"), {("occupy", 0): answer} if answer else None)


@pytest.mark.rule("AC-HTH-05")
def test_the_only_faction_left_may_take_the_building() -> None:
    ran = _taken(HOUSE, Reply("pick", {"picked": ["group/a"]}))
    assert [(event.group, event.feature) for event in ran.of(GroundTaken)] == [("a", "h")]
    assert table.board(ran.state).standing[A].inside == {"h": 2}
    assert [event.why for event in ran.of(CombatEnded)] == ["won"]
    assert ran.of(GroupRetreated) == []


@pytest.mark.rule("AC-HTH-05")
def test_or_go_over_the_barricade() -> None:
    ran = _taken(WALL)
    assert [event.feature for event in ran.of(GroundTaken)] == ["w"]
    assert all(ran.state.figures[figure].at[0] > 2000 for figure in (A_1, FigureId("a.2")))


@pytest.mark.rule("AC-HTH-05")
def test_it_need_not() -> None:
    ran = _taken(HOUSE, Reply("pick", {"picked": []}))
    assert ran.of(GroundTaken) == []
    assert ran.state.figures[A_1].at == (1948, 1000)


@pytest.mark.rule("AC-HTH-05")
def test_a_defender_who_is_left_alone_stays_and_is_not_asked() -> None:
    state = field_of({"a": (0, [(1200, 1000)]), "b": (1, [(2055, 1000)])}, WALL)
    state = charge(state, A, A_1, (1945, 1000))
    ran = after(lost(state, "a.1"))
    assert (ran.questions, ran.of(GroundTaken), ran.of(GroupRetreated)) == ([], [], [])


@pytest.mark.rule("AC-HTH-05")
def test_a_defender_who_has_won_is_not_asked_to_take_his_own_ground() -> None:
    """This holds even where one of its figures stands outside, and would find room in it."""
    state = field_of({"a": (0, [(1200, 1000)]), "b": (1, [(2055, 1000), (2055, 1110), (1900, 1400)])}, HOUSE)
    state = charge(state, A, A_1, (1948, 1000))
    assert (only_combat(state).defended, only_combat(state).defender) == ("h", 1)
    ran = after(lost(state, "a.1"))
    assert (ran.questions, ran.of(GroundTaken), ran.of(GroupRetreated)) == ([], [], [])
    assert [event.why for event in ran.of(CombatEnded)] == ["won"]


@pytest.mark.rule("AC-HTH-05")
def test_with_no_survivor_the_ground_stays_empty() -> None:
    ran = after(lost(duel(), "a.1", "b.1"))
    assert [event.why for event in ran.of(CombatEnded)] == ["nobody"]
    assert ran.questions == []
