"""Special actions: all that is neither a move nor a shot, and the action roll (AC-SPEC-01).

The effect of a special action is data: `Special.effect` is one of `EFFECTS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.view.prompts import sorted_out
from engine.kit import distributions, forecasts
from engine.kit.blanks import Filled
from engine.kit.pools import DieTest
from engine.kit.rules import Forecast, Game, Gesture, IllegalIntent, Intent, Label, Pool, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.board import combats, table
from engine.rulesets.action_cards.rules.cards.actions import Choosing, actions_left, check_acting, own, take_action
from engine.rulesets.action_cards.rules.special_actions import burrow, faction_specials
from engine.rulesets.action_cards.rules.special_events import event_strikes
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import BuildingOpened, FeatureCleared, SpecialTried
from engine.rulesets.action_cards.state.model import Point, Special
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId, GroupId
from protocol.scene.advice import ForecastPool
from protocol.scene.fields import Option, PickPoint, Pieces
from protocol.scene.nodes import Choice
from protocol.text import Text

PURPOSE: Final = "dice.action_roll"
SUCCESS: Final = DieTest(6)
PREFIX: Final = "special/"
BURROW: Final = "burrow"
LEAP: Final = "leap"
TRAVELS: Final = frozenset({BURROW, LEAP})
"""The group goes under the ground, or over it: the same rules, another picture."""
CLEAR: Final = "clear"
OPEN: Final = "open"
CHANGING: Final = frozenset({CLEAR, OPEN})
"""Each success counts for the seat; with the last that it takes the feature is gone, or open on all sides."""
EFFECTS: Final = frozenset({"search", "work", *CHANGING, *TRAVELS, *faction_specials.EFFECTS})
"""search, work: each success counts for the seat, towards its conditions. The others do what their modules say."""


class UseSpecial(Intent, frozen=True, tag="special"):
    """Take a special action of the faction or the scenario. `helpers`: the figures that help; `to`: where an effect
    needs a place; `about`: the group or feature that an effect is aimed at."""

    group: GroupId
    special: str
    helpers: tuple[FigureId, ...] = ()
    to: Point | None = None
    about: str = ""


@implements("AC-SPEC-01")
async def use(game: Game[Skirmish], seat: Seat, intent: UseSpecial) -> None:
    """Carry out a special action; where it needs a roll, one 6 among its helpers succeeds."""
    special = check_special(game.state, seat, intent.group, intent.special)
    helpers = check_helpers(game.state, special, intent.group, intent.helpers)
    travels = special.effect in TRAVELS
    tunnel = burrow.check(game.state, intent.group, intent.to, special.effect) if travels else None
    if special.effect in faction_specials.AIMED:
        targets = faction_specials.targets(game.state, special, intent.group)
        forbid(intent.about not in targets, "special/no-target")
    take_action(game, intent.group, "special")
    trying = game.declare(
        "special", seat, group=names.group_node(intent.group), special=names.special_node(seat, special.id)
    )
    success = not special.roll or action_roll(game, seat, helpers)
    game.emit(SpecialTried(seat, intent.group, special.id, helpers, success))
    if tunnel is not None and success:
        game.emit(tunnel)
        await event_strikes.walked_into(game, intent.group)
    if success:
        faction_specials.carry_out(game, special, intent.group, intent.about)
    if special.effect in CHANGING and success and successes(game.state, special) == special.goal:
        game.emit(FeatureCleared(special.feature) if special.effect == CLEAR else BuildingOpened(special.feature))
    trying.resolve("done" if success else "failed")


@implements("AC-SPEC-01")
def action_roll(game: Game[Skirmish], seat: Seat, helpers: tuple[FigureId, ...]) -> bool:
    """Roll one die for every figure that helps; a single 6 succeeds."""
    return SUCCESS.successes(game.roll(Pool(len(helpers)), PURPOSE, seat).faces) > 0


def known(state: Skirmish, seat: int) -> tuple[Special, ...]:
    """Return the special actions that a seat may use: its faction's own, then the scenario's."""
    return (*state.faction(seat).specials, *state.resolved.scenario.specials)


def is_over(state: Skirmish, special: Special) -> bool:
    """Tell whether a special action is used up: it has succeeded as often as it takes, for any seats."""
    return special.once and successes(state, special) >= special.goal


def successes(state: Skirmish, special: Special) -> int:
    """Count the successes of a special action, of all seats together."""
    return sum(own.done.get(special.id, 0) for own in state.seats)


@implements("AC-SPEC-01")
def check_special(state: Skirmish, seat: int, group: GroupId, id: str) -> Special:
    """Return the special action if the group may try it now. Raises IllegalIntent."""
    special = next((special for special in known(state, seat) if special.id == id), None)
    if special is None:
        raise IllegalIntent("special/unknown")
    forbid(is_over(state, special), "special/over")
    check_open(state, seat, special, group)
    return special


@implements("AC-SPEC-01")
def check_open(state: Skirmish, seat: int, special: Special, group: GroupId) -> None:
    """Check that the group may try a special action that the seat knows and that is not over. Raises IllegalIntent."""
    check_acting(state, seat, group)
    forbid(table.board(state).vehicle(group) is not None, "special/vehicle")
    if special.feature in state.gone or (special.feature and not able_to_help(state, special, group)):
        raise IllegalIntent("special/not-there", feature=names.feature(state, special.feature))
    faction_specials.check_group(state, special, group)


@implements("AC-SPEC-01")
def check_helpers(
    state: Skirmish, special: Special, group: GroupId, chosen: tuple[FigureId, ...]
) -> tuple[FigureId, ...]:
    """Return the figures that help: those chosen, or all of the group that can. Raises IllegalIntent."""
    able = able_to_help(state, special, group)
    forbid(len(set(chosen)) != len(chosen) or not set(chosen) <= set(able), "special/cannot-help")
    return chosen or able


def able_to_help(state: Skirmish, special: Special, group: GroupId) -> tuple[FigureId, ...]:
    """Return the figures of the group that can help: where the action belongs to a feature, those in it or at it."""
    figures = state.groups[group].figures
    if not special.feature:
        return figures
    found = partial(combats.holders, state, special.feature, figures)
    return table.board(state).standing[group].get(("holders", special.feature), (), found)


def _choices(state: Skirmish, seat: Seat) -> Iterator[Choice]:
    for special in known(state, seat):
        if not is_over(state, special):
            about = (names.feature_node(special.feature),) if special.feature else ()
            name, hint = Text(special.name), Text(special.explained)
            yield Choice(f"{PREFIX}{special.id}", name, hint=hint, key="x", about=about, gesture=_gesture(special))


def _gesture(special: Special) -> Gesture | None:
    """Return the clicks of a special action that is aimed: on a group and on its object; None for any other."""
    if special.effect in TRAVELS:
        return Gesture("group", "to", "point", 5, "power", ends=True)
    if special.effect == faction_specials.DAUNT:
        return Gesture("group", "about", "group", 5, "power", ends=True)
    is_aimed = special.effect in faction_specials.AIMED
    return Gesture("group", "about", "feature", 5, "power", ends=True) if is_aimed else None


def _chosen(draft: Choosing) -> Special:
    id = draft.choice.removeprefix(PREFIX)
    return next(special for special in known(draft.state, draft.seat) if special.id == id)


def _ready(draft: Choosing) -> Special:
    """Return the special action if the group picked may try it now. Raises IllegalIntent."""
    return check_special(draft.state, draft.seat, draft.group("group"), draft.choice.removeprefix(PREFIX))


def _hands(draft: Choosing, field: Pieces) -> Pieces:
    """Fill in the groups that may try it; this is asked for every special action at every prompt."""
    state, check = draft.state, partial(check_open, draft.state, draft.seat, _chosen(draft))
    options, barred = sorted_out(
        own(draft), names.group_node, check, lambda node, id: Option(node, names.group(state, id))
    )
    return replace(field, options=options, barred=barred)


def _helpers(draft: Choosing, field: Pieces) -> Pieces:
    able = able_to_help(draft.state, _ready(draft), draft.group("group"))
    options = tuple(Option(names.piece_node(id), names.figure(draft.state, id)) for id in able)
    return replace(field, options=options, most=len(options), default=tuple(one.id for one in options))


def _forecast(draft: Choosing) -> Forecast | None:
    """Return the chance of success, as one loss or none; None without a roll."""
    special = _ready(draft)
    if not special.roll:
        return None
    helpers = check_helpers(draft.state, special, draft.group("group"), draft.figures("helpers"))
    success = distributions.successes(len(helpers), SUCCESS.chance).mapped(lambda sixes: min(sixes, 1))
    return forecasts.forecast(success, (ForecastPool(Text(PURPOSE), len(helpers), needs=6),))


def _targets(draft: Choosing, field: Pieces) -> Pieces:
    special = _ready(draft)
    node = names.group_node if special.effect == faction_specials.DAUNT else names.feature_node
    nodes = [node(GroupId(id)) for id in faction_specials.targets(draft.state, special, draft.group("group"))]
    return replace(field, options=tuple(Option(one, names.node(draft.state, one)) for one in nodes))


def _use(draft: Choosing) -> UseSpecial:
    to = draft.point("to") if draft.has("to") else None
    about = draft.node("about") if draft.has("about") else ""
    id = draft.choice.removeprefix(PREFIX)
    return UseSpecial(draft.group("group"), id, draft.figures("helpers"), to, about)


SPECIAL: Final = Verb(
    Label(PREFIX),
    use,
    Filled(Pieces("group", Text(""), lazy=True), how=_hands),
    Filled(
        PickPoint("to", Text(""), lazy=True),
        when=lambda draft: _chosen(draft).effect in TRAVELS,
        how=burrow.travel_field,
    ),
    Filled(
        Pieces("about", Text(""), lazy=True),
        word="target",
        when=lambda draft: _chosen(draft).effect in faction_specials.AIMED,
        how=_targets,
    ),
    Filled(Pieces("helpers", Text(""), lazy=True, auto=True), when=lambda draft: _chosen(draft).roll, how=_helpers),
    when=actions_left,
    make=_use,
    each=_choices,
    forecast=_forecast,
    gesture=Gesture("group", rank=5, mark="power", ends=True),
)
