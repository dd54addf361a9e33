"""Skills after a match: known numbers, and properties of any match."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given, strategies as st

from server.results.skill import NEW, Skill, Team, rate

PEOPLE = [f"p{number}" for number in range(8)]
SKILLS = st.builds(Skill, st.floats(-20, 70), st.floats(0.5, 10))
TAU = 25 / 300


@st.composite
def teams(draw: st.DrawFn, *, size: int = 3) -> list[Team]:
    """Draw two teams at least, of up to `size` people."""
    people, found = list(PEOPLE), list[Team]()
    while len(people) >= size and (len(found) < 2 or draw(st.booleans())):
        count = draw(st.integers(1, size))
        found.append(Team(draw(st.integers(1, 3)), tuple(people[:count])))
        people = people[count:]
    return found


def skills_of(draw: st.DataObject, found: list[Team]) -> dict[str, Skill]:
    return {who: draw.draw(SKILLS) for team in found for who in team.people}


def widened(skill: Skill) -> float:
    """Return the variance of a skill as a match begins: time makes every skill a little less certain."""
    return skill.sigma**2 + TAU**2


def test_a_new_person_is_shown_at_667_give_or_take_333() -> None:
    assert (NEW.points, NEW.spread) == (667, 333)


def test_the_winner_of_a_duel_between_new_people_gains_what_the_other_loses() -> None:
    after = rate([Team(1, ("ann",)), Team(2, ("ben",))], {})
    assert (after["ann"].points, after["ann"].spread) == (783, 323)
    assert (after["ben"].points, after["ben"].spread) == (572, 323)


def test_a_draw_of_equals_changes_no_mean() -> None:
    after = rate([Team(1, ("ann",)), Team(1, ("ben",))], {})
    assert after["ann"] == after["ben"]
    assert after["ann"].mu == NEW.mu
    assert after["ann"].sigma < NEW.sigma


@given(teams(), st.data())
def test_the_order_of_teams_and_people_does_not_matter(found: list[Team], data: st.DataObject) -> None:
    skills = skills_of(data, found)
    shuffled = [Team(team.rank, tuple(data.draw(st.permutations(team.people)))) for team in found]
    assert rate(data.draw(st.permutations(shuffled)), skills) == rate(found, skills)


@given(teams(), st.data())
def test_what_some_gain_others_lose_by_the_weight_of_what_is_known_of_them(
    found: list[Team], data: st.DataObject
) -> None:
    skills = skills_of(data, found)
    after = rate(found, skills)
    gains = [(after[team.people[0]].mu - skills[team.people[0]].mu) / widened(skills[team.people[0]]) for team in found]
    assert abs(sum(gains)) < 1e-9


@given(teams(), SKILLS)
def test_people_of_equal_skill_and_rank_in_teams_of_one_size_change_alike(found: list[Team], skill: Skill) -> None:
    alone = [Team(team.rank, team.people[:1]) for team in found]
    after = rate(alone, {who: skill for team in alone for who in team.people})
    for one in alone:
        for other in alone:
            if one.rank == other.rank:
                assert isclose(after[one.people[0]].mu, after[other.people[0]].mu, abs_tol=1e-9)


@given(teams(), st.data())
def test_nobody_becomes_less_certain_than_time_makes_them(found: list[Team], data: st.DataObject) -> None:
    skills = skills_of(data, found)
    for who, skill in rate(found, skills).items():
        assert skill.sigma**2 <= widened(skills[who]) + 1e-12


@given(SKILLS, SKILLS)
def test_a_winner_never_falls(winner: Skill, loser: Skill) -> None:
    after = rate([Team(1, ("ann",)), Team(2, ("ben",))], {"ann": winner, "ben": loser})
    assert after["ann"].mu >= winner.mu
    assert after["ben"].mu <= loser.mu


@pytest.mark.parametrize("size", [0, 1])
def test_fewer_than_two_teams_cannot_be_rated(size: int) -> None:
    with pytest.raises(ValueError, match="at least 2 teams"):
        rate([Team(1, ("ann",))][:size], {})
