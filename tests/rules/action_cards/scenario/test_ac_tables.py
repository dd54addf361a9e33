"""Random tables, scenarios for fewer players, and the conditions "stands", "falls" and "together"."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import ContentRefused
from engine.core.rules.system import Setup
from engine.rulesets.action_cards.content import content, forms
from engine.rulesets.action_cards.rules.scenario import conditions, setup
from engine.rulesets.action_cards.state.event_facts import TableLaid
from engine.rulesets.action_cards.state.model import Condition, Feature, Resolved, Scatter, Special, Zone
from engine.rulesets.action_cards.state.state import SeatState
from engine.space.vectors.points import box_of, boxes_meet, widened
from protocol.ids import MatchId
from tests.support.systems import skirmish
from tests.support.systems.shipped import faults_with, shipped_content, shipped_texts
from tests.support.systems.skirmish import DALEKS, TERRAIN, UNIT, Play, area, line_up

WHOLE = ((0, 0), (7200, 0), (7200, 4800), (0, 4800))
WOODS = Scatter("wood", "trees", "feature.wood", 6, (800, 600), WHOLE, 300)
WALLS = Scatter("wall", "wall", "feature.wall", 4, (800, 0), WHOLE, 200, "line")
CRAGS = Scatter("crag", "crag", "feature.crag", 8, (1200, 1000), WHOLE, 100, "box")
HOUSE = area("house", "building", 3300, 2200, 3900, 2600)


def opened(seed: int, *scatter: Scatter) -> Play:
    roles = tuple(
        msgspec.structs.replace(skirmish.role(), start=((x, 0), (x + 1500, 0), (x + 1500, 1500), (x, 1500)))
        for x in (0, 5700)
    )
    resolved = skirmish.resolved((UNIT, DALEKS), roles=roles, features=(HOUSE,), scatter=scatter)
    return Play(setup.start(resolved, 2), source=MatchDice(seed.to_bytes(32, "big"), MatchId("test")))


def laid(play: Play) -> tuple[Feature, ...]:
    events = play.events(TableLaid)
    assert len(events) == 1
    return tuple(events[0].features)


@pytest.mark.rule("AC-SETUP-01")
@pytest.mark.parametrize("seed", range(8))
def test_random_terrain_lies_apart_on_the_table_and_off_the_start_zones(seed: int) -> None:
    play = opened(seed, WOODS, WALLS)
    pieces = laid(play)
    assert [piece.kind for piece in pieces] == ["trees"] * 6 + ["wall"] * 4
    assert [piece.id for piece in pieces] == [f"wood_{n}" for n in range(1, 7)] + [f"wall_{n}" for n in range(1, 5)]
    boxes = [box_of(piece.outline) for piece in (HOUSE, *pieces)]
    for number, box in enumerate(boxes):
        assert box[0] >= 100
        assert box[1] >= 100
        assert box[2] <= 7100
        assert box[3] <= 4700
        assert not any(boxes_meet(widened(box, 199), other) for other in boxes[:number])
        assert not any(boxes_meet(box, box_of(role.start)) for role in play.state.resolved.scenario.roles)
    assert play.state.resolved.scenario.features == (HOUSE, *pieces)


@pytest.mark.rule("AC-SETUP-01", "AC-DECK-01", "AC-SCEN-01")
def test_each_match_has_its_own_table_and_the_same_dice_the_same() -> None:
    assert laid(opened(1, WOODS)) == laid(opened(1, WOODS)) != laid(opened(2, WOODS))


@pytest.mark.rule("AC-SETUP-01")
@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_shut_out_by_ground_that_cannot_be_entered(seed: int) -> None:
    play = opened(seed, CRAGS)
    scenario = play.state.resolved.scenario
    assert any(piece.kind == "crag" for piece in laid(play))
    assert setup.passability(scenario, TERRAIN).shut_out() == []


@pytest.mark.rule("AC-SETUP-01")
def test_a_wall_of_crags_shuts_out() -> None:
    row = area("row", "crag", 1600, 0, 1900, 4800)
    starts = [((x, 0), (x + 900, 0), (x + 900, 900), (x, 900)) for x in (0, 5000)]
    roles = [msgspec.structs.replace(skirmish.role(), start=start) for start in starts]
    hold = Condition("h", "hold", "h", "h", feature="house")
    scenario = skirmish.scenario(
        2, roles=(msgspec.structs.replace(roles[0], conditions=(hold,)), roles[1]), features=(HOUSE, row)
    )
    assert setup.passability(scenario, TERRAIN).shut_out() == [(0, 0)]


@pytest.mark.rule("AC-SETUP-01")
def test_goals_are_what_conditions_and_actions_name_and_all_zones() -> None:
    barn, mill, shed = (
        area(id, "building", x, 200, x + 300, 500) for id, x in (("barn", 0), ("mill", 900), ("shed", 1800))
    )
    yard = Zone("yard", "zone.yard", barn.outline)
    hold, search = Condition("h", "hold", "h", "h", feature="mill"), Special("s", "s", "search", feature="shed")
    roles = (skirmish.role(hold), skirmish.role(left=2400))
    named = {"roles": roles, "features": (barn, mill, shed), "zones": (yard,), "specials": (search,)}
    goals = setup.passability(skirmish.scenario(2, **named), TERRAIN).goals
    assert goals == (mill.outline, shed.outline, yard.outline)


@pytest.mark.rule("AC-SETUP-01")
@pytest.mark.parametrize("doors", [True, False])
def test_a_random_building_has_its_doors_in_the_middles_of_its_sides(doors: bool) -> None:
    [hut] = laid(opened(3, Scatter("hut", "building", "feature.hut", 1, (400, 600), WHOLE, 200, "box", doors=doors)))
    left, bottom, right, top = box_of(hut.outline)
    x, y = (left + right) // 2, (bottom + top) // 2
    assert hut.doors == (((x, bottom), (right, y), (x, top), (left, y)) if doors else ())


# Fewer players


@pytest.mark.rule("AC-SCEN-01")
@pytest.mark.parametrize("scenario", ["harrow_cross", "low_water"])
def test_a_scenario_is_offered_for_all_smaller_numbers(scenario: str) -> None:
    read = shipped_content()
    own = len(read.scenarios[scenario].role)
    infos = {info.id: info for info in content.scenarios(read)}
    forms = [info for info in infos.values() if info.form_of == scenario]
    assert [info.seats for info in forms] == list(range(own - 1, 1, -1))
    for info in forms:
        packed = content.setup(read, Setup(info.id, ("",) * info.seats))
        resolved = msgspec.msgpack.decode(packed, type=Resolved)
        for seat, role in enumerate(resolved.scenario.roles):
            rivals = [condition.seat for condition in role.conditions if condition.seat >= 0]
            assert all(rival != seat and rival < info.seats for rival in rivals)
        setup.start(resolved, info.seats)


@pytest.mark.rule("AC-SCEN-01", "AC-SETUP-01")
def test_who_is_not_there_is_stood_in_for_by_the_next_round_the_table() -> None:
    """Of the four at Harrow Cross the wardens and the salvagers are left; each is the other's rival."""
    harrow = shipped_content().scenarios["harrow_cross"]
    two = forms.for_seats(harrow, 2)
    assert [role.name for role in two.role] == ["role.wardens", "role.salvagers"]
    feud = next(condition for condition in two.role[0].condition if condition.id == "wardens_feud")
    assert feud.seat == 1
    assert forms.find({"harrow_cross": harrow}, "harrow_cross:7") is None


