"""Scene: nodes shown, nodes made again, and hidden state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import pytest

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import PartOrSection, Section, all_parts
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot import Level1
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.view import scene, sheets
from protocol.ids import MatchId, NodeId
from protocol.scene.nodes import (
    RESULT_NODE,
    ROW_NODE,
    AnyNode,
    Feature,
    Group,
    Objective,
    Piece,
    Pile,
    Result,
    Row,
    SeatNode,
    Sheet,
    StackItem,
    Zone,
)
from tests.support.systems.shipped import resolved_scenario

MATCH = MatchId("m")

ALL = range(6)


def begun(scenario: str = "low_water", seed: int = 1) -> SelfPlay[Skirmish]:
    resolved, seats = resolved_scenario(scenario)
    play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH)))
    play.begin(Start(MATCH, seats, resolved))
    return play


def played(scenario: str, seed: int, most: int) -> SelfPlay[Skirmish]:
    play = begun(scenario, seed)
    bots = {Seat(seat): Level1(seed + seat) for seat in range(len(play.match.state.seats))}
    play.play(bots, most)
    return play


def nodes(state: Skirmish, seat: int | None = None) -> dict[NodeId, AnyNode]:
    parts = all_parts(scene.public(state)) if seat is None else scene.private(state, Seat(seat))
    return {part.id: part.make() for part in parts}


def test_the_opening_shows_table_forces_cards_and_conditions() -> None:
    state = begun().match.state
    shown = nodes(state)
    kinds = {kind: [n for n in shown.values() if isinstance(n, kind)] for kind in (Feature, Piece, Group, Zone, Sheet)}
    assert len(kinds[Feature]) == len(state.resolved.scenario.features)
    assert len(kinds[Piece]) == len(state.figures)
    assert len(kinds[Group]) == len(state.groups) + len(state.aboard)
    assert len(kinds[Sheet]) == len(state.seats) + len(state.groups)  # one each, and one of each faction
    assert len(kinds[Zone]) == 2 * len(state.seats) + len(state.resolved.scenario.zones)  # everybody has reserves
    row, deck, discard = shown[ROW_NODE], shown[NodeId("pile/deck")], shown[NodeId("pile/discard")]
    assert isinstance(row, Row)
    assert isinstance(deck, Pile)
    assert isinstance(discard, Pile)
    assert [card.id for card in row.cards] == [card.id for card in state.row]
    assert len(row.cards) + deck.count + discard.count == len(cards.composition(state.resolved))


def test_a_group_has_a_sheet_of_its_own_with_what_it_has_now() -> None:
    state = begun().match.state
    id, group = next((id, group) for id, group in state.groups.items() if len(group.figures) > 2)
    shown = nodes(state)
    node = shown[names.group_node(id)]
    assert isinstance(node, Group)
    sheet = shown[node.sheet]
    assert isinstance(sheet, Sheet)
    assert sheet.title == node.name
    own = [line.a for line in sheet.lines if line.k == "sheet.own"]
    assert sum(int(str(line["count"])) for line in own) == len(group.figures)
    fewer = msgspec.structs.replace(group, figures=group.figures[:1])
    left = sheets.on_foot(msgspec.structs.replace(state, groups={**state.groups, id: fewer}), fewer)
    assert [line.a["count"] for line in left.lines if line.k == "sheet.own"] == [1]
    assert "sheet.sum" not in [line.k for line in left.lines]


@pytest.mark.slow
def test_cards_are_all_accounted_for_throughout_a_game() -> None:
    play = begun("harrow_cross", 11)
    every = len(cards.composition(play.match.state.resolved))
    bots = {Seat(seat): Level1(seat) for seat in range(4)}
    state = play.match.state
    while play.decide(bots):
        state = play.match.state
        shown = nodes(state)
        deck, discard = shown[NodeId("pile/deck")], shown[NodeId("pile/discard")]
        assert isinstance(deck, Pile)
        assert isinstance(discard, Pile)
        assert deck.count == play.match.record.decks["actions"].left
        still_open = sum(card.state in ("waiting", "current") for card in state.row)
        assert deck.count + discard.count + still_open + len(state.out) == every
    assert state.ending is not None


def test_only_what_changed_is_made_again() -> None:
    """A node whose key holds the same objects is the same node."""
    play = begun("harrow_cross", 5)
    bots = {Seat(seat): Level1(seat) for seat in range(4)}
    before: dict[str, tuple[tuple[object, ...], AnyNode]] = {}
    kept = remade = 0
    for _ in range(60):
        state = play.match.state
        parts = [*all_parts(scene.public(state)), *(p for seat in range(4) for p in scene.private(state, Seat(seat)))]
        for part in parts:
            node = part.make()
            if part.id in before:
                key, old = before[part.id]
                if len(key) == len(part.key) and all(a is b for a, b in zip(key, part.key, strict=True)):
                    assert node == old, part.id
                    kept += 1
                else:
                    remade += 1
            before[part.id] = (part.key, node)
        if not play.decide(bots):
            break
    assert kept > 4 * remade


def all_sections(shown: Iterable[PartOrSection]) -> Iterator[Section]:
    for one in shown:
        if isinstance(one, Section):
            yield one
            yield from all_sections(one.parts())


@pytest.mark.slow
def test_a_section_whose_key_is_the_same_holds_the_same() -> None:
    """Sections are skipped by their keys alone: these must hold everything that decides their contents."""
    play = begun("harrow_cross", 6)
    bots = {Seat(seat): Level1(seat) for seat in range(4)}
    before: dict[str, tuple[tuple[object, ...], dict[NodeId, AnyNode]]] = {}
    passed_over = 0
    while play.decide(bots):
        for section in all_sections(scene.public(play.match.state)):
            within = {part.id: part.make() for part in all_parts(section.parts())}
            key, held = before.get(section.id, ((), {}))
            if len(key) == len(section.key) and all(a is b for a, b in zip(key, section.key, strict=True)):
                assert within == held, section.id
                passed_over += 1
            before[section.id] = (section.key, within)
    assert passed_over > 50


def test_secret_conditions_are_in_their_owners_part_only() -> None:
    state = begun().match.state
    public = nodes(state)
    for seat, own in enumerate(state.seats):
        assert own.secrets
        mine = nodes(state, seat)
        assert set(mine) == {f"objective/{seat}.{id if n else 'hidden'}" for n, id in enumerate(own.secrets)}
        assert all(isinstance(node, Objective) and node.secret for node in mine.values())
        placeholder = public[NodeId(f"objective/{seat}.hidden")]
        assert all(node != placeholder for node in mine.values())
        hidden = public[NodeId(f"objective/{seat}.hidden")]
        assert isinstance(hidden, Objective)
        assert (hidden.text.a["count"], hidden.progress, hidden.state) == (len(own.secrets), 0, "open")
    packed = msgspec.json.encode(public).decode()
    assert not any(id in packed for own in state.seats for id in own.secrets)


def test_the_public_scene_is_the_same_whatever_the_secrets() -> None:
    state = played("harrow_cross", 2, 60).match.state
    assert state.ending is None
    other = tuple(
        msgspec.structs.replace(own, secrets=("secret_tune",), met=tuple(id for id in own.met if "secret" not in id))
        for own in state.seats
    )
    assert nodes(state) == nodes(msgspec.structs.replace(state, seats=other))


@pytest.mark.slow
def test_a_game_that_is_over_shows_every_condition() -> None:
    play = played("harrow_cross", 4, 2_000)
    state = play.match.state
    shown = nodes(state)[RESULT_NODE]
    assert isinstance(shown, Result)
    assert shown == system.result(state)
    for result in shown.seats:
        role = state.resolved.scenario.roles[result.seat]
        assert len(result.conditions) == len(role.conditions) + role.secrets
        assert sum(condition.secret for condition in result.conditions) == role.secrets
        assert result.won == (result.score >= role.win)


@pytest.mark.slow
def test_a_fallen_faction_is_out() -> None:
    for seed in range(1, 9):
        state = played("harrow_cross", seed, 2_000).match.state
        fallen = [seat for seat, own in enumerate(state.seats) if not own.alive]
        if fallen:
            node = nodes(state)[NodeId(f"seat/{fallen[0]}")]
            assert isinstance(node, SeatNode)
            assert (node.alive, node.status) == (False, ("out",))
            return
    pytest.fail("nobody fell in eight games")


def test_a_locked_group_says_so_and_its_combat_is_on_the_stack() -> None:
    play = begun("harrow_cross", 6)
    bots = {Seat(seat): Level1(seat) for seat in range(4)}
    for seed in range(6, 16):
        play = begun("harrow_cross", seed)
        while play.decide(bots):
            state = play.match.state
            if state.combats:
                shown = nodes(state)
                combat = shown[NodeId(f"stack/combat.{state.combats[0].id}")]
                assert isinstance(combat, StackItem)
                assert len(combat.lines) >= 2
                for id in combat.about:
                    group = shown[id]
                    assert isinstance(group, Group)
                    assert "locked" in group.status
                return
    pytest.fail("no combat in ten games")
