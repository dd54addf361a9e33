"""Strength of bots: pairs with seats changed, the parsing of bouts, and the page."""

from __future__ import annotations

import pytest

from server.cli.simulation import simulate, strength
from server.cli.simulation.strength import Bout, Pair
from server.content.systems import install
from server.runtime.errors import CommandError
from tests.support.systems.duel import TOML, Duel

pytestmark = pytest.mark.waits

INSTALLED = install(Duel(), {"duel.toml": TOML})
BOUT = Bout("hard", "random")


def test_who_plays_whom_is_read_from_words() -> None:
    assert strength.bouts_of(INSTALLED, "hard:random, random:hard") == (BOUT, Bout("random", "hard"))


@pytest.mark.parametrize("words", ["hard", "hard:clever", "hard:hard"])
def test_bouts_that_cannot_be_played_are_refused_in_plain_words(words: str) -> None:
    with pytest.raises(CommandError, match="bot"):
        strength.bouts_of(INSTALLED, words)


def test_a_pair_is_played_with_seats_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "installed", lambda system, content: INSTALLED)
    one, other = (
        strength.play(strength.StrengthTask("duel", bout, "two", 3, 1, None)) for bout in (BOUT, Bout(*reversed(BOUT)))
    )
    assert one.finished
    assert one.points == tuple(reversed(other.points))


def test_the_page_counts_pairs_by_players() -> None:
    points = [(2, 1), (1, 2), (3, 0), (1, 1)]
    page = strength.report(INSTALLED, [BOUT], 7, [Pair(BOUT, "six", each, True) for each in points])
    assert "| hard against random | all | 4 | 2 | 1 | 1 | 50%" in page
    assert "seed 7" in page


def test_kinds_sit_by_sides_whose_points_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seats against one: each kind has a side alone, and the points of a side of two are not counted twice."""
    seated: list[tuple[str, ...]] = []

    def played(installed: object, info: object, kinds: tuple[str, ...], *rest: object) -> simulate.Outcome:
        seated.append(kinds)
        return simulate.Outcome(0, finished=True, scores=(5, 5, 3))

    monkeypatch.setattr(simulate, "play", played)
    task = strength.StrengthTask("apocalypse_earth", Bout("level2", "level1"), "loophole:three", 0, 1, None)
    pair = strength.play(task)
    assert seated == [("level2", "level2", "level1"), ("level1", "level1", "level2")]
    assert pair.points == (8, 8)


def test_of_several_forms_for_two_the_shortest_is_played() -> None:
    forms = [form.id for form in strength.forms(simulate.installed("apocalypse_earth", None))]
    assert forms[forms.index("meeting_engagement") + 1] == "meeting_engagement:small"
    assert "meeting_engagement:company" not in forms
