"""Node ids: a kind, a slash, and an id among those."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.node_ids import (
    feature_node,
    figure_of,
    group_node,
    group_of,
    local_id,
    objective_node,
    piece_node,
    seat_node,
    sheet_node,
    stack_node,
    zone_node,
)
from protocol.ids import FigureId, GroupId


@pytest.mark.parametrize(
    ("made", "id"),
    [
        (group_node(GroupId("1.2")), "group/1.2"),
        (piece_node(FigureId("1.2-3")), "piece/1.2-3"),
        (feature_node("wood"), "feature/wood"),
        (zone_node("edge"), "zone/edge"),
        (sheet_node("1.2"), "sheet/1.2"),
        (stack_node("volley"), "stack/volley"),
        (objective_node(2, "hold"), "objective/2.hold"),
        (seat_node(3), "seat/3"),
    ],
)
def test_each_kind_has_its_prefix(made: str, id: str) -> None:
    assert made == id


@given(st.text())
def test_the_rules_own_name_is_found_again_whatever_it_is(name: str) -> None:
    assert group_of(group_node(GroupId(name))) == name
    assert figure_of(piece_node(FigureId(name))) == name
    for named in (feature_node, zone_node):
        assert local_id(named(name)) == name


def test_what_is_no_node_is_none_of_its_kind() -> None:
    assert local_id("group") == ""
