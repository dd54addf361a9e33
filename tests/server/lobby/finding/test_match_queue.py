"""Who is put together by a quick match: the longest waiting whose wishes agree, and nobody with whom they blocked."""

from __future__ import annotations

import random
from itertools import combinations

from server.lobby.finding.match_queue import GameKind, Group, Wish, groups

PAIR, FOUR = GameKind("duel", 2, mail=False, rated=True), GameKind("duel", 4, mail=False, rated=True)
MAIL = PAIR._replace(mail=True)


def anybody(one: str, other: str) -> bool:
    return True


def test_the_longest_waiting_come_first_and_others_keep_waiting() -> None:
    wishes = [Wish("d", 4, (PAIR,)), Wish("a", 1, (PAIR,)), Wish("c", 3, (MAIL, PAIR)), Wish("b", 2, (MAIL,))]
    assert list(groups(wishes, anybody)) == [Group(PAIR, ("a", "c"))]
    assert list(groups(wishes[1:], anybody)) == [Group(PAIR, ("a", "c"))]
    assert list(groups([wishes[0], wishes[3]], anybody)) == []


def test_one_who_takes_two_or_four_plays_with_those_who_are_there() -> None:
    fours = [Wish(who, n, (FOUR, PAIR)) for n, who in enumerate("abc")]
    assert list(groups(fours, anybody)) == [Group(PAIR, ("a", "b"))]
    assert list(groups([*fours, Wish("d", 9, (FOUR,))], anybody)) == [Group(FOUR, ("a", "b", "c", "d"))]


def test_nobody_meets_whom_they_blocked_and_the_next_in_line_comes_instead() -> None:
    def may_meet(one: str, other: str) -> bool:
        return {one, other} != {"a", "b"}

    wishes = [Wish(who, n, (PAIR,)) for n, who in enumerate("abcd")]
    assert list(groups(wishes, may_meet)) == [Group(PAIR, ("a", "c")), Group(PAIR, ("b", "d"))]
    assert list(groups(wishes[:2], may_meet)) == []
    # the longest waiting is in nobody's way
    assert list(groups(wishes[:3], lambda one, other: "a" not in (one, other))) == [Group(PAIR, ("b", "c"))]


def test_groups_of_random_wishes_are_full_agreed_apart_and_none_is_left_that_could_play() -> None:
    dice = random.Random(3)
    kinds = [GameKind(system, seats, mail, False) for system in "ab" for seats in (2, 3, 6) for mail in (True, False)]
    for _ in range(60):
        people = [f"p{n}" for n in range(dice.randrange(30))]
        wishes = {who: Wish(who, dice.random(), tuple(dice.sample(kinds, 3))) for who in people}
        made = list(groups(wishes.values(), anybody))
        seen = [who for group in made for who in group.people]
        assert len(seen) == len(set(seen))
        for group in made:
            assert len(group.people) == group.kind.seats
            assert all(group.kind in wishes[who].kinds for who in group.people)
            assert [wishes[who].since for who in group.people] == sorted(wishes[who].since for who in group.people)
        left = [wish for who, wish in wishes.items() if who not in seen]
        for pair in combinations(left, 2):
            assert not [kind for kind in set(pair[0].kinds) & set(pair[1].kinds) if kind.seats == 2]
