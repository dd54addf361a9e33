"""Cheating servers that really play, each cheating in one way. Each cheat is within a host's power: no hash, no
signature and no encoding is forged, since a host has all of its keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest

import server.lobby.matches.match_lifecycle
import server.match.receipts
import server.match.replays
from engine.core.match.causes import Answered
from engine.core.match.match import Match
from engine.core.rules import game as games
from engine.core.rules.audience import ALL, Audience, Seat
from engine.core.rules.dice import MatchDice, Pool, Roll, tree_of
from engine.core.rules.events import DiceRolled, GivenAnswer
from engine.core.rules.questions import Question
from protocol.fairness.replay import Replay, write
from protocol.ids import PromptId, table_of
from protocol.proof.dice import RoundEntropy
from protocol.proof.leaves import Tree
from protocol.proof.signed_texts import Signed, Signer, said_digest
from protocol.scene.nodes import Reply
from protocol.wire.from_server import EntropyWanted
from server.match.actions import Actions
from server.match.entropy import EntropyCollector
from server.match.stored_log import StoredLog
from tests.support.clients.dice.linking import HandMade

Patch = pytest.MonkeyPatch
WANTED: Final = 8
"""What two dice must come to for the host's friend."""


class ReRolling(MatchDice):
    """Dice that roll until the faces please, and log them under the number of the first roll."""

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        rolls = (super(ReRolling, self).faces(round, entropy, n + 100 * k, pool, hidden=hidden) for k in range(100))
        first = next(rolls)
        # a roll that pleases by chance needs no cheat: then cheat at the next one
        return next(faces for faces in rolls if sum(faces) >= WANTED and faces != first)


class SwappingCards(MatchDice):
    """Dice that commit to one order of the deck, and deal from another: the next card is exchanged for the last."""

    def _swapped(self, order: tuple[int, ...]) -> tuple[int, ...]:
        return (*order[:2], order[-1], *order[3:-1], order[2])

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> tuple[int, ...]:
        order = super().deck(name, epoch, entropy, size)
        return self._swapped(order) if self._is_bound(name) else order

    def tree(self, name: str, epoch: int, entropy: RoundEntropy, cards: tuple[str, ...]) -> Tree:
        if self._is_bound(name):
            return tree_of(self, name, epoch, entropy, cards)
        honest = super().tree(name, epoch, entropy, cards)
        self._bound_to = name
        return honest

    def _is_bound(self, name: str) -> bool:
        return getattr(self, "_bound_to", "") == name


class Withholding(MatchDice):
    """Dice that reveal no seed when a round ends."""

    def seed(self, round: int) -> bytes:
        return b""


def with_dice(dice: type[MatchDice]) -> Callable[[Patch], None]:
    """Make the server's matches roll with these."""
    return lambda patch: patch.setattr(server.lobby.matches.match_lifecycle, "MatchDice", dice)


def reusing_numbers(patch: Patch) -> None:
    """Give the second roll of a round the number, and so the dice, of the first."""

    def roll(self: games.Game[Any], pool: Pool, purpose: str, seat: Seat, only: Audience = ALL) -> Roll:
        record = self.record
        n = min(record.rolls, 0)
        faces = self._dice.faces(record.round, record.entropy, n, pool, hidden=False)
        self.note(DiceRolled(record.round, n, purpose, seat, pool.sides, faces, only))
        return Roll(faces, record.round, n)

    patch.setattr(games.Game, "roll", roll)


def dropping(choice: str) -> Callable[[Patch], None]:
    """Acknowledge this act without doing it."""
    honest = Actions.act

    async def act(
        self: Actions, seat: Seat, id: bytes, prompt: PromptId, reply: Reply, said: bytes, done: Any, refuse: Any
    ) -> None:
        if reply.choice == choice:
            done(-1, repeated=False)
        else:
            await honest(self, seat, id, prompt, reply, said, done, refuse)

    return lambda patch: patch.setattr(Actions, "act", act)


