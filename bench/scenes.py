"""The bench scenario: six factions on one plain, made of the two files in content/, and the shots that it allows."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from engine.rulesets.action_cards.rules.board import table
from protocol.ids import MatchId
from protocol.scene.nodes import Reply
from server.content.systems import Installed, find_systems, install, texts_of

CONTENT: Final = Path(__file__).with_name("content")
SYSTEM: Final = "action_cards"
SCENARIO: Final = "plain"
SEATS: Final = 6
SQUADS: Final = 4


def installed(squads: int = SQUADS, bushes: int = 0) -> Installed:
    """The action-card skirmish with the bench scenario alone; `squads` of five figures a faction, and so many `bushes`
    beside the ten features of the scenario."""
    system = find_systems([SYSTEM])[SYSTEM]
    texts = {"terrain.toml": texts_of(system)["terrain.toml"]}
    texts["scenario.toml"] = (CONTENT / "scenario.toml").read_text("utf-8") + "".join(map(_bush, range(bushes)))
    faction = (CONTENT / "faction.toml").read_text("utf-8").replace("count = 4", f"count = {squads}")
    texts |= {f"faction_{n}.toml": faction.replace('"line"', f'"line_{n}"') for n in range(SEATS)}
    return install(system, texts)


def _bush(number: int) -> str:
    """Write a small patch of scrub or rubble, one of ten in a row."""
    kind, x, y = ("scrub", "rubble")[number % 2], 8 + number % 10 * 7, 16 + number // 10 * 12
    return (
        f'\n[[scenario.feature]]\nid = "bush_{number}"\nkind = "{kind}"\nname = "feature.wood"\n'
        f"patch = [{x}, {y}, 2, 1]\n"
    )


def match(squads: int = SQUADS, number: int = 0) -> SelfPlay[Any]:
    """A match in memory whose first card has been turned up."""
    content = installed(squads)
    name = MatchId(f"bench-{number}")
    secret = hashlib.sha256(name.encode()).digest()
    play: SelfPlay[Any] = SelfPlay(Match(content.system, name, MatchDice(secret, name)))
    resolved = content.system.setup(content.content, Setup(SCENARIO, ("",) * SEATS))
    play.begin(Start(name, SEATS, resolved))
    return play


def shots(state: Any) -> list[Reply]:
    """A legal shot of every seat, all of them free to be repeated."""
    found: list[Reply] = []
    for seat in range(len(state.seats)):
        own = [group.id for group in state.groups.values() if group.owner == seat]
        others = [group.id for group in state.groups.values() if group.owner != seat]
        pair = next((a, b) for a in own for b in others if table.sight(state, a, b).clear)
        found.append(Reply("shoot", {"group": [f"group/{pair[0]}"], "target": [f"group/{pair[1]}"]}))
    return found
