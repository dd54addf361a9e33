"""The verb "linked fire": several shots of one card at one target, added together (AC-SHOOT-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.kit.blanks import Blank
from engine.kit.rules import Forecast, Game, Gesture, Intent, Label, Seat, Verb, forbid, implements, passing
from engine.rulesets.action_cards.rules.board import firepower
from engine.rulesets.action_cards.rules.cards.actions import Choosing, check_actions, own, pick, take_action
from engine.rulesets.action_cards.rules.shooting import shooting
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import GroupId
from protocol.scene.fields import Pieces
from protocol.text import Text

LINKED: Final = "linked_fire"
SHOTS: Final = ("first", "second", "third")
"""Fields of the shots, in their order."""
MOST_SHOTS: Final = 3
"""Shots that the prompt adds up: with more actions left than that, nothing else can be chosen."""


class LinkedFire(Intent, frozen=True, tag="linked"):
    """Fire several shots of one card at one target, added together; `shots`: a group id for each shot."""

    shots: tuple[GroupId, ...]
    target: GroupId
    faction: int = -1


@implements("AC-SHOOT-04")
async def shoot_linked(game: Game[Skirmish], seat: Seat, volley: LinkedFire) -> None:
    """Fire several shots of one card at one target, added together before casualties are worked out."""
    checked = shooting.checked_shot(game.state, volley.shots, check_linked(game.state, seat, volley))
    for group in dict.fromkeys(volley.shots):
        take_action(game, group, "shoot", volley.shots.count(group))
    await shooting.fire(game, seat, checked)


@implements("AC-SHOOT-04")
def check_linked(state: Skirmish, seat: int, volley: LinkedFire) -> shooting.Aim:
    """Return the common aim of linked fire: shots at one target, an action for each. Raises IllegalIntent."""
    forbid(not is_able(state, seat), "linked/not-able")
    forbid(len(volley.shots) < 2, "linked/one-shot")
    check_actions(state, len(volley.shots))
    aims = [
        shooting.check_aim(state, seat, group, volley.target, volley.faction) for group in dict.fromkeys(volley.shots)
    ]
    return aims[0]


def is_able(state: Skirmish, seat: int) -> bool:
    """Tell whether a faction may link its shots."""
    return LINKED in state.faction(seat).traits


def _shot(key: str, *, more: bool = False) -> Blank[Skirmish]:
    """Make the field of one shot; the same group may give several. `more`: a shot that may be left out."""
    return pick(
        key,
        own,
        lambda draft, id: shooting.check_shooter(draft.state, draft.seat, id),
        shape=Pieces(key, Text(""), least=0 if more else 1, auto=more),
        when=lambda draft: not more or draft.state.left >= MOST_SHOTS,
    )


def _volley(draft: Choosing) -> LinkedFire:
    shots = (draft.group("first"), draft.group("second"), *draft.groups("third"))
    return LinkedFire(shots, draft.group("target"), shooting.named_faction(draft))


def _joining(draft: Choosing) -> dict[str, object]:
    """Return the shots beside those given: of other groups that see the target, as many as there are actions for, most
    dice first. Before there is a target, and where no other group sees it, the first group shoots twice."""
    given = [group for key in SHOTS for group in draft.groups(key)]
    if not given:
        return {}
    others = _others(draft, given) if draft.has("target") else []
    joining = others if others or draft.has("second") else given[:1]
    free = [key for key in SHOTS[: draft.state.left] if not draft.has(key)]
    return {key: [names.group_node(group)] for key, group in zip(free, joining, strict=False)}


def _others(draft: Choosing, given: Sequence[GroupId]) -> list[GroupId]:
    state, target, faction = draft.state, draft.group("target"), shooting.named_faction(draft)
    others = [group for group in own(draft) if group not in given]
    able = passing(others, lambda group: shooting.check_aim(state, draft.seat, group, target, faction))
    return sorted(able, key=lambda group: -firepower.dice_of(state, group))


def _forecast(draft: Choosing) -> Forecast | None:
    volley = _volley(draft)
    aim = check_linked(draft.state, draft.seat, volley)
    return shooting.forecast_of(draft.state, shooting.checked_shot(draft.state, volley.shots, aim))


LINKED_FIRE: Final = Verb(
    Label("linked", "l", "Linked fire", "Add the dice of two or three shots together, all at one target."),
    shoot_linked,
    _shot("first"),
    _shot("second"),
    _shot("third", more=True),
    *shooting.TARGET,
    when=lambda state, seat: state.left > 1 and is_able(state, seat),
    make=_volley,
    forecast=_forecast,
    counted=lambda draft: shooting.counted(draft, "first"),
    proposes=_joining,
    gesture=Gesture("first", "target", "group", 1, "shot", ends=True),
)