# Conditions


@pytest.mark.rule("AC-SCEN-01")
def test_what_stands_and_what_falls_and_what_all_do_together() -> None:
    own = tuple(
        Condition(kind, kind, kind, kind, feature="house", special="work", goal=goal)
        for kind, goal in (("stands", 1), ("falls", 1), ("together", 3))
    )
    roles = (skirmish.role(*own), skirmish.role(left=2400))
    groups = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(3, 1000, 4000)}
    state = skirmish.table(groups, [HOUSE], (UNIT, DALEKS), roles=roles)
    assert [status.met for status in conditions.statuses(state, 0)] == [True, False, False]
    seats = (SeatState("unit", done={"work": 1}), SeatState("daleks", done={"work": 2}))
    state = msgspec.structs.replace(state, gone=("house",), seats=seats)
    assert [status.met for status in conditions.statuses(state, 0)] == [False, True, True]
    assert {met.condition for met in conditions.newly_met(state)} == {"falls", "together"}


# What cannot be played


SCENARIO = "scenario_harrow_cross.toml"


def told(old: str, new: str, file: str = SCENARIO, **more: str) -> str:
    return "\n".join(faults_with(file, old, new, **more))


def problems(texts: dict[str, str]) -> tuple[str, ...]:
    """Return what is wrong with content."""
    try:
        content.read(texts)
    except ContentRefused as refused:
        return refused.problems
    return ()


