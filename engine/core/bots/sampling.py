"""Sampled forecasts: an act carried out many times, of what one seat knows, with dice of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import blake2b
from itertools import chain, islice
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

import protocol.proof.dice as derivation
from engine.core.bots.random_bot import Chance
from engine.core.rules.advice import Counted, Samples, thousandths
from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.errors import EffectReached, IllegalIntent
from engine.core.rules.events import HUNDRED, ActionDeclared, ActionResolved
from engine.core.rules.game import Deck, Game, Probe, UnknownDeck
from engine.core.rules.questions import Ask, Question
from engine.core.rules.system import Intent, Procedure, Rules
from engine.core.view.proposals import MOST_VALUES, values_of
from engine.core.view.situations import Situation
from protocol.ids import NodeId
from protocol.proof.dice import RoundEntropy
from protocol.proof.leaves import Tree
from protocol.scene.advice import Forecast, ForecastBack
from protocol.scene.nodes import Choice, Reply

S = TypeVar("S")

PLAYS: Final = 400
MOST_FOLLOWING: Final = 16
"""Procedures that follow of themselves in one play."""


class SampledDice:
    """The dice of one play: they follow from its key alone. It has no decks (SampledGame)."""

    commitment = b""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._open, self._hidden = derivation.Rolls(key), derivation.Rolls(_key(key, b"hidden"))

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        return (self._hidden if hidden else self._open).faces(n, pool.sides, pool.count)

    def order(self, round: int, entropy: RoundEntropy, n: int, size: int) -> tuple[int, ...]:
        return derivation.shuffled(self._key, n, size)

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> NoReturn:
        raise EffectReached

    def tree(self, name: str, epoch: int, entropy: RoundEntropy, cards: tuple[str, ...]) -> Tree:
        raise EffectReached

    def seed(self, round: int) -> bytes:
        return _key(self._key, b"seed")

    def salt(self, label: str) -> bytes:
        return _key(self._key, label.encode())[:16]

    def salts(self, first: bytes, names: Any) -> list[bytes]:
        return [_key(self._key, first + name)[:16] for name in names]

    def pieces(self, step: int, count: int) -> list[bytes]:
        return [_key(self._key, b"%d/%d" % (step, number)) for number in range(count)]


class SampledGame(Game[S]):
    """The game of one play, of what one seat knows: which cards are drawn it does not, so a play ends at the first."""

    def deck(self, name: str) -> Deck[S]:
        return UnknownDeck(self, name, self._dice)


def seed_of(*parts: bytes) -> bytes:
    """Return the seed of a forecast, of all that it is asked with."""
    return blake2b(b"".join(len(part).to_bytes(4, "big") + part for part in parts), digest_size=32).digest()


def _key(key: bytes, label: bytes) -> bytes:
    return blake2b(label, key=key, digest_size=32).digest()


class Played(NamedTuple):
    """Outcome of one play: losses of those that it was aimed at, and of who acted, by the group that caused them."""

    losses: int
    back: Mapping[NodeId, int]


def sampled(
    situation: Situation[S],
    choice: Choice,
    fields: Mapping[str, object],
    seed: bytes,
    is_due: Callable[[], bool] = lambda: False,
    plays: int = PLAYS,
) -> Forecast | None:
    """Return the forecast of so many plays, fewer where the time is over; None without any, or where nothing of it is
    counted. Raises IllegalIntent."""
    system = situation.system
    if not isinstance(system, Samples) or situation.ask is not None:
        return None
    counted = system.counted(situation.probe(), situation.seat, choice, fields)
    if counted is None:
        return None
    intent = system.parse(situation.state, situation.seat, Reply(choice.id, dict(fields)))
    found: list[Played] = []
    while len(found) < plays and not is_due():
        found.append(played(situation, intent, counted, _key(seed, len(found).to_bytes(4, "big"))))
    return _forecast(found) if found else None


def played(situation: Situation[S], intent: Intent, counted: Counted, key: bytes) -> Played:
    """Return what an act comes to in one play: with what follows of itself, up to the next card, round or turn."""
    system, seat = situation.system, situation.seat
    chance = Chance(int.from_bytes(key[:7], "big"))
    state = system.imagine(situation.state, chance)
    dice = SampledDice(key)
    game = SampledGame(state, situation.record, dice, bare=True)

    def probe() -> Probe[S]:
        return Probe(game.state, game.record, dice)

    carry_out(system.rules, game, seat, intent, chance, probe)
    assert isinstance(system, Samples)
    strength = system.strength
    losses = sum(max(strength(state, one) - strength(game.state, one), 0) for one in counted.objects)
    return Played(losses, _back(game, strength, counted))


def carry_out(
    rules: Rules[S], game: Game[S], seat: Seat, intent: Intent, chance: Chance, probe: Callable[[], Probe[Any]]
) -> None:
    """Carry out an intent with what follows of itself, up to the next card, round or turn; who is asked takes the
    default, or what chance picks where others decide out of turn. Raises IllegalIntent."""
    try:
        _run(rules.procedure(game, seat, intent), seat, chance, probe)
        for _ in range(MOST_FOLLOWING):
            following = rules.flow(game)
            if following is None:
                break
            _run(following, seat, chance, probe)
    except EffectReached:
        pass


def _run(procedure: Procedure, seat: Seat, chance: Chance, probe: Callable[[], Probe[Any]]) -> None:
    """Run a procedure to its end; EffectReached where it begins a round."""
    answers: dict[Seat, object] | None = None
    try:
        while True:
            asked = procedure.send(answers)
            if not isinstance(asked, Question):
                raise EffectReached
            answers = {
                one: ask.read(ask.default if one == seat else _reply(asked, ask, chance, probe()))
                for one, ask in asked.asks.items()
            }
    except StopIteration:
        return
    finally:
        procedure.close()


def _reply(question: Question, ask: Ask[Any], chance: Chance, probe: Probe[Any]) -> Reply:
    """Return another seat's reply: what counts without one; where they decide out of turn, one that chance picks."""
    if question.window.kind == "sealed":
        try:
            reply = _any_reply(ask, chance, probe)
            ask.read(reply)
        except IllegalIntent:
            return ask.default
        return reply
    return ask.default


