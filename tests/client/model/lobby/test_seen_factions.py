"""Pages of factions of a session, and which factions a scenario has."""

from __future__ import annotations

from client.model.lobby.seen_by_hash import RETRY_SECONDS
from client.model.lobby.seen_factions import SeenFactions, factions_of
from protocol.text import Text
from protocol.wire.choices import FactionChoice, ScenarioChoice, SystemChoice
from protocol.wire.client_message import Message
from protocol.wire.faction_pages import FactionSheet, FactionShown, GetFaction

ASH, ELM = FactionChoice("ash", Text("Ash")), FactionChoice("elm", Text("Elm"))


class Reader:
    """Pages with a link and a clock in the test's hands."""

    def __init__(self) -> None:
        self.now = 0.0
        self.said: list[Message] = []
        self.pages = SeenFactions(self.said.append, lambda: self.now)
        self.pages.begin(is_known=True)


def test_a_page_is_asked_for_once_and_on_a_new_link_by_its_hash() -> None:
    reader, sheet = Reader(), FactionSheet(Text("Ash"))
    reader.pages.want("duel", "ash")
    reader.pages.want("duel", "ash")
    reader.pages.take(FactionShown("duel", "ash", "a1", sheet))
    reader.pages.want("duel", "ash")
    assert reader.said == [GetFaction("duel", "ash")]
    reader.pages.begin(is_known=True)
    assert reader.pages.of("duel", "ash") == sheet
    reader.pages.want("duel", "ash")
    assert reader.said[-1] == GetFaction("duel", "ash", "a1")
    reader.pages.take(FactionShown("duel", "ash", "a1"))
    reader.pages.want("duel", "ash")
    assert len(reader.said) == 2


def test_a_refusal_is_told_and_asked_again_after_a_while() -> None:
    reader = Reader()
    reader.pages.want("duel", "ash")
    reader.pages.take(FactionShown("duel", "ash", code="bound/lists-person", text=Text("Wait.")))
    reader.pages.want("duel", "ash")
    assert (reader.pages.of("duel", "ash"), reader.pages.why_not("duel", "ash")) == (None, Text("Wait."))
    reader.now += RETRY_SECONDS + 1
    reader.pages.want("duel", "ash")
    assert len(reader.said) == 2


def test_a_server_that_tells_nothing_is_asked_nothing() -> None:
    reader = Reader()
    reader.pages.begin(is_known=False)
    reader.pages.want("duel", "ash")
    assert reader.said == []


def test_the_factions_of_a_scenario_are_its_own_and_those_of_a_game_are_all_each_once() -> None:
    two = ScenarioChoice("two", Text("Two"), Text("."), 2, (ASH,))
    six = ScenarioChoice("six", Text("Six"), Text("."), 6, (ELM, ASH))
    game = SystemChoice("duel", Text("Duel"), (two, six), ())
    assert factions_of(game, "two") == (ASH,)
    assert factions_of(game) == (ASH, ELM)
    assert factions_of(game, "gone") == (ASH, ELM)
    assert factions_of(None, "two") == ()
