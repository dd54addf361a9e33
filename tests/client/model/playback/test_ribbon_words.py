"""The words of the ribbon: what an act came to, and how many are left of those whom it met."""

from __future__ import annotations

import pytest

from client.model.playback.ribbon import RibbonEntry
from client.model.playback.told_acts import ActPart, QueuedAct, ShownCue
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import Act, AnyNode, Cue, Group, Piece
from protocol.text import Text
from protocol.wire.from_server import Catalogue

ONE, OTHER = NodeId("group/1"), NodeId("group/2")
WORDS = {"act.shot.done": "{group} shot {target}: {killed} killed", "one": "Levy 1", "other": "Unit 2", "lose": "Gone."}
TEXTS = Texts([Catalogue("x", "en", "c" * 16, WORDS)])


def pieces(group: NodeId, count: int) -> dict[NodeId, AnyNode]:
    return {NodeId(f"piece/{group}.{n}"): Piece((0, 0), 50, group=group) for n in range(count)}


def entry(killed: dict[NodeId, int], *news: Cue) -> RibbonEntry:
    """Return a shot of one group of four at another of six, in which so many figures of each fall."""
    before: dict[NodeId, AnyNode] = {**pieces(ONE, 4), **pieces(OTHER, 6)}
    fallen = [id for group, count in killed.items() for id in list(pieces(group, 6))[:count]]
    before[ONE] = Group(0, Text("one"), tuple(pieces(ONE, 4)))
    before[OTHER] = Group(1, Text("other"), tuple(pieces(OTHER, 6)))
    names = {"group": Text("one"), "target": Text("other")}
    act = Act(1, "shot", 0, {"group": ONE, "target": OTHER}, "done", {"killed": sum(killed.values())}, names)
    cue = Cue("casualty", Text("lose"), about=tuple(fallen), act=1)
    moments = (ShownCue(cue, dict.fromkeys(fallen)), *map(ShownCue, news))
    return RibbonEntry(1, act, before, [QueuedAct(ActPart(1, (cue, *news), act, has_ended=True), moments)], True)


@pytest.mark.parametrize(
    ("killed", "words"),
    [
        ({OTHER: 4}, "Levy 1 shot Unit 2: 4 killed, 2 left"),
        ({OTHER: 6}, "Levy 1 shot Unit 2: 6 killed, wiped out"),
        ({ONE: 1}, "Levy 1 shot Unit 2: 1 killed, 3 of Levy 1 left"),
        ({OTHER: 2, ONE: 4}, "Levy 1 shot Unit 2: 6 killed, 4 of Unit 2 left, Levy 1 wiped out"),
    ],
)
def test_survivors_are_told(killed: dict[NodeId, int], words: str) -> None:
    assert entry(killed).words(TEXTS) == words


def test_a_cue_of_its_own_tells_that_a_group_is_wiped_out() -> None:
    assert entry({OTHER: 6}, Cue("casualty", Text("lose"), act=1)).words(TEXTS) == "Levy 1 shot Unit 2: 6 killed. Gone."


def test_of_an_act_that_only_the_history_tells_of_the_sum_is_told() -> None:
    known = entry({OTHER: 4})
    known.before = None
    assert known.words(TEXTS) == "Levy 1 shot Unit 2: 4 killed"
