"""Forces, bases and the two measurements."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent, SetupRefused
from engine.rulesets.action_cards.rules.board import table as lookup
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.state.model import Faction
from engine.space.terrain.contact import overlaps
from engine.space.vectors.outlines import contains
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish
from tests.support.systems.skirmish import DALEKS, FACTIONS, SPUGS, UNIT, Play, area, barrier, line_up


@pytest.mark.rule("AC-SETUP-01")
def test_each_seat_controls_one_faction_in_groups_of_its_own() -> None:
    state = setup.start(skirmish.resolved(), 4)
    assert [seat.faction for seat in state.seats] == ["unit", "daleks", "spugs", "militia"]
    sizes = [[len(g.figures) for g in state.groups.values() if g.owner == seat] for seat in range(4)]
    assert sizes == [[4, 4], [3], [4], [10]]
    assert all(state.figures[id].owner == g.owner for g in state.groups.values() for id in g.figures)


@pytest.mark.rule("AC-SETUP-01")
def test_figures_start_in_their_zone_on_open_ground_clear_of_each_other() -> None:
    features = (area("wood", "trees", 600, 600, 1400, 1400), barrier("fence", "wire_fence", (0, 2400), (2000, 2400)))
    state = setup.start(skirmish.resolved(features=features), 4)
    bases = [base for id in state.groups for base in lookup.board(state).bases(id)]
    assert not [(a.id, b.id) for n, a in enumerate(bases) for b in bases[:n] if overlaps(a, b)]
    for figure in state.figures.values():
        assert contains(figure.at, state.resolved.scenario.roles[figure.owner].start)
        assert not lookup.board(state).scenery.areas_at(figure.at)


@pytest.mark.rule("AC-SETUP-01")
def test_a_group_larger_than_its_faction_organises_is_refused() -> None:
    giant = msgspec.structs.replace(DALEKS, force=(("dalek",) * 4,))
    with pytest.raises(SetupRefused) as refused:
        setup.start(skirmish.resolved((giant, UNIT)), 2)
    assert refused.value.text.k == "setup.group-too-large"


@pytest.mark.rule("AC-SETUP-01")
def test_a_start_zone_without_room_is_refused() -> None:
    everywhere = area("lake", "river", 0, 0, 7200, 4800)
    with pytest.raises(SetupRefused) as refused:
        setup.start(skirmish.resolved(features=(everywhere,)), 4)
    assert refused.value.text.k == "setup.no-room"


@pytest.mark.rule("AC-SETUP-01")
def test_a_crew_shares_one_base_that_goes_with_the_last_of_it() -> None:
    state = setup.start(skirmish.resolved(), 4)
    first, second = [figure for figure in state.figures.values() if figure.profile == "crew"]
    assert (first.at, first.base) == (second.at, second.base)
    assert first.base
    group = state.group_of(first.id)
    assert group is not None
    assert len(group.figures) == 4
    assert len(lookup.board(state).bases(group.id)) == 3
    moved = Play(skirmish.laid(msgspec.structs.replace(state, turn=1), "0.single.1"))
    lead = group.figures[0]
    x, y = moved.at(lead)
    moved.do(0, Move(group.id, lead, (x, y + 300)))
    assert moved.at(first.id) == moved.at(second.id) != first.at


@pytest.mark.rule("AC-SETUP-02")
@pytest.mark.parametrize(("faction", "move"), [(UNIT, 800), (SPUGS, 1600)])
def test_a_group_moves_by_its_factions_move(faction: Faction, move: int) -> None:
    """Eight inches for most, sixteen for Spugs."""
    factions = (faction, *(other for other in FACTIONS if other is not faction))
    state = skirmish.table({"0.1": [(1000, 1000)], "1.1": line_up(3, 5000, 4000)}, factions=factions)
    with pytest.raises(IllegalIntent) as refused:
        Play(state).do(0, Move(GroupId("0.1"), FigureId("0.1/1"), (1000, 1001 + move)))
    assert refused.value.refusal.code == "move/too-far"
    assert Play(state).do(0, Move(GroupId("0.1"), FigureId("0.1/1"), (1000, 1000 + move))).at("0.1/1") == (
        1000,
        1000 + move,
    )