def replacing_parts(of: int) -> Callable[[Patch], None]:
    """Speak for this seat with a chain of the host's own, in place of its program's."""
    honest, asked = EntropyCollector.know, EntropyCollector._ask

    def hosts(self: EntropyCollector) -> HandMade:
        return HandMade(self._match.id, self._match.origin)

    def know(self: EntropyCollector, seat: Seat, tip: bytes, key: bytes) -> str:
        said = hosts(self).tip()
        return honest(self, seat, said.tip, said.key) if seat == of else honest(self, seat, tip, key)

    def ask(self: EntropyCollector, seat: Seat) -> None:
        if seat != of:
            asked(self, seat)
            return
        match = self._match
        wanted = EntropyWanted(table_of(match.id), match.record.round + 1, match.version, match.head, b"")
        part = hosts(self).part(wanted)
        # not while the seats of the call are being asked
        asyncio.get_running_loop().call_soon(self.give, seat, part.round, part.link, part.proof)

    def apply(patch: Patch) -> None:
        patch.setattr(EntropyCollector, "know", know)
        patch.setattr(EntropyCollector, "_ask", ask)

    return apply


def dropping_parts(of: int, round: int) -> Callable[[Patch], None]:
    """Log this seat as absent from a round although its program is connected and has answered."""
    honest = EntropyCollector.give

    def give(self: EntropyCollector, seat: Seat, its_round: int, link: bytes, proof: bytes) -> str:
        if (seat, its_round) != (of, round):
            return honest(self, seat, its_round, link, proof)
        del self._wanted[seat]
        self._changed.set()
        return ""

    return lambda patch: patch.setattr(EntropyCollector, "give", give)


def exchanging_answers(of: int) -> Callable[[Patch], None]:
    """Count the default for this seat in place of its sealed answer."""
    honest = Match._given

    def given(self: Match[Any], question: Question, seat: Seat, answer: Answered | None) -> GivenAnswer:
        return honest(self, question, seat, answer if seat != of else None)

    return lambda patch: patch.setattr(Match, "_given", given)


def exchanging_acts(choice: str, other: str) -> Callable[[Patch], None]:
    """Do another act than the acknowledged one."""
    honest = Actions.act

    async def act(
        self: Actions, seat: Seat, id: bytes, prompt: PromptId, reply: Reply, said: bytes, done: Any, refuse: Any
    ) -> None:
        if reply.choice == choice:
            reply, said = Reply(other), said_digest(other, {})
        await honest(self, seat, id, prompt, reply, said, done, refuse)

    return lambda patch: patch.setattr(Actions, "act", act)


def losing_answers(of: int) -> Callable[[Patch], None]:
    """Acknowledge the sealed answers of this seat, keep none, and then let its time run out."""
    honest = StoredLog.seal

    async def seal(self: StoredLog, answer: Answered) -> None:
        if answer.seat != of:
            await honest(self, answer)

    return lambda patch: patch.setattr(StoredLog, "seal", seal)


def answering_for(of: int, choice: str) -> Callable[[Patch], None]:
    """Tell this seat that its time ran out, and count an answer of the host's own as that of the seat."""
    honest = Match._given

    def given(self: Match[Any], question: Question, seat: Seat, answer: Answered | None) -> GivenAnswer:
        return GivenAnswer(seat, Reply(choice)) if seat == of else honest(self, question, seat, answer)

    return lambda patch: patch.setattr(Match, "_given", given)


def replacing_answers(patch: Patch) -> None:
    """Take another answer to a question that has been answered, as hosts did when receipts had layout 1."""
    patch.setattr(Match, "given", lambda self, seat: None)

    async def seal(self: StoredLog, answer: Answered) -> None:
        self.match.hold(answer)

    patch.setattr(StoredLog, "seal", seal)


def signing_nothing(patch: Patch) -> None:
    """Acknowledge acts without receipts."""
    patch.setattr(server.match.receipts, "sign_receipts", lambda receipts, _: [Signed(b"", 0, b"")] * len(receipts))


def keeping_the_secret(patch: Patch) -> None:
    """Keep the secret closed when the match is over."""

    def closed(replay: Replay, signer: Signer, streams: bytes | None = None) -> bytes:
        return write(replay._replace(secret=b""), signer, streams)

    patch.setattr(server.match.replays, "write", closed)
