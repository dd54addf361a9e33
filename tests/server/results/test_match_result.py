"""The ranks of a match's people: sides as teams, winners first, then by score, those who have gone last."""

from __future__ import annotations

from server.results.match_result import PlayerResult, teams_of


def player(who: str, score: int = 0, *, side: int = -1, won: bool = False, gone: bool = False) -> PlayerResult:
    return PlayerResult(who, who.title(), side, won, score, gone)


def ranks(*players: PlayerResult) -> dict[tuple[str, ...], int]:
    return {team.people: team.rank for team in teams_of(players)}


def test_without_sides_winners_share_rank_1_and_the_others_follow_by_score() -> None:
    found = ranks(player("ann", 3), player("ben", 7, won=True), player("eve", 9), player("dan", 1, won=True))
    assert found == {("ben",): 1, ("dan",): 1, ("eve",): 2, ("ann",): 3}


def test_equal_scores_are_equal() -> None:
    assert ranks(player("ann", 3), player("ben", 3), player("eve", 5)) == {("eve",): 1, ("ann",): 2, ("ben",): 2}


def test_a_side_is_a_team() -> None:
    found = ranks(
        player("ann", 8, side=0),
        player("ben", 2, side=1, won=True),
        player("eve", 8, side=0),
        player("dan", 2, side=1, won=True),
    )
    assert found == {("ben", "dan"): 1, ("ann", "eve"): 2}


def test_whoever_has_gone_is_last_though_their_seat_or_side_won() -> None:
    found = ranks(
        player("ann", 9, won=True, gone=True), player("ben", 1), player("eve", 4), player("dan", 2, gone=True)
    )
    assert found == {("eve",): 1, ("ben",): 2, ("ann",): 3, ("dan",): 3}
    found = ranks(
        player("ann", 5, side=0, won=True, gone=True), player("ben", 5, side=0, won=True), player("eve", side=1)
    )
    assert found == {("ben",): 1, ("eve",): 2, ("ann",): 3}
