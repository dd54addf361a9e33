"""The making of bots by kind and seed."""

from __future__ import annotations

from typing import Any

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.rules.system import System


def make_bot(system: System[Any], kind: str, seed: int) -> Bot:
    """Make a bot of this kind: the system's own, or the random player where it has none of that name."""
    maker = system.bots.get(kind)
    return maker(seed) if maker is not None else RandomBot(seed)
