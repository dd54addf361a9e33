"""The ribbon of one who comes back by a picture: the acts that they missed stand where they took place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from client.model.playback.ribbon import Ribbon, RibbonEntry
from client.model.playback.told_acts import NO_ACT
from client.model.session import ClientSession
from client.plain.told.news import News
from client.storage.profile import UserProfile
from protocol.ids import Seq, TableId
from protocol.scene.nodes import Act, Cue
from protocol.text import Text, text
from protocol.wire.from_server import Delta, History, ToldFrame
from tests.support.clients.sessions import ADDRESS, Wire

MINE, OTHERS = 1, 0


def cue(words: str, n: int = NO_ACT) -> Cue:
    return Cue("note", Text(words), act=n)


def act(n: int, seat: int = OTHERS, how: str = "done") -> Act:
    return Act(n, "shot", seat, how=how)


def frame(n: int, seat: int = OTHERS, how: str = "done") -> ToldFrame:
    """Return an act as it is told in one frame."""
    return ToldFrame((act(n, seat, how),), (cue(f"cue {n}", n),))


def event(words: str) -> ToldFrame:
    """Return what is told of no act."""
    return ToldFrame((), (cue(words),))


class SeatedPerson:
    """Person at a table: what the server tells them, and what stands in their ribbon."""

    def __init__(self) -> None:
        self.session = ClientSession(ADDRESS, UserProfile("Bertram"), lambda: True, lambda: 100.0, Wire)
        self.story = self.session.story
        self.story.picture({}, is_public=True)
        self.told = 0

    @property
    def ribbon(self) -> Ribbon:
        return self.story.ribbon

    def hear(self, *frames: ToldFrame) -> None:
        for told in frames:
            self.told += 1
            self.story.frame(Delta(n=Seq(self.told), patch={}, hash=0, told=told.cues, acts=told.acts), {})

    def come_back(self, *frames: ToldFrame, first: int = 0) -> None:
        """Be shown a picture, and be told the page of the history that ends there."""
        self.story.picture({}, is_public=True)
        self.page(*frames, first=first)

    def page(self, *frames: ToldFrame, first: int = 0) -> None:
        self.story.history(History(TableId("t1"), first, frames))

    def numbers(self) -> list[int]:
        return [entry.n for entry in self.ribbon.entries]

    def since(self) -> list[int]:
        return [entry.n for entry in self.ribbon.since(MINE)]


def playable(entries: Sequence[RibbonEntry]) -> list[int]:
    return [entry.n for entry in entries if entry.before is not None]


@pytest.fixture
def viewer() -> SeatedPerson:
    """A person who has seen three acts, the first of them their own."""
    found = SeatedPerson()
    found.hear(frame(1, MINE), frame(2), frame(3))
    return found


def test_what_was_missed_stands_behind_what_was_seen_and_is_found_as_news(viewer: SeatedPerson) -> None:
    viewer.come_back(*map(frame, (2, 3, 4, 5)))
    assert viewer.numbers() == [1, 2, 3, 4, 5]
    assert viewer.since() == [2, 3, 4, 5]
    assert viewer.ribbon.last_act is viewer.ribbon.entries[-1]
    viewer.hear(frame(6))
    assert viewer.numbers() == [1, 2, 3, 4, 5, 6]


def test_what_was_seen_can_still_be_played_again(viewer: SeatedPerson) -> None:
    viewer.come_back(frame(1, MINE), *map(frame, (2, 3, 4)))
    assert playable(viewer.ribbon.entries) == [1, 2, 3]


def test_acts_that_come_before_the_history_stand_behind_it(viewer: SeatedPerson) -> None:
    viewer.story.picture({}, is_public=True)
    viewer.hear(frame(5), frame(6))
    viewer.page(*map(frame, (2, 3, 4)))
    assert viewer.numbers() == [1, 2, 3, 4, 5, 6]
    assert playable(viewer.ribbon.entries) == [1, 2, 3, 5, 6]


def test_ones_own_act_is_found_in_the_history(viewer: SeatedPerson) -> None:
    viewer.come_back(*map(frame, (2, 3)), frame(4, MINE), frame(5))
    assert viewer.since() == [5]


def test_whoever_comes_back_twice_finds_each_act_once(viewer: SeatedPerson) -> None:
    for last in (5, 7):
        viewer.come_back(frame(1, MINE), *map(frame, range(2, last)))
    assert viewer.numbers() == [1, 2, 3, 4, 5, 6]


def test_an_act_whose_end_was_missed_takes_no_later_ones_in(viewer: SeatedPerson) -> None:
    viewer.hear(frame(4, how=""))
    viewer.come_back(*map(frame, (2, 3, 4, 5)))
    viewer.hear(frame(6), frame(7))
    assert viewer.numbers() == [1, 2, 3, 4, 5, 6, 7]
    assert [entry.has_ended for entry in viewer.ribbon.entries] == [True] * 7


def test_an_act_that_goes_on_over_the_break_stands_once() -> None:
    for is_early in (False, True):
        viewer = SeatedPerson()
        viewer.hear(frame(1), frame(2, MINE, how=""))
        viewer.story.picture({}, is_public=True)
        tell = partial(viewer.page, frame(1), frame(2, MINE, how=""))
        if is_early:
            tell()
        viewer.hear(ToldFrame((), (cue("more", 2),)))
        if not is_early:
            tell()
        assert viewer.numbers() == [1, 2]
        assert viewer.ribbon.entries[-1].act == act(2, MINE, how="")
        viewer.hear(frame(2, MINE), frame(3))
        assert viewer.numbers() == [1, 2, 3]
        assert viewer.ribbon.entries[1].act == act(2, MINE)
        assert viewer.since() == [3]


def test_what_is_part_of_no_act_stands_once(viewer: SeatedPerson) -> None:
    viewer.hear(event("round 2"), frame(4))
    viewer.come_back(event("round 2"), frame(4), event("round 3"), frame(5))
    assert viewer.numbers() == [1, 2, 3, NO_ACT, 4, NO_ACT, 5]
    viewer.come_back(frame(3), event("round 2"), frame(4), event("round 3"), frame(5))
    assert viewer.numbers() == [1, 2, 3, NO_ACT, 4, NO_ACT, 5]


def test_acts_before_a_gap_stay(viewer: SeatedPerson) -> None:
    viewer.come_back(event("round 9"), *map(frame, (30, 31)), first=25)
    assert viewer.numbers() == [1, 2, 3, NO_ACT, 30, 31]
    assert viewer.since() == [2, 3, NO_ACT, 30, 31]


def test_a_passed_turn_is_still_known(viewer: SeatedPerson) -> None:
    viewer.story.acted()
    viewer.come_back(*map(frame, (2, 3, 4)))
    assert viewer.since() == [4]
    viewer.hear(event("round 2"))
    viewer.story.acted()
    viewer.come_back(*map(frame, (2, 3, 4)), event("round 2"), frame(5))
    assert viewer.since() == [NO_ACT, 5]


def test_a_picture_without_a_history_and_older_pages_leave_the_ribbon_as_it_was(viewer: SeatedPerson) -> None:
    viewer.come_back(*map(frame, (2, 3, 4)), first=6)
    viewer.page(*map(frame, range(-6, 0)), first=0)
    viewer.story.picture({}, is_public=True)
    viewer.hear(frame(5))
    assert viewer.numbers() == [1, 2, 3, 4, 5]


def test_a_game_in_plain_text_tells_nothing_of_what_was_seen_again(viewer: SeatedPerson) -> None:
    lines: list[str] = []
    viewer.session.texts.learn({"act.shot.done": "shot", "round": "Round {n}"})
    news = News(viewer.session, lines.append, lambda: None)  # type: ignore[arg-type, return-value]  # no table is drawn
    viewer.hear(ToldFrame((), (Cue("note", text("round", n=2)),)))
    news.tell()
    assert [line for line in lines if line in ("shot", "Round 2")] == ["shot", "shot", "shot", "Round 2"]
    lines.clear()
    viewer.come_back(*map(frame, (2, 3)), ToldFrame((), (Cue("note", text("round", n=2)),)))
    news.tell()
    assert "shot" not in lines
    viewer.hear(frame(4))
    news.tell()
    assert lines.count("shot") == 1
