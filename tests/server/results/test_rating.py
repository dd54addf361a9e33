"""Ratings that follow from results."""

from __future__ import annotations

import random
from itertools import islice

from msgspec.structs import replace

from server.results.match_result import DAY
from server.results.rating import LEADING_SECONDS, SETTLED, Rating, count, worked_out
from server.results.skill import NEW
from tests.support.results.made import HOUR, drawn, result


def test_a_result_that_counts_says_what_it_changed() -> None:
    ended = result(7, "ann", "ben")
    counted = count(ended, {who: Rating(who, "duel") for who in ("ann", "ben")})
    ann, ben = counted.result.players
    assert ann.before == ben.before == NEW
    assert (ann.after, ben.after) == (counted.ratings["ann"].skill, counted.ratings["ben"].skill)
    assert counted.ratings["ann"].skill.points > NEW.points > counted.ratings["ben"].skill.points
    assert replace(counted.result, players=ended.players) == ended


def test_a_rating_is_new_until_ten_matches_and_leads_for_ninety_days_after_the_oldest_of_the_last_ten() -> None:
    ratings = {who: Rating(who, "duel") for who in ("ann", "ben")}
    for number in range(1, SETTLED + 2):
        assert ratings["ann"].is_new == (number <= SETTLED)
        assert ratings["ann"].leads_until == (0 if number <= SETTLED else HOUR + LEADING_SECONDS)
        ratings = count(result(number, "ann", "ben"), ratings).ratings
    assert (ratings["ann"].matches, ratings["ann"].leads_until) == (11, 2 * HOUR + 90 * DAY)


def test_ratings_worked_out_anew_are_the_same_in_whatever_order_results_come() -> None:
    results = [replace(one, number=number) for number, one in enumerate(islice(drawn(1), 40), start=1)]
    results[5] = replace(results[5], unrated="bots")
    shuffled = random.Random(2).sample(results, len(results))
    found = worked_out(results)
    assert worked_out(shuffled) == found
    assert sum(rating.matches for rating in found.values()) == sum(
        len(one.people) for one in results if not one.unrated
    )
