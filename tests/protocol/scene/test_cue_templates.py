"""Cue templates: what is made of blanks fills to what is made of values; a hostile server gets BadFrame, quickly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, strategies as st

from protocol.errors import BadFrame
from protocol.ids import NodeId, Seq
from protocol.limits import Limits
from protocol.scene.cue_templates import CatalogueTemplate, CueTemplate, cue_template, each, name_of, pick, within
from protocol.scene.delta import Nodes
from protocol.scene.nodes import ROW_NODE, TABLE_NODE, Cue, Dice, RollId
from protocol.scene.template_filling import TemplateFilling
from protocol.text import Text, text
from protocol.wire.codec import decode_message, encode
from protocol.wire.from_server import Catalogue, Delta

GROUP_2_1 = NodeId("group/2.1")

WIRE = st.recursive(
    st.one_of(st.text(max_size=4), st.integers(-2, 9), st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6,
)
ROLLED = 0, 6, (3,)
NODES: Nodes = {GROUP_2_1: {"k": "group", "name": {"k": "name.group", "a": {"number": 1}}}, ROW_NODE: {"k": "row"}}


@cue_template
def fired(group: str, seat: int, well: int, weapons: Sequence[tuple[int, str]], roll: RollId) -> Iterator[Cue]:
    """Make cues by all that a template can do."""
    who = NodeId(within("group/", group))
    yield Cue("note", text(pick(well, "log.missed", "log.hit"), group=name_of(who)), about=(who, TABLE_NODE))
    parts = each(weapons, lambda count, weapon: text("part", n=count, weapon=Text(within("weapon.", weapon))))
    yield Cue("dice", text("log.fired"), "R-1", seat, dice=Dice.of(roll, text("dice"), parts))


def filled(told: tuple[Any, ...], *forms: CueTemplate[Any], nodes: Nodes = NODES) -> tuple[Cue, ...]:
    """Return the cues, when they have travelled."""
    catalogue = decode_message(
        encode(Catalogue("s", "en", "h", {}, tuple(CatalogueTemplate(one.id, one.template) for one in forms))), Limits()
    )
    delta = decode_message(encode(Delta(n=Seq(1), patch={}, hash=0, told=(told,))), Limits())
    assert isinstance(catalogue, Catalogue)
    assert isinstance(delta, Delta)
    return TemplateFilling({one.id: one.cues for one in catalogue.forms}, (nodes,)).cues(delta.told)


def test_a_form_fills_to_its_cues() -> None:
    told = fired("2.1", 3, roll=RollId(4, 7, True), well=1, weapons=((2, "rifle"), (1, "ray")))
    assert fired.roll(told) == RollId(4, 7, True)
    name = Text("name.group", {"number": 1})
    parts = (text("part", n=2, weapon=Text("weapon.rifle")), text("part", n=1, weapon=Text("weapon.ray")))
    assert filled(fired.filled(told, 5, 10, (6, 2)).wire, fired) == (
        Cue("note", text("log.hit", group=name), about=(GROUP_2_1, TABLE_NODE)),
        Cue("dice", text("log.fired"), "R-1", 3, dice=Dice(text("dice"), 5, 10, (6, 2), parts, (), 0, 4, 7, True)),
    )


def test_a_form_without_dice_names_no_roll() -> None:
    @cue_template
    def noted(number: int) -> Iterator[Cue]:
        yield Cue("note", text("n", n=number))

    assert noted.roll(noted(3)) is None


@pytest.mark.parametrize("group", ["9.9", "2.1"])
def test_a_node_without_name_is_called_by_its_id(group: str) -> None:
    told = fired.filled(fired(group, 0, 0, (), RollId(1, 0)), *ROLLED).wire
    note, _ = filled(told, fired, nodes={GROUP_2_1: {"k": "row"}})
    assert note.text.a["group"] == Text(f"group/{group}")


def test_the_first_part_that_has_a_node_names_it() -> None:
    before: Nodes = {NodeId("a"): {"name": {"k": "before"}}}
    after: Nodes = {NodeId("a"): {"name": {"k": "after"}}, NodeId("b"): {"name": {"k": "new"}}}
    template = [{"kind": "note", "text": {"$name": [{"$": 0}]}}]
    found = TemplateFilling({1: template}, (before, after)).cues([(1, "a"), (1, "b")])
    assert [cue.text.k for cue in found] == ["before", "new"]


def test_whole_cues_and_forms_keep_their_order() -> None:
    whole = Cue("note", text("whole"))
    short = fired.filled(fired("2.1", 0, 0, (), RollId(1, 0)), *ROLLED).wire
    found = TemplateFilling({fired.id: fired.template}, (NODES,)).cues([whole, short, whole])
    assert [cue.text.k for cue in found] == ["whole", "log.missed", "log.fired", "whole"]


def test_an_id_follows_from_the_template_alone() -> None:
    def again(number: int) -> Iterator[Cue]:
        yield Cue("note", text("a", n=number))

    def other(number: int) -> Iterator[Cue]:
        yield Cue("note", text("b", n=number))

    assert CueTemplate(again).id == CueTemplate(again).id != CueTemplate(other).id


def test_a_form_cannot_know_its_arguments() -> None:
    def chooses(n: int) -> Iterator[Cue]:
        yield Cue("note", text("one" if n == 1 else "many"))

    def counts(faces: tuple[int, ...]) -> Iterator[Cue]:
        yield Cue("note", text("n", n=len(faces)))

    def writes(group: str) -> Iterator[Cue]:
        yield Cue("note", text("n"), about=(NodeId(f"group/{group}"),))

    def adds(n: int) -> Iterator[Cue]:
        yield Cue("note", text("n", n=n + 1))

    def reaches_out(items: Sequence[int], n: int) -> Iterator[Cue]:
        yield Cue("note", text("n"), about=each(items, lambda item: NodeId(within("a", n))))

    for make in (chooses, counts, writes, adds, reaches_out):
        with pytest.raises(TypeError):
            CueTemplate(make)


def test_a_form_shows_the_roll_that_is_its_last_argument() -> None:
    def not_last(roll: RollId, n: int) -> Iterator[Cue]:
        yield Cue("dice", text("d", n=n), dice=Dice.of(roll, text("d")))

    def own_faces(faces: tuple[int, ...]) -> Iterator[Cue]:
        yield Cue("dice", text("d"), dice=Dice(text("d"), 0, 6, faces))

    def constant() -> Iterator[Cue]:
        yield Cue("dice", text("d"), dice=Dice.of(RollId(1, 2), text("d")))

    def said(roll: RollId) -> Iterator[Cue]:
        yield Cue("dice", text("d", roll=within("", cast("int", roll))), dice=Dice.of(roll, text("d")))

    def its_number(roll: RollId) -> Iterator[Cue]:
        yield Cue("dice", text("d", n=roll.n), dice=Dice.of(roll, text("d")))

    for make in (not_last, own_faces, constant, said, its_number):
        with pytest.raises(TypeError, match="last argument"):
            CueTemplate(make)


def test_a_form_shows_one_roll() -> None:
    def two(roll: RollId) -> Iterator[Cue]:
        yield from [Cue("dice", text("d"), dice=Dice.of(roll, text("d")))] * 2

    with pytest.raises(ValueError, match="one roll"):
        CueTemplate(two)


NOTE: dict[str, Any] = {"kind": "note", "text": {"k": "a"}}


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ([NOTE], (2,)),
        ([NOTE], ()),
        ([NOTE], ("1",)),
        (["x"], (1,)),
        ([{"kind": "note"}], (1,)),
        ([{"kind": {"$": 0}, "text": {"k": "a"}}], (1, 5)),
        ([{"kind": {"$": 1}, "text": {"k": "a"}}], (1, "x")),
        ([{"kind": {"$": -1}, "text": {"k": "a"}}], (1, "x")),
        ([{"kind": {"$": "0"}, "text": {"k": "a"}}], (1, "x")),
        ([{"kind": {"$nothing": [0]}, "text": {"k": "a"}}], (1, "x")),
        ([{"kind": {"$in": ["x"]}, "text": {"k": "a"}}], (1, "x")),
        ([{"kind": {"$in": ["x", {"$": 0}]}, "text": {"k": "a"}}], (1, ["x"])),
        ([{"kind": {"$in": 7}, "text": {"k": "a"}}], (1, "x")),
        ([{"kind": {"$pick": [{"$": 0}, "x"]}, "text": {"k": "a"}}], (1, 1)),
        ([{"kind": {"$pick": [{"$": 0}, "x"]}, "text": {"k": "a"}}], (1, -1)),
        ([{"kind": {"$pick": [{"$": 0}, "x"]}, "text": {"k": "a"}}], (1, "x")),
        ([{"kind": {"$name": [{"$": 0}]}, "text": {"k": "a"}}], (1, ["x"])),
        ([NOTE | {"about": [{"$each": [{"$": 0}, {"$": 0}]}]}], (1, 7)),
        ([NOTE | {"about": {"$each": [{"$": 0}, {"$": 0}]}}], (1, ["x"])),
        ([{"$each": [{"$": 0}]}], (1, ["x"])),
    ],
)
def test_what_cannot_be_filled_is_a_bad_frame(template: list[Any], told: tuple[Any, ...]) -> None:
    with pytest.raises(BadFrame) as bad:
        TemplateFilling({1: template}, (NODES,)).cues([told])
    assert (bad.value.code, bad.value.fatal) == ("frame/bad-field", True)


HUGE = "x" * 500_000


@pytest.mark.parametrize(
    ("template", "told", "nodes"),
    [
        ([{"$each": [{"$": 0}, {"$each": [["y"] * 30_000, NOTE]}]}], (1, ["x"] * 30_000), {}),
        ([{"$each": [{"$": 0}, NOTE | {"about": ["y"] * 30_000}]}], (1, ["x"] * 30_000), {}),
        ([NOTE | {"about": [{"$in": [HUGE, {"$": 0}]}] * 30_000}], (1, "x"), {}),
        ([NOTE | {"about": [{"$": 0}] * 30_000}], (1, HUGE), {}),
        ([NOTE | {"path": [{"$": 0}] * 30_000}], (1, [0] * 30_000), {}),
        ([{"kind": "x", "text": {"k": "a", "a": {str(n): {"$name": ["n"]} for n in range(30_000)}}}], (1,),
         {"n": {"name": {"k": "n", "a": {str(n): "x" for n in range(30_000)}}}}),
    ],
)  # fmt: skip
def test_what_a_few_bytes_ask_for_is_bounded(template: list[Any], told: tuple[Any, ...], nodes: Nodes) -> None:
    before = process_time()
    with pytest.raises(BadFrame):
        TemplateFilling({1: template}, (nodes,)).cues([told])
    assert process_time() - before < 1.0


@given(st.lists(WIRE), st.lists(WIRE), st.data())
def test_any_template_gives_cues_or_a_bad_frame(template: list[Any], told: list[Any], data: st.DataObject) -> None:
    marks = st.sampled_from(["$", "$in", "$name", "$pick", "$each"])
    holes = st.dictionaries(marks, st.one_of(st.integers(-1, 3), st.lists(WIRE, max_size=3)), max_size=1)
    mixed = [
        *template,
        *data.draw(st.lists(holes, max_size=3)),
        NOTE | {"about": data.draw(st.lists(holes, max_size=3))},
    ]
    try:
        found = TemplateFilling({1: mixed}, (NODES,)).cues([(1, *told)])
    except BadFrame:
        return
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=tuple[Cue, ...]) == found
