"""One Page Apocalypse as a rule system: what server, simulation and tests see of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from engine.core.audience import Seat
from engine.core.events import CoreEvent, Event
from engine.core.system import Intent, ScenarioInfo, Setup, Shown
from engine.rulesets.one_page import (
    content as files,
    cues,
    details,
    muster,
    parse,
    prompts,
    scene,
    scoring,
    texts as english,
)
from engine.rulesets.one_page.army_lists import OnePageLists
from engine.rulesets.one_page.bot import Level1
from engine.rulesets.one_page.bot_level2 import Level2
from engine.rulesets.one_page.events import EVENTS
from engine.rulesets.one_page.flow import BattleRules
from engine.rulesets.one_page.intents import INTENTS
from engine.rulesets.one_page.model import Resolved
from engine.rulesets.one_page.placing_events import PLACING_EVENTS
from engine.rulesets.one_page.state import Battle
from protocol.forms import Told
from protocol.scene import AnyField, Cue, Prompt, Reply, Result
from protocol.text import Text, text

if TYPE_CHECKING:
    from engine.core.bot import Bot
    from engine.core.game import Game


class OnePage:
    """The system behind the entry point `one_page`."""

    name = "one_page"
    title: Text = text("op.title")
    RULES = 1
    moments = ()
    forms = ()
    state = Battle
    events: Sequence[type[Event[Battle]]] = (*PLACING_EVENTS, *EVENTS)
    intents: Sequence[type[Intent]] = INTENTS
    rules = BattleRules()
    lists = OnePageLists()
    bots: Mapping[str, Callable[[int], Bot]] = {"level1": Level1, "level2": Level2}

    def content(self, texts: Mapping[str, str]) -> files.Content:
        """Parse and check TOML {file name: text}. Raises ContentProblem naming file, line, key and reason."""
        return files.read(texts)

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        """What can be played with this content."""
        return files.scenarios(_read(content))

    def setup(self, content: object, setup: Setup) -> bytes:
        """The content of one match, by value. Raises SetupProblem."""
        return files.setup(_read(content), setup)

    def start(self, resolved: bytes, seats: int) -> Battle:
        """The table before anything has happened."""
        return muster.start(msgspec.msgpack.decode(resolved, type=Resolved), seats)

    def catalogue(self, language: str) -> Mapping[str, str]:
        """All texts in this language."""
        return english.catalogue(language)

    def parse(self, state: Battle, seat: Seat, reply: Reply) -> Intent:
        """The typed intent of a filled-in choice. Raises IllegalIntent."""
        return parse.parse(state, seat, reply)

    def public(self, state: Battle) -> Iterable[Shown]:
        """The scene that everyone sees."""
        return scene.public(state)

    def private(self, state: Battle, seat: Seat) -> Iterable[Shown]:
        """Nothing: this game has no secrets."""
        return ()

    def prompt(self, game: Game[Battle], seat: Seat) -> Prompt | None:
        """What this seat may do now."""
        return prompts.prompt(game.state, seat)

    def detail(self, game: Game[Battle], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        """The first field of `choice` not in `fields`, with options and reasons. Raises IllegalIntent."""
        return details.detail(game.state, seat, choice, fields)

    def cues(self, event: Event[Battle] | CoreEvent, before: Battle, after: Battle) -> Iterable[Cue | Told]:
        """What everyone sees and hears of the event."""
        return cues.cues(event, before, after)

    def result(self, state: Battle) -> Result | None:
        """The outcome, once the battle is over."""
        return scoring.result(state)


def _read(content: object) -> files.Content:
    """What `content` gave."""
    if not isinstance(content, files.Content):
        raise TypeError(f"not content of this system: {type(content).__name__}")
    return content


system = OnePage()
