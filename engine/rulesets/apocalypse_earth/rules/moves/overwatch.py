"""Overwatch: setting it for the next turn, and moves by it once the enemy's action is over (AE-OVER-01, AE-OVER-02)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.game import Probe
from engine.core.rules.questions import SEALED, Ask, pick_some
from engine.kit.rules import Game, IllegalIntent, Seat, Verb, implements
from engine.kit.verbs import Label, Verbs
from engine.rulesets.apocalypse_earth.rules.moves import aftermath, marching, moving
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.turns import coherency
from engine.rulesets.apocalypse_earth.rules.turns.picking import pick
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import HiddenOnWatch, OverwatchSet, ReplyMade
from protocol.scene.fields import AnyField, Option
from protocol.scene.nodes import Choice, Reply
from protocol.text import text

WATCH: Final = "ae.overwatch"
REPLY: Final = "ae.reply"
STAY: Final = "stay"


@implements("AE-OVER-01", "AE-MOR-03")
def may_watch(state: Battle, unit: Unit) -> bool:
    """Tell if a unit may be set on overwatch, or move by it: not one that is suppressed or engaged; a hidden one may
    be."""
    return unit.where == TABLE and not unit.suppressed and state.combat_of(unit.id) is None


@implements("AE-OVER-01")
async def set_overwatch(game: Game[Battle]) -> None:
    """Ask all owners together, sealed, which of their units are on overwatch in the next turn: by default those that
    were and did not use it."""
    state = game.state
    if not state.resolved.options.overwatch or state.turn >= state.resolved.scenario.turns:
        return
    asks: dict[Seat, Ask[tuple[str, ...]]] = {}
    for seat in state.players:
        able = [unit for unit in state.own(seat) if may_watch(state, unit)]
        if able:
            options = [Option(names.group_node(unit.id), names.unit(state, unit.id)) for unit in able]
            usual = [names.group_node(unit.id) for unit in able if unit.overwatch]
            asks[Seat(seat)] = pick_some(text("ae.ask.overwatch"), options, 0, len(options), usual, "AE-OVER-01")
    said = await game.ask_together(asks, WATCH, SEALED) if asks else {}
    # of hidden units on overwatch their side alone learns
    chosen = {seat: [names.group_of(node) for node in nodes] for seat, nodes in said.items()}
    shown = [id for ids in chosen.values() for id in ids if not state.units[id].hidden]
    hidden = {seat: tuple([id for id in ids if state.units[id].hidden]) for seat, ids in chosen.items()}
    game.emit_split(OverwatchSet(tuple(shown)), {s: HiddenOnWatch(s, ids) for s, ids in hidden.items() if ids})


async def _move(game: Game[Battle], seat: Seat, move: Move) -> None:
    """Carry out a move by overwatch, which draws no reaction; the answer has been checked."""
    unit = game.state.units[move.unit]
    await marching.carry_out(game, moving.checked(game.state, unit, move), quiet=True)
    coherency.check_figures(game, move.unit)
    aftermath.after_move(game, move.unit)


ANSWERS: Verbs[Battle] = Verbs(
    (
        Verb(
            Label("reply", "m", "Move", "Up to its rating, by its overwatch."),
            _move,
            pick("unit", lambda draft: [draft.state.units[id] for id in draft.state.replies[:1]]),
            *moving.FIELDS,
            make=moving.move_of,
            gesture=moving.MOVE.gesture,
        ),
    ),
    "ae.",
)


@implements("AE-OVER-02")
async def reply(game: Game[Battle]) -> None:
    """Ask the owner of the first unit that moves by overwatch for its way, and carry it out, unless the unit has been
    suppressed or engaged since."""
    state = game.state
    unit = state.units[state.replies[0]]
    move: Move | None = None
    if may_watch(state, unit):
        move = await game.ask(Seat(unit.owner), _question(state, unit), REPLY)
    game.emit(ReplyMade(unit.id))
    if move is not None:
        await _move(game, Seat(unit.owner), move)


def _question(state: Battle, unit: Unit) -> Ask[Move | None]:
    """Return the question for a move by overwatch; to stay is the default."""
    seat = Seat(unit.owner)
    choices = (*ANSWERS.choices(state, seat), Choice(STAY, text("ae.reply.stay"), key="h"))

    def parse(reply: Reply) -> Move | None:
        if reply.choice == STAY:
            return None
        intent = ANSWERS.parse(state, seat, reply)
        if not isinstance(intent, Move) or intent.unit != unit.id:
            raise IllegalIntent("act/not-yours")
        moving.checked(state, unit, intent)
        return intent

    def detail(probe: Probe[Battle], filled: Reply, field: AnyField) -> AnyField:
        return ANSWERS.detail(probe.state, seat, filled.choice, filled.fields)

    title = text("ae.ask.reply", unit=names.unit(state, unit.id))
    return Ask(title, choices, Reply(STAY), parse, "AE-OVER-02", detail)
