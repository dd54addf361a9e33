"""Prompts and details agree with the rules: offered options can be played, bars name the true reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from msgspec.structs import replace

from bench import scenes
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.node_ids import group_of
from engine.core.view.prompts import cause_of, detail_for
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot import Level1
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId
from protocol.scene import fields as scene
from protocol.scene.nodes import Choice, Reply
from tests.support.play.observed import prompt_at
from tests.support.systems.shipped import resolved_scenario

MATCH = MatchId("m")

Fields = dict[str, object]


def games(scenario: str, seed: int, most: int, turn: int = -1) -> Iterator[SelfPlay[Skirmish]]:
    """Yield the game at each decision on a card. `turn`: of `resolved_scenario`."""
    resolved, seats = resolved_scenario(scenario, turn)
    play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH)))
    play.begin(Start(MATCH, seats, resolved))
    bots = {Seat(seat): Level1(seed + seat) for seat in range(seats)}
    for _ in range(most):
        if play.match.question is None and play.next_seat() is not None:
            yield play
        if not play.decide(bots):
            return


def code_of(match: Match[Skirmish], seat: Seat, choice: str, fields: Fields) -> str:
    """Return the code of a check's refusal, "" without one."""
    try:
        refusal = match.can(seat, match.system.parse(match.state, seat, Reply(choice, fields)))
    except IllegalIntent as illegal:
        refusal = illegal.refusal
    return refusal.code if refusal else ""


def group_field(choice: Choice) -> scene.Pieces:
    field = next(f for f in choice.fields if f.key in ("group", "first"))
    assert isinstance(field, scene.Pieces)
    return field


def detail(play: SelfPlay[Skirmish], seat: Seat, choice: str, fields: Mapping[str, object]) -> scene.AnyField:
    return detail_for(play.match, seat, choice, fields)


@pytest.mark.slow
def test_every_target_offered_can_be_shot_at_and_every_bar_is_true() -> None:
    offered = barred = 0
    for number, play in enumerate(games("harrow_cross", 3, 60)):
        seat = play.next_seat()
        prompt = prompt_at(play.match, seat) if seat is not None else None
        shoot = next((c for c in prompt.choices if c.id == "shoot"), None) if prompt else None
        if seat is None or shoot is None or number % 3:
            continue
        for group in group_field(shoot).options:
            field = detail(play, seat, "shoot", {"group": [group.id]})
            assert isinstance(field, scene.Pieces)
            for option in field.options:
                assert not code_of(play.match, seat, "shoot", {"group": [group.id], "target": [option.id]})
                assert option.hint is not None
                offered += 1
            for bar in field.barred:
                code = code_of(play.match, seat, "shoot", {"group": [group.id], "target": [bar.id]})
                assert code == bar.code
                barred += 1
        for bar in group_field(shoot).barred:
            everyone = [id for id, g in play.match.state.groups.items() if g.owner != seat]
            assert (
                code_of(play.match, seat, "shoot", {"group": [bar.id], "target": [f"group/{everyone[0]}"]}) == bar.code
            )
    assert offered > 5
    assert barred > 20


@pytest.mark.slow
@pytest.mark.parametrize(("choice", "key"), [("shoot", "target"), ("linked", "target"), ("blast", "at")])
def test_who_does_not_draw_is_offered_the_same_without_reasons_and_edges(choice: str, key: str) -> None:
    asked = left_out = 0
    for play in games("harrow_cross", 3, 80, 12):
        seat = play.next_seat()
        prompt = prompt_at(play.match, seat) if seat is not None else None
        for offered in [c for c in prompt.choices if c.id == choice] if prompt else []:
            for group in group_field(offered).options:
                assert seat is not None
                keys = [f.key for f in offered.fields if f.key in ("group", "first", "second")]
                fields: Fields = {one: [group.id] for one in keys}
                whole = detail_for(play.match, seat, choice, fields)
                bare = detail_for(play.match, seat, choice, fields, bare=True)
                assert whole.key == key
                if isinstance(whole, scene.Pieces):
                    left_out += len(whole.barred)
                    assert replace(whole, barred=()) == bare
                else:
                    assert isinstance(whole, scene.Template)
                    left_out += len(whole.regions)
                    assert replace(whole, regions=()) == bare
                asked += 1
    assert min(asked, left_out) > 5, (asked, left_out)


