"""Client of the proof at a table: what it asks for, whom it follows, and when it adds its part."""

from __future__ import annotations

from protocol.fairness.contributor import MemoryChains
from protocol.fairness.fact_stream import FactStream
from protocol.fairness.proof_client import REFUSED, ProofClient
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire import from_client as say
from protocol.wire.client_conversation import ClientConversation
from protocol.wire.from_server import Problem, Proof, TableView, Welcome
from tests.support.chosen_dice.host import ANN, BEN, TABLE, Host
from tests.support.fairness.signing import HOST


class Talk(ClientConversation):
    def __init__(self) -> None:
        super().__init__("Ann", None, adds=True)
        self.welcome = Welcome("ann", "Ann", "token", "host", "1", key=HOST.public)
        self.said: list[say.Message] = []

    def say(self, message: say.Message) -> None:
        self.said.append(message)


class AtTable:
    """Client in Ann's seat, and a host that has begun."""

    def __init__(self) -> None:
        self.talk = Talk()
        self.proof_client = ProofClient(self.talk, FactStream, MemoryChains(), lambda: b"r" * 32)
        self.host = Host.begun()

    def looks(self, state: str = "live", seat: int = ANN, table: TableId = TABLE) -> None:
        self.proof_client.hear(TableView(table, "", "throws", "", state, seat, "ann", ()))

    def told(
        self, first: int = 0, last: int = 99, *, more: bool = False, seat: int = ANN, table: TableId = TABLE
    ) -> None:
        self.proof_client.hear(Proof(table, first, tuple(self.host.facts[first:last]), more, seat))

    def says(self) -> list[say.Message]:
        """Return what has been said since this was last asked."""
        said, self.talk.said = self.talk.said, []
        return said

    @property
    def stream(self) -> FactStream:
        assert self.proof_client.stream is not None
        return self.proof_client.stream


def kinds(said: list[say.Message]) -> list[str]:
    return [type(message).__name__ for message in said]


def test_it_asks_for_the_facts_of_a_match_that_is_on_and_then_says_its_tip() -> None:
    table = AtTable()
    table.looks("open")
    assert table.says() == []
    assert table.proof_client.stream is None
    table.looks()
    assert table.says() == [say.GetProof(table=TABLE, after=0)]
    table.looks()
    assert table.says() == []
    table.told(last=2, more=True)
    # not all that has happened so far is known
    assert table.says() == []
    table.told(first=2)
    assert kinds(table.says()) == ["Tip"]


def test_it_asks_once_for_what_is_missing() -> None:
    table = AtTable()
    table.looks()
    table.says()
    table.told(first=3)
    table.told(first=3)
    # the same question is not asked twice on one connection, whatever a host does
    assert table.says() == []
    assert table.stream.count == 0
    table.told(last=2)
    table.told(first=3)
    table.told(first=3)
    assert [said for said in table.says() if isinstance(said, say.GetProof)] == [say.GetProof(table=TABLE, after=2)]


def test_while_facts_are_missing_it_is_not_at_what_has_happened_last() -> None:
    table = AtTable()
    table.looks()
    table.told(last=2)
    assert table.stream.is_live
    table.told(first=3)
    assert not table.stream.is_live
    table.told(first=2)
    assert table.stream.is_live


def test_facts_that_are_told_again_are_taken_once() -> None:
    table = AtTable()
    table.looks()
    table.told(last=3)
    table.told()
    assert (table.stream.count, table.stream.broken) == (len(table.host.facts), None)


def test_a_host_that_tells_less_than_before_has_lost_something() -> None:
    table = AtTable()
    table.looks()
    table.told()
    table.proof_client.link_up()
    table.proof_client.hear(Proof(TABLE, 2, (), False, ANN))
    assert table.stream.broken is not None
    assert table.stream.broken.k == "fair.shorter"


def test_a_new_connection_asks_for_what_was_missed_and_says_the_tip_again() -> None:
    table = AtTable()
    table.looks()
    table.told()
    said = [said for said in table.says() if isinstance(said, say.Tip)]
    table.proof_client.link_up()
    assert not table.stream.is_live
    table.looks()
    count = len(table.host.facts)
    assert table.says() == [say.GetProof(table=TABLE, after=count)]
    table.told(first=count)
    assert table.says() == said


def test_a_spectator_follows_and_adds_nothing() -> None:
    table = AtTable()
    table.looks(seat=-1)
    table.told(seat=-1)
    assert kinds(table.says()) == ["GetProof"]
    assert table.stream.is_live


def test_a_match_that_is_over_gets_no_tip() -> None:
    table = AtTable()
    table.looks("finished")
    table.told()
    assert kinds(table.says()) == ["GetProof"]


def test_another_seat_and_another_match_begin_anew() -> None:
    table = AtTable()
    table.looks()
    table.told()
    for seat, other in ((BEN, TABLE), (BEN, TableId("other"))):
        before = table.stream
        table.says()
        table.looks(seat=seat, table=other)
        assert table.stream is not before
        assert table.stream.count == 0
        assert table.says() == [say.GetProof(table=other, after=0)]
    # what is told of the first match is not taken for the second
    table.told()
    assert table.stream.count == 0


def test_facts_for_other_eyes_are_counted_from_the_first() -> None:
    table = AtTable()
    table.looks()
    table.told(last=3)
    table.says()
    table.told(first=3, seat=-1)
    assert table.stream.count == 0
    assert table.says() == [say.GetProof(table=TABLE, after=0)]


def test_nothing_is_added_after_a_contradiction() -> None:
    table = AtTable()
    table.looks()
    table.proof_client.hear(Proof(TABLE, 0, tuple(table.host.facts[1:]), False, ANN))
    assert table.stream.broken is not None
    assert kinds(table.says()) == ["GetProof"]


def test_a_table_that_has_no_proof_is_not_waited_for() -> None:
    table = AtTable()
    table.looks()
    assert table.stream.is_asking
    table.proof_client.hear(Problem(REFUSED, Text("none")))
    assert not table.stream.is_asking
