"""Previews of scenarios, for those who choose one: made once of each choice of options, and kept."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from engine.core.rules.errors import SetupRefused
from engine.core.rules.options import all_values, kept_values
from engine.core.rules.system import Setup
from engine.core.view.previews import seen_before
from protocol.scene.delta import node_map
from protocol.wire.previews import GetPreview, Preview
from server.lobby.finding.kept_answers import KeptAnswers
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire.choices import OptionValue
    from server.content.systems import Installed
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.net.rule_queries import RuleQueries

MOST_KEPT: Final = 128
"""Previews of up to ten kilobytes; of more the one that was asked for longest ago goes."""

Key = tuple[str, str, bytes]
"""System, scenario, and the values of options that are not at their default."""


class ScenarioPreviews:
    """The command by which people look at a scenario. Anybody may, wherever they are."""

    def __init__(self, services: Services, lobby: Lobby, questions: RuleQueries) -> None:
        self._services = services
        self._lobby = lobby
        self._kept: KeptAnswers[Key, Preview] = KeptAnswers(questions, MOST_KEPT)

    async def show(self, session: Session, asked: GetPreview) -> None:
        seats = self._lobby.scenario(asked.system, asked.scenario).seats
        installed = self._services.systems[asked.system]
        options = _options(installed, asked)
        setup = Setup(asked.scenario, ("",) * seats, options=options)
        key = asked.system, asked.scenario, msgspec.msgpack.encode(sorted(options.items()))
        found = await self._kept.find(key, session.asker, lambda: _made(installed, setup))
        nodes = found.nodes if asked.known != found.hash else {}
        session.say(replace(found, options=dict(asked.options), nodes=nodes))


def _options(installed: Installed, asked: GetPreview) -> dict[str, OptionValue]:
    """Return the values that are not at their default. Raises Refused."""
    options = installed.options_of(asked.scenario)
    try:
        all_values(options, asked.options)
    except SetupRefused as problem:
        raise Refused.saying("table/option", problem.text) from problem
    return kept_values(options, asked.options)


def _made(installed: Installed, setup: Setup) -> Preview:
    """Make a preview. Raises Refused where the rules refuse the set-up."""
    try:
        seen = seen_before(installed.system, installed.content, setup)
    except SetupRefused as problem:
        raise Refused.saying("table/set-up", problem.text) from problem
    nodes = {id: node_map(node) for id, node in seen.nodes.items()}
    packed = msgspec.msgpack.encode((nodes, seen.left_out), order="deterministic")
    name = hashlib.blake2b(packed, digest_size=12).hexdigest()
    return Preview(installed.system.name, setup.scenario, {}, name, nodes, seen.left_out)


def not_shown(asked: GetPreview, refused: Refused) -> Preview:
    """Return the answer where there is no preview."""
    return Preview(asked.system, asked.scenario, dict(asked.options), code=refused.code, text=refused.text)
