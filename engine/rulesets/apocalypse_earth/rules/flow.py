"""Order of play: the procedure of each intent, the procedures that start by themselves, and the seats that may act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.rules.system import Procedure, Turn
from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, implements
from engine.kit.system import at_once
from engine.kit.verbs import Verbs
from engine.rulesets.apocalypse_earth.rules import ending
from engine.rulesets.apocalypse_earth.rules.assault import charging, combats
from engine.rulesets.apocalypse_earth.rules.fire import aiming, firing, storming
from engine.rulesets.apocalypse_earth.rules.harm import fires
from engine.rulesets.apocalypse_earth.rules.moves import (
    captives,
    carrying,
    driving,
    errands,
    leaving,
    moving,
    overwatch,
)
from engine.rulesets.apocalypse_earth.rules.scenario import deployment, edges, setup
from engine.rulesets.apocalypse_earth.rules.support import powers, support
from engine.rulesets.apocalypse_earth.rules.turns import activations, rallying, turns
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.state import ADMINISTRATION, BATTLE, DEPLOY, GONE, INFILTRATE, SPENT, Battle
from protocol.scene.nodes import Prompt
from protocol.text import text

ACTS: Final[tuple[Verb[Battle, Any], ...]] = (
    combats.FIGHT,
    fires.ESCAPE,
    edges.ENTER,
    moving.MOVE,
    driving.DRIVE,
    carrying.BOARD,
    carrying.GET_OUT,
    driving.LAY_SMOKE,
    driving.DETONATE,
    leaving.LEAVE,
    errands.TAKE_SET,
    errands.TAKE_GUN,
    errands.CARRY,
    errands.TREAT_MAN,
    captives.ESCORT,
    leaving.LEAD_OFF,
    powers.USE_POWER,
    powers.PYRE,
    charging.CHARGE,
    firing.FIRE,
    firing.VOLLEY,
    storming.RAZE,
    storming.PLACE,
    aiming.LOB,
    aiming.BURN,
    aiming.SNIPE,
    aiming.AWAY,
    support.CALL,
    rallying.RALLY,
)
"""Acts that are open to a unit in its action, by its step: while one of them is, its action goes on."""
ANYWHERE: Final = (storming.RAZE, aiming.LOB, aiming.BURN)
"""Acts that need nobody to be in sight. They are hardly ever missed: a player who leaves them out is not asked."""
MISSED: Final = tuple(verb for verb in ACTS if verb not in ANYWHERE)
"""Acts that a player who ends an action might miss."""


@implements("AE-TURN-02", "AE-BLD-06")
def is_left(state: Battle) -> bool:
    """Tell if the acting unit has anything left to do: an act that is open."""
    return _is_any_open(state, ACTS)


def gives_up(state: Battle) -> bool:
    """Tell if the acting unit gives something up where its action ends now."""
    return _is_any_open(state, MISSED)


@implements("AE-TURN-02")
def _is_any_open(state: Battle, acts: Sequence[Verb[Battle, Any]]) -> bool:
    """Tell if one of some acts is open to the acting unit: the last are tried first, as they are weighed sooner than
    fire."""
    seat = Seat(state.units[state.acts].owner)
    return any(verb.is_open(state, seat) for verb in reversed(acts))


FINISH: Final = Verb(
    Label("finish", "e", "Done", "End this unit's action.", "This unit can still do something. End its action?"),
    ending.finish,
    when=lambda state, seat: state.phase == BATTLE and state.active is not None,
    gesture=Gesture(rank=9, ends=True),
    about=activations.about,
    asks=lambda state, seat: gives_up(state),
)
VERBS: Verbs[Battle] = Verbs(
    (
        deployment.DEPLOY,
        deployment.HIDE,
        deployment.DEPLOY_VEHICLE,
        carrying.LOAD,
        deployment.SPLIT,
        deployment.REST,
        *ACTS,
        ending.STAND,
        FINISH,
        turns.PASS,
        turns.REST,
    ),
    "ae.",
    {ending.ConcedeBattle: ending.concede},
    keep=lambda state, seat, make: state.board.get(("choices", seat), state.parts, make),
)


class BattleRules:
    """The procedures of Apocalypse: Earth."""

    procedure = staticmethod(VERBS.procedure)

    def flow(self, game: Game[Battle]) -> Procedure | None:
        """Return the procedure that starts by itself; None where a player is to act, or the battle is over."""
        state = game.state
        if state.ended:
            return None
        if not state.phase:
            return setup.open_table(game)
        if state.phase in (DEPLOY, INFILTRATE):
            return None if state.placing else setup.next_deployment(game)
        if combats.is_untidy(state):
            return at_once(combats.tidy, game)
        if ending.is_beaten(state):
            return ending.end(game, "destroyed")
        if state.active is None and state.replies:
            return overwatch.reply(game)
        if state.phase == ADMINISTRATION:
            return ending.administer(game)
        if state.active is not None:
            unit = state.units[state.active.unit]
            is_open = state.active.step == SPENT or is_left(state)
            return None if unit.where != GONE and is_open else at_once(activations.close, game, unit.id)
        return None if turns.is_willing(state, state.acting) else at_once(turns.hand_over, game, state.acting)

    @implements("AE-TURN-01", "AE-GEN-03")
    def turn(self, state: Battle) -> Mapping[Seat, Turn]:
        """Return the seat that may act, with the intent for time that runs out: deploy the rest, end the action, do
        nothing with the first unit."""
        if state.ended or not state.phase or state.phase == ADMINISTRATION:
            return {}
        seat = Seat(state.acting)
        if state.phase in (DEPLOY, INFILTRATE):
            return {seat: Turn(deployment.DeployRest())} if state.placing else {}
        if state.active is not None:
            return {seat: Turn(ending.Finish())}
        idle = [Turn(ending.Finish(unit.id)) for unit in turns.waiting(state, seat)]
        return dict(zip([seat], idle, strict=False))

    def leave(self, state: Battle, seat: Seat) -> Intent | None:
        """Return the intent with which a player leaves the battle while it goes on; None where there is none."""
        return ending.ConcedeBattle() if state.phase and not state.ended and any(state.own(seat)) else None


def prompt(game: Game[Battle], seat: Seat) -> Prompt:
    """Return the acting player's prompt."""
    state = game.state
    if state.placing:
        title, default = text(f"ae.prompt.{state.phase}", count=len(state.placing)), "deploy_rest"
    elif state.active is None:
        left = len(turns.waiting(state, seat))
        title, default = text("ae.prompt.act", turn=state.turn, left=left), "stand"
    else:
        acts = "ae.prompt.acting" if is_left(state) else "ae.prompt.acted"
        title, default = text(acts, unit=names.unit(state, state.active.unit)), "finish"
    return VERBS.prompt(state, seat, title, default)
