"""Golden replays: small matches as earlier versions played them.

`python -m tests.support.examples.golden` adds those that the present rules and log lack; an existing one is never made
anew.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

from engine.core.bots.random_bot import RandomBot
from engine.core.match.causes import Start
from engine.core.match.hash_chain import LOG
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from engine.rulesets.action_cards import system as action_cards
from engine.rulesets.apocalypse_earth import system as apocalypse_earth
from engine.rulesets.one_page import system as one_page
from protocol.fairness.replay_sections import VERSION
from protocol.ids import MatchId, table_of
from protocol.proof.dice import DICE
from server.content.systems import Installed, install
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.match.replays import make
from tests.support.fairness.entropy_play import EntropyPlay
from tests.support.fairness.signing import HOST
from tests.support.systems import ae_shipped, op_shipped
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.shipped import shipped_texts

FOLDER: Final = Path(__file__).parents[2] / "golden"
DECISIONS: Final = {"action_cards": 100, "apocalypse_earth": 80}
"""How many a replay has, where 40 do not get beyond deployment or show hardly any dice."""


def systems() -> dict[str, tuple[Installed, str]]:
    """Return the systems that have golden replays, each with the scenario that they are of."""
    return {
        "duel": (install(Duel(), {"duel.toml": TOML}), "two"),
        "action_cards": (install(action_cards, shipped_texts()), "harrow_cross"),
        "one_page": (install(one_page, op_shipped.texts()), "crossroads_3000"),
        "apocalypse_earth": (install(apocalypse_earth, ae_shipped.texts()), "first_contact"),
    }


def file_of(installed: Installed) -> Path:
    """Return the path of the golden replay of a system under its present rules, with the present log and dice; of the
    duel, which is small, in the present version of the file, too."""
    version = f"-file{VERSION}" if installed.system.name == "duel" else ""
    return FOLDER / f"{installed.system.name}-rules{installed.system.RULES}-log{LOG}-dice{DICE}{version}.replay"


def play(installed: Installed, scenario: str) -> bytes:
    """Play a number of decisions of random bots, as a signed replay; the seats' programs add to the dice."""
    system = installed.system
    info = installed.scenarios[scenario]
    chance = random.Random(f"golden {system.name} {system.RULES}")
    id, secret = MatchId(chance.randbytes(8).hex()), chance.randbytes(32)
    match: Match[Any] = Match(system, id, MatchDice(secret, id))
    game = EntropyPlay(match, chance, missing=0.2, moves=True)
    factions = tuple(faction.id for faction in info.factions)[: info.seats]
    game.begin(Start(id, info.seats, system.setup(installed.content, Setup(scenario, factions)), parts=True))
    game.play({Seat(seat): RandomBot(seat) for seat in range(info.seats)}, most=DECISIONS.get(system.name, 40))
    seats = tuple(SeatRecord(f"p{seat}", f"Player {seat}", faction) for seat, faction in enumerate(factions))
    table = TableRecord(table_of(id), "GOLDEN", "Golden", system.name, scenario, "p0", seats, 0, 0)
    return make(installed, table, secret, game.steps, match.result, 0, HOST)


def main() -> None:
    """Add the missing replays."""
    FOLDER.mkdir(exist_ok=True)
    for installed, scenario in systems().values():
        path = file_of(installed)
        if not path.exists():
            path.write_bytes(play(installed, scenario))


if __name__ == "__main__":
    main()
