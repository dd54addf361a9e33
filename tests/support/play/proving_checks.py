"""Promises of the proving game, as checks that a test also runs on copies of it that leak."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from engine.core.bots.bot import Bot, BotView, run_inline
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlayView
from engine.core.match.causes import Aside
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.record import SeatSettings, StandingOrder
from protocol.ids import MatchId
from protocol.scene.nodes import Reply
from protocol.wire.codec import encode
from server.match.frames import delta
from tests.support.faults.interference import OtherOrder
from tests.support.play.observed import Observed
from tests.support.proving.state import HOMES, Field, Scenario
from tests.support.proving.system import SEATS, Proving

TURNS: Final = 6
ACTS: Final = ("end", "watch", "face")
OWNER: Final = Seat(1)
"""The seat whose secrets differ between two matches."""


def table_of(system: Proving, seed: int, turns: int = TURNS, other_deck: int = 0) -> Observed[Field]:
    """Return a match that has begun; with `other_deck` the deck lies in another order."""
    dice = MatchDice(seed.to_bytes(32, "big"), MatchId("m1"))
    source = OtherOrder(dice, "cards", 0, 0, other_deck) if other_deck else dice
    return Observed(system, source, msgspec.msgpack.encode(Scenario(turns)), SEATS)


class Quiet:
    """Bot that reveals none of its secrets: of `silent` choices it takes the first (not to react, not to play a card),
    and on its turn it does only what `acts` names."""

    def __init__(self, seed: int, acts: tuple[str, ...] = ACTS, silent: tuple[str, ...] = ("none", "hold")) -> None:
        self._random = RandomBot(seed)
        self._acts = acts
        self._silent = silent

    async def decide(self, view: BotView) -> Reply:
        ids = [choice.id for choice in view.prompt.choices]
        for silent in self._silent:
            if silent in ids:
                return Reply(silent)
        for _ in range(50):
            reply = await self._random.decide(view)
            if reply.choice in self._acts or not set(self._acts) & set(ids):
                return reply
        return Reply("end")

    def refused(self, reply: Reply, code: str) -> None:
        self._random.refused(reply, code)


class Heard(NamedTuple):
    """All that one viewer gets of a match: each frame as bytes, and the length of each wait."""

    frames: tuple[bytes, ...]
    waits: tuple[tuple[object, ...], ...]


def heard(table: Observed[Field], viewer: Seat | None) -> Heard:
    """Return the bytes that go to a viewer on both channels, in order, and the windows that the viewer can time."""
    public = [encode(delta("public", change)) for change in table.frames[None]]
    own = [encode(delta("private", change)) for change in table.frames[viewer]] if viewer is not None else []
    return Heard((*public, *own), tuple(table.waits))


def same_to_all_others(one: Observed[Field], other: Observed[Field]) -> None:
    """Check number, order, size and bytes of frames, and the length of every wait. Raises AssertionError."""
    for viewer in (None, *(Seat(s) for s in range(SEATS) if s != OWNER)):
        first, second = heard(one, viewer), heard(other, viewer)
        assert [len(f) for f in first.frames] == [len(f) for f in second.frames], f"sizes differ for {viewer}"
        assert first.frames == second.frames, f"bytes differ for {viewer}"
        assert first.waits == second.waits, f"{viewer} waits for others or for longer"


Played = list[tuple[Seat, Reply | None]]


def play(table: Observed[Field], bots: dict[Seat, Bot], most: int, hide: tuple[int, int] | None = None) -> Played:
    """Play, and keep the replies (None: time ran out). `hide`: the place where the owner of secrets hides."""
    kept: Played = []
    for _ in range(most):
        seat = table.play.next_seat()
        prompt = table.play.projector.prompt(seat) if seat is not None else None
        if seat is None or prompt is None or not prompt.choices:
            break
        hiding = seat == OWNER and prompt.choices[0].id == "hide" and hide is not None
        reply: Reply | None
        reply = (
            Reply("hide", {"cell": list(hide or ())})
            if hiding
            else run_inline(bots[seat].decide(SelfPlayView(table.play, seat, prompt)))
        )
        try:
            table.play.submit(seat, reply)
        except IllegalIntent:
            reply = None
            table.play.expire()
        kept.append((seat, reply))
    return kept


def again(table: Observed[Field], replies: Played, changed: Callable[[Seat, Reply], Reply] = lambda _, r: r) -> bool:
    """Give the same replies in another match, as altered by `changed`; return False where a unit walked into a hidden
    one, so that the matches rightly part."""
    for seat, reply in replies:
        if reply is None:
            table.play.expire()
            continue
        try:
            table.play.submit(seat, changed(seat, reply))
        except IllegalIntent as refused:
            raise AssertionError(f"what seat {seat} may do differs: {refused}") from refused
        if table.match.state.turn and not is_dark(table):
            return False
    return True


def bots_of(seed: int) -> dict[Seat, Bot]:
    """Return random players, the owner of secrets a quiet one."""
    return {Seat(s): Quiet(seed) if s == OWNER else RandomBot(seed + s) for s in range(SEATS)}


def check_hidden_position(system: Proving, seed: int) -> None:
    """Check that the place of a hidden unit shows nowhere while it keeps still."""
    near, far = HOMES[OWNER][2], HOMES[OWNER][5]
    one = table_of(system, seed)
    replies = play(one, bots_of(seed), 60, near)
    other = table_of(system, seed)

    def hide(seat: Seat, reply: Reply) -> Reply:
        return Reply("hide", {"cell": list(far)}) if seat == OWNER and reply.choice == "hide" else reply

    if again(other, replies, hide) and is_dark(one) and is_dark(other):
        same_to_all_others(one, other)


def is_dark(table: Observed[Field]) -> bool:
    """Tell if the owner's unit is still hidden."""
    return any(table.match.state.of(OWNER, hidden=True))


def check_hands(system: Proving, seed: int) -> None:
    """Check that a seat's cards show nowhere until it plays one, not even in the length of a wait."""
    one, other = table_of(system, seed), table_of(system, seed, other_deck=1 + seed % 5)
    bots: dict[Seat, Bot] = {Seat(s): Quiet(seed + s, (*ACTS, "advance"), ("hold",)) for s in range(SEATS)}
    for seat, reply in play(one, bots, 60):
        other.play.submit(seat, reply) if reply is not None else other.play.expire()
    first, second = heard(one, None), heard(other, None)
    assert first == second, "the public part tells of cards"


def check_sealed(system: Proving, seed: int) -> None:
    """Check that sealed answers and standing orders show nowhere until the window closes."""
    one, other = table_of(system, seed), table_of(system, seed)
    replies = play(one, bots_of(seed), 2 + seed % 12)
    if not again(other, replies):
        return
    order = {"before-test": Reply("dash")}
    never = StandingOrder("in-view", "never")
    other.play.do(Aside(OWNER, bytes(16), SeatSettings(("before-test",), order, (never,))))
    question = one.match.question
    waited = set(question.asks) - set(one.match.sealed) if question is not None else set()
    if question is not None and OWNER in waited and len(waited) > 1:
        one.play.submit(OWNER, question.asks[OWNER].default)
    same_to_all_others(one, other)
