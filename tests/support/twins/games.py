"""The games that twins play: systems, players, and the secrets in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.dice import DiceSource
from engine.rulesets.action_cards.rules.flow import SECRETS
from server.content.systems import Installed, find_systems, load
from tests.support.clients.wire import duel
from tests.support.faults.interference import OtherOrder
from tests.support.play.proving_checks import Quiet
from tests.support.proving import system as proving
from tests.support.twins.chances import Exchanged
from tests.support.twins.earth import Walker, elsewhere, hiding

if TYPE_CHECKING:
    from engine.core.match.match import Match
    from protocol.wire.from_client import Intent

Dice = Callable[[DiceSource], DiceSource]
OWNER: Final = 1
"""The seat whose secrets are others in a twin."""


class Game(NamedTuple):
    """A game. `decisions`: of one play. `other_secrets`: the dice of a match in which other secrets are dealt, at
    random for a seed, None where none are dealt. `known`: the knowledge of one seat alone, and every deck's cards to be
    drawn yet. `idle`: how often time runs out at the end; `elsewhere`: makes an intent of a seat's that hides a unit
    another one that hides it at another place, None where it is answered in secret where to hide."""

    system: str
    scenario: str
    decisions: int
    bots: Callable[[int, int], Bot]
    other_secrets: Callable[[int], Dice] | None
    known: Callable[[Match[Any], Seat], object]
    idle: int = 0
    elsewhere: Callable[[Match[Any], int, Intent], Intent] | None = None


@cache
def installed(system: str) -> dict[str, Installed]:
    """Return this system alone, as a server has it."""
    if system == "duel":
        return duel()
    return load([proving] if system == "proving" else find_systems([system]).values())


def _at_random(seed: int, seat: int) -> Bot:
    return RandomBot(seed + seat)


def _quietly(seed: int, seat: int) -> Bot:
    """Return players where the owner of secrets never shows them, and no cards are played."""
    if seat == OWNER:
        return Quiet(seed + seat)
    return Quiet(seed + seat, ("advance", "march", "smoke", "end"), ("hold",))


def _walking(seed: int, seat: int) -> Bot:
    return Walker(seed + seat, hides=seat == OWNER)


def _duel_cards(seed: int) -> Dice:
    # the last card of the deck is never drawn, and its number is even where the owner's is odd, or the other way round
    return lambda dice: Exchanged(dice, "cards", OWNER)


def _conditions(seed: int) -> Dice:
    return lambda dice: OtherOrder(dice, SECRETS, 0, 1, 1 + seed % 3)


def _hand(seed: int) -> Dice:
    return lambda dice: Exchanged(dice, "cards", OWNER)


def _hidden_card(match: Match[Any], seat: Seat) -> object:
    return match.state.fighters[seat].hidden


def _secret_conditions(match: Match[Any], seat: Seat) -> object:
    return match.state.seats[seat].secrets


def _hand_and_hiding(match: Match[Any], seat: Seat) -> object:
    hands, hidden = match.state.hands, match.state.of(seat, hidden=True)
    return hands[seat] if hands else (), [unit.cell for unit in hidden]


def _nothing(match: Match[Any], seat: Seat) -> object:
    return ()


DUEL: Final = Game("duel", "three", 24, _at_random, _duel_cards, _hidden_card, idle=3)
PROVING: Final = Game("proving", "crossing", 40, _quietly, _hand, _hand_and_hiding)
ALLIES: Final = PROVING._replace(scenario="allies")
"""Seats 0 and 1 against seat 2."""
CARDS: Final = Game("action_cards", "low_water:3", 14, _at_random, _conditions, _secret_conditions)
BATTLE: Final = Game("one_page", "crossroads_3000", 22, _at_random, None, _nothing)
EARTH: Final = Game("apocalypse_earth", "out_of_the_treeline:four", 18, _walking, None, hiding, elsewhere=elsewhere)
"""Two against two, of whom the owner of secrets hides a unit."""
GAMES: Final = (DUEL, PROVING, CARDS, BATTLE, EARTH)
SCENARIOS: Final = {
    "duel": ("three", "six", "two"),
    "proving": ("crossing", "long", "allies", "drill"),
    "action_cards": (
        "low_water:3",
        "harrow_cross:2",
        "dyke_end:3",
        "lantern_fair:4",
        "kiln_row:2",
        "marrow:5",
        "dyke_end:sides",
    ),
    "apocalypse_earth": ("out_of_the_treeline:four", "meeting_engagement:three"),
    "one_page": ("crossroads_3000", "open_field_3000", "open_field_6000:sides"),
}
"""Those that a long search goes through."""
