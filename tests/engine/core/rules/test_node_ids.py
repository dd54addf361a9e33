"""Node ids: a kind, a slash, and an id among those."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.node_ids import (
    feature_id,
    figure_of,
    group_id,
    group_of,
    local_id,
    objective_id,
    piece_id,
    seat_id,
    sheet_id,
    stack_id,
    zone_id,
)
from protocol.ids import FigureId, GroupId


@pytest.mark.parametrize(
    ("made", "id"),
    [
        (group_id(GroupId("1.2")), "group/1.2"),
        (piece_id(FigureId("1.2-3")), "piece/1.2-3"),
        (feature_id("wood"), "feature/wood"),
        (zone_id("edge"), "zone/edge"),
        (sheet_id("1.2"), "sheet/1.2"),
        (stack_id("volley"), "stack/volley"),
        (objective_id(2, "hold"), "objective/2.hold"),
        (seat_id(3), "seat/3"),
    ],
)
def test_each_kind_has_its_prefix(made: str, id: str) -> None:
    assert made == id


@given(st.text())
def test_the_rules_own_name_is_found_again_whatever_it_is(name: str) -> None:
    assert group_of(group_id(GroupId(name))) == name
    assert figure_of(piece_id(FigureId(name))) == name
    for named in (feature_id, zone_id):
        assert local_id(named(name)) == name


def test_what_is_no_node_is_none_of_its_kind() -> None:
    assert local_id("group") == ""
