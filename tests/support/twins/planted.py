"""Leaks planted in the real code, to show that twins find them; and for every kind of server message the leak that
makes it depend on a secret, or the reason why it knows no match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from msgspec.structs import replace

from engine.core.view import prompts
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Cue, Point
from protocol.text import Text
from protocol.wire import (
    dates,
    faction_pages,
    from_server as told,
    links,
    on_now,
    order,
    own_data,
    people,
    previews,
    quick_match,
    results,
    seating,
    table_lists,
    webhooks,
)
from protocol.wire.server_message import ServerMessage
from server.lobby.table.diplomacy import Diplomacy
from server.match import details, step
from server.match.actions import PendingIntent
from server.match.deadlines import Deadlines
from tests.support.twins.games import OWNER

if TYPE_CHECKING:
    from engine.core.match.match import Match
    from server.lobby.sessions import Session
    from tests.support.twins.stage import Stage

LATER: Final = 0.125
"""Seconds."""


class Planted(NamedTuple):
    """A leak: the module and the name of the maker of a kind of message that depends on the match, and `leak`, which
    changes it where a secret of the duel is odd."""

    module: str
    name: str
    leak: Callable[[Any], Any]


def _another_code(message: Any) -> Any:
    return replace(message, code=f"{message.code}.")


NO_MATCH: Final = "knows no match: "

SERVER_MESSAGES: Final[Mapping[type[ServerMessage], Planted | str]] = {
    told.Welcome: NO_MATCH + "it tells of the account, and of the server",
    told.NameKept: NO_MATCH + "it tells of the account",
    told.Renamed: NO_MATCH + "it tells of the account",
    told.SeatCode: NO_MATCH + "it tells a random code for the seat at the table",
    told.Systems: NO_MATCH + "it tells what is installed",
    table_lists.Lobby: Planted(
        "server.lobby.directory", "Lobby", lambda message: replace(message, tables=message.tables * 2)
    ),
    table_lists.Found: Planted(
        "server.lobby.finding.page", "Found", lambda message: replace(message, first=message.first + 1)
    ),
    table_lists.FoundChange: Planted(
        "server.lobby.finding.page", "FoundChange", lambda message: replace(message, gone=(*message.gone, "odd"))
    ),
    table_lists.MyGames: Planted(
        "server.lobby.finding.lookers", "MyGames", lambda message: replace(message, rows=message.rows * 2)
    ),
    told.TableView: Planted(
        "server.lobby.table.views", "TableView", lambda message: replace(message, bank=message.bank + 1)
    ),
    # one more byte
    told.Clocks: Planted(
        "server.lobby.table.table_broadcast", "Clocks", lambda message: replace(message, watching=200)
    ),
    told.ClockWarning: Planted(
        "server.lobby.matches.match_news", "ClockWarning", lambda message: replace(message, left=message.left + 1)
    ),
    told.Left: Planted("server.lobby.table.live_table", "Left", _another_code),
    told.Catalogue: NO_MATCH + "it tells the texts of a system",
    told.ListShown: NO_MATCH + "lists are built before the match begins",
    told.Snapshot: Planted(
        "server.match.frames", "Snapshot", lambda message: replace(message, nodes={**message.nodes, "counter/odd": {}})
    ),
    told.Delta: Planted(
        "server.match.frames", "Delta", lambda message: replace(message, told=(*message.told, Cue("note", Text("odd"))))
    ),
    told.History: Planted("server.match.history", "History", lambda message: replace(message, first=message.first + 1)),
    told.Ack: Planted("server.match.actions", "Ack", lambda message: replace(message, version=message.version + 1)),
    told.Expired: Planted(
        "server.lobby.matches.match_news", "Expired", lambda message: replace(message, question=message.question + 1)
    ),
    told.Reject: Planted("server.match.actions", "Reject", _another_code),
    told.Detail: Planted("server.match.advice", "Detail", lambda message: replace(message, text=Text("odd"))),
    told.Surveyed: Planted("server.match.advice", "Surveyed", _another_code),
    told.Proposed: Planted("server.match.advice", "Proposed", _another_code),
    told.ChatLine: Planted(
        "server.lobby.table.table_broadcast", "ChatLine", lambda message: replace(message, at=message.at + 1)
    ),
    told.ChatHistory: Planted(
        "server.lobby.table.table_past", "ChatHistory", lambda message: replace(message, lines=message.lines[:-1])
    ),
    told.ReportTaken: NO_MATCH + "it says that a report of a person is kept",
    order.ReportPage: NO_MATCH + "it tells of what people have reported",
    order.SanctionPage: NO_MATCH + "it tells of bans and mutes of people",
    own_data.OwnDataPart: NO_MATCH + "it tells a person of themselves, and of tables as they are stored",
    order.AuditPage: NO_MATCH + "it tells of acts of moderators",
    order.Moderating: NO_MATCH + "it tells a person what the host has made of them",
    order.Announcements: NO_MATCH + "it tells what the host and moderators announce",
    order.OrderDone: NO_MATCH + "it says that an act of a moderator is done",
    told.LobbyChat: NO_MATCH + "it tells of what is said in the lobby",
    told.OfferView: Planted(
        "server.lobby.table.diplomacy", "OfferView", lambda message: replace(message, at=message.at + 1)
    ),
    told.PointedAt: Planted(
        "server.lobby.table.marks", "PointedAt", lambda message: replace(message, seat=message.seat + 1)
    ),
    people.PeoplePage: NO_MATCH + "it tells of people and tables, not of what happens there",
    people.PersonCard: NO_MATCH + "it tells of the lists that people keep of each other",
    quick_match.Seeking: NO_MATCH + "it tells of a search for players, before there is a match",
    quick_match.MatchOffered: NO_MATCH + "it tells of a match that has not begun",
    on_now.OnNow: Planted(
        "server.lobby.finding.on_now", "OnNow", lambda message: replace(message, rows=message.rows * 2)
    ),
    faction_pages.FactionShown: NO_MATCH + "it tells of a faction as it is installed",
    previews.Preview: NO_MATCH + "it tells of a scenario as it is installed",
    links.LinkedReplay: NO_MATCH + "it tells of a match that is over",
    webhooks.WebhookState: NO_MATCH + "it tells of the account",
    webhooks.TurnTold: NO_MATCH + "it tells who is waited for, as the clocks show it to all, to who is elsewhere",
    dates.DateTold: NO_MATCH + "it tells of a table that has not begun",
    seating.Invitation: NO_MATCH + "it tells of a table that has not begun",
    results.Results: NO_MATCH + "it tells of matches that are over",
    results.Leaders: NO_MATCH + "it tells of ratings by matches that are over",
    told.EntropyWanted: Planted(
        "server.match.entropy", "EntropyWanted", lambda message: replace(message, version=message.version + 1)
    ),
    # its bytes may differ, its length may not
    told.Proof: Planted("server.match.proof_plane", "Proof", lambda message: replace(message, more=not message.more)),
    told.FilePart: NO_MATCH + "replays are of matches that are over, when all secrets are open",
    told.Problem: Planted("server.runtime.refusals", "Problem", _another_code),
    told.Pong: NO_MATCH + "the conversation answers by itself",
}
"""A message that is made in another place from now on is planted there; a new one needs an entry."""


def is_odd(stage: Stage) -> bool:
    """Tell if the hidden card of a seat of the duel has an odd number."""
    return int(stage.match.state.fighters[OWNER].hidden[-2:]) % 2 == 1


def in_messages(planted: Planted) -> Callable[[Stage], AbstractContextManager[None]]:
    """Plant this where a kind of message is made."""

    @contextmanager
    def planting(stage: Stage) -> Iterator[None]:
        module = import_module(planted.module)
        made = getattr(module, planted.name)

        def leaky(*given: Any, **named: Any) -> Any:
            message = made(*given, **named)
            return planted.leak(message) if is_odd(stage) else message

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, planted.name, leaky)
            yield

    return planting


# The next card of a deck


def next_card(match: Match[Any], deck: str) -> str:
    """Return the card on top of a deck."""
    state = match.record.decks[deck]
    order = match.dice.deck(deck, state.epoch, state.links, len(state.cards))
    return state.cards[order[len(state.drawn)]]


def _with_card(field: AnyField, match: Match[Any], deck: str) -> AnyField:
    name = Text(field.name.k, {**field.name.a, "next": next_card(match, deck)})
    return replace(field, name=name)


def in_details_of_the_server(deck: str) -> Callable[[Stage], AbstractContextManager[None]]:
    """Make the server tell the next card of a deck with each detail."""

    @contextmanager
    def planting(stage: Stage) -> Iterator[None]:
        detail = step.Stepper.detail

        def leaky(self: step.Stepper, *asked: Any) -> AnyField:
            return _with_card(detail(self, *asked), self.match, deck)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(step.Stepper, "detail", leaky)
            yield

    return planting


def in_details_of_the_core(deck: str) -> Callable[[Stage], AbstractContextManager[None]]:
    """Make the core tell the next card of a deck with each detail."""

    @contextmanager
    def planting(stage: Stage) -> Iterator[None]:
        detail_for = prompts.detail_for

        def leaky(match: Match[Any], *asked: Any, **named: Any) -> AnyField:
            return _with_card(detail_for(match, *asked, **named), match, deck)

        with pytest.MonkeyPatch.context() as patch:
            # the server knows the core's function by a name of its own
            for module in (prompts, details):
                patch.setattr(module, "detail_for", leaky)
            yield

    return planting


def in_seen_ground(deck: str) -> Callable[[Stage], AbstractContextManager[None]]:
    """Make the server tell the next card of a deck with the ground that would be seen after a proposal."""

    @contextmanager
    def planting(stage: Stage) -> Iterator[None]:
        seen_from = step.Stepper.seen_from

        def leaky(self: step.Stepper, *asked: Any) -> tuple[Point, ...]:
            return (*seen_from(self, *asked), (sum(map(ord, next_card(self.match, deck))), 0))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(step.Stepper, "seen_from", leaky)
            yield

    return planting


# Time, and secrets of other kinds


@contextmanager
def late_answers(stage: Stage) -> Iterator[None]:
    """Queue acknowledgements a little later where a secret is odd, the same ones in the same order."""
    tell, tasks = PendingIntent._tell, set()

    async def later(asked: PendingIntent, ack: told.Ack, since: float, *, repeated: bool) -> None:
        await stage.clock.sleep(LATER)
        tell(asked, ack, since, repeated=repeated)

    def leaky(asked: PendingIntent, ack: told.Ack, since: float, *, repeated: bool) -> None:
        if is_odd(stage):
            tasks.add(asyncio.create_task(later(asked, ack, since, repeated=repeated)))
        else:
            tell(asked, ack, since, repeated=repeated)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PendingIntent, "_tell", leaky)
        yield


@contextmanager
def clocks_of_the_silent(stage: Stage) -> Iterator[None]:
    """Leave the clocks of seats that have answered under seal out of the views."""
    views = Deadlines.views

    def leaky(self: Deadlines, now: float) -> tuple[told.ClockView, ...]:
        return tuple(view for view in views(self, now) if view.seat not in stage.match.sealed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Deadlines, "views", leaky)
        yield


@contextmanager
def stirring_whispers(stage: Stage) -> Iterator[None]:
    """Send all the table anew when two of them whisper."""
    whisper = Diplomacy.whisper

    async def leaky(self: Diplomacy, session: Session, to: int, text: str) -> None:
        await whisper(self, session, to, text)
        stage.live.broadcast.tell()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Diplomacy, "whisper", leaky)
        yield


@contextmanager
def stirring_side_words(stage: Stage) -> Iterator[None]:
    """Send all the table anew when somebody speaks to their side."""
    speak = Diplomacy.speak_to_side

    def leaky(self: Diplomacy, session: Session, text: str) -> None:
        speak(self, session, text)
        stage.live.broadcast.tell()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Diplomacy, "speak_to_side", leaky)
        yield


def server_messages() -> frozenset[type]:
    """Return every message that a server can send."""
    return frozenset(told.FromServer.__args__)