def test_corners_of_the_reach_can_be_walked_to_with_the_default_places() -> None:
    walked = 0
    for number, play in enumerate(games("low_water", 1, 40)):
        seat = play.next_seat()
        prompt = prompt_at(play.match, seat) if seat is not None else None
        move = next((c for c in prompt.choices if c.id == "move"), None) if prompt else None
        if seat is None or move is None or number % 6:
            continue
        fields: Fields = {"group": [group_field(move).options[-1].id]}
        lead = detail(play, seat, "move", fields)
        assert isinstance(lead, scene.Pieces)
        fields["lead"] = list(lead.default)
        to = detail(play, seat, "move", fields)
        assert isinstance(to, scene.PickPoint)
        assert to.start is not None
        assert to.reach == play.match.state.faction(seat).move
        for region in to.regions:
            for corner in region[::7]:
                there = {**fields, "to": list(corner)}
                if code_of(play.match, seat, "move", there):
                    continue  # regions are hints: the outline of a feature that is left has corners out of reach
                places = detail(play, seat, "move", there)
                assert isinstance(places, scene.Placement)
                by_hand = {piece: list(at) for piece, at in places.default.items()}
                assert not code_of(play.match, seat, "move", {**there, "places": by_hand})
                walked += 1
    assert walked > 15


def test_the_prompt_itself_looks_at_no_sight_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    play = next(games("low_water", 1, 1))
    seat = play.next_seat()
    assert seat is not None

    def looked(*_: object) -> None:
        raise AssertionError("sight")

    monkeypatch.setattr(table, "sight_between", looked)
    assert prompt_at(play.match, seat) is not None


def test_linked_fire_is_offered_with_the_trait_and_two_actions_only() -> None:
    seen: set[bool] = set()
    for play in games("harrow_cross", 8, 80):
        state, seat = play.match.state, play.next_seat()
        prompt = prompt_at(play.match, seat) if seat is not None else None
        if seat is None or prompt is None:
            continue
        ids = {choice.id for choice in prompt.choices}
        able = "linked_fire" in state.faction(seat).traits and state.left > 1 and "shoot" in ids
        assert ("linked" in ids) == able
        seen.add(able)
        linked = next((c for c in prompt.choices if c.id == "linked"), None)
        if linked is not None:
            assert [f.key for f in linked.fields].count("third") == (state.left > 2)
    assert seen == {True, False}


def test_the_title_names_the_card_and_no_two_cards_have_the_same() -> None:
    titles: dict[tuple[int, int], set[str]] = {}
    for play in games("harrow_cross", 9, 60):
        state, seat = play.match.state, play.next_seat()
        prompt = prompt_at(play.match, seat) if seat is not None else None
        if prompt is not None:
            titles.setdefault((state.turn, state.current), set()).add(repr(prompt.title))
    assert all(len(own) == 1 for own in titles.values())
    assert len({title for own in titles.values() for title in own}) == len(titles) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "seed"), [("harrow_cross", 3), ("low_water", 4), ("marrow", 5)])
def test_a_prompt_that_is_kept_is_the_one_that_would_be_made(scenario: str, seed: int) -> None:
    decisions = 0
    for play in games(scenario, seed, 150):
        seat = play.next_seat()
        assert seat is not None
        kept = prompt_at(play.match, seat)
        state = play.match.state
        play.match.state = replace(state, resolved=replace(state.resolved))
        assert prompt_at(play.match, seat) == kept
        decisions += 1
    assert decisions > 50


def test_a_shot_that_leaves_the_choices_as_they_are_is_told_in_public_alone() -> None:
    """The row shows the actions left: the prompt stays the same object, and is not sent again."""
    game = scenes.match()
    match, projector = game.match, game.projector
    [seat] = match.may_act()
    shot = scenes.shots(match.state)[seat]
    prompt = None
    for number in range(5):
        step = match.propose(cause_of(match, seat, number.to_bytes(16, "big"), shot))
        match.settle(step)
        frames = projector.advance(step)
        assert frames.public is not None
        assert frames.public.patch == {"row": {"left": match.state.left}}
        # dice bar the first act from being taken back, which the prompt says
        assert list(frames.private) == ([seat] if number == 0 else [])
        assert prompt is None or projector.prompt(seat) is prompt
        prompt = projector.prompt(seat)


