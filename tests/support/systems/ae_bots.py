"""Bots of Apocalypse: Earth at small tables: a match that begins there, and what a bot decides in it."""

from __future__ import annotations

from typing import Final

from engine.core.bots.bot import Bot, run_inline
from engine.core.bots.selfplay import SelfPlay, SelfPlayView
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.rulesets.apocalypse_earth.bots.look import Look
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.system import ApocalypseEarth
from protocol.ids import MatchId
from protocol.scene.nodes import Reply

MATCH: Final = MatchId("m")


class Table(ApocalypseEarth):
    """The system with matches that begin at a given table."""

    def __init__(self, beginning: Battle) -> None:
        self.beginning = beginning

    def start(self, resolved: bytes, seats: int) -> Battle:
        """Return the given table."""
        return self.beginning


def begun(state: Battle, secret: bytes = bytes(32)) -> SelfPlay[Battle]:
    """Return a match that has begun at a table. `secret`: of its dice."""
    play = SelfPlay(Match(Table(state), MATCH, MatchDice(secret, MATCH)), watched=False)
    play.begin(Start(MATCH, len(state.seats), b""))
    return play


def view_of(play: SelfPlay[Battle], seat: int = 0) -> SelfPlayView[Battle]:
    """Return what a bot in a seat is asked and sees."""
    prompt = play.projector.prompt(Seat(seat))
    assert prompt is not None
    return SelfPlayView(play, Seat(seat), prompt)


def look_at(state: Battle) -> Look:
    """Return a table as a bot in seat 0 sees it."""
    return Look(view_of(begun(state)))


def decided(play: SelfPlay[Battle], bot: Bot, seat: int = 0) -> Reply:
    """Return what a bot in a seat decides now."""
    return run_inline(bot.decide(view_of(play, seat)))


def chosen(state: Battle, bot: Bot) -> Reply:
    """Return what a bot in seat 0 decides at a table."""
    return decided(begun(state), bot)
