"""A small rule system for tests of the server: a deck, dice, a sealed question, a vote, a hidden card a seat.

On a turn a seat may focus (can be undone), draw, call a parley (a vote of all) or strike another seat: all others
choose in secret whether they brace, then dice fall and the turn ends. After a number of turns the healthiest wins.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

import msgspec

from engine.core.rules.audience import Seat, only
from engine.core.rules.defaults import Defaults
from engine.core.rules.dice import Pool
from engine.core.rules.errors import ContentRefused, IllegalIntent, SetupRefused
from engine.core.rules.events import CardDrawn, CoreEvent, DiceRolled, Event
from engine.core.rules.questions import CHOICE, SEALED, Window, confirm
from engine.core.rules.replies import check_reply
from engine.core.rules.system import FactionInfo, Intent, Part, Procedure, ScenarioInfo, Setup, Turn
from protocol.ids import NodeId, PromptId
from protocol.scene.fields import Option, Pieces
from protocol.scene.nodes import (
    RESULT_NODE,
    AnyNode,
    Choice,
    Condition,
    Counter,
    Cue,
    Dice,
    Prompt,
    Reply,
    Result,
    SeatNode,
    SeatResult,
    Sheet,
)
from protocol.text import Text, text
from tests.support.systems.duel_state import (
    Draw,
    Drew,
    DuelOver,
    DuelState,
    Fighter,
    Flee,
    Focus,
    Focused,
    Healed,
    HiddenDealt,
    Parley,
    Resolved,
    Rest,
    Strike,
    Struck,
    Stumble,
    Trip,
    TurnBegun,
)

if TYPE_CHECKING:
    from engine.core.bots.bot import Bot, BotView
    from engine.core.rules.game import Game

TOML: Final = """
[scenario.two]
seats = 2
turns = 6

[scenario.three]
seats = 3
turns = 6

[scenario.six]
seats = 6
turns = 12

[scenario.long]
seats = 6
turns = 100
vote_seconds = 0
"""

NAMES: Final = ("Amber", "Birch", "Cedar", "Dune", "Ember", "Frost")
CARDS: Final = tuple(f"card-{n:02}" for n in range(40))


class DuelRules:
    """The procedures."""

    def procedure(self, game: Game[DuelState], seat: Seat, intent: Intent) -> Procedure:
        match intent:
            case Strike():
                return strike(game, seat, intent.target)
            case Focus():
                return focus(game, seat)
            case Draw():
                return draw(game, seat)
            case Parley():
                return parley(game)
            case Trip():
                return trip(game, seat)
            case Stumble():
                return stumble(game)
            case Flee():
                return flee(game, seat)
        return rest(game)

    def flow(self, game: Game[DuelState]) -> Procedure | None:
        return begin(game) if game.state.turns == 0 else None

    def leave(self, state: DuelState, seat: Seat) -> Intent | None:
        return Flee() if state.fighters[seat].health > 0 and not state.over else None

    def turn(self, state: DuelState) -> Mapping[Seat, Turn]:
        return {} if state.over or not state.turns else {state.acting: Turn(Rest())}


async def begin(game: Game[DuelState]) -> None:
    """Begin the first round of dice, with a shuffled deck and a hidden card for each."""
    await game.round()
    deck = game.deck("cards")
    deck.new(CARDS)
    for seat in range(len(game.state.fighters)):
        card = deck.draw(1, only(Seat(seat)))[0]
        game.emit(HiddenDealt(seat, card))
    game.emit(TurnBegun())


async def flee(game: Game[DuelState], seat: Seat) -> None:
    """Take all health of a player who concedes."""
    game.emit(Struck(seat, seat, game.state.fighters[seat].health))


async def end_turn(game: Game[DuelState]) -> None:
    """Begin the next seat's turn, a new round of dice each time round the table, or end the match."""
    if game.state.turns >= game.state.most:
        game.emit(DuelOver())
        return
    if game.state.turns % len(game.state.fighters) == 0:
        await game.round()
    game.emit(TurnBegun())


