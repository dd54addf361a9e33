"""`eschaton-server serve` with the shipped games and no rates: windows that are clicked by a program say more in a
second than the rates of a host let a person say. `python -m tools.pictures.unpaced_server`."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from server.cli.serving import parse_address, run_loop, serve, webhook_routes
from server.content.systems import find_systems, load
from server.store.choice import open_store
from tests.support.clients.programs import ServerProgram
from tests.support.systems.duel_server import UNPACED


class UnpacedServer(ServerProgram):
    """Server without rates in a process of its own."""

    module = ("tools.pictures.unpaced_server",)


def main(
    *,
    listen: str,
    data: Path,
    bot_pause: float,
    moderator: tuple[str, ...] = (),
    webhook_host: tuple[str, ...] = (),
) -> int:
    """Serve with the options that ServerProgram gives until a signal ends it."""
    host, port = parse_address(listen)
    data.mkdir(parents=True, exist_ok=True)
    systems, webhooks = load(find_systems().values()), webhook_routes(webhook_host)

    async def open_and_serve() -> int:
        store = await open_store("", data)
        return await serve(
            *(systems, store, data, host, port),
            limits=UNPACED,
            bot_pause=bot_pause,
            moderators=moderator,
            webhooks=webhooks,
        )

    return run_loop(open_and_serve())


if __name__ == "__main__":
    App(default_command=main, result_action="sys_exit")()
