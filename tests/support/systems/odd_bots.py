"""The test duel with faulty bots that must not harm a host. The bots' process finds them here."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from protocol.scene.nodes import Reply
from server.content.systems import Installed, install
from tests.support.systems.duel import TOML, Duel, HardBot

if TYPE_CHECKING:
    from engine.core.bots.bot import Bot, BotView

DIED = 3
"""The exit status of a process that a deadly bot has thought in."""


class _Odd:
    def __init__(self, seed: int) -> None:
        """Ignore the seed."""

    def refused(self, reply: Reply, code: str) -> None:
        """Ignore the refusal."""


class Deadly(_Odd):
    """Bot that ends its process."""

    async def decide(self, view: BotView) -> Reply:
        os._exit(DIED)


class Broken(_Odd):
    """Bot that prints a line and fails."""

    async def decide(self, view: BotView) -> Reply:
        print("nothing that anybody should read")
        raise RuntimeError("no idea")


class Stuck(_Odd):
    """Bot that thinks for ever, whatever the time."""

    async def decide(self, view: BotView) -> Reply:
        while True:
            pass


class Ponderer(_Odd):
    """Bot that thinks until its time is over."""

    async def decide(self, view: BotView) -> Reply:
        while not view.is_due():
            pass
        return Reply(view.prompt.default or view.prompt.choices[0].id)


class OddDuel(Duel):
    """Duel with these bots."""

    def __init__(self) -> None:
        super().__init__()
        odd: Mapping[str, Callable[[int], Bot]] = {
            "deadly": Deadly,
            "broken": Broken,
            "hard": HardBot,  # in the middle: the kind that stands in for absent people
            "stuck": Stuck,
            "ponderer": Ponderer,
        }
        self.bots = odd


def odd_duel() -> dict[str, Installed]:
    """Return the duel, installed."""
    return {"duel": install(OddDuel(), {"duel.toml": TOML})}