async def strike(game: Game[DuelState], seat: Seat, target: int) -> None:
    """Let all others choose in secret if they brace; then two dice and the focus hurt the target."""
    if target == seat or not 0 <= target < len(game.state.fighters):
        raise IllegalIntent("strike/target")
    others = [Seat(s) for s in range(len(game.state.fighters)) if s != seat]
    ask = confirm(text("duel.brace"), text("duel.brace"), text("duel.stand"), default=False)
    braced = await game.ask_together(dict.fromkeys(others, ask), "brace", SEALED)
    damage = game.roll(Pool(2), "duel.strike", seat).total + game.state.fighters[seat].focus
    game.emit(Struck(seat, target, damage // 4 if braced[Seat(target)] else damage // 2))
    await end_turn(game)


async def focus(game: Game[DuelState], seat: Seat) -> None:
    """Add focus, at most three times."""
    if game.state.fighters[seat].focus >= 3:
        raise IllegalIntent("focus/full")
    game.emit(Focused(seat))


async def draw(game: Game[DuelState], seat: Seat) -> None:
    """Draw two open cards, while there are any."""
    deck = game.deck("cards")
    if deck.left < 2:
        raise IllegalIntent("draw/empty")
    game.emit(Drew(seat, len(deck.draw(2))))


async def parley(game: Game[DuelState]) -> None:
    """Ask all for a vote for some seconds; if most agree, all heal by one. The turn ends."""
    seats = [Seat(s) for s in range(len(game.state.fighters))]
    ask = confirm(text("duel.parley"), text("duel.agree"), text("duel.refuse"), default=False)
    votes = await game.ask_together(dict.fromkeys(seats, ask), "parley", Window("vote", game.state.vote_seconds))
    if sum(votes.values()) * 2 > len(seats):
        game.emit(Healed())
    await end_turn(game)


async def rest(game: Game[DuelState]) -> None:
    """Do nothing; the turn ends."""
    await end_turn(game)


async def trip(game: Game[DuelState], seat: Seat) -> None:
    """Ask a question that no answer leads out of."""
    ask = confirm(text("duel.trip"), text("duel.agree"), text("duel.refuse"), default=False)
    answer = await game.ask(seat, ask, "trip", CHOICE)
    raise ZeroDivisionError(answer)


async def stumble(game: Game[DuelState]) -> None:
    """Fail after an effect."""
    game.emit(Healed())
    raise ZeroDivisionError


class HardBot:
    """Bot that strikes the next seat and always braces."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    async def decide(self, view: BotView) -> Reply:
        ids = {choice.id for choice in view.prompt.choices}
        if "strike" in ids:
            field = await view.detail("strike", {})
            assert isinstance(field, Pieces)
            return Reply("strike", {"target": [field.options[self._seed % len(field.options)].id]})
        return Reply("yes")

    def refused(self, reply: Reply, code: str) -> None:
        raise AssertionError(code)


class Duel(Defaults[DuelState]):
    """The system. `faulty` offers acts with a planted error."""

    name = "duel"
    title = Text("duel.title")
    RULES = 1
    state = DuelState
    events: Sequence[type[Event[DuelState]]] = (TurnBegun, HiddenDealt, Drew, Focused, Struck, Healed, DuelOver)
    intents: Sequence[type[Intent]] = (Strike, Focus, Draw, Parley, Rest, Trip, Stumble)
    bots: Mapping[str, Callable[[int], Bot]]

    def __init__(self, *, faulty: bool = False) -> None:
        self.rules = DuelRules()
        self.bots = {"hard": HardBot}
        self._faulty = faulty

    def content(self, texts: Mapping[str, str]) -> dict[str, Resolved]:
        scenarios: dict[str, Resolved] = {}
        for name, toml in texts.items():
            try:
                found = tomllib.loads(toml).get("scenario", {})
                scenarios |= {
                    id: Resolved(s["seats"], s["turns"], s.get("vote_seconds", 10)) for id, s in found.items()
                }
            except (tomllib.TOMLDecodeError, KeyError) as problem:
                raise ContentRefused([f"{name}: {problem}"]) from problem
        return scenarios

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        parsed = cast("dict[str, Resolved]", content)
        factions = tuple(FactionInfo(name.lower(), Text(f"duel.{name.lower()}")) for name in NAMES)
        return [
            ScenarioInfo(id, text("duel.title"), text("duel.about"), s.seats, factions, 10) for id, s in parsed.items()
        ]

    def setup(self, content: object, setup: Setup) -> bytes:
        parsed = cast("dict[str, Resolved]", content)
        if setup.factions and setup.factions[0] == "frost":
            raise SetupRefused(text("duel.too-cold"))
        return msgspec.msgpack.encode(parsed[setup.scenario])

    def start(self, resolved: bytes, seats: int) -> DuelState:
        found = msgspec.msgpack.decode(resolved, type=Resolved)
        return DuelState((Fighter(),) * seats, found.turns, found.vote_seconds)

    def catalogue(self, language: str) -> Mapping[str, str]:
        return {"duel.title": "Duel", "duel.about": "A test of nerve.", "duel.strike": "Strike"}

    def parse(self, state: DuelState, seat: Seat, reply: Reply) -> Intent:
        check_reply(self._choices(state, seat), reply)
        if reply.choice == "strike":
            targets = reply.fields["target"]
            assert isinstance(targets, (list, tuple))
            return Strike(int(str(targets[0]).removeprefix("seat/")))
        kinds: dict[str, Intent] = {"focus": Focus(), "draw": Draw(), "parley": Parley(), "rest": Rest()}
        return {**kinds, "trip": Trip(), "stumble": Stumble()}[reply.choice]

    def public(self, state: DuelState) -> Iterable[Part]:
        yield Part(NodeId("counter/turn"), (state.turns,), lambda: Counter(text("duel.turn"), state.turns, state.most))
        for seat, fighter in enumerate(state.fighters):
            yield Part(NodeId(f"seat/{seat}"), (fighter.health, fighter.focus), self._seat(seat, fighter))
        result = self.result(state)
        if result is not None:
            yield Part(RESULT_NODE, (), lambda: result)

    def _seat(self, seat: int, fighter: Fighter) -> Callable[[], AnyNode]:
        status = (f"focus-{fighter.focus}",) if fighter.focus else ()
        return lambda: SeatNode(text(f"duel.{NAMES[seat].lower()}"), seat, fighter.health, status=status)

    def private(self, state: DuelState, seat: Seat) -> Iterable[Part]:
        hidden = state.fighters[seat].hidden
        if hidden:
            yield Part(NodeId("sheet/hidden"), (hidden,), lambda: Sheet(Text(f"duel.{hidden}"), owner=seat))

    def prompt(self, game: Game[DuelState], seat: Seat) -> Prompt | None:
        return Prompt(PromptId(""), text("duel.turn"), self._choices(game.state, seat), default="rest")

    def _choices(self, state: DuelState, seat: Seat) -> tuple[Choice, ...]:
        options = tuple(Option(f"seat/{s}") for s in range(len(state.fighters)) if s != seat)
        target = Pieces("target", text("duel.target"), options=options)
        plain = ("focus", "draw", "parley", "rest", *(("trip", "stumble") if self._faulty else ()))
        return (Choice("strike", text("duel.strike"), (target,)), *(Choice(id, Text(f"duel.{id}")) for id in plain))

    def cues(self, event: Event[DuelState] | CoreEvent, before: DuelState, after: DuelState) -> Iterable[Cue]:
        if isinstance(event, DiceRolled):
            dice = Dice.of(event.id, Text(event.purpose), total=sum(event.faces))
            yield Cue("dice", Text(event.purpose), seat=event.seat, dice=dice)
        elif isinstance(event, CardDrawn):
            yield Cue("card", text("duel.card", card=event.card))
        elif isinstance(event, Struck):
            yield Cue("note", text("duel.struck", damage=event.damage), seat=event.seat)

    def result(self, state: DuelState) -> Result | None:
        if not state.over:
            return None
        best = max(fighter.health for fighter in state.fighters)
        conditions = [(Condition(text("duel.alive"), text("duel.alive"), f.health > 0),) for f in state.fighters]
        seats = [SeatResult(s, f.health == best, f.health, conditions[s]) for s, f in enumerate(state.fighters)]
        return Result(text("duel.over"), tuple(seats))
