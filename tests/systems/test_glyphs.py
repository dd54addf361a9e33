"""Glyphs of shipped content: every figure of every system shows what it is."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec
import pytest

from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import all_parts
from engine.rulesets.apocalypse_earth.system import system as apocalypse_earth
from engine.rulesets.one_page.system import system as one_page
from protocol.ids import MatchId
from protocol.scene.looks import GLYPHS
from protocol.scene.nodes import Piece
from server.content.systems import find_systems, texts_of
from tests.support.systems import ae_shipped
from tests.support.systems.battle import battle, squad

MATCH = MatchId("m")


def pieces(system: Any, state: Any) -> list[Piece]:
    return [node for part in all_parts(system.public(state)) if isinstance(node := part.make(), Piece)]


def tables(value: Any, name: str) -> list[dict[str, Any]]:
    """Every table of a name, or of a list of that name, wherever it stands in TOML."""
    if isinstance(value, list):
        return [found for one in value for found in tables(one, name)]
    if not isinstance(value, dict):
        return []
    own = value.get(name, [])
    here = [one for one in (own if isinstance(own, list) else [own]) if isinstance(one, dict)]
    return [*here, *(found for one in value.values() for found in tables(one, name))]


def test_every_unit_of_an_army_page_and_every_faction_names_its_glyph() -> None:
    texts = {
        name: [tomllib.loads(text) for text in texts_of(system).values()] for name, system in find_systems().items()
    }
    units = [unit for text in texts["one_page"] for unit in tables(text, "unit") if "quality" in unit]
    factions = [faction for text in texts["action_cards"] for faction in tables(text, "faction") if "cards" in faction]
    assert len(units) > 40
    assert len(factions) > 10
    assert [one["name"] for one in (*units, *factions) if one.get("glyph") not in GLYPHS] == []


def test_a_unit_without_a_glyph_of_its_own_has_that_of_its_type() -> None:
    state = battle([squad((1000, 1000))], [squad((3000, 3000))])
    assert {piece.glyph for piece in pieces(one_page, state)} == {"soldier"}


@pytest.mark.slow
def test_figures_of_apocalypse_earth_show_their_role_or_their_weapon() -> None:
    play = SelfPlay(Match(apocalypse_earth, MATCH, MatchDice(bytes(31) + b"\7", MATCH)))
    play.begin(Start(MATCH, 2, msgspec.msgpack.encode(ae_shipped.resolved("the_hummvees"))))
    bots = {Seat(seat): RandomBot(7 + seat) for seat in range(2)}
    for _ in range(60):
        if not play.decide(bots):
            break
    glyphs = {piece.glyph for piece in pieces(apocalypse_earth, play.match.state)}
    assert glyphs <= GLYPHS.keys()
    assert len(glyphs) >= 4
