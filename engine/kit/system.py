"""A rule system made of verbs and of a module for its content: what follows from both, a system need not write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar

import msgspec

from engine.core.rules.advice import Counted
from engine.core.rules.audience import Seat
from engine.core.rules.defaults import Defaults
from engine.core.rules.game import Game
from engine.core.rules.lessons import LessonPlan
from engine.core.rules.memo import MatchContent
from engine.core.rules.sides import ALONE, Sides
from engine.core.rules.steps import Steps
from engine.core.rules.system import Intent, ScenarioInfo, Setup, own_content
from engine.kit.seating import Seated
from engine.kit.verbs import Verbs
from protocol.scene.advice import Forecast
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.words import languages_of, words_in

P = ParamSpec("P")
S = TypeVar("S")


async def at_once(act: Callable[P, object], *given: P.args, **named: P.kwargs) -> None:
    """Carry out a procedure that asks nobody: a plain function."""
    act(*given, **named)


class ContentModule(Protocol):
    """The module of a system's content; each function takes what `read` gave."""

    @property
    def read(self) -> Callable[[Mapping[str, str]], Any]:
        """Parse and check {file name: TOML}. Raises ContentRefused."""

    @property
    def scenarios(self) -> Callable[[Any], Sequence[ScenarioInfo]]:
        """Return the scenarios that can be played."""

    @property
    def setup(self) -> Callable[[Any, Setup], bytes]:
        """Encode the content of one match, by value. Raises SetupRefused."""


class VerbSystem(Defaults[S]):
    """Base of a system of verbs (the contract of each part: engine/core/rules/system.py).

    `files`: the module of its content, of the type `content_type`, whose `lessons` it has; `resolved`: the content of a
    match, and `opening` the state made of it for so many seats; `english`: all its texts; `texts`: the package whose
    folders hold them in other languages ("": there are none).
    """

    verbs: Verbs[S]
    files: ContentModule
    content_type: type
    resolved: type[MatchContent]
    opening: Callable[[Any, int], S]
    english: Mapping[str, str]
    texts: str = ""

    @property
    def languages(self) -> Sequence[str]:
        """The languages for which the package of its texts has a folder."""
        return languages_of(self.texts) if self.texts else ()

    def content(self, texts: Mapping[str, str]) -> object:
        """Parse and check TOML {file name: text}. Raises ContentRefused."""
        return self.files.read(texts)

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        """Return the playable scenarios of this content."""
        return self.files.scenarios(own_content(content, self.content_type))

    def lessons(self, content: object) -> Sequence[LessonPlan]:
        """Return the lessons of this content."""
        own: Any = own_content(content, self.content_type)
        lessons: Sequence[LessonPlan] = own.lessons
        return lessons

    def setup(self, content: object, setup: Setup) -> bytes:
        """Encode the content of one match, by value. Raises SetupRefused."""
        return self.files.setup(own_content(content, self.content_type), setup)

    def start(self, resolved: bytes, seats: int) -> S:
        """Return the state before the first event."""
        return self.opening(msgspec.msgpack.decode(resolved, type=self.resolved), seats)

    def catalogue(self, language: str) -> Mapping[str, str]:
        """Return all texts in a language, line by line in English where it has none in that."""
        return {**self.english, **words_in(language, self.texts)} if language in self.languages else self.english

    def sides(self, state: S) -> Sides:
        """Return the side of each seat, as a state that is `Seated` has it; none where it is not."""
        return state.sides if isinstance(state, Seated) else ALONE

    def has_verb(self, choice: str) -> bool:
        """Tell whether a choice is one of the verbs."""
        return choice in self.verbs

    def prompt_steps(self, game: Game[S], seat: Seat) -> Steps[Prompt | None]:
        """Work out the prompt: in one step, unless a system knows its parts."""
        yield from ()
        return self.prompt(game, seat)

    def detail(self, game: Game[S], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        """Return the first field of `choice` not in `fields`, with options and reasons. Raises IllegalIntent."""
        return self.verbs.detail_for(game, seat, choice, fields)

    def detail_steps(self, game: Game[S], seat: Seat, choice: str, fields: Mapping[str, object]) -> Steps[AnyField]:
        """Work out `detail`, at each step a part of it."""
        return self.verbs.detail_steps(game, seat, choice, fields)

    def parse(self, state: S, seat: Seat, reply: Reply) -> Intent:
        """Return the typed intent of a filled-in choice. Raises IllegalIntent where its form is wrong."""
        return self.verbs.parse(state, seat, reply)

    def forecast(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Forecast | None:
        """Return what a choice comes to with these fields, None where that is not known. Raises IllegalIntent."""
        return self.verbs.forecast(game, seat, choice, fields)

    def counted(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Counted | None:
        """Return the losses that a sampled forecast counts, None where nothing is sampled."""
        return self.verbs.counted(game, seat, choice, fields)

    def propose(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Mapping[str, object]:
        """Return what stands best in fields of a choice that are not given. Raises IllegalIntent."""
        return self.verbs.propose(game, seat, choice, fields)
