"""Frames of matches that bots have played, as the players and spectators of a server are sent them."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from client.text.texts import Texts
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from protocol.ids import MatchId
from protocol.wire.from_server import Delta, Snapshot
from server.content.systems import Installed
from server.match.bots.bot_factory import make_bot
from server.match.playback import fold, shown
from tests.support.examples.golden import systems
from tests.support.systems.installed import shipped_systems

SYSTEMS = ("action_cards", "one_page")


def installed_systems() -> dict[str, tuple[Installed, str]]:
    """Return the systems of which matches can be recorded, each with its scenario."""
    earth = (shipped_systems()["apocalypse_earth"], "meeting_engagement")
    return {**systems(), "apocalypse_earth": earth}


@lru_cache(maxsize=8)
def recorded(name: str, decisions: int, seed: int = 1) -> tuple[dict[str, tuple[Snapshot | Delta, ...]], Texts]:
    """Return the frames of each audience ("public", "seat/0", ...), and the words of the system."""
    installed, scenario = installed_systems()[name]
    info = installed.scenarios[scenario]
    id, secret = MatchId(random.Random(f"{name} {seed}").randbytes(8).hex()), bytes([seed]) * 32
    match: Match[Any] = Match(installed.system, id, MatchDice(secret, id))
    steps: list[bytes] = []

    def note(step: Step[Any], changes: object) -> None:
        steps.append(step.data)

    game = SelfPlay(match, note, watched=True)
    factions = tuple(faction.id for faction in info.factions)[: info.seats]
    game.begin(Start(id, info.seats, installed.system.setup(installed.content, Setup(scenario, factions))))
    bots = {Seat(seat): make_bot(installed.system, "level1", seed + seat) for seat in range(info.seats)}
    game.play(bots, most=decisions)
    again: Match[Any] = Match(installed.system, id, MatchDice(secret, id))
    texts = Texts()
    texts.learn(installed.catalogue("en").entries)
    return shown(again, steps, fold), texts
