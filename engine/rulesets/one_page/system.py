"""One Page Apocalypse as a rule system, as server, simulation and tests use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core.bots.bot import Bot
from engine.core.rules.events import Event
from engine.core.rules.system import Intent
from engine.kit.system import VerbSystem
from engine.rulesets.one_page import text as own_texts
from engine.rulesets.one_page.bots.bot import Level1
from engine.rulesets.one_page.bots.bot_level2 import Level2
from engine.rulesets.one_page.content import content
from engine.rulesets.one_page.content.army_lists import OnePageLists
from engine.rulesets.one_page.rules import flow, rounds, scoring, sighting
from engine.rulesets.one_page.rules.flow import VERBS, BattleRules
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.events import EVENTS
from engine.rulesets.one_page.state.model import Resolved
from engine.rulesets.one_page.state.placing_events import PLACING_EVENTS
from engine.rulesets.one_page.state.state import Battle
from engine.rulesets.one_page.text.texts import ENGLISH
from engine.rulesets.one_page.view import cues, factions, preview, scene
from protocol.text import Text, text

CATALOGUE: Final[Mapping[str, str]] = {**ENGLISH, **VERBS.english, **scene.UNIT.english, **scene.GROUND.english}


class OnePage(VerbSystem[Battle]):
    """The system behind the entry point `one_page`; the contract of each part is in engine/core/rules/system.py."""

    name = "one_page"
    title: Text = text("op.title")
    RULES = 7
    has_activations = True
    state = Battle
    events: Sequence[type[Event[Battle]]] = (*PLACING_EVENTS, *EVENTS)
    intents: Sequence[type[Intent]] = VERBS.intents
    rules = BattleRules()
    lists = OnePageLists()
    options = content.OPTIONS
    bots: Mapping[str, Callable[[int], Bot]] = {"level1": Level1, "level2": Level2}

    verbs = VERBS
    files = content
    content_type, resolved, opening = content.Content, Resolved, staticmethod(rounds.start)
    faction_sheet = staticmethod(factions.sheet)
    english = CATALOGUE
    texts = own_texts.__name__
    prompt = staticmethod(flow.prompt)
    prompt_steps = staticmethod(flow.prompt_steps)
    strength = staticmethod(names.strength)
    lookouts = staticmethod(sighting.lookouts)
    seen_from = staticmethod(sighting.seen_from)
    public = staticmethod(scene.public)
    preview = staticmethod(preview.preview)
    cues = staticmethod(cues.cues.tell)
    name_of = staticmethod(names.node)
    on_stack = staticmethod(scene.on_stack)
    tally = staticmethod(scoring.tally)
    result = staticmethod(scoring.result)


system = OnePage()
