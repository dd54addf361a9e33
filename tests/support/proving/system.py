"""The system object of the proving game."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

import msgspec

from engine.core.rules.advice import Counted
from engine.core.rules.audience import Seat
from engine.core.rules.defaults import Defaults
from engine.core.rules.errors import ContentRefused, IllegalIntent, SetupRefused
from engine.core.rules.events import CoreEvent, Event
from engine.core.rules.options import NamedValue, RuleOption, TablePace, all_values, options_of
from engine.core.rules.record import PendingAction, StandingOrder
from engine.core.rules.reply_fields import Fields
from engine.core.rules.sides import Sides
from engine.core.rules.system import FactionInfo, Intent, Moment, MomentReached, Part, ScenarioInfo, Setup
from protocol.ids import NodeId
from protocol.scene.fields import AnyField, Option
from protocol.scene.nodes import Choice, Cue, Prompt, Reply, Result, StackItem
from protocol.text import Text, text
from tests.support.proving import prompts, scene, secrets, watching
from tests.support.proving.events import EVENTS, INTENTS
from tests.support.proving.play import ProvingRules
from tests.support.proving.reacting import Reactions
from tests.support.proving.state import Field, Scenario

if TYPE_CHECKING:
    from engine.core.bots.random_bot import Chance
    from engine.core.rules.game import Game

SEATS: Final = 3
ENGLISH: Final = {
    "pv.title": "Proving ground",
    "pv.about": "Three sides meet where nobody sees everything.",
    "pv.half": "Half as many turns",
    "pv.half.hint": "The match ends after half its turns.",
    "pv.wind": "Wind",
    "pv.wind.hint": "How strong it blows.",
    "pv.light": "Light",
    "pv.light.hint": "When they meet.",
    "pv.day": "by day",
    "pv.night": "by night",
    "pv.side-0": "West",
    "pv.side-1": "East",
    "pv.side-2": "North",
    "pv.act": "Your turn",
    "pv.prepare": "Prepare",
    "pv.shift": "Shift",
    "pv.ready": "Ready",
    "pv.won": "The ground is yours",
    "pv.turn": "Turn",
    "pv.hand": "Cards in hand",
    "pv.dark": "Units in the dark",
    "pv.advance": "Advance",
    "pv.march": "March over corners",
    "pv.way": "Over which cells",
    "pv.steps": "{n} {n|step|steps}",
    "pv.flags": "Set flags",
    "pv.each": "React, each unit at its own point",
    "pv.corner": "at point {n}",
    "pv.watch": "Go on watch",
    "pv.face": "Turn",
    "pv.creep": "Creep",
    "pv.smoke": "Lay smoke",
    "pv.end": "End the turn",
    "pv.unit": "Which unit",
    "pv.unit-of": "a unit of the {side}",
    "pv.nobody": "nobody",
    "act.advance": "{group} advances",
    "act.advance.done": "{group} advanced",
    "act.advance.broken": "{group} broke",
    "act.reaction": "{group} reacts",
    "act.reaction.fired": "{group} fired",
    "act.reaction.lapsed": "{group} never fired",
    "act.creep": "{group} creeps",
    "act.creep.done": "{group} crept",
    "pv.cell": "Where to",
    "pv.facing": "Looking where",
    "pv.at": "At which point",
    "pv.hide": "Hide a unit",
    "pv.back": "Fall back",
    "pv.none": "Nothing",
    "pv.react": "React",
    "pv.reactions": "A unit advances: who reacts?",
    "pv.who": "Who reacts",
    "pv.order": "The order of reactions",
    "pv.overwatch": "Interrupt this reaction?",
    "pv.interrupt": "Fire first",
    "pv.play": "Play a card before the test?",
    "pv.before-test": "Before a reaction's test",
    "pv.hold": "Keep all cards",
    "pv.in-view": "A unit comes into view",
    "pv.hold-fire": "Hold fire",
    "pv.order-fire": "Fire at the first that comes into view",
    "pv.order-fire.hint": "The unit fires from overwatch, where its target is near enough.",
    "pv.order-never": "Never fire from overwatch",
    "pv.reach": "Within how many cells",
    "pv.dash": "Dash",
    "pv.nerve": "Steady nerve",
    "pv.split": "Share out the dice",
    "pv.die": "Die {n}",
    "pv.fire": "Fire",
    "pv.reaction": "Reaction",
    "pv.activation": "Activation",
    "pv.pending": "Reaction: {state}",
    "pv.drawn": "Drawn: {card}",
    "pv.declared": "A unit advances",
    "pv.revealed": "Something comes out of the dark",
    "pv.played": "Played: {card}",
    "pv.fired": "{hits} hits",
    "pv.lapsed": "A reaction lapses",
    "pv.broken": "Its nerve fails",
    "pv.over": "The ground is quiet",
    "refuse.unit/none": "That is none of your units.",
    "refuse.unit/spent": "That unit cannot do this now.",
    "refuse.way/none": "There is no way to that cell.",
    "refuse.facing/none": "It cannot look there.",
    "refuse.react/far": "It is too far from there.",
    "refuse.flags/none": "No flags can be set now.",
    "refuse.flags/far": "That is too far for flags.",
    "refuse.smoke/none": "There is no smoke to lay now.",
    "refuse.smoke/far": "That is too far for smoke.",
    "waits.hide": "to hide a unit",
    "waits.fall-back": "to fall back",
    "waits.react": "to react",
    "waits.order": "to order reactions",
    "waits.overwatch": "to interrupt",
    "waits.before-test": "to play a card",
    "waits.in-view": "to fire from overwatch",
    "waits.split": "to share out dice",
}


OPTIONS: Final = (
    RuleOption("half", text("pv.half"), text("pv.half.hint"), "flag", default=False),
    RuleOption("wind", text("pv.wind"), text("pv.wind.hint"), "number", 2, 0, 4, scenarios=("long",)),
    RuleOption(
        "light",
        text("pv.light"),
        text("pv.light.hint"),
        "one_of",
        "day",
        choices=(NamedValue("day", text("pv.day")), NamedValue("night", text("pv.night"))),
    ),
)


class Proving(Defaults[Field]):
    """The system, whole. A test hands in another chain of reactions to break a promise."""

    name = "proving"
    title = text("pv.title")
    RULES = 1
    state = Field
    events: Sequence[type[Event[Field]]] = EVENTS
    intents: Sequence[type[Intent]] = INTENTS
    options = OPTIONS
    pace = TablePace(seconds=90, bank=0, reaction_seconds=2)
    moments: Sequence[Moment] = (
        Moment(
            "before-test",
            text("pv.before-test"),
            (Option("dash", text("pv.dash")), Option("nerve", text("pv.nerve"))),
        ),
        watching.MOMENT,
    )

    def __init__(self, reactions: Reactions | None = None) -> None:
        self.rules = ProvingRules(reactions or Reactions())

    def content(self, texts: Mapping[str, str]) -> dict[str, Scenario]:
        try:
            parsed = [tomllib.loads(toml)["scenario"] for toml in texts.values()]
            return {id: msgspec.convert(entry, Scenario) for scenarios in parsed for id, entry in scenarios.items()}
        except (tomllib.TOMLDecodeError, KeyError, msgspec.ValidationError) as problem:
            raise ContentRefused([str(problem)]) from problem

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        found = cast("dict[str, Scenario]", content)
        sides = tuple(FactionInfo(f"side-{seat}", Text(f"pv.side-{seat}")) for seat in range(SEATS))
        title, about = text("pv.title"), text("pv.about")
        return [
            ScenarioInfo(id, title, about, one.seats, sides[: one.seats], 10, sides=one.sides)
            for id, one in found.items()
        ]

    def setup(self, content: object, setup: Setup) -> bytes:
        resolved = cast("dict[str, Scenario]", content).get(setup.scenario)
        if resolved is None:
            raise SetupRefused(text("pv.about"))
        chosen = all_values(options_of(OPTIONS, setup.scenario), setup.options)
        if chosen["half"]:
            resolved = msgspec.structs.replace(resolved, turns=resolved.turns // 2)
        return msgspec.msgpack.encode(resolved)

    def start(self, resolved: bytes, seats: int) -> Field:
        given = msgspec.msgpack.decode(resolved, type=Scenario)
        return Field(seats, given.turns, given.sides, preparing=given.prepare)

    def catalogue(self, language: str) -> Mapping[str, str]:
        return ENGLISH

    def sides(self, state: Field) -> Sides:
        return state.sides

    def known(self, state: Field, seat: Seat) -> Field:
        return secrets.known(state, seat)

    def imagine(self, known: Field, chance: Chance) -> Field:
        return secrets.imagine(known, chance)

    def commanded(self, known: Field, seat: Seat, moment: str) -> Sequence[Option]:
        return watching.commanded(known, seat)

    def obey(
        self, game: Game[Field], seat: Seat, reached: MomentReached, orders: Sequence[StandingOrder]
    ) -> Reply | None:
        return watching.obey(game, reached, orders)

    def parse(self, state: Field, seat: Seat, reply: Reply) -> Intent:
        return prompts.parse(state, seat, reply)

    def public(self, state: Field) -> Iterable[Part]:
        return scene.public_parts(state)

    def private(self, state: Field, seat: Seat) -> Iterable[Part]:
        return scene.private_parts(state, seat)

    def prompt(self, game: Game[Field], seat: Seat) -> Prompt | None:
        return prompts.prompt(game.state, seat)

    def detail(self, game: Game[Field], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        if not 0 <= seat < game.state.seats:
            raise IllegalIntent("turn/not-yours")
        return prompts.detail(game.state, seat, choice, fields)

    def counted(self, game: Game[Field], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Counted | None:
        """Count what a unit that marches loses to those who react."""
        if choice.id != "march":
            return None
        return Counted((), NodeId(Fields(fields).node("unit")))

    def strength(self, state: Field, group: NodeId) -> int:
        return sum(unit.strength for unit in state.units if group in unit.nodes)

    def cues(self, event: Event[Field] | CoreEvent, before: Field, after: Field) -> Iterable[Cue]:
        return scene.cues(event, before, after)

    def name_of(self, state: Field, node: NodeId) -> Text:
        return scene.name_of(state, node)

    def on_stack(self, state: Field, action: PendingAction, item: StackItem) -> StackItem:
        return scene.on_stack(state, action, item)

    def result(self, state: Field) -> Result | None:
        return scene.result_of(state)
