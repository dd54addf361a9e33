"""A search for leaks: plays of all games, each with all its twins."""

from __future__ import annotations

from tests.support.twins.games import GAMES, SCENARIOS, Game
from tests.support.twins.kinds import (
    no_answer,
    other_answer,
    other_future,
    other_place,
    other_secrets,
    other_settings,
    other_side_words,
    other_whispers,
    sealed_answers,
)
from tests.support.twins.playing import Played, improvise


def twins_of(game: Game, one: Played, seed: int) -> dict[str, int]:
    """Return how many frames were compared in twins of each kind. Raises Told."""
    found = {
        "futures": other_future(game, one, seed),
        "secrets": other_secrets(game, one, seed),
        "whispers": other_whispers(game, one),
        "side words": other_side_words(game, one),
        "places": other_place(game, one, seed),
        "settings": other_settings(game, one),
        "answers": 0,
        "silences": 0,
    }
    for answer in sealed_answers(one):
        found["answers"] += other_answer(game, one, answer, seed)
        found["silences"] += no_answer(game, one, answer)
    return found


def search(seed: int) -> dict[str, float]:
    """Play each game once with its twins. Raises Told where a viewer is told what they may not know."""
    total: dict[str, float] = {"plays": 0}
    for game in GAMES:
        scenarios = SCENARIOS[game.system]
        played = game._replace(scenario=scenarios[seed % len(scenarios)], decisions=game.decisions + seed % 12)
        one = improvise(played, seed)
        total["plays"] += 1
        for kind, frames in twins_of(played, one, seed).items():
            total[kind] = total.get(kind, 0) + frames
    return total
