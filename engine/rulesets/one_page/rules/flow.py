"""Order of play: the procedure of each intent, the procedures that start by themselves, and the seats that may act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.rules.steps import Steps
from engine.core.rules.system import Procedure, Turn
from engine.kit import units
from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, implements
from engine.kit.system import at_once
from engine.kit.verbs import Verbs
from engine.rulesets.one_page.rules import (
    activations,
    arrivals,
    assaults,
    deployment,
    driving,
    firing,
    melee,
    moving,
    powers,
    psychic,
    rounds,
    shooting,
    transports,
)
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.events import BattleEnded
from engine.rulesets.one_page.state.state import ABOARD, GONE, SPENT, Activation, Battle
from protocol.scene.nodes import Prompt
from protocol.text import text


@implements("OP-ACT-01")
def is_left(state: Battle) -> bool:
    """Tell whether the acting unit has anything left to do: an action, unless it is Pinned, a power, blows or a
    shot."""
    active = state.active
    assert active is not None
    unit = state.units[active.unit]
    acts = not active.action and not unit.pinned
    if acts or activations.is_charging(state) or psychic.can_try(state, unit.owner, unit):
        return True
    return active.action in shooting.SHOOTS_AFTER and unit.where != ABOARD and bool(firing.targets(state, unit))


FINISH: Final = Verb(
    Label(
        "finish", "e", "Done", "End this unit's activation.", "This unit can still do something. End its activation?"
    ),
    activations.finish,
    when=lambda state, seat: state.active is not None and not activations.is_charging(state),
    gesture=Gesture(rank=9, ends=True),
    about=units.about,
    asks=lambda state, seat: is_left(state),
)


VERBS: Verbs[Battle] = Verbs(
    (
        deployment.DEPLOY,
        deployment.DEPLOY_VEHICLE,
        deployment.DOUBLE,
        arrivals.JOIN,
        transports.LOAD,
        arrivals.KEEP,
        arrivals.REST,
        moving.HOLD,
        driving.TURN,
        moving.WALK,
        moving.RUN,
        driving.DRIVE,
        driving.DRIVE_FAST,
        assaults.ASSAULT,
        transports.EMBARK,
        transports.DISEMBARK,
        assaults.SALLY,
        melee.FIGHT,
        firing.SHOOT,
        firing.VOLLEY,
        powers.USE_POWER,
        powers.USE_PASSAGE,
        activations.IDLE,
        FINISH,
    ),
    "op.",
    {rounds.ConcedeBattle: rounds.concede},
    keep=lambda state, seat, make: state.board.get(("choices", seat), state.parts, make),
)
PLACING = ("deploy", "scouts", "reserves")


class BattleRules:
    """The procedures of One Page Apocalypse."""

    procedure = staticmethod(VERBS.procedure)

    def flow(self, game: Game[Battle]) -> Procedure | None:
        """Return the procedure that starts by itself; None where a player is to act, or the battle is over."""
        state = game.state
        if state.ended:
            return None
        if not state.phase:
            return rounds.open_table(game)
        if state.phase in PLACING:
            if state.placing:
                return None
            return rounds.next_arrivals(game) if state.phase == "reserves" else rounds.next_deployment(game)
        if rounds.beaten(state):
            return at_once(game.emit, BattleEnded("destroyed"))
        if state.active is not None:
            return _go_on_with(game, state.active)
        if rounds.out_now(state) or not activations.waiting(state, state.acting):
            return rounds.go_on(game)
        return None

    def turn(self, state: Battle) -> Mapping[Seat, Turn]:
        """Return the seats that may act, with the intent for time that runs out: deploy all, fight, or end the
        activation."""
        if state.ended or not state.phase:
            return {}
        if state.phase in PLACING:
            return {Seat(state.acting): Turn(arrivals.DeployRest())} if state.placing else {}
        if state.active is not None:
            charging = activations.is_charging(state)
            return {Seat(state.acting): Turn(melee.Fight() if charging else activations.Finish())}
        idle = activations.waiting(state, state.acting)
        return {Seat(state.acting): Turn(activations.Finish(idle[0].id))} if idle else {}

    def leave(self, state: Battle, seat: Seat) -> Intent | None:
        """Return the intent with which a player leaves the battle while it goes on; None where there is none."""
        return rounds.ConcedeBattle() if state.phase and not state.ended and any(state.own(seat)) else None


def _go_on_with(game: Game[Battle], active: Activation) -> Procedure | None:
    """Return the procedure that follows the acting unit's action; None where its player has a choice."""
    state = game.state
    unit = state.units[active.unit]
    if unit.where != GONE:
        if activations.is_charging(state) and not psychic.can_try(state, unit.owner, unit):
            return melee.fight(game)
        if active.action == SPENT or is_left(state):
            return None
    return at_once(activations.close, game, unit.id)


def prompt_steps(game: Game[Battle], seat: Seat) -> Steps[Prompt]:
    """Work out the acting player's prompt: at each step one enemy that the acting unit may shoot at."""
    if game.state.active is not None:
        yield from firing.find_targets(game.state, game.state.units[game.state.acts])
    return prompt(game, seat)


def prompt(game: Game[Battle], seat: Seat) -> Prompt:
    """Return the acting player's prompt."""
    state = game.state
    if state.placing:
        title, default = text(f"op.prompt.{state.phase}", count=len(state.placing)), "rest"
    elif state.active is None:
        left = len(activations.waiting(state, seat))
        title, default = text("op.prompt.activate", round=state.round, left=left), "idle"
    else:
        acts = "op.prompt.acting" if is_left(state) else "op.prompt.acted"
        title = text(acts, unit=names.unit(state, state.active.unit))
        default = "fight" if activations.is_charging(state) else "finish"
    return VERBS.prompt(state, seat, title, default)
