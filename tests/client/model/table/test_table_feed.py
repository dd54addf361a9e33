"""The log of a table: its lines, and the pages of the match's history that come before them."""

from __future__ import annotations

from collections.abc import Iterable

from client.model.table.table_feed import LOG_LINES, TableFeed
from client.text.texts import Texts
from protocol.ids import TableId
from protocol.scene.nodes import Cue
from protocol.text import Text
from protocol.wire.from_server import History, ToldFrame

TEXTS = Texts()


def page(first: int, words: Iterable[str]) -> History:
    return History(TableId("t1"), first, tuple(ToldFrame(cues=(cue(word),)) for word in words))


def cue(word: str) -> Cue:
    return Cue("note", Text(word))


def lines(feed: TableFeed) -> list[str]:
    return [line.text for line in feed.log]


def test_what_is_told_before_the_page_comes_repeats_no_line_of_a_long_log() -> None:
    """The log of a long history holds more lines than one without."""
    told = [f"w{n}" for n in range(LOG_LINES + 100)]
    feed = TableFeed()
    feed.take_history(page(0, told), TEXTS)
    feed.begin_picture()
    feed.tell(cue("next"), TEXTS)
    feed.take_history(page(0, told), TEXTS)
    assert lines(feed) == [*told, "next"]


def test_an_older_page_that_comes_after_a_new_picture_leaves_its_page_whole() -> None:
    feed = TableFeed()
    feed.take_history(page(2, ["c", "d"]), TEXTS)
    feed.begin_picture()
    feed.take_history(page(0, ["a", "b"]), TEXTS)
    feed.tell(cue("next"), TEXTS)
    feed.take_history(page(3, ["d", "e"]), TEXTS)
    assert lines(feed) == ["d", "e", "next"]
