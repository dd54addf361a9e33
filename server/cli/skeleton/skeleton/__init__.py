"""The rule system: the object behind the entry point, as server and simulation use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.defaults import Defaults
from engine.core.rules.game import Game
from engine.core.rules.system import ScenarioInfo, Setup, own_content
from protocol.scene.nodes import Prompt
from protocol.text import Text, text
from protocol.words import words_of

from . import content as files, play, scene, turns
from .bot import Steady
from .content import Content, Resolved
from .state import Battle


class Skeleton(Defaults[Battle]):
    """The system; parts that are not here it inherits. The contract of each: engine/core/rules/system.py."""

    name = "skeleton"
    title: Text = text("skeleton.title")
    RULES = 1
    """Raise it when a procedure asks, rolls or emits something else than before."""
    state = Battle
    events = play.EVENTS
    intents = play.VERBS.intents
    rules = play.BattleRules()
    bots: Mapping[str, type[Steady]] = {"level1": Steady}

    content = staticmethod(files.read)
    parse = staticmethod(play.VERBS.parse)
    detail = staticmethod(play.VERBS.detail_for)
    forecast = staticmethod(play.VERBS.forecast)
    public = staticmethod(scene.public)
    cues = staticmethod(scene.cues.tell)
    name_of = staticmethod(scene.name_of)
    result = staticmethod(scene.result)

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        """Return the scenarios that can be played."""
        return files.scenarios(own_content(content, Content))

    def setup(self, content: object, setup: Setup) -> bytes:
        """Encode the content of one match. Raises SetupRefused."""
        return files.setup(own_content(content, Content), setup)

    def start(self, resolved: bytes, seats: int) -> Battle:
        """Return the table before anything has happened."""
        return turns.start(msgspec.msgpack.decode(resolved, type=Resolved))

    def prompt(self, game: Game[Battle], seat: Seat) -> Prompt | None:
        """Return what the acting seat may do; its default is to hold."""
        acts = seat in self.rules.turn(game.state)
        return play.VERBS.prompt(game.state, seat, text("skeleton.turn"), "hold") if acts else None

    def catalogue(self, language: str) -> Mapping[str, str]:
        """Return all words; there is only English."""
        return {**words_of(__package__, "words"), **play.VERBS.english, **scene.GROUP.english}


system = Skeleton()
