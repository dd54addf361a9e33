"""Frames of a server to a spectator of the bench scenario, from the lobby to shot after shot, in a file for the
measured window, which has neither engine nor server in its memory."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

import msgspec

from bench import scenes
from bench.window_told import WindowFrames
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from protocol.ids import MatchId, TableId
from protocol.text import Text
from protocol.wire.codec import encode
from protocol.wire.from_server import Catalogue, SeatView, TableView, Welcome
from protocol.wire.server_message import ServerMessage
from protocol.wire.table_lists import Lobby, TableRow
from server.match.playback import fold, shown

SQUADS: Final = 8
"""Squads of five figures for each of six factions: 240 figures."""
BUSHES: Final = 30
"""Features beside the ten of the scenario."""
SHOTS: Final = 120
LISTED: Final = 20
"""Tables in the lobby."""


def write_frames(path: Path, shots: int = SHOTS) -> None:
    """Play so many shots, and write what a spectator is sent of them."""
    content = scenes.installed(SQUADS, BUSHES)
    name = MatchId("bench-window")
    secret = hashlib.sha256(name.encode()).digest()
    steps: list[bytes] = []

    def note(step: Step[Any], changes: object) -> None:
        steps.append(step.data)

    play: SelfPlay[Any] = SelfPlay(Match(content.system, name, MatchDice(secret, name)), note)
    resolved = content.system.setup(content.content, Setup(scenes.SCENARIO, ("",) * scenes.SEATS))
    play.begin(Start(name, scenes.SEATS, resolved))
    replies = scenes.shots(play.match.state)
    for _ in range(shots):
        seat = play.match.may_act()[0]
        play.submit(seat, replies[seat])
    snapshot, *deltas = shown(Match(content.system, name, MatchDice(secret, name)), steps, fold)["public"]
    info = content.scenarios[scenes.SCENARIO]
    seats = tuple(
        SeatView(number, f"u{number}", f"Player {number}", faction.id, faction.name)
        for number, faction in enumerate(info.factions[: info.seats])
    )
    row = TableRow(TableId("t2"), "Friday", scenes.SYSTEM, Text("scenario.plain"), "live", 2, 4, bots=1)
    lobby: list[ServerMessage] = [
        Welcome("u9", "Bertram", "secret-token", "bench", "0"),
        Lobby((row,) * LISTED),
    ]
    table: list[ServerMessage] = [
        Catalogue(scenes.SYSTEM, "en", "c" * 16, dict(content.catalogue("en").entries)),
        TableView(TableId("t1"), "Friday", scenes.SYSTEM, scenes.SCENARIO, "live", -1, "u0", seats),
        snapshot,
    ]
    told = WindowFrames(*([encode(message) for message in said] for said in (lobby, table, deltas)))
    path.write_bytes(msgspec.msgpack.encode(told))
