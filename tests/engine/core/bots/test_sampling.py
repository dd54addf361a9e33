"""The dice of sampled plays, and plays that others interrupt. Agreement with many plays: tests/systems."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.core.bots.random_bot import RandomBot
from engine.core.bots.sampling import SampledDice, sampled, seed_of
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Intended, RoundOpened, Start
from engine.core.match.match import Match
from engine.core.rules.advice import Counted, thousandths
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice, Pool
from engine.core.rules.errors import EffectReached
from engine.core.rules.game import Game
from engine.core.rules.node_ids import seat_node
from engine.core.rules.system import Intent, Procedure, Setup
from engine.core.view.proposals import proposal_for
from engine.core.view.situations import Situation
from protocol.ids import MatchId, NodeId
from protocol.scene.nodes import Choice
from protocol.text import Text
from server.content.systems import find_systems, load
from tests.support.clients.programs import PLUGINS
from tests.support.systems.haggle import Act, Haggle, Market, MarketRules, Won

MATCH = MatchId("m1")


def test_the_dice_of_a_play_follow_from_its_key_and_there_are_no_cards() -> None:
    one, same, other = (SampledDice(seed_of(name)) for name in (b"a", b"a", b"b"))
    pool = Pool(40)
    faces = one.faces(1, b"", 0, pool, hidden=False)
    assert faces == same.faces(2, b"else", 0, pool, hidden=False)
    assert len({faces, one.faces(1, b"", 1, pool, hidden=False), one.faces(1, b"", 0, pool, hidden=True)}) == 3
    assert faces != other.faces(1, b"", 0, pool, hidden=False)
    assert sorted(one.order(1, b"", 0, 9)) == list(range(9))
    assert one.salts(b"x", [b"y"]) == [one.salt("xy")]
    assert len(one.pieces(3, 2)) == 2
    with pytest.raises(EffectReached):
        one.deck("d", 0, b"", 3)
    with pytest.raises(EffectReached):
        one.tree("d", 0, b"", ("c",))


def test_chances_are_a_thousand_together() -> None:
    assert thousandths([(0, 1), (2, 1), (5, 1)], 3) == ((0, 334), (2, 333), (5, 333))
    assert thousandths([(0, 9_999), (1, 1)], 10_000) == ((0, 1000),)


def test_an_act_that_others_may_answer_is_sampled_and_nothing_of_the_match_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(PLUGINS)
    installed = load(find_systems(["proving"]).values())["proving"]
    system = installed.system
    info = next(one for one in system.scenarios(installed.content) if one.id == "crossing")
    play = SelfPlay(Match(system, MATCH, MatchDice(bytes(32), MATCH)), watched=False)
    play.begin(Start(MATCH, info.seats, system.setup(installed.content, Setup("crossing", ("",) * info.seats))))
    match, count = play.match, 0
    bots = {Seat(seat): RandomBot(seat) for seat in range(info.seats)}
    for _ in range(60):
        seat = play.next_seat()
        if seat is None:
            break
        situation = Situation.of(match, seat)
        for choice in situation.choices():
            if choice.id == "march" and situation.ask is None:
                fields = proposal_for(situation, "march", {}).fields
                head, state = match.head, match.state
                found = sampled(situation, choice, fields, seed_of(b"m"), plays=20)
                assert found == sampled(situation, choice, fields, seed_of(b"m"), plays=20)
                assert (match.head, match.state) == (head, state)
                assert found is not None
                assert found.sure == "about"
                count += 1
        play.decide(bots)
    assert count


class CardRules(MarketRules):
    """Emits what an act does, and then touches a deck from which a card was drawn."""

    def procedure(self, game: Game[Market], seat: Seat, intent: Intent) -> Procedure:
        assert isinstance(intent, Act)
        return touch(game, seat, intent.name)


async def touch(game: Game[Market], seat: Seat, how: str) -> None:
    deck = game.deck("fruit")
    game.emit(Won(seat, -1))
    match how:
        case "draw":
            deck.draw(1)
        case "add":
            deck.add(("plum",))
        case "new":
            deck.new(("plum",))
        case _:
            assert deck.undrawn
    game.emit(Won(seat, -1))


class Dealing(Haggle):
    """Counts the coins of the seat that acts."""

    rules = CardRules()

    def counted(self, game: Game[Market], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Counted:
        return Counted((), seat_node(seat))

    def strength(self, state: Market, group: NodeId) -> int:
        return state.coins[0]


@pytest.mark.parametrize("how", ["draw", "add", "new", "look at what is left"])
def test_a_play_ends_at_a_deck_whose_cards_are_not_known(how: str) -> None:
    match = Match(Dealing(), MATCH, MatchDice(bytes(32), MATCH))
    for cause in (Start(MATCH, 3, b""), RoundOpened(), Intended(0, bytes(16), match.codec.encode_intent(Act("draw")))):
        match.settle(match.propose(cause))
    found = sampled(Situation.of(match, Seat(0)), Choice(how, Text(how)), {}, seed_of(b"m"), plays=2)
    assert found is not None
    assert found.back[0].outcomes == ((1, 1000),), "one coin is lost before the deck, none after it"
