"""A cheat's kit: servers that really play, and cheat in one way each. What they do is the host's to do: no hash, no
signature and no encoding is forged, since a host has all of its keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

import server.links
import server.replays
import server.starting
from engine.core import game as games
from engine.core.audience import ALL, Audience, Seat
from engine.core.causes import Answered
from engine.core.dice import MatchDice, Pool, Roll, tree_of
from engine.core.events import DiceRolled, Given
from engine.core.match import Match
from engine.core.questions import Question
from protocol.leaves import Tree
from protocol.links import LinkChain
from protocol.replay import write
from protocol.scene import Reply
from server.acting import Acts

Patch = pytest.MonkeyPatch
WANTED: Final = 8
"""What two dice must come to for the host's friend."""


class ReRolling(MatchDice):
    """Rolls until the faces please, and logs them under the number of the first roll."""

    def faces(self, round: int, links: tuple[bytes, ...], n: int, pool: Pool, hidden: bool) -> tuple[int, ...]:
        rolls = (super(ReRolling, self).faces(round, links, n + 100 * k, pool, hidden) for k in range(100))
        first = next(rolls)
        # one that pleases by chance is no cheat: then the next that does
        return next(faces for faces in rolls if sum(faces) >= WANTED and faces != first)


class SwappingCards(MatchDice):
    """Binds itself to one order of the deck, and deals from another: the next card is exchanged for the last."""

    def _swapped(self, order: tuple[int, ...]) -> tuple[int, ...]:
        return (*order[:2], order[-1], *order[3:-1], order[2])

    def deck(self, name: str, epoch: int, links: tuple[bytes, ...], size: int) -> tuple[int, ...]:
        order = super().deck(name, epoch, links, size)
        return self._swapped(order) if self._is_bound(name) else order

    def tree(self, name: str, epoch: int, links: tuple[bytes, ...], cards: tuple[str, ...]) -> Tree:
        if self._is_bound(name):
            return tree_of(self, name, epoch, links, cards)
        honest = super().tree(name, epoch, links, cards)
        self._bound_to = name
        return honest

    def _is_bound(self, name: str) -> bool:
        return getattr(self, "_bound_to", "") == name


class Withholding(MatchDice):
    """Tells no seed when a round ends."""

    def seed(self, round: int) -> bytes:
        return b""


def with_dice(dice: type[MatchDice]) -> Callable[[Patch], None]:
    """The server's matches roll with these."""
    return lambda patch: patch.setattr(server.starting, "MatchDice", dice)


def reusing_numbers(patch: Patch) -> None:
    """The second roll of a round has the number, and so the dice, of the first."""

    def roll(self: games.Game[Any], pool: Pool, purpose: str, seat: Seat, only: Audience = ALL) -> Roll:
        record = self.record
        n = min(record.rolls, 0)
        faces = self._dice.faces(record.round, record.links, n, pool, hidden=False)
        self.note(DiceRolled(record.round, n, purpose, seat, pool.sides, faces, only))
        return Roll(faces, record.round, n)

    patch.setattr(games.Game, "roll", roll)


def dropping(choice: str) -> Callable[[Patch], None]:
    """Acknowledges this act, and does not do it."""
    honest = Acts.act

    async def act(self: Acts, seat: Seat, id: bytes, prompt: str, reply: Reply, done: Any, refuse: Any) -> None:
        if reply.choice == choice:
            done(False)
        else:
            await honest(self, seat, id, prompt, reply, done, refuse)

    return lambda patch: patch.setattr(Acts, "act", act)


def replacing_links(of: int) -> Callable[[Patch], None]:
    """Speaks for this seat with a chain of its own, whatever its program says."""
    honest, collected = server.links.Links.know, server.links.Links.collect

    def know(self: server.links.Links, seat: Seat, tip: bytes) -> None:
        honest(self, seat, LinkChain(b"host" * 8, self._match.id).tip if seat == of else tip)

    async def collect(self: server.links.Links, ask: Any) -> Any:
        links, notes = await collected(self, lambda seat, wanted: seat != of and ask(seat, wanted))
        known = self._match.record.tips[of][1]
        mine = LinkChain(b"host" * 8, self._match.id).after(known) or b""
        return (*links[:of], mine, *links[of + 1 :]), [note for note in notes if note.seat != of]

    def apply(patch: Patch) -> None:
        patch.setattr(server.links.Links, "know", know)
        patch.setattr(server.links.Links, "collect", collect)

    return apply


def losing_links(of: int) -> Callable[[Patch], None]:
    """Logs this seat as absent although its program is connected and has answered."""
    honest = server.links.Links.give

    def give(self: server.links.Links, seat: Seat, round: int, link: bytes) -> str:
        if seat != of:
            return honest(self, seat, round, link)
        self.gone(seat)
        return ""

    return lambda patch: patch.setattr(server.links.Links, "give", give)


def exchanging_answers(of: int) -> Callable[[Patch], None]:
    """Counts the default for this seat, whatever it has answered under seal."""
    honest = Match._given

    def given(self: Match[Any], question: Question, seat: Seat, answer: Answered | None) -> Given:
        return honest(self, question, seat, answer if seat != of else None)

    return lambda patch: patch.setattr(Match, "_given", given)


def keeping_the_secret(patch: Patch) -> None:
    """Does not open the secret when the match is over."""
    patch.setattr(server.replays, "write", lambda replay, signer: write(replay._replace(secret=b""), signer))
