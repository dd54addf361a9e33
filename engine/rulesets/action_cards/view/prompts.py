"""Prompt of the current card's owner: choices with what is known at once; the rest comes from details.py.

Choices and their fields (values are node ids; parse.py reads them):
move      group, lead, to, places (auto)
drive, take_off, fly, land, embark, disembark, blast: vehicle_prompts.py
hunt      group, prey
shoot     group, target, faction (auto: only for fire into a combat of more than two factions)
linked    first, second, third (auto), target, faction (auto)
special/… group, to (only where the effect needs a place), helpers (auto: all; only where dice are rolled)
propose   effect, group, about (none for "again"), roll, words
end

Lazy fields that are auto stand last, so that "left out" and "not asked for yet" are told apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.rulesets.action_cards.rules.board import firepower, table
from engine.rulesets.action_cards.rules.cards import actions
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.shooting import hunting, shooting
from engine.rulesets.action_cards.rules.special_actions import faction_specials, proposals, specials
from engine.rulesets.action_cards.rules.special_events import monsters
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.view.vehicle_prompts import blast_choice, pick_group, vehicle_choices
from protocol.ids import GroupId
from protocol.scene.fields import AnyField, Option, PickOption, PickPoint, Pieces, Placement, Words
from protocol.scene.nodes import NO_PROMPT, Choice, Prompt
from protocol.text import Text, text

MOVE_FIELDS: Final = (
    Pieces("lead", text("field.lead"), lazy=True),
    PickPoint("to", text("field.to"), lazy=True),
    Placement("places", text("field.places"), lazy=True, auto=True),
)
SHOT_FIELDS: Final = (
    Pieces("target", text("field.target"), lazy=True),
    PickOption("faction", text("field.faction"), lazy=True, auto=True),
)
PREY: Final = Pieces("prey", text("field.target"), lazy=True)
HELPERS: Final = Pieces("helpers", text("field.helpers"), lazy=True, auto=True)
PLACE: Final = PickPoint("to", text("field.to"), lazy=True)
EFFECT: Final = PickOption(
    "effect",
    text("field.effect"),
    options=tuple(Option(effect, Text(f"effect.{effect}")) for effect in proposals.EFFECTS),
)
AIM: Final = Pieces("about", text("field.target"), lazy=True)
ABOUT: Final = Pieces("about", text("field.about"), lazy=True, least=0)
ROLL: Final = PickOption("roll", text("field.roll"), options=(Option("no", text("no")), Option("yes", text("yes"))))
MOST_SHOTS: Final = 3
"""Shots that a linked volley adds up: with more actions left than that, nothing else can be chosen. Who links no shots
can do with one action left what he can do with any number."""
WORDS: Final = Words("words", text("field.words"), most=proposals.MOST_WORDS)


def prompt(game: Game[Skirmish], seat: Seat) -> Prompt:
    """Return the prompt of the current card's owner: the same object after an act that leaves them the same choices.

    The row shows how many actions are left on the card. The prompt tells its place and turn, so that no two cards'
    prompts are the same: an act meant for one is never taken at another.
    """
    state = game.state
    key = (*_deciding(state, seat), state.row, state.current, state.turn)
    return table.board(state).get(f"prompt/{seat}", key, partial(_prompt, state, seat))


def _prompt(state: Skirmish, seat: Seat) -> Prompt:
    card = names.card(state, state.row[state.current])
    title = text("prompt.card", card=card, number=state.current + 1, turn=state.turn)
    return Prompt(NO_PROMPT, title, choices(state, seat), default="end")


def choices(state: Skirmish, seat: Seat) -> tuple[Choice, ...]:
    """Return everything that could be tried now; the rest is left out, or barred with the reason."""
    # details and the next prompt need it again
    key = _deciding(state, seat)
    return table.board(state).get(f"choices/{seat}", key, lambda: tuple(_choices(state, seat)))


def _deciding(state: Skirmish, seat: Seat) -> tuple[object, ...]:
    """Return the parts of the state that decide a seat's choices, beside what a board stands for."""
    left = min(state.left, MOST_SHOTS if shooting.LINKED in state.faction(seat).traits else 1)
    around = (state.seats, state.combats, state.aboard, state.opened, state.lasting, state.dangers)
    return (*around, left, state.free_moves, state.proposed)


def _choices(state: Skirmish, seat: Seat) -> Iterator[Choice]:
    own = [group.id for group in state.groups.values() if group.owner == seat]
    on_foot = [id for id in own if table.vehicle_of(state, id) is None]
    movers = pick_group(state, on_foot, partial(moves.check_ready, state, seat))
    if movers.options:
        yield Choice("move", text("choice.move"), (movers, *MOVE_FIELDS), text("choice.move.hint"), "m")
    yield from vehicle_choices(state, seat)
    if state.left:
        shooters = pick_group(state, own, partial(_check_shot, state, seat))
        if shooters.options:
            yield Choice("shoot", text("choice.shoot"), (shooters, *SHOT_FIELDS), text("choice.shoot.hint"), "s")
        if shooters.options and state.left > 1 and shooting.LINKED in state.faction(seat).traits:
            yield _linked(state, shooters)
        yield from blast_choice(state, seat)
        if monsters.standing(state):
            yield from _hunt(state, seat, own)
        yield from _specials(state, seat, own)
        if not state.proposed:
            yield from _propose(state, seat, own)
    yield Choice("end", text("choice.end"), hint=text("choice.end.hint"), key="e")


def _check_shot(state: Skirmish, seat: Seat, group: GroupId) -> None:
    actions.check_group(state, seat, group)
    if not firepower.dice_of(state, group):
        raise IllegalIntent("shoot/no-dice")


def _hunt(state: Skirmish, seat: Seat, own: list[GroupId]) -> Iterator[Choice]:
    hunters = pick_group(state, own, partial(hunting.check_hunter, state, seat))
    if hunters.options:
        yield Choice("hunt", text("choice.hunt"), (hunters, PREY), text("choice.hunt.hint"), "k")


def _linked(state: Skirmish, shooters: Pieces) -> Choice:
    """Build the choice of linked fire: a group for each of two or three shots; one group may give several of them."""
    first = replace(shooters, key="first", name=text("field.first"))
    second = replace(shooters, key="second", name=text("field.second"))
    third = replace(shooters, key="third", name=text("field.third"), least=0, auto=True)
    fields: tuple[AnyField, ...] = (first, second, *((third,) if state.left > 2 else ()), *SHOT_FIELDS)
    return Choice("linked", text("choice.linked"), fields, text("choice.linked.hint"), "l")


def _specials(state: Skirmish, seat: Seat, own: list[GroupId]) -> Iterator[Choice]:
    for special in specials.known(state, seat):
        if specials.is_over(state, special):
            continue
        field = pick_group(state, own, partial(specials.check_open, state, seat, special))
        if field.options:
            fields = (
                field,
                *((PLACE,) if special.effect in specials.TRAVELS else ()),
                *((AIM,) if special.effect in faction_specials.AIMED else ()),
                *((HELPERS,) if special.roll else ()),
            )
            about = (names.feature_node(special.feature),) if special.feature else ()
            hint = Text(special.explained)
            yield Choice(f"special/{special.id}", Text(special.name), fields, hint, "x", about)


def _propose(state: Skirmish, seat: Seat, own: list[GroupId]) -> Iterator[Choice]:
    groups = pick_group(state, own, partial(actions.check_free, state, seat))
    if groups.options:
        fields = (EFFECT, groups, ABOUT, ROLL, WORDS)
        yield Choice("propose", text("choice.propose"), fields, text("choice.propose.hint"), "p")
