"""Non-interference: two matches that differ only in what a viewer may not know send that viewer the same frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from engine.core.bots.bot import Bot, run_inline
from engine.core.bots.selfplay import SelfPlayView
from engine.core.rules.audience import Seat
from engine.core.rules.dice import DiceSource, Pool, tree_of
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import System
from protocol.proof.dice import RoundEntropy
from protocol.proof.leaves import Tree
from protocol.scene.nodes import Reply
from tests.support.play.observed import Observed

S = TypeVar("S")


class OtherOrder:
    """Dice like `dice`, but with another order of a deck's epoch from place `first` on."""

    def __init__(self, dice: DiceSource, deck: str, epoch: int, first: int, turn: int) -> None:
        self._dice, self._place, self._first, self._turn = dice, (deck, epoch), first, turn

    @property
    def commitment(self) -> bytes:
        return self._dice.commitment

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        return self._dice.faces(round, entropy, n, pool, hidden=hidden)

    def order(self, round: int, entropy: RoundEntropy, n: int, size: int) -> tuple[int, ...]:
        return self._dice.order(round, entropy, n, size)

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> tuple[int, ...]:
        order = self._dice.deck(name, epoch, entropy, size)
        if (name, epoch) != self._place:
            return order
        known, rest = order[: self._first], order[self._first :]
        turn = self._turn % max(1, len(rest))
        return (*known, *rest[turn:], *rest[:turn])

    def tree(self, name: str, epoch: int, entropy: RoundEntropy, cards: tuple[str, ...]) -> Tree:
        return tree_of(self, name, epoch, entropy, cards)

    def seed(self, round: int) -> bytes:
        return self._dice.seed(round)

    def salt(self, label: str) -> bytes:
        return self._dice.salt(label)

    def salts(self, first: bytes, names: Sequence[bytes]) -> list[bytes]:
        return self._dice.salts(first, names)

    def pieces(self, step: int, count: int) -> list[bytes]:
        return self._dice.pieces(step, count)


class Recorded(Generic[S]):
    """A match played by bots, with every reply kept, so that another match can be played by the same replies."""

    def __init__(self, system: System[S], resolved: bytes, seats: int) -> None:
        self._system, self._resolved, self._seats = system, resolved, seats
        self.replies: list[tuple[Seat, Reply | None]] = []

    def play(self, dice: DiceSource, bots: Mapping[Seat, Bot], most: int) -> Observed[S]:
        """Play at most a number of decisions; None in `replies` stands for time that ran out."""
        table = Observed(self._system, dice, self._resolved, self._seats)
        play = table.play
        for _ in range(most):
            seat = play.next_seat()
            prompt = play.projector.prompt(seat) if seat is not None else None
            if seat is None or prompt is None:
                break
            reply: Reply | None = run_inline(bots[seat].decide(SelfPlayView(play, seat, prompt)))
            try:
                play.submit(seat, reply or Reply(""))
            except IllegalIntent:
                reply = None
                play.expire()
            self.replies.append((seat, reply))
        return table

    def again(self, dice: DiceSource) -> Observed[S]:
        """Return the same replies in a match with other dice."""
        table = Observed(self._system, dice, self._resolved, self._seats)
        for seat, reply in self.replies:
            if reply is None:
                table.play.expire()
            else:
                table.play.submit(seat, reply)
        return table
