"""Previews of a session: asked for once, kept by hash across links, bounded, and asked for again after a refusal."""

from __future__ import annotations

from msgspec.structs import replace

from client.model.lobby.scenario_previews import MOST_KEPT, SeenPreviews
from client.model.lobby.seen_by_hash import RETRY_SECONDS
from protocol.scene.nodes import TABLE_NODE
from protocol.text import Text
from protocol.wire.client_message import Message
from protocol.wire.previews import GetPreview
from tests.support.examples import scenes
from tests.support.examples.scenario_previews import NODES, preview

TABLE = replace(scenes.table_view(1, "open"), system="duel", scenario="two", options={})


class Book:
    """Previews with a link and a clock in the test's hands."""

    def __init__(self) -> None:
        self.now = 0.0
        self.said: list[Message] = []
        self.previews = SeenPreviews(self.said.append, lambda: self.now)
        self.previews.begin(is_known=True)


def test_a_picture_is_asked_for_once_and_again_for_other_options() -> None:
    book = Book()
    book.previews.want(TABLE)
    book.previews.want(TABLE)
    assert book.said == [GetPreview("duel", "two")]
    book.previews.take(preview("duel", "two"))
    book.previews.want(TABLE)
    foggy = replace(TABLE, options={"fog": True})
    book.previews.want(foggy)
    assert book.said == [GetPreview("duel", "two"), GetPreview("duel", "two", {"fog": True})]
    seen = book.previews.of(TABLE)
    assert seen is not None
    assert (dict(seen.nodes), seen.left_out) == (NODES, 3)
    assert book.previews.of(foggy) is None


def test_on_a_new_link_only_its_hash_is_compared() -> None:
    book = Book()
    book.previews.want(TABLE)
    book.previews.take(preview("duel", "two"))
    seen = book.previews.of(TABLE)
    book.previews.begin(is_known=True)
    assert book.previews.of(TABLE) is seen
    book.previews.want(TABLE)
    assert book.said[-1] == GetPreview("duel", "two", known="a1")
    book.previews.take(preview("duel", "two", nodes={}))
    book.previews.want(TABLE)
    assert len(book.said) == 2
    assert book.previews.of(TABLE) is seen


def test_a_server_without_previews_is_asked_nothing() -> None:
    book = Book()
    book.previews.begin(is_known=False)
    book.previews.want(TABLE)
    assert book.said == []


def test_a_refusal_is_told_and_asked_again_after_a_while() -> None:
    book = Book()
    book.previews.want(TABLE)
    book.previews.take(preview("duel", "two", "", nodes={}, code="bound/lists-address", text=Text("Wait.")))
    book.previews.want(TABLE)
    assert book.previews.why_not(TABLE) == Text("Wait.")
    assert len(book.said) == 1
    book.now += RETRY_SECONDS + 1
    book.previews.want(TABLE)
    book.previews.take(preview("duel", "two"))
    assert len(book.said) == 2
    assert book.previews.why_not(TABLE) is None


def test_what_cannot_be_read_is_no_picture() -> None:
    book = Book()
    book.previews.want(TABLE)
    book.previews.take(preview("duel", "two", nodes={TABLE_NODE: {"k": "table", "size": "wide"}}))
    assert book.previews.of(TABLE) is None
    assert book.previews.why_not(TABLE) is not None


def test_the_newest_are_kept() -> None:
    book = Book()
    for number in range(MOST_KEPT + 1):
        table = replace(TABLE, scenario=f"s{number}")
        book.previews.want(table)
        book.previews.take(preview("duel", f"s{number}", f"h{number}"))
    assert book.previews.of(replace(TABLE, scenario="s0")) is None
    assert book.previews.of(replace(TABLE, scenario="s1")) is not None
    book.previews.want(replace(TABLE, scenario="s0"))
    assert book.said[-1] == GetPreview("duel", "s0")
