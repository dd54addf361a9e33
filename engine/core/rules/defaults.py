"""Defaults of rule systems: a system, and its rules, inherit them and write only their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.events import CoreEvent, DiceRolled, Event
from engine.core.rules.lessons import LessonPlan
from engine.core.rules.options import RuleOption, TablePace
from engine.core.rules.record import PendingAction, StandingOrder
from engine.core.rules.replies import choice_named, field_refused, next_field, unknown_choice
from engine.core.rules.sides import ALONE, Sides
from engine.core.rules.system import (
    Intent,
    Moment,
    MomentReached,
    PartOrSection,
    Procedure,
    RoundTally,
    ScenarioInfo,
    TablePreview,
)
from protocol.ids import NodeId
from protocol.scene.cue_templates import CueTemplate, TemplatedCues
from protocol.scene.fields import AnyField, Option
from protocol.scene.nodes import Cue, Dice, Prompt, Reply, StackItem
from protocol.text import Text
from protocol.wire.faction_pages import FactionSheet

if TYPE_CHECKING:
    from engine.core.bots.bot import Bot
    from engine.core.bots.random_bot import Chance
    from engine.core.rules.game import Game

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


class DefaultRules(Generic[S]):
    """The procedures that many rules do without: nothing follows unasked, and nothing of a player who concedes can
    leave the table."""

    def flow(self, game: Game[S]) -> Procedure | None:
        """Return nothing."""
        return None

    def leave(self, state: S, seat: Seat) -> Intent | None:
        """Return nothing: a bot plays on."""
        return None


class Presenting(Protocol[S_contra]):
    """A system with a scene of its own."""

    def public(self, state: S_contra) -> Iterable[PartOrSection]:
        """Return the scene that everyone sees."""


class Playable(Protocol):
    """A system with scenarios of its own."""

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        """Return the scenarios that can be played with this content."""


class Defaults(Generic[S]):
    """The parts of a system that many do without, or all write alike: a system that inherits them writes only its own.
    There are no sides, secrets, moments, activations, lazy fields, and no bots but the random player; cues show the
    dice; a choice stands for the intent of that tag, its fields by their names."""

    intents: Sequence[type[Intent]]

    moments: Sequence[Moment] = ()
    has_activations: bool = False
    options: Sequence[RuleOption] = ()
    pace: TablePace = TablePace()
    cue_templates: Sequence[CueTemplate[Any]] = ()
    bots: Mapping[str, Callable[[int], Bot]] = {}

    @property
    def languages(self) -> Sequence[str]:
        """Return nothing: there is only English."""
        return ()

    def faction_sheet(self: Playable, content: object, faction: str) -> FactionSheet | None:
        """Return the name of a faction with the lines that its scenarios have of it."""
        known = (info for scenario in self.scenarios(content) for info in scenario.factions if info.id == faction)
        info = next(known, None)
        return FactionSheet(info.name, numbers=info.lines) if info is not None else None

    def lessons(self, content: object) -> Sequence[LessonPlan]:
        """Return no lessons."""
        return ()

    def has_verb(self, choice: str) -> bool:
        """Tell whether an intent has this tag."""
        return any(kind.__struct_config__.tag == choice for kind in self.intents)

    def sides(self, state: S) -> Sides:
        """Return nothing: each seat stands alone."""
        return ALONE

    def known(self, state: S, seat: Seat) -> S:
        """Return the state itself: nothing is hidden."""
        return state

    def imagine(self, known: S, chance: Chance) -> S:
        """Return what is known itself: nothing is hidden."""
        return known

    def commanded(self, known: S, seat: Seat, moment: str) -> Sequence[Option]:
        """Return no groups."""
        return ()

    def obey(self, game: Game[S], seat: Seat, reached: MomentReached, orders: Sequence[StandingOrder]) -> Reply | None:
        """Return no answer: no order has a form."""
        return None

    def preview(self: Presenting[S], state: S) -> TablePreview:
        """Return the scene that everyone sees: all of the table lies there from the start."""
        return TablePreview(self.public(state))

    def private(self, state: S, seat: Seat) -> Iterable[PartOrSection]:
        """Return nothing: no seat sees more than the others."""
        return ()

    def prompt(self, game: Game[S], seat: Seat) -> Prompt | None:
        """Return nothing to do."""
        return None

    def detail(self, game: Game[S], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        """Return the first open field as the prompt offers it. Raises IllegalIntent."""
        prompt = self.prompt(game, seat)
        field = next_field(choice_named(prompt.choices if prompt else (), choice), fields)
        if field.lazy:
            raise field_refused("unknown-field", field.key)
        return field

    def name_of(self, state: S, node: NodeId) -> Text:
        """Return the node's id: no action is declared about any."""
        return Text(node)

    def on_stack(self, state: S, action: PendingAction, item: StackItem) -> StackItem:
        """Return the item as it is."""
        return item

    def tally(self, state: S) -> RoundTally:
        """Return nothing: no numbers are kept."""
        return RoundTally()

    def forces(self, state: S) -> Sequence[int]:
        """Return nothing: units have no points."""
        return ()

    def parse(self, state: S, seat: Seat, reply: Reply) -> Intent:
        """Return the intent whose tag is the choice, with the fields of the reply. Raises IllegalIntent."""
        kind = next((kind for kind in self.intents if kind.__struct_config__.tag == reply.choice), None)
        if kind is None:
            raise unknown_choice(reply.choice)
        try:
            return msgspec.convert({**reply.fields, "i": reply.choice}, kind)
        except msgspec.ValidationError as problem:
            raise field_refused("bad-field", str(problem)) from problem

    def cues(self, event: Event[S] | CoreEvent, before: S, after: S) -> Iterable[Cue | TemplatedCues]:
        """Yield the dice of each roll, under the name of their purpose."""
        if isinstance(event, DiceRolled):
            purpose = Text(event.purpose)
            yield Cue("dice", purpose, seat=event.seat, dice=Dice.of(event.id, purpose, total=sum(event.faces)))