@pytest.mark.parametrize(
    ("choice", "fields"),
    [
        ("dance", {}),
        ("move", {"group": ["group/9.9"]}),
        ("move", {"group": "group/0.1"}),
        ("move", {"group": [], "lead": []}),
        ("shoot", {"group": ["piece/x"]}),
        ("end", {}),
        ("propose", {"effect": "win"}),
    ],
)
def test_a_detail_of_nonsense_is_refused(choice: str, fields: Fields) -> None:
    play = next(games("harrow_cross", 2, 20))
    seat = play.next_seat()
    assert seat is not None
    with pytest.raises(IllegalIntent):
        detail(play, seat, choice, fields)


def test_a_lead_of_another_group_is_refused() -> None:
    play = next(games("harrow_cross", 2, 20))
    state, seat = play.match.state, play.next_seat()
    assert seat is not None
    own = [g for g in state.groups.values() if g.owner == seat]
    stranger = own[1].figures[0]
    with pytest.raises(IllegalIntent, match="move/lead-not-in-group"):
        detail(play, seat, "move", {"group": [f"group/{own[0].id}"], "lead": [f"piece/{stranger}"]})


def test_what_a_proposal_may_be_about_follows_its_effect() -> None:
    play = next(games("harrow_cross", 2, 20))
    state, seat = play.match.state, play.next_seat()
    assert seat is not None
    own = next(g for g in state.groups.values() if g.owner == seat)

    def about(effect: str) -> scene.Pieces:
        field = detail(play, seat, "propose", {"effect": effect, "group": [f"group/{own.id}"]})
        assert isinstance(field, scene.Pieces)
        return field

    assert about("again").options == ()
    assert {o.id for o in about("open").options} <= {o.id for o in about("clear").options}
    assert all(state.groups[group_of(o.id)].owner != seat for o in about("stun").options)
    for effect in ("clear", "open", "stun"):
        fields: Fields = {
            "effect": effect,
            "group": [f"group/{own.id}"],
            "about": [about(effect).options[0].id],
            "roll": "no",
            "words": "With a rope",
        }
        assert not code_of(play.match, seat, "propose", fields)


JUNK: tuple[object, ...] = (
    "",
    "group/0.1",
    7,
    -1,
    True,
    None,
    [],
    [""],
    ["group/0.1", "group/0.1"],
    ["group/9.9"],
    ["piece/0-01"],
    [1, 2],
    [10**9, -5],
    {},
    {"piece/0-01": [0, 0]},
    {"x": "y"},
)


def test_no_junk_from_the_wire_gets_past_a_refusal() -> None:
    """Any fields from a client give a field or a refusal."""
    answers = refusals = 0
    for number, play in enumerate(games("harrow_cross", 12, 30)):
        seat = play.next_seat()
        prompt = prompt_at(play.match, seat) if seat is not None else None
        if seat is None or prompt is None or number % 10:
            continue
        for choice in prompt.choices:
            keys = [field.key for field in choice.fields]
            good: Fields = {}
            for key in keys:
                for junk in JUNK:
                    try:
                        detail(play, seat, choice.id, {**good, key: junk})
                        answers += 1
                    except IllegalIntent:
                        refusals += 1
                try:
                    field = detail(play, seat, choice.id, good)
                except IllegalIntent:
                    break
                good[field.key] = _any_value(field)
    assert answers > 10
    assert refusals > 100


def _any_value(field: scene.AnyField) -> object:
    match field:
        case scene.Pieces():
            return [option.id for option in field.options[: max(1, field.least)]]
        case scene.PickOption():
            return field.options[0].id if field.options else ""
        case scene.PickPoint():
            return list(field.default or field.start or (0, 0))
        case scene.Placement():
            return {piece: list(at) for piece, at in field.default.items()}
        case _:
            return "With a rope"
