"""`eschaton-server content draw`: a scenario's table with the figures on it as a picture, drawn by the client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.core.bots.bot import Bot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import SetupRefused
from engine.core.rules.system import ScenarioInfo, Setup
from protocol import near_names
from protocol.ids import NodeId
from protocol.scene.diagrams import Diagram
from protocol.scene.nodes import AnyNode, Piece, Point
from protocol.scene.table_pictures import TablePicture
from protocol.text_format import format_text
from server.cli.content.drawing import draw_by_client
from server.cli.simulation.simulate import identity
from server.content.systems import Installed, faults_told, find_systems, load
from server.match.bots.bot_factory import make_bot
from server.runtime.errors import CommandError

MOST_DECISIONS: Final = 400
"""Decisions of the set-up that are played, at most."""
IDLE: Final = 24
"""Decisions in a row that put nothing on the table, after which it is set up."""


def run(scenario: str, out: Path, folder: Path | None, factions: Sequence[str], seed: int, width: int) -> int:
    """Draw a scenario into a PNG file. Raises CommandError."""
    with faults_told():
        systems = load(find_systems().values(), folder)
    installed, info = _found(systems, scenario)
    nodes = laid_out(installed, info, factions, seed)
    picture = TablePicture(Diagram(nodes), dict(installed.catalogue("en").entries), width)
    draw_by_client("client.app.table_picture", out, msgspec.msgpack.encode(picture))
    figures = sum(isinstance(node, Piece) for node in nodes.values())
    print(f"{out}: {format_text(info.name, installed.catalogue('en').entries)}, {figures} figures.")
    return 0


def _found(systems: Mapping[str, Installed], scenario: str) -> tuple[Installed, ScenarioInfo]:
    """Return a scenario and its system. Raises CommandError."""
    for installed in systems.values():
        if scenario in installed.scenarios:
            return installed, installed.scenarios[scenario]
    known = [id for installed in systems.values() for id in installed.scenarios]
    near = near_names.nearest(scenario, known)
    raise CommandError(
        f"There is no scenario {scenario!r}."
        + (f" Did you mean {near}?" if near else f" There are: {', '.join(known)}.")
    )


def laid_out(installed: Installed, info: ScenarioInfo, factions: Sequence[str], seed: int) -> dict[NodeId, AnyNode]:
    """Return the table as it is when all who start on it stand: bots set it up, and nothing has moved yet.

    Everything is shown that any seat sees. Raises CommandError where the scenario cannot be set up so.
    """
    if len(factions) > info.seats:
        raise CommandError(f"{info.id} has {info.seats} seats: name as many factions at most.")
    chosen = (*factions, *[""] * (info.seats - len(factions)))
    name, secret = identity(seed, 0)
    game = SelfPlay(Match(installed.system, name, MatchDice(secret, name)))
    try:
        game.begin(Start(name, info.seats, installed.system.setup(installed.content, Setup(info.id, chosen))))
    except SetupRefused as problem:
        words = format_text(problem.text, installed.catalogue("en").entries)
        raise CommandError(f"{info.id} cannot be set up: {words}", 1) from problem
    kind = installed.bot_kinds()[0]
    return _set_up(game, {Seat(seat): make_bot(installed.system, kind, seed + seat) for seat in range(info.seats)})


def _set_up(game: SelfPlay[Any], bots: Mapping[Seat, Bot]) -> dict[NodeId, AnyNode]:
    nodes = _seen(game, bots)
    idle = 0
    for _ in range(MOST_DECISIONS):
        before = _places(nodes)
        if idle == IDLE or not game.decide(bots):
            break
        now = _seen(game, bots)
        places = _places(now)
        if any(places.get(id) != at for id, at in before.items()):
            break
        idle = 0 if len(places) > len(before) else idle + 1
        nodes = now if len(places) > len(before) else nodes
    return nodes


def _seen(game: SelfPlay[Any], bots: Mapping[Seat, Bot]) -> dict[NodeId, AnyNode]:
    """Return everything that any seat sees; of a node that several see, the picture of its owner."""
    nodes: dict[NodeId, AnyNode] = {}
    for seat in bots:
        scene = game.projector.scene(seat)
        nodes.update({id: node for id, node in scene.items() if id not in nodes or _is_of(node, seat)})
    return nodes


def _is_of(node: AnyNode, seat: Seat) -> bool:
    return getattr(node, "owner", None) == seat


def _places(nodes: Mapping[NodeId, AnyNode]) -> dict[NodeId, Point]:
    return {id: node.at for id, node in nodes.items() if isinstance(node, Piece)}
