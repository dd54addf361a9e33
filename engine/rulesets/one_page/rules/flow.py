"""Order of play: the procedure of each intent, the procedures that start by themselves, and the seats that may act."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.system import Intent, Procedure, Turn
from engine.kit.verbs import Verbs
from engine.rulesets.one_page.rules import (
    activations,
    deployment,
    driving,
    firing,
    melee,
    moving,
    psychic,
    rounds,
    shooting,
    transports,
)
from engine.rulesets.one_page.state import intents
from engine.rulesets.one_page.state.state import ABOARD, GONE, Battle
from protocol.ids import GroupId

VERBS: Verbs[Battle] = Verbs((transports.EMBARK,), "op.")
PLACING = ("deploy", "scouts", "reserves")


class BattleRules:
    """The procedures of One Page Apocalypse."""

    def procedure(self, game: Game[Battle], seat: Seat, intent: Intent) -> Procedure:
        """Return the procedure of an intent. Raises IllegalIntent for one that this system does not know."""
        match intent:
            case intents.Deploy():
                return deployment.deploy(game, seat, intent)
            case intents.Join():
                return deployment.join(game, seat, intent)
            case intents.Load():
                return deployment.load(game, seat, intent)
            case intents.Keep():
                return deployment.keep(game, seat, intent)
            case intents.DeployRest():
                return deployment.place_rest(game, seat)
            case intents.Hold():
                return driving.hold(game, seat, intent)
            case intents.Move():
                return moving.move(game, seat, intent)
            case intents.Drive():
                return driving.drive(game, seat, intent)
            case intents.Assault():
                return melee.assault(game, seat, intent)
            case intents.Shoot():
                return shooting.shoot(game, seat, intent)
            case intents.Fight():
                return melee.strike(game, seat)
            case intents.UsePower():
                return psychic.use_power(game, seat, intent)
            case intents.Disembark():
                return transports.disembark(game, seat, intent)
            case intents.Sally():
                return transports.sally(game, seat, intent)
            case intents.Finish():
                return activations.finish(game, seat, intent.unit)
            case intents.ConcedeBattle():
                return rounds.concede(game, seat)
        return VERBS.procedure(game, seat, intent)

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
            return rounds.end(game, "destroyed")
        if state.active is not None:
            return self._go_on_with(game)
        if rounds.out_now(state) or not activations.waiting(state, state.acting):
            return rounds.go_on(game)
        return None

    def _go_on_with(self, game: Game[Battle]) -> Procedure | None:
        """Return the procedure that follows the acting unit's action; None where its player has a choice."""
        state = game.state
        active = state.active
        assert active is not None
        unit = state.units[active.unit]
        if unit.where == GONE:
            return _end(game, unit.id)
        if not active.action or psychic.can_try(state, unit.owner, unit):
            return None
        if active.action == "assault":
            return melee.fight(game)
        if active.action in shooting.SHOOTS_AFTER and unit.where != ABOARD and firing.targets(state, unit):
            return None
        return _end(game, unit.id)

    def turn(self, state: Battle) -> Mapping[Seat, Turn]:
        """Return the seats that may act, with the intent for time that runs out: deploy all, fight, or end the
        activation."""
        if state.ended or not state.phase:
            return {}
        if state.phase in PLACING:
            return {Seat(state.acting): Turn(intents.DeployRest())} if state.placing else {}
        if state.active is not None:
            fighting = state.active.action == "assault"
            return {Seat(state.acting): Turn(intents.Fight() if fighting else intents.Finish())}
        idle = activations.waiting(state, state.acting)
        return {Seat(state.acting): Turn(intents.Finish(idle[0].id))} if idle else {}

    def leave(self, state: Battle, seat: Seat) -> Intent | None:
        """Return the intent with which a player leaves the battle while it goes on; None where there is none."""
        return intents.ConcedeBattle() if state.phase and not state.ended and any(state.own(seat)) else None


async def _end(game: Game[Battle], unit: GroupId) -> None:
    """End the unit's activation."""
    activations.end(game, unit)
