"""Apocalypse: Earth as a rule system, as server, simulation and tests use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core.bots.bot import Bot
from engine.core.rules.audience import Seat
from engine.core.rules.events import Event
from engine.core.rules.options import TablePace
from engine.core.rules.sides import Sides
from engine.core.rules.system import Intent
from engine.kit.present import scene as presented
from engine.kit.system import VerbSystem
from engine.rulesets.apocalypse_earth import text as own_texts
from engine.rulesets.apocalypse_earth.bots.bot import Level1
from engine.rulesets.apocalypse_earth.bots.level2 import Level2
from engine.rulesets.apocalypse_earth.bots.level3 import Level3
from engine.rulesets.apocalypse_earth.content import content
from engine.rulesets.apocalypse_earth.content.army_lists import EarthLists
from engine.rulesets.apocalypse_earth.rules import flow
from engine.rulesets.apocalypse_earth.rules.flow import VERBS, BattleRules
from engine.rulesets.apocalypse_earth.rules.moves import overwatch, reactions
from engine.rulesets.apocalypse_earth.rules.scenario import scoring, setup
from engine.rulesets.apocalypse_earth.rules.table import hiding, sighting
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.events import EVENTS
from engine.rulesets.apocalypse_earth.state.model import Resolved
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.text.texts import ENGLISH
from engine.rulesets.apocalypse_earth.view import cues, factions, preview, scene
from protocol.scene.fields import Option
from protocol.text import Text, text

CATALOGUE: Final[Mapping[str, str]] = {
    **ENGLISH,
    **VERBS.english,
    **overwatch.ANSWERS.english,
    **scene.UNIT.english,
    **scene.GROUND.english,
}


class ApocalypseEarth(VerbSystem[Battle]):
    """The system behind the entry point `apocalypse_earth`; the contract of each part is in
    engine/core/rules/system.py."""

    name = "apocalypse_earth"
    title: Text = text("ae.title")
    RULES = 7
    has_activations = True
    state = Battle
    events: Sequence[type[Event[Battle]]] = EVENTS
    intents: Sequence[type[Intent]] = VERBS.intents
    rules = BattleRules()
    lists = EarthLists()
    options = content.OPTIONS
    pace = TablePace(reaction_seconds=2)
    bots: Mapping[str, Callable[[int], Bot]] = {"level1": Level1, "level2": Level2, "level3": Level3}

    verbs = VERBS
    files = content
    content_type, resolved, opening = content.Content, Resolved, staticmethod(setup.start)
    faction_sheet = staticmethod(factions.sheet)
    english = CATALOGUE
    texts = own_texts.__name__
    known = staticmethod(hiding.known)
    imagine = staticmethod(hiding.imagine)
    moments = reactions.MOMENTS
    obey = staticmethod(reactions.obey)
    prompt = staticmethod(flow.prompt)
    strength = staticmethod(names.strength)
    lookouts = staticmethod(sighting.lookouts)
    seen_from = staticmethod(sighting.seen_from)
    public = staticmethod(scene.public)
    preview = staticmethod(preview.preview)
    private = staticmethod(scene.private)
    cues = staticmethod(cues.cues.tell)
    name_of = staticmethod(names.node)
    on_stack = staticmethod(presented.on_stack)
    tally = staticmethod(scoring.tally)
    forces = staticmethod(scoring.forces)
    result = staticmethod(scoring.result)

    def commanded(self, known: Battle, seat: Seat, moment: str) -> Sequence[Option]:
        """Return the units that a seat may give standing orders at a moment."""
        return reactions.commanded(known, seat)

    def sides(self, state: Battle) -> Sides:
        """Return the sides of the scenario, none where each seat stands alone."""
        return content.sides_of(state.resolved.scenario)


system = ApocalypseEarth()
