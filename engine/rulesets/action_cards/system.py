"""The action-card skirmish as a rule system, as server, simulation and tests use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core.bots.bot import Bot
from engine.core.rules.events import Event
from engine.core.rules.system import Intent
from engine.kit.system import VerbSystem
from engine.rulesets.action_cards import text as own_texts
from engine.rulesets.action_cards.bots.bot import Level1, Level2, Level3
from engine.rulesets.action_cards.content import content
from engine.rulesets.action_cards.rules.flow import SkirmishRules
from engine.rulesets.action_cards.rules.scenario import ending, setup
from engine.rulesets.action_cards.rules.shooting import place_sight
from engine.rulesets.action_cards.rules.verbs import VERBS, prompt
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.combat_events import COMBAT_EVENTS
from engine.rulesets.action_cards.state.event_facts import EVENT_FACTS
from engine.rulesets.action_cards.state.events import EVENTS
from engine.rulesets.action_cards.state.model import Resolved
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.state.vehicle_events import VEHICLE_EVENTS
from engine.rulesets.action_cards.text.texts import ENGLISH
from engine.rulesets.action_cards.view import cues, factions, forces, knowledge, scene, stack
from protocol.text import Text, text

WORDS: Final = (ENGLISH, VERBS.english, scene.GROUND.english, forces.GROUP.english)
CATALOGUE: Final[Mapping[str, str]] = {key: words for part in WORDS for key, words in part.items()}


class ActionCards(VerbSystem[Skirmish]):
    """The system behind the entry point `action_cards`; core/system.py documents each part."""

    name = "action_cards"
    title: Text = text("system.title")
    RULES = 9
    has_activations = True
    cue_templates = cues.cues.templates
    state = Skirmish
    events: Sequence[type[Event[Skirmish]]] = (*EVENTS, *COMBAT_EVENTS, *EVENT_FACTS, *VEHICLE_EVENTS)
    intents: Sequence[type[Intent]] = VERBS.intents
    rules = SkirmishRules()
    bots: Mapping[str, Callable[[int], Bot]] = {"level1": Level1, "level2": Level2, "level3": Level3}

    verbs = VERBS
    files = content
    options = content.OPTIONS
    content_type, resolved, opening = content.Content, Resolved, staticmethod(setup.start)
    faction_sheet = staticmethod(factions.sheet)
    english = CATALOGUE
    texts = own_texts.__name__
    known = staticmethod(knowledge.known)
    imagine = staticmethod(knowledge.imagine)
    public = staticmethod(scene.public)
    preview = staticmethod(scene.preview)
    private = staticmethod(scene.private)
    prompt = staticmethod(prompt)
    strength = staticmethod(names.strength)
    lookouts = staticmethod(place_sight.lookouts)
    seen_from = staticmethod(place_sight.seen_from)
    cues = staticmethod(cues.cues.tell)
    name_of = staticmethod(names.node)
    on_stack = staticmethod(stack.on_stack)
    tally = staticmethod(ending.tally)
    result = staticmethod(ending.result)


system = ActionCards()
