"""Scene, prompts and texts of Apocalypse: Earth: what people read exists, and hidden units are their side's alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.memo import are_same
from engine.core.rules.system import Section, all_parts
from engine.core.view.projection import SceneChanges
from engine.rulesets.apocalypse_earth.rules.flow import VERBS
from engine.rulesets.apocalypse_earth.rules.support import psychic
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.lasting import AidPost, Blaze, Cloud, LostGun, Mission, Wounded, Wreckage
from engine.rulesets.apocalypse_earth.state.model import Objective, Options
from engine.rulesets.apocalypse_earth.state.profiles import Ability, SupportCard, Template
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.system import CATALOGUE, system
from engine.rulesets.apocalypse_earth.text import texts
from protocol.ids import FigureId, GroupId, MatchId, NodeId
from protocol.scene.fields import Pieces
from protocol.scene.nodes import AnyNode, Counter, Feature, Group, Piece, SeatNode, Sheet, Zone
from protocol.text_format import format_text
from tests.support.systems import ae_shipped
from tests.support.systems.ae_battle import battle, block, row, squad, vehicle
from tests.systems.one_page.test_op_scene import texts_in

MATCH = MatchId("m")
CORE = re.compile(r"^(core|waits\.turn|undo|refuse\.(reply|turn|undo)|aside|prompt\.watch)")
WORDS = re.compile(r"[ A-Z]")
PASSING = {"boom", "fire", "pas3", "pas6", "stun"}
"""Damage that a vehicle does not survive, or that is no mark on it."""


def seen_by(state: Battle, seat: int) -> dict[NodeId, AnyNode]:
    """Return the scene of a seat, the private part over the public one."""
    parts = [*all_parts(system.public(state)), *all_parts(system.private(state, Seat(seat)))]
    return {part.id: part.make() for part in parts}


def played(scenario: str, decisions: int, told: Any = lambda step, frames: None, seed: int = 7) -> SelfPlay[Battle]:
    """Play so many decisions of random players."""
    seats = ae_shipped.content().forms[scenario].seats
    play = SelfPlay(Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH)), told)
    play.begin(Start(MATCH, seats, msgspec.msgpack.encode(ae_shipped.resolved(scenario))))
    bots = {Seat(seat): RandomBot(seed + seat) for seat in range(seats)}
    for _ in range(decisions):
        if not play.decide(bots):
            break
    return play


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["meeting_engagement:four", "the_hummvees"])
def test_every_text_of_a_battle_is_in_the_catalogue(scenario: str) -> None:
    seen: set[str] = set()

    def told(step: Step[Battle], frames: SceneChanges | None) -> None:
        for trace in step.trail:
            seen.update(texts_in(msgspec.to_builtins(list(system.cues(trace.event, trace.before, trace.after)))))

    play = played(scenario, 250, told)
    state = play.match.state
    for seat in state.players:
        seen.update(texts_in(msgspec.to_builtins(list(seen_by(state, seat).values()))))
        seen.update(texts_in(msgspec.to_builtins(play.projector.prompt(Seat(seat)))))
    keys = {key for key in seen if not CORE.match(key) and not WORDS.search(key)}
    assert {key for key in keys if key not in CATALOGUE and "." in key} == set()
    assert len(keys) > 60


def test_every_refusal_and_every_word_of_the_code_is_in_the_catalogue() -> None:
    folder = Path(texts.__file__).parents[1]
    sources = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    codes = set(re.findall(r"(?:IllegalIntent|forbid)\([^)\"]*\"([a-z]+/[a-z-]+)\"", sources))
    assert len(codes) > 8
    assert {code for code in codes if f"refuse.{code}" not in CATALOGUE} == set()
    words = re.findall(r"\"(ae\.(?:log|dice|prompt|field|ask|choice|roll|sheet|counter|zone)\.[a-z_.-]+)\"", sources)
    assert {word for word in words if word not in CATALOGUE} == set()


def test_every_damage_that_a_vehicle_can_have_has_its_words() -> None:
    codes = {*ae_shipped.content().book.damage, psychic.LOST}
    words = {f"ae.damage.{code}{text}" for code in codes for text in ("", ".text")}
    words |= {f"{place}.{code}" for code in codes - PASSING for place in ("status", "help.status")}
    assert words - CATALOGUE.keys() == set()


@pytest.mark.rule("AE-OPEN-19")
def test_a_lost_weapon_is_a_mark_like_any_other_damage() -> None:
    hull = Wreckage(("wpn/hmg50", "sec/mg", "sec/ar"))
    group = seen_by(battle([vehicle((60, 60), hull=hull)], [squad((50, 90))]), 0)[names.group_node(GroupId("0.1"))]
    assert isinstance(group, Group)
    assert group.status == ("wpn", "sec")


def test_a_hidden_unit_is_on_the_table_of_its_side_alone() -> None:
    ours = [squad(*row(3, 90, 10), hidden=True, overwatch=True), squad(*row(3, 60, 10))]
    state = battle(ours, [squad(*row(3, 90, 100))], [squad(*row(2, 60, 100))], sides=(0, 1, 0))
    group = names.group_node(GroupId("0.1"))
    own, ally, enemy = (seen_by(state, seat) for seat in (0, 2, 1))
    for scene in (own, ally):
        hidden = scene[group]
        assert isinstance(hidden, Group)
        assert {"hidden", "overwatch"} <= set(hidden.status)
        pieces = [scene[piece] for piece in hidden.pieces]
        assert [piece.at for piece in pieces if isinstance(piece, Piece)] == [(9000, 1000), (9250, 1000), (9500, 1000)]
    shown = enemy[group]
    assert isinstance(shown, Group)
    assert (shown.pieces, shown.status) == ((), ("hidden",))
    assert [id for id in enemy if "0.1." in id] == []


def test_a_vehicle_shows_its_facing_its_load_and_its_armour_by_quarter() -> None:
    rider = squad((0, 0), (0, 0), where="aboard", vessel=GroupId("0.1"))
    scene = seen_by(battle([vehicle((60, 20), 90), rider], [squad((90, 90))]), 1)
    piece, card = scene[names.piece_node(FigureId("0.1.1"))], scene[NodeId("sheet/0.0")]
    assert isinstance(piece, Piece)
    assert (piece.facing, piece.box, piece.counters) == (90, (600, 300), {"aboard": 2})
    assert isinstance(card, Sheet)
    lines = [format_text(line, CATALOGUE) for line in card.lines]
    assert "Armour: front 11, side 10, rear 9, top 8" in lines
    assert "1 x .50 cal: 96 cm, 10 shots" in lines
    assert (card.numbers["armour/front"], card.numbers["hmg50/shots"]) == (11, 10)


def test_a_hill_shows_no_cover_as_it_gives_none_throughout() -> None:
    pieces = [block("h", "hill", 40, 40, 60, 60), block("r", "rubble", 70, 40, 80, 60)]
    scene = seen_by(battle([squad((20, 20))], [squad((90, 90))], features=pieces), 1)
    hill, rubble = (scene[NodeId(f"feature/{id}")] for id in "hr")
    assert isinstance(hill, Feature)
    assert isinstance(rubble, Feature)
    assert [hill.cover, rubble.cover] == ["", "hard"]


def test_fires_smoke_and_artillery_are_marked() -> None:
    card = SupportCard("FS-7", "Howitzers", "two rounds", "artillery", 45, Template(600))
    state = battle([squad((20, 20))], [squad((90, 90))], features=[block("w", "woods", 40, 40, 60, 60)])
    state = msgspec.structs.replace(
        state,
        resolved=msgspec.structs.replace(state.resolved, cards={"FS-7": card}),
        fires=(Blaze("w", 1),),
        clouds=(Cloud("c", (5000, 5000), 800, 2),),
        missions=(Mission(0, GroupId("0.1"), "FS-7", (9000, 9000)),),
    )
    scene = seen_by(state, 1)
    wood, smoke, mission = (scene[NodeId(id)] for id in ("feature/w", "zone/smoke.c", "zone/mission.0"))
    assert isinstance(wood, Feature)
    assert "burning" in wood.states
    assert isinstance(smoke, Zone)
    assert (smoke.style, smoke.at, smoke.radius) == ("smoke", (5000, 5000), 800)
    assert isinstance(mission, Zone)
    assert (mission.style, mission.at, mission.radius, mission.owner) == ("blast", (9000, 9000), 600, 0)


def test_support_cards_are_counted_for_all_and_named_for_their_side() -> None:
    card = SupportCard("FS-7", "Howitzers", "two rounds", "artillery", 45, Template(600))
    state = battle([squad((20, 20))], [squad((90, 90))])
    resolved = msgspec.structs.replace(state.resolved, cards={"FS-7": card})
    state = msgspec.structs.replace(state, resolved=resolved, support=(("FS-7", "FS-7"), ()))
    own, enemy = seen_by(state, 0), seen_by(state, 1)
    held = own[NodeId("counter/card.0.FS-7")]
    assert isinstance(held, Counter)
    assert held.value == 2
    assert NodeId("pile/support.0") in enemy
    assert [id for id in enemy if "FS-7" in id] == []


@pytest.mark.parametrize(
    ("worth", "each", "says"),
    [
        (50, 0, "The centre: 50 points at the end"),
        (0, 3, "The centre: 3 points a turn"),
        (1, 1, "The centre: 1 point a turn, 1 at the end"),
    ],
)
def test_an_objective_says_what_it_pays_and_when(worth: int, each: int, says: str) -> None:
    objective = Objective("centre", (9000, 6000), worth, each)
    state = battle([squad((90, 60))], [squad((20, 90))], table={"objectives": (objective,)})
    zone = seen_by(state, 0)[NodeId("zone/objective.centre")]
    assert isinstance(zone, Zone)
    assert zone.name is not None
    assert format_text(zone.name, CATALOGUE) == says


def test_an_objective_has_the_colour_of_who_holds_it_and_seats_their_sides_points() -> None:
    objective = Objective("centre", (9000, 6000), 50)
    state = battle([squad((90, 60))], [squad((20, 90))], table={"objectives": (objective,)})
    scene = seen_by(state, 0)
    held, seat = scene[NodeId("zone/objective.centre")], scene[NodeId("seat/0")]
    assert isinstance(held, Zone)
    assert held.owner == 0
    assert isinstance(seat, SeatNode)
    assert (seat.score, seat.left) == (50, 1)


def key_of(section: str, state: Battle) -> tuple[object, ...]:
    """Return what decides if a section of the scene is looked into."""
    [whole] = system.public(state)
    assert isinstance(whole, Section)
    return next(one.key for one in whole.parts() if one.id == section)


def littered(**changes: Any) -> Battle:
    """Return a table with a man down, a radio set, a gun and two aid posts, one of them a hut."""
    hut = block("h", "house", 10, 4, 20, 12)
    force = [squad((60, 20), (62.5, 20), (65, 20), roles={2: ("medic",)}, role="platoon")]
    state = battle(force, [squad((90, 90))], features=[hut], options=Options(casualties=True, overwatch=False))
    unit = msgspec.structs.replace(state.units[GroupId("0.1")], figures=(FigureId("0.1.1"), FigureId("0.1.3")))
    lies = {
        "wounded": (Wounded(FigureId("0.1.2"), unit.id),),
        "radio_sets": {unit.id: (6100, 2600)},
        "guns": (LostGun(unit.id, "mg", (6400, 2600)),),
        "posts": {0: AidPost("h", (1500, 800)), 1: AidPost("", (9000, 11000))},
    }
    resolved = msgspec.structs.replace(state.resolved, abilities={"medic": Ability("medic", "Medic", "treats", 4)})
    return msgspec.structs.replace(
        state, resolved=resolved, units={**state.units, unit.id: unit}, **{**lies, **changes}
    )


@pytest.mark.rule("AE-GEN-06")
def test_what_lies_on_the_table_is_marked_for_everybody() -> None:
    for seat in (0, 1):
        scene = seen_by(littered(), seat)
        man = scene[names.piece_node(FigureId("0.1.2"))]
        assert isinstance(man, Piece)
        assert (man.at, man.owner, man.group, man.status) == ((6250, 2000), 0, "", ("down",))
        marks = [scene[NodeId(f"zone/{id}")] for id in ("radio.0.1", "gun.0", "post.0", "post.1")]
        zones = [mark for mark in marks if isinstance(mark, Zone)]
        assert [(zone.style, zone.at, zone.radius, zone.owner) for zone in zones] == [
            ("radio", (6100, 2600), 100, 0),
            ("gun", (6400, 2600), 100, 0),
            ("aid", None, 0, 0),
            ("aid", (9000, 11000), 300, 1),
        ]
        assert zones[2].points == ((1000, 400), (2000, 400), (2000, 1200), (1000, 1200))
        titles = (man.name, *[zone.name for zone in zones])
        told = [format_text(title, CATALOGUE) for title in titles if title is not None]
        assert told == [
            "rifleman of Squad 1-1",
            "Radio set of Squad 1-1",
            "Machine gun of Squad 1-1, unmanned",
            "Aid post of Force 0 1",
            "Aid post of Force 1 2",
        ]


@pytest.mark.rule("AE-GEN-06")
def test_a_man_down_is_drawn_as_he_is_treated_and_where_he_is_carried() -> None:
    node, man = names.piece_node(FigureId("0.1.2")), Wounded(FigureId("0.1.2"), GroupId("0.1"), aided=True)
    treated = seen_by(littered(wounded=(man,)), 1)[node]
    assert isinstance(treated, Piece)
    assert treated.status == ("down", "aided")
    assert node not in seen_by(littered(wounded=()), 1)
    before = littered()
    moved = msgspec.structs.replace(before.figures[FigureId("0.1.2")], at=(6250, 2400))
    after = msgspec.structs.replace(before, figures={**before.figures, moved.id: moved})
    assert not are_same(key_of("lying", before), key_of("lying", after))


@pytest.mark.rule("AE-GEN-06")
def test_sets_and_guns_of_a_unit_that_is_gone_are_gone_too() -> None:
    state = littered()
    left = msgspec.structs.replace(state.units[GroupId("0.1")], where="gone", fate="left")
    scene = seen_by(msgspec.structs.replace(state, units={**state.units, left.id: left}), 1)
    assert not {NodeId("zone/radio.0.1"), NodeId("zone/gun.0")} & scene.keys()
    assert names.piece_node(FigureId("0.1.2")) in scene


@pytest.mark.rule("AE-CAS-01")
@pytest.mark.parametrize("choice", ["carry", "treat"])
def test_the_men_to_carry_and_to_treat_are_pieces_in_the_scene(choice: str) -> None:
    state = littered()
    field = VERBS.detail(state, Seat(0), choice, {"unit": ["group/0.1"]})
    assert isinstance(field, Pieces)
    found = [option.id for option in field.options]
    assert found == ["piece/0.1.2"]
    assert set(found) <= seen_by(state, 0).keys()


@pytest.mark.rule("AE-GEN-06")
def test_the_end_opens_the_cards_that_are_left() -> None:
    card, counter = (
        SupportCard("FS-7", "Howitzers", "two rounds", "artillery", 45, Template(600)),
        "counter/card.0.FS-7",
    )
    state = battle([squad((20, 20))], [squad((90, 90))])
    resolved = msgspec.structs.replace(state.resolved, cards={"FS-7": card})
    state = msgspec.structs.replace(state, resolved=resolved, support=(("FS-7", "FS-7"), ()))
    ended = msgspec.structs.replace(state, ended="turns")
    for table, seats in ((state, [0]), (ended, [0, 1])):
        assert [seat for seat in (0, 1) if NodeId(counter) in seen_by(table, seat)] == seats
    public = {part.id: part.make() for part in all_parts(system.public(ended))}
    shown = public[NodeId(counter)]
    assert isinstance(shown, Counter)
    assert shown.value == 2
    assert NodeId(counter) not in {part.id for part in all_parts(system.private(ended, Seat(0)))}
