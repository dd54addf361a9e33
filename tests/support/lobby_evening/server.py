"""A real server process with the test system, which has a lesson here: `python -m tests.support.lobby_evening.server
DATA PORT`. Ben keeps order once he keeps his name, and webhooks lead to a name that this computer itself bears."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cyclopts import App

from engine.core.rules.lessons import LessonPlan, LessonSeat
from protocol.text import Text
from protocol.wire.lessons import Lesson, LessonEnd, LessonStep
from server.cli.serving import run_loop, serve
from server.content.systems import install
from server.store.choice import open_store
from server.webhooks.delivery import WebhookRoutes
from server.webhooks.resolver import Endpoint
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.duel_server import UNPACED

MODERATOR: Final = "Ben"
HOST: Final = "hooks.localhost"
"""Host of webhooks. No message arrives there: its address is none of the public Internet."""
_STEP: Final = LessonStep("rest", Text("Rest."), offer="rest", choice="rest", ends=LessonEnd(choice="rest"))
_LESSON: Final = Lesson("first", Text("First duel"), Text("A duel for beginners."), "two", 5, (_STEP,))


class TaughtDuel(Duel):
    """The duel with a lesson."""

    def lessons(self, content: object) -> Sequence[LessonPlan]:
        """Return the one lesson, against a bot."""
        return [LessonPlan(_LESSON, (LessonSeat(""), LessonSeat("", bot="hard")))]


async def find_here(_: str) -> Sequence[Endpoint]:
    """Look a name up, without asking anybody."""
    return [Endpoint("127.0.0.1")]


def main(data: Path, port: int) -> int:
    """Serve on loopback until a signal ends it."""
    systems = {"duel": install(TaughtDuel(), {"duel.toml": TOML})}
    webhooks = WebhookRoutes((HOST,), find_here, ssl.create_default_context())

    async def open_and_serve() -> int:
        store = await open_store("", data)
        return await serve(
            systems, store, data, "127.0.0.1", port, limits=UNPACED, moderators=(MODERATOR,), webhooks=webhooks
        )

    return run_loop(open_and_serve())


if __name__ == "__main__":
    App(default_command=main, result_action="sys_exit")()