def _any_reply(ask: Ask[Any], chance: Chance, probe: Probe[Any]) -> Reply:
    """Return any choice with any of the usual values of its fields. Raises IllegalIntent where one has none."""
    choice = chance.pick(ask.choices)
    if choice.id == ask.default.choice:
        return ask.default
    fields: dict[str, object] = {}
    for field in choice.fields:
        if not field.auto:
            known = ask.next_field(probe, choice.id, fields) if field.lazy else field
            values = list(islice(values_of(known), MOST_VALUES))
            if not values:
                raise IllegalIntent("reply/missing-field", field=field.key)
            fields[field.key] = chance.pick(values)
    return Reply(choice.id, fields)


def _back(game: Game[S], strength: Callable[[S, NodeId], int], counted: Counted) -> Counter[NodeId]:
    """Return what the acting group lost, by the group whose action was open: where none is, by the first that the act
    was aimed at."""
    found: Counter[NodeId] = Counter()
    subject = counted.subject
    usual = counted.objects[0] if counted.objects else subject
    acting: list[tuple[object, NodeId]] = []
    for trace in game.trail:
        event = trace.event
        if isinstance(event, ActionDeclared):
            acting.append((event.to, event.about.get("group", usual)))
        elif isinstance(event, ActionResolved):
            alike = [place for place, (to, _) in enumerate(acting) if to == event.to]
            if event.place < len(alike):
                acting.pop(alike[event.place])
        elif trace.before is not trace.after:
            lost = strength(trace.before, subject) - strength(trace.after, subject)
            if lost > 0:
                by = next((group for _, group in reversed(acting) if group != subject), usual)
                found[by] += lost
    return found


def _forecast(plays: list[Played]) -> Forecast:
    back = dict.fromkeys(chain.from_iterable(play.back for play in plays))
    outcomes, mean = _summed([play.losses for play in plays])
    answers = [ForecastBack(group, *_summed([play.back.get(group, 0) for play in plays])) for group in back]
    return Forecast(outcomes=outcomes, mean=mean, back=tuple(answers), sure="about")


def _summed(losses: list[int]) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return outcomes in thousandths, and their mean in hundredths, rounded to the nearest, halves up."""
    count = len(losses)
    return thousandths(sorted(Counter(losses).items()), count), (2 * HUNDRED * sum(losses) + count) // (2 * count)
