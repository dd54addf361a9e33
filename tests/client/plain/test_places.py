"""Places and names as a person types them, and the words that tell them."""

from __future__ import annotations

import pytest

from client.model.table.tabletop import Tabletop
from client.plain.told.compass import direction_named, length_words, place_words, way_words
from client.plain.told.names import ShortNames
from client.plain.told.places import PlaceReader, UnknownPlace
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Group, Piece
from protocol.text import Text
from tests.support.examples import scenes

START = (2000, 1000)
TEXTS = Texts([scenes.CATALOGUE])


def places() -> PlaceReader:
    top = Tabletop(scenes.public_nodes())
    return PlaceReader(top, ShortNames(top, TEXTS))


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("24 12", (2400, 1200)),
        ("24.5, 12", (2450, 1200)),
        ("6 n", (2000, 1600)),
        ("6 North", (2000, 1600)),
        ("10 ne", (2707, 1707)),
        ("10 north-east", (2707, 1707)),
        ("2,5 w", (1750, 1000)),
        ("here", START),
        ("TF1", (700, 400)),
        ("T2", (1250, 2300)),
        ("3 s of TF1", (700, 100)),
        ("4 to TF1", (1637, 832)),
        ("99 to TF1", (700, 400)),
        ("Task Force 1", (700, 400)),
    ],
)
def test_a_place_is_read_as_it_is_said(words: str, place: tuple[int, int]) -> None:
    assert places().read(words, START) == place


@pytest.mark.parametrize("words", ["", "nowhere", "6", "6 up", "n", "6 to nobody", "99999999999 1"])
def test_other_words_are_refused_with_what_would_do(words: str) -> None:
    with pytest.raises(UnknownPlace, match=r"Type 6 ne"):
        places().read(words, START)


def test_a_direction_needs_a_start() -> None:
    with pytest.raises(UnknownPlace, match="no start"):
        places().read("6 n", None)


def test_ways_are_told_by_length_and_compass() -> None:
    assert way_words((0, 0), (0, 1100), "in") == "11 inches north"
    assert way_words((0, 0), (-71, -71), "cm") == "1 centimetre south-west"
    assert way_words((0, 0), (3, 0), "in") == "here"
    assert place_words((2400, 1250)) == "24, 12.5"
    assert length_words(100, "in") == "1 inch"
    assert direction_named("South East") == "se"
    assert direction_named("up") is None


def names(*called: str) -> ShortNames:
    nodes: dict[NodeId, AnyNode] = {}
    for number, name in enumerate(called):
        piece = NodeId(f"piece/{number}")
        nodes[NodeId(f"group/{number}")] = Group(0, Text(name), (piece,))
        nodes[piece] = Piece((0, 0), 50, 0, NodeId(f"group/{number}"))
    return ShortNames(Tabletop(nodes), Texts())


def test_groups_are_found_by_initials_a_letter_or_their_whole_name() -> None:
    known = names("Fen Levy 5", "U.N.I.T. 6", "Fen Levy 6")
    assert [known.of(NodeId(f"group/{n}")) for n in range(3)] == ["FL5", "U6", "FL6"]
    assert known.find("fl5") == known.find("F5") == known.find("Fen Levy 5") == "group/0"
    assert known.find("u6") == "group/1"
    assert known.find("Fen") == known.find("F7") == known.find("") == ""


def test_names_that_would_be_alike_get_letters() -> None:
    known = names("Red Guard 1", "Royal Guard 1")
    assert [known.of(NodeId(f"group/{n}")) for n in range(2)] == ["RG1a", "RG1b"]
    assert known.find("R1") == ""
    assert known.find("rg1b") == "group/1"
