"""Names that files use of one another."""

from __future__ import annotations

from pydantic import Field

from engine.core.content.content_files import ContentFault
from engine.core.content.content_schema import Entry
from engine.kit.scenario.references import defined, is_blind, not_among, own_ids, unknown


class Map(Entry):
    """A table of which a file has one."""

    id: str


class Document(Entry):
    """A file."""

    terrain: dict[str, int] = Field(default_factory=dict)
    map: Map | None = None


SOUND = (Document(terrain={"woods": 1}, map=Map(id="moor")), Document(terrain={"hill": 2}))
FAULTY = ({"terrain": {"bog": "deep"}, "map": {"id": "fen", "size": 3}}, {"terrain": 3, "map": {"size": 3}})


def test_what_sound_and_faulty_files_define() -> None:
    assert defined("terrain", SOUND, FAULTY) == {"bog": "deep", "woods": 1, "hill": 2}
    assert defined("map", SOUND, FAULTY, single=True) == {"fen": {"id": "fen", "size": 3}, "moor": Map(id="moor")}
    assert defined("map", (), (), single=True) == {}


def test_a_file_that_could_not_be_read_might_define_anything() -> None:
    assert not is_blind(FAULTY)
    assert is_blind(({}, *FAULTY))
    here = ("scenario", "kind")
    assert list(unknown(here, "terrain", ("sea", "hill", "bay"), {"hill"})) == [
        ContentFault(here, "no terrain has the id bay"),
        ContentFault(here, "no terrain has the id sea"),
    ]
    assert list(unknown(here, "terrain", ("sea",), {"hill"}, blind=True)) == []


def test_a_word_is_one_of_the_possible_ones() -> None:
    assert list(not_among(("kind",), "hold", {"hold", "reach"})) == []
    assert list(not_among(("kind",), "hug", {"reach", "hold"})) == [
        ContentFault(("kind",), "hug is none of hold, reach")
    ]


def test_the_ids_of_a_file_have_their_places() -> None:
    assert list(own_ids(SOUND[0], "terrain", "map")) == [(("terrain", "woods"), "woods"), (("map", "id"), "moor")]
    assert list(own_ids(SOUND[1], "map")) == []
