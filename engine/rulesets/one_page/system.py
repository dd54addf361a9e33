"""One Page Apocalypse as a rule system, as server, simulation and tests use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from engine.core.bots.bot import Bot
from engine.core.rules.defaults import Defaults
from engine.core.rules.events import Event
from engine.core.rules.lessons import LessonPlan
from engine.core.rules.sides import Sides
from engine.core.rules.system import Intent, ScenarioInfo, Setup, own_content
from engine.rulesets.one_page.bots.bot import Level1
from engine.rulesets.one_page.bots.bot_level2 import Level2
from engine.rulesets.one_page.content import content as files
from engine.rulesets.one_page.content.army_lists import OnePageLists
from engine.rulesets.one_page.rules import flow, rounds, scoring, sighting
from engine.rulesets.one_page.rules.flow import VERBS, BattleRules
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.events import EVENTS
from engine.rulesets.one_page.state.model import Resolved
from engine.rulesets.one_page.state.placing_events import PLACING_EVENTS
from engine.rulesets.one_page.state.state import Battle
from engine.rulesets.one_page.text import texts as english
from engine.rulesets.one_page.view import cues, scene
from protocol.text import Text, text

CATALOGUE: Final[Mapping[str, str]] = {**english.ENGLISH, **VERBS.english, **scene.UNIT.english}


class OnePage(Defaults[Battle]):
    """The system behind the entry point `one_page`; the contract of each part is in engine/core/rules/system.py."""

    name = "one_page"
    title: Text = text("op.title")
    RULES = 5
    has_activations = True
    state = Battle
    events: Sequence[type[Event[Battle]]] = (*PLACING_EVENTS, *EVENTS)
    intents: Sequence[type[Intent]] = VERBS.intents
    rules = BattleRules()
    lists = OnePageLists()
    options = files.OPTIONS
    bots: Mapping[str, Callable[[int], Bot]] = {"level1": Level1, "level2": Level2}

    content = staticmethod(files.read)
    prompt = staticmethod(flow.prompt)
    detail = staticmethod(VERBS.detail_for)
    detail_steps = staticmethod(VERBS.detail_steps)
    parse = staticmethod(VERBS.parse)
    forecast = staticmethod(VERBS.forecast)
    counted = staticmethod(VERBS.counted)
    strength = staticmethod(names.strength)
    lookouts = staticmethod(sighting.lookouts)
    seen_from = staticmethod(sighting.seen_from)
    public = staticmethod(scene.public)
    cues = staticmethod(cues.cues.tell)
    name_of = staticmethod(names.node)
    on_stack = staticmethod(scene.on_stack)
    result = staticmethod(scoring.result)

    def sides(self, state: Battle) -> Sides:
        """Return the sides of the scenario."""
        return state.resolved.scenario.sides

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        """Return the playable scenarios of this content."""
        return files.scenarios(own_content(content, files.Content))

    def lessons(self, content: object) -> Sequence[LessonPlan]:
        """Return the lessons of this content."""
        return own_content(content, files.Content).lessons

    def has_verb(self, choice: str) -> bool:
        """Tell whether a choice is one of the verbs."""
        return choice in VERBS

    def setup(self, content: object, setup: Setup) -> bytes:
        """Encode the content of one match, by value. Raises SetupRefused."""
        return files.setup(own_content(content, files.Content), setup)

    def catalogue(self, language: str) -> Mapping[str, str]:
        """Return all texts; there is only English, whatever the language."""
        return CATALOGUE

    def start(self, resolved: bytes, seats: int) -> Battle:
        """Return the state before anything has happened."""
        return rounds.start(msgspec.msgpack.decode(resolved, type=Resolved), seats)


system = OnePage()