@pytest.mark.rule("AC-SETUP-01", "AC-SCEN-01")
@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ("start = [55, 1, 16, 11]", "start = [10, 1, 16, 11]", "scenario.role.1.start", "over that of role 0"),
        ("start = [55, 1, 16, 11]", "start = [55, 1, 16, 2]", "scenario.role.1.start", "3 inches"),
        (
            'kind = "hold"\nfeature = "relay"',
            'kind = "hold"\nfeature = "dyke_nw"',
            "condition.0.feature",
            "nobody can be in",
        ),
        (
            'special = "search_mill"\ngoal = 3',
            'special = "search_mill"\ngoal = 4',
            "condition.0.goal",
            "3 times at most",
        ),
        (
            'feud"\nkind = "destroy"\nseat = 2',
            'feud"\nkind = "destroy"\nseat = 0',
            "role.0.condition.3.seat",
            "own rival",
        ),
        ('zone = "yard"\ngoal = 2', 'zone = "yard"\ngoal = 9', "condition.1.goal", "give a share"),
        ('kind = "destroy"\ngoal = 6', 'kind = "destroy"\nseat = 1\ngoal = 6', "scenario.secret", "dealt to that seat"),
    ],
)
def test_a_scenario_that_cannot_be_played_is_refused_with_its_reason(old: str, new: str, key: str, reason: str) -> None:
    words = told(old, new)
    assert key in words, words
    assert reason in words, words
    assert words.startswith(f"{SCENARIO}:"), words


@pytest.mark.rule("AC-SETUP-01")
def test_a_goal_behind_ground_that_nobody_may_enter_is_told() -> None:
    lake = '\n[terrain.lake]\ncover = "open"\nblocks = false\nimpassable = true\n'
    moat = '[[scenario.feature]]\nid = "moat"\nkind = "lake"\nname = "feature.brook"\nbox = [17, 0, 2, 48]'
    moat += "\n\n[[scenario.zone]]"
    words = told("[[scenario.zone]]", moat, lake=lake)
    assert "there is no way from here to" in words


@pytest.mark.rule("AC-SETUP-01")
def test_what_nobody_needs_may_lie_behind_ground_that_nobody_may_enter() -> None:
    """Trees on an island are no goal."""
    lake = '\n[terrain.lake]\ncover = "open"\nblocks = false\nimpassable = true\n'
    boxes = {"isle": [34, 42, 2, 2], "s": [29, 36, 12, 4], "w": [29, 36, 4, 12], "e": [37, 36, 4, 12]}
    kinds = {id: "trees" if id == "isle" else "lake" for id in boxes}
    pieces = "\n\n".join(
        f'[[scenario.feature]]\nid = "{id}"\nkind = "{kinds[id]}"\nname = "feature.brook"\nbox = {box}'
        for id, box in boxes.items()
    )
    texts = {**shipped_texts(), "lake": lake}
    texts[SCENARIO] = texts[SCENARIO].replace("[[scenario.zone]]", f"{pieces}\n\n[[scenario.zone]]", 1)
    assert problems(texts) == ()


@pytest.mark.rule("AC-SETUP-01", "AC-SCEN-01")
def test_a_role_that_cannot_be_read_leaves_the_others_checked() -> None:
    texts = shipped_texts()
    changed = texts[SCENARIO].replace('special = "search_mill"\ngoal = 3', 'special = "search_mill"\ngoal = 4', 1)
    texts[SCENARIO] = changed.replace('name = "role.wardens"\n', "", 1)
    words = "\n".join(problems(texts))
    assert "role.0.name: this key is missing" in words
    assert "3 times at most" in words


@pytest.mark.rule("AC-SETUP-01")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ('kind = "castle"', "no terrain has the id castle"),
        ('form = "line"', "no barrier"),
        ("size = [80, 5]", "finds no room"),
        ("within = [0, 0, 90, 48]", "beyond the table"),
    ],
)
def test_random_terrain_that_cannot_be_laid_is_told(change: str, reason: str) -> None:
    lines = {"kind": '"trees"', "name": '"feature.copse"', "count": "3", "size": "[8, 6]", "within": "[0, 0, 72, 48]"}
    lines["form"] = '"patch"'
    key, _, value = change.partition(" = ")
    written = "\n".join(f"{key} = {value}" for key, value in {**lines, key: value}.items())
    words = told("[[scenario.zone]]", f'[[scenario.scatter]]\nid = "w"\n{written}\n\n[[scenario.zone]]')
    assert reason in words, words
