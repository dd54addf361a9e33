"""A tiny rule system for tests of the engine: a market with every kind of question, randomness and fault.

Seats take turns. A turn: buy (reversible), gamble (dice), draw (a hidden card), auction (a sealed question to all),
twice (a sealed question to all, and again in the same words), ask_self (a question to oneself), chain (draws and asks
in one act), or one of the faults; then pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import msgspec

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.match.causes import AnyCause, Intended, RoundOpened, Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Audience, Seat, only
from engine.core.rules.defaults import Defaults
from engine.core.rules.dice import DiceSource, MatchDice, Pool
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import CoreEvent, DiceRolled, Event
from engine.core.rules.game import Game
from engine.core.rules.node_ids import local_id, seat_node
from engine.core.rules.questions import SEALED, Ask, Window, confirm, pick_one
from engine.core.rules.system import Intent, Part, Procedure, ScenarioInfo, Setup, Turn
from protocol.ids import MatchId, NodeId, PromptId
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.fields import AnyField, Option, PickOption
from protocol.scene.nodes import (
    TABLE_NODE,
    Choice,
    Counter,
    Cue,
    Dice,
    Prompt,
    Reply,
    Result,
    SeatNode,
    SeatResult,
    Table,
)
from protocol.text import Text

MATCH = MatchId("m1")

GOODS = ("apples", "bread", "cheese")
LAST_TURN = 12


class Market(msgspec.Struct, frozen=True):
    """`coins` and `hands` by seat; `turn` counts passes."""

    coins: tuple[int, ...]
    hands: dict[int, tuple[str, ...]]
    goods: tuple[str, ...] = ()
    turn: int = 0
    ready: bool = False
    auction: int = -1


class Opened(Event[Market], frozen=True, tag="hg.opened"):
    def apply(self, state: Market) -> Market:
        return msgspec.structs.replace(state, ready=True)


class Bought(Event[Market], frozen=True, tag="hg.bought"):
    seat: int
    good: str

    def apply(self, state: Market) -> Market:
        coins = tuple(c - (i == self.seat) for i, c in enumerate(state.coins))
        return msgspec.structs.replace(state, goods=(*state.goods, self.good), coins=coins)


class Won(Event[Market], frozen=True, tag="hg.won"):
    seat: int
    amount: int

    def apply(self, state: Market) -> Market:
        coins = tuple(c + self.amount * (i == self.seat) for i, c in enumerate(state.coins))
        return msgspec.structs.replace(state, coins=coins, auction=-1)


class AuctionCalled(Event[Market], frozen=True, tag="hg.called"):
    seat: int

    def apply(self, state: Market) -> Market:
        return msgspec.structs.replace(state, auction=self.seat)


class HandGrew(Event[Market], frozen=True, tag="hg.hand"):
    seat: int
    card: str

    def apply(self, state: Market) -> Market:
        return msgspec.structs.replace(
            state, hands={**state.hands, self.seat: (*state.hands.get(self.seat, ()), self.card)}
        )

    def audience(self) -> Audience:
        return only(Seat(self.seat))


class Passed(Event[Market], frozen=True, tag="hg.passed"):
    def apply(self, state: Market) -> Market:
        return msgspec.structs.replace(state, turn=state.turn + 1)


class Buy(Intent, frozen=True, tag="buy"):
    good: str


class Act(Intent, frozen=True, tag="act"):
    name: str


class Pass(Intent, frozen=True, tag="pass"):
    pass


ACTS = (
    *("gamble", "draw", "auction", "ask_self", "chain", "vote", "order", "moment", "hidden_roll", "twice"),
    *("trade", "scheme"),
)
FAULTS = ("crash", "late_refusal", "endless", "awaits_nonsense", "unresolved", "resolved_twice", "crash_after_question")


class MarketRules:
    """The procedures."""

    def procedure(self, game: Game[Market], seat: Seat, intent: Intent) -> Procedure:
        match intent:
            case Buy():
                return buy(game, seat, intent.good)
            case Act():
                return act(game, seat, intent.name)
            case _:
                return give_way(game)

    def flow(self, game: Game[Market]) -> Procedure | None:
        return None if game.state.ready else open_market(game)

    def leave(self, state: Market, seat: Seat) -> Intent | None:
        return Act("leave") if state.coins[seat] > 0 else None

    def turn(self, state: Market) -> Mapping[Seat, Turn]:
        return {} if state.turn >= LAST_TURN else {Seat(state.turn % len(state.coins)): Turn(Pass())}


async def open_market(game: Game[Market]) -> None:
    await game.round()
    game.deck("fruit").new(tuple(f"fruit{n}" for n in range(8)))
    game.emit(Opened())


async def buy(game: Game[Market], seat: Seat, good: str) -> None:
    if good not in GOODS:
        raise IllegalIntent("buy/no-such-good")
    if game.state.coins[seat] < 1:
        raise IllegalIntent("buy/no-coins")
    game.emit(Bought(seat, good))


async def give_way(game: Game[Market]) -> None:
    game.emit(Passed())


async def act(game: Game[Market], seat: Seat, name: str) -> None:
    coins = game.state.coins[seat]
    match name:
        case "gamble":
            game.emit(Won(seat, game.roll(Pool(2), "dice.gamble", seat).total - 7))
        case "hidden_roll":
            total = game.roll(Pool(1), "dice.secret", seat, only(seat)).total
            game.emit(HandGrew(seat, f"secret{total}"))
        case "draw":
            await draw(game, seat)
        case "order":
            game.emit(Won(Seat(game.shuffle(len(game.state.coins), "order")[0]), 1))
        case "auction":
            game.emit(AuctionCalled(seat))
            asks = {Seat(s): bid(c) for s, c in enumerate(game.state.coins)}
            bids = await game.ask_together(asks, "auction", SEALED)
            best = max(bids.values())
            game.emit(Won(next(s for s in bids if bids[s] == best), -best))
        case "vote":
            voters = {
                Seat(s): confirm(Text("vote"), Text("y"), Text("n"), default=False)
                for s in range(len(game.state.coins))
            }
            votes = await game.ask_together(voters, "vote", Window("vote", 20))
            game.emit(Won(seat, sum(votes.values())))
        case "moment":
            others = {
                Seat(s): confirm(Text("cut"), Text("y"), Text("n"), default=False) for s in range(len(game.state.coins))
            }
            cut = await game.moment("before-sale", others)
            game.emit(Won(seat, sum(cut.values())))
        case "twice":
            everybody = {
                Seat(s): confirm(Text("more"), Text("y"), Text("n"), default=False)
                for s in range(len(game.state.coins))
            }
            for _ in range(2):
                more = await game.ask_together(everybody, "more", SEALED)
                game.emit(Won(seat, sum(more.values())))
        case "ask_self":
            if await game.ask(seat, confirm(Text("sure"), Text("y"), Text("n"), default=True), "sure"):
                game.emit(Won(seat, 1))
        case "chain":
            await draw(game, seat)
            choice = await game.ask(seat, bid(3), "first")
            await game.round()
            roll = game.roll(Pool(choice + 1), "dice.chain", seat)
            other = Seat((seat + 1) % len(game.state.coins))
            if await game.ask(other, confirm(Text("halve"), Text("y"), Text("n"), default=False), "second"):
                game.emit(Won(other, -roll.total // 2))
            game.emit(Won(seat, roll.total))
        case "leave":
            game.emit(Won(seat, -coins))
            heir = Seat((seat + 1) % len(game.state.coins))
            if await game.ask(heir, confirm(Text("inherit"), Text("y"), Text("n"), default=True), "heir"):
                game.emit(Won(heir, coins))
        case "trade":
            await trade(game, seat)
        case "scheme":
            scheme = game.declare("scheme", seat, only(seat), group=seat_node(seat))
            if await game.ask(seat, confirm(Text("sure"), Text("y"), Text("n"), default=True), "sure"):
                game.emit(HandGrew(seat, "scheme"))
            scheme.resolve("done")
        case "unresolved":
            game.declare("trade", seat)
        case "resolved_twice":
            once = game.declare("trade", seat)
            once.resolve("done")
            once.resolve("done")
        case "crash":
            raise KeyError("crash")
        case "late_refusal":
            game.emit(Won(seat, 1))
            raise IllegalIntent("too/late")
        case "endless":
            while True:
                game.emit(Won(seat, 0))
        case "awaits_nonsense":
            await Nonsense()
        case "crash_after_question":
            if await game.ask(seat, bid(coins), "crash"):
                raise ZeroDivisionError
            raise KeyError
        case _:
            raise IllegalIntent("act/unknown")


async def trade(game: Game[Market], seat: Seat) -> None:
    """Offer a coin to the next seat, who may haggle first, with dice."""
    other = Seat((seat + 1) % len(game.state.coins))
    offer = game.declare("trade", seat, group=seat_node(seat), buyer=seat_node(other))
    if await game.ask(other, confirm(Text("haggle"), Text("y"), Text("n"), default=False), "haggle"):
        answer = game.declare("answer", other, group=seat_node(other))
        total = game.roll(Pool(1), "dice.haggle", other).total
        if await game.ask(seat, confirm(Text("raise"), Text("y"), Text("n"), default=True), "raise"):
            game.emit(Won(other, total))
        answer.resolve("haggled", coins=total)
    game.emit(Won(seat, 1))
    offer.resolve("sold", coins=1)


class Nonsense:
    def __await__(self) -> Any:
        yield 5


async def draw(game: Game[Market], seat: Seat) -> None:
    deck = game.deck("fruit")
    if not deck.left:
        deck.add(tuple(f"fruit{n}" for n in range(8)))
    for card in deck.draw(1, only(seat)):
        game.emit(HandGrew(seat, card))


def bid(coins: int) -> Ask[int]:
    """Return a field for a bid from 0 to `coins` (at most 3)."""
    options = [Option(str(n)) for n in range(max(0, min(coins, 3)) + 1)]
    ask = pick_one(Text("bid"), options, "0")
    return Ask(ask.title, ask.choices, ask.default, lambda reply: int(reply.choice))


class Haggle(Defaults[Market]):
    """The system object."""

    name = "haggle"
    title = Text("haggle")
    RULES = 1
    state = Market
    events = (Opened, Bought, Won, AuctionCalled, HandGrew, Passed)
    intents = (Buy, Act, Pass)
    rules = MarketRules()
    bots: Mapping[str, Callable[[int], Bot]] = {"random": RandomBot}

    def content(self, texts: Mapping[str, str]) -> object:
        return None

    def scenarios(self, content: object) -> tuple[ScenarioInfo, ...]:
        return (ScenarioInfo("fair", Text("fair"), Text("fair"), 3, (), 5),)

    def setup(self, content: object, setup: Setup) -> bytes:
        return msgspec.msgpack.encode({"scenario": setup.scenario})

    def start(self, resolved: bytes, seats: int) -> Market:
        return Market((3,) * seats, {})

    def catalogue(self, language: str) -> Mapping[str, str]:
        return {}

    def parse(self, state: Market, seat: Seat, reply: Reply) -> Intent:
        if reply.choice == "buy":
            return Buy(str(reply.fields["good"]))
        return Pass() if reply.choice == "pass" else Act(reply.choice)

    def public(self, state: Market) -> Iterable[Part]:
        yield Part(TABLE_NODE, (), lambda: Table((100, 100)))
        yield Part(NodeId("counter/turn"), (state.turn,), lambda: Counter(Text("turn"), state.turn))
        for seat, coins in enumerate(state.coins):
            yield Part(NodeId(f"seat/{seat}"), (coins,), partial(SeatNode, Text(f"s{seat}"), seat, coins))

    def private(self, state: Market, seat: Seat) -> Iterable[Part]:
        hand = state.hands.get(seat)
        if hand:
            yield Part(
                NodeId("counter/hand"), (hand,), lambda: Counter(Text("hand", {"cards": ",".join(hand)}), len(hand))
            )

    def prompt(self, game: Game[Market], seat: Seat) -> Prompt | None:
        goods = PickOption("good", Text("good"), options=tuple(Option(g) for g in GOODS))
        acts = tuple(Choice(name, Text(name)) for name in ACTS)
        buying = (Choice("buy", Text("buy"), (goods,)),) if game.state.coins[seat] > 0 else ()
        title = Text("turn", {"turn": game.state.turn})
        return Prompt(PromptId(""), title, (*buying, *acts, Choice("pass", Text("pass"))), default="pass")

    def detail(self, game: Game[Market], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        raise IllegalIntent("detail/none")

    def cues(self, event: Event[Market] | CoreEvent, before: Market, after: Market) -> Iterable[Cue | TemplatedCues]:
        if isinstance(event, (Won, Bought)):
            yield Cue("note", Text("coins", {"seat": event.seat, "now": after.coins[event.seat]}), seat=event.seat)
        if isinstance(event, DiceRolled):
            yield Cue("dice", Text(event.purpose), dice=Dice.of(event.id, Text(event.purpose), total=sum(event.faces)))

    def name_of(self, state: Market, node: NodeId) -> Text:
        return Text(f"s{local_id(node)}")

    def result(self, state: Market) -> Result | None:
        if state.turn < LAST_TURN:
            return None
        best = max(state.coins)
        return Result(Text("over"), tuple(SeatResult(s, c == best, c) for s, c in enumerate(state.coins)))


HAGGLE = Haggle()


class Ledger:
    """Store in a list: proposes, keeps the bytes, settles. With `parts`, the test calls and opens rounds itself."""

    def __init__(self, dice: DiceSource | None = None, seats: int = 3, *, parts: bool = False) -> None:
        self.dice = dice or MatchDice(bytes(range(32)), MATCH)
        self.match = Match(HAGGLE, MATCH, self.dice)
        self.steps: list[bytes] = []
        self.do(Start(MATCH, seats, HAGGLE.setup(None, Setup("fair", ("",) * seats)), parts))

    def do(self, cause: AnyCause) -> Step[Market]:
        """Make one step, and the rounds that it stops for."""
        step = self.match.propose(cause)
        self.steps.append(step.data)
        self.match.settle(step)
        while self.match.wants_round and not self.match.record.parts:
            self.do(RoundOpened())
        return step

    def act(self, seat: int, intent: Intent, id: bytes = bytes(16)) -> Step[Market]:
        """Carry out an intent of `seat`."""
        return self.do(Intended(seat, id, self.match.codec.encode_intent(intent)))

    def refolded(self) -> Match[Market]:
        """Return the match made again from the stored bytes."""
        again = Match(HAGGLE, MATCH, self.dice)
        for data in self.steps:
            again.replay(data)
        again.resume()
        return again
