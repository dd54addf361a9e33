"""Links of a program: its chain, and the conversation that says the tip and opens what it is asked for by itself."""

from __future__ import annotations

import pytest

from protocol.client_conversation import ClientConversation
from protocol.codec import decode_request, encode
from protocol.from_client import FromClient, Link, Tip
from protocol.from_server import LinkWanted, SeatView, ServerMessage, TableView, Welcome
from protocol.limits import Limits
from protocol.links import LINKS, LinkChain, before

SECRET = b"s" * 32
CHAIN = LinkChain(SECRET, "t1")


def table(seat: int, state: str = "live") -> TableView:
    return TableView("t1", "Friday", "x", "y", state, seat, "u1", (SeatView(0, "u1", "Ada"),))


def talk(*messages: ServerMessage, secret: bytes = SECRET) -> list[FromClient]:
    """What a fresh conversation answers to these."""
    conversation = ClientConversation("Ada", None, link_secret=secret)
    conversation.connected()
    for message in (Welcome("u1", "Ada", "token", "here", "0.1"), *messages):
        conversation.receive(encode(message))
    return [decode_request(data, Limits()) for data in conversation.outgoing()][2:]


def test_a_chain_leads_back_from_every_link_and_ends() -> None:
    known, count = CHAIN.tip, 0
    while (link := CHAIN.after(known)) is not None:
        assert before("t1", link) == known
        known, count = link, count + 1
    assert count == LINKS
    assert CHAIN.after(bytes(32)) is None
    assert LinkChain(SECRET, "t2").tip != CHAIN.tip != LinkChain(b"t" * 32, "t1").tip


def test_the_tip_is_said_once_a_connection_where_one_has_a_seat() -> None:
    assert talk(table(0, "open"), table(0)) == [Tip(table="t1", tip=CHAIN.tip)]
    assert talk(table(-1)) == talk(table(0, "finished")) == talk(table(0), secret=b"") == []
    conversation = ClientConversation("Ada", None, link_secret=SECRET)
    for _ in range(2):
        conversation.connected()
        conversation.receive(encode(Welcome("u1", "Ada", "token", "here", "0.1")))
        conversation.receive(encode(table(0)))
        assert any(isinstance(decode_request(data, Limits()), Tip) for data in conversation.outgoing())


@pytest.mark.parametrize("known", [CHAIN.tip, CHAIN.after(CHAIN.tip)])
def test_the_next_link_is_opened_and_never_another(known: bytes) -> None:
    link = CHAIN.after(known) or b""
    said = talk(table(0), LinkWanted("t1", 4, known))
    assert said[1:] == [Link(table="t1", round=4, link=link)]
    assert talk(table(0), LinkWanted("t1", 4, bytes(32)))[1:] == []
    assert talk(table(0), LinkWanted("t2", 4, known))[1:] == []
    assert talk(LinkWanted("t1", 4, known)) == []
