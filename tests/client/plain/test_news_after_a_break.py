"""News of plain text after a lost link: nothing is read out a second time."""

from __future__ import annotations

from msgspec.structs import replace

from client.model.table.view_model import LogLine
from client.net.connection import Down, Frame, Up
from protocol.wire.codec import encode
from protocol.wire.from_server import ChatHistory, ChatLine, FromServer, History, OfferView, ToldFrame
from tests.support.clients.plain.table import PlainTable
from tests.support.examples import scenes

VIEW = scenes.table_view()
SAID = (
    ChatLine("who0", "Ada", "player", "hello", 5),
    ChatLine("who1", "Bertram", "player", "well met", 6),
    ChatLine("who0", "Ada", "player", "hm", 7),
    ChatLine("who0", "Ada", "player", "hm", 7),
)
WORDS = ["Ada: hello", "Bertram: well met", "Ada: hm", "Ada: hm"]


def come_back(table: PlainTable, *messages: FromServer) -> list[str]:
    """Lose the link and come back to the table; return what is told meanwhile."""
    frames = [*scenes.table_frames(1), *(encode(message) for message in messages)]
    table.wire.waiting += [Down("gone", 1006), Up(), *map(Frame, frames)]
    return table.write()


def test_the_chat_that_comes_again_is_not_read_again() -> None:
    table = PlainTable()
    table.write()
    table.hear(*SAID)
    assert table.write() == WORDS
    more = ChatLine("who0", "Ada", "player", "hm", 7)
    told = come_back(table, ChatHistory(VIEW.id, (*SAID, more)))
    assert [line for line in told if line.startswith(("Ada", "Bertram"))] == ["Ada: hm"], "what was said meanwhile"
    told = come_back(table, ChatHistory(VIEW.id, (*SAID, more)))
    assert not [line for line in told if line.startswith(("Ada", "Bertram"))]


def test_an_offer_in_the_chat_is_not_read_again() -> None:
    table = PlainTable()
    table.write()
    offer = OfferView("o1", 0, 1, "truce", "until dark", "open", 6)
    table.hear(SAID[0], offer)
    told = table.write()
    assert any("until dark" in line for line in told)
    told = come_back(table, ChatHistory(VIEW.id, SAID[:1]), offer)
    assert not any("until dark" in line or "hello" in line for line in told)


def test_lines_of_the_log_that_the_match_did_not_tell_are_not_read_again() -> None:
    table = PlainTable()
    table.write()
    absent = replace(VIEW, seats=(replace(VIEW.seats[0], connected=False), *VIEW.seats[1:]))
    gone, back = "The link to Ada is lost.", "Ada is connected again."
    table.hear(absent)
    assert table.write() == [gone]
    table.session.feed.add([LogLine("A group moves.", told=True)])
    table.write()
    page = History(VIEW.id, 0, (ToldFrame(cues=scenes.cues()),))
    told = come_back(table, page)
    assert gone not in told
    assert back in told
    table.session.feed.add([LogLine("A group moves on.", told=True)])
    table.write()
    assert not {gone, back} & {*come_back(table, page)}
    table.hear(absent)
    assert table.write() == [gone], "it happens again"
