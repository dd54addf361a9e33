"""Plays of twins: one improvised, the others by its acts, with the frames of all who may not know the difference."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from engine.core.rules.audience import Seat
from engine.core.rules.events import DiceRolled, OrderMade
from engine.core.rules.sides import ALONE, Sides, allies_of
from engine.core.view.projection import Projector
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode
from tests.support.twins.chances import Past
from tests.support.twins.comparing import compare, until_late
from tests.support.twins.directing import Director
from tests.support.twins.games import Dice, Game, installed
from tests.support.twins.loop import run
from tests.support.twins.stage import GUEST, LATE, PASSER, PEOPLE, SPECTATOR, Act, Stage, replay, staged, unchanged
from tests.support.twins.viewer import Frame

Planting = Callable[[Stage], AbstractContextManager[None]]
Script = Callable[[Stage], Awaitable[Sequence[Act]]]


@dataclass
class Played:
    """A finished play. `marks` and `questions` as of the Stage, `known` the knowledge of each seat alone at its end,
    `sides` those of the match, `private` the part of the scene of each seat at its end."""

    acts: Sequence[Act]
    frames: dict[str, list[Frame]]
    marks: list[dict[str, int]]
    questions: list[tuple[int, int]]
    known: list[object]
    past: Past
    sides: Sides = ALONE
    private: Sequence[Mapping[NodeId, AnyNode]] = ()

    def heard(self, viewer: str, acts: int | None) -> Sequence[Frame]:
        """Return the frames of this viewer by the end of a number of acts (None: in all), as long as they had no right
        to more."""
        frames = self.frames[viewer] if acts is None else self.frames[viewer][: self.marks[acts - 1][viewer]]
        return until_late(frames) if viewer == LATE else frames


def play(game: Game, script: Script, dice: Dice = unchanged) -> Played:
    """Play a game by a script, which does acts at the stage and returns them."""

    async def at_stage() -> Played:
        async with staged(installed(game.system), game.system, game.scenario, dice) as stage:
            acts = await script(stage)
            frames = {name: list(viewer.frames) for name, viewer in stage.viewers.items()}
            known = [game.known(stage.match, Seat(seat)) for seat in range(stage.seats)]
            sides = stage.match.record.sides
            private = [Projector(stage.match, "end").private[Seat(seat)].typed for seat in range(stage.seats)]
            return Played(acts, frames, stage.marks, stage.questions, known, await _past(stage), sides, private)

    return run(at_stage())


def improvise(game: Game, seed: int) -> Played:
    """Play without restrictions."""

    async def script(stage: Stage) -> Sequence[Act]:
        return await Director(stage, seed, lambda seat: game.bots(seed, seat)).play(game.decisions, game.idle)

    return play(game, script)


def soundly(stage: Stage) -> AbstractContextManager[None]:
    """Plant nothing at this stage."""
    return nullcontext()


def again(game: Game, acts: Sequence[Act], dice: Dice = unchanged, planting: Planting = soundly) -> Played:
    """Repeat the acts in a match with other dice, on a server with a planted leak."""

    async def script(stage: Stage) -> Sequence[Act]:
        with planting(stage):
            await replay(stage, acts)
        return acts

    return play(game, script, dice)


async def _past(stage: Stage) -> Past:
    # of a match that is over the store has no steps any more
    steps = await stage.host._stepper.journal.stored.steps()
    entries = [entry for data in steps for entry in stage.match.codec.decode(data).entries]
    rolls = {(e.round, e.n, not e.to.public) for e in entries if isinstance(e, DiceRolled)}
    rolls |= {(e.round, e.n, False) for e in entries if isinstance(e, OrderMade)}
    decks = {name: (deck.epoch, len(deck.drawn)) for name, deck in stage.match.record.decks.items()}
    return Past(frozenset(rolls), decks)


def all_but(one: Played, seats: Iterable[int] = ()) -> list[str]:
    """Return all viewers but those in these seats, and those who look into them."""
    barred = set(seats)
    names = [name for seat, name in enumerate(PEOPLE[: len(one.known)]) if seat not in barred]
    return [*names, SPECTATOR, LATE, PASSER, *([] if 0 in barred else [GUEST])]


def with_allies(one: Played, seats: Iterable[int]) -> set[int]:
    """Return these seats with all who see with them."""
    return {int(ally) for seat in seats for ally in allies_of(one.sides, seat)}


def same(one: Played, other: Played, viewers: Iterable[str], acts: int | None = None) -> int:
    """Return how many frames of these viewers, by the end of a number of acts, were the same in both. Raises Told."""
    return sum(compare(name, one.heard(name, acts), other.heard(name, acts)) for name in viewers)
