"""The making of bots by kind and seed."""

from __future__ import annotations

import secrets
from typing import Any, Final

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.rules.system import System

SEED_BITS: Final = 32


def new_seed() -> int:
    """Return a seed for a bot that takes a seat, by chance."""
    return secrets.randbits(SEED_BITS)


def make_bot(system: System[Any], kind: str, seed: int) -> Bot:
    """Make a bot of this kind: the system's own, or the random player where it has none of that name."""
    maker = system.bots.get(kind)
    return maker(seed) if maker is not None else RandomBot(seed)
