"""Bounds count what is taken and held, by person, address and in all, and name themselves."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from protocol.limits import Bucket, HoldLimits, Limits, Rate, Rates
from protocol.token_buckets import PerKey
from server.runtime.bounds import Asker, MemoryBounds, RateWindow, span_text
from server.runtime.refusals import Refused
from server.runtime.texts import ENGLISH
from tests.support.doubles.clock import JumpingClock

ANN, BEN = Asker("ann", "10.0.0.1"), Asker("ben", "10.0.0.1")
FAR = Asker("far", "10.0.0.2")


def bounded(clock: JumpingClock, **limits: Rates | HoldLimits) -> MemoryBounds:
    return MemoryBounds(Limits(**limits), clock)  # type: ignore[arg-type]


def refused(work: Callable[[], None]) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as found:
        work()
    return found.value.code, dict(found.value.text.a)


def test_a_rate_is_bounded_by_person_address_and_in_all() -> None:
    clock = JumpingClock()
    bounds = bounded(clock, openings=Rates(Rate(2, 3600), Rate(3, 3600), Rate(4, 3600)))
    for asker in (ANN, ANN):
        bounds.spend("openings", asker)
    code, about = refused(lambda: bounds.spend("openings", ANN))
    assert (code, about["most"], about["span"]) == ("bound/openings-person", 2, "60 min")
    bounds.spend("openings", BEN)
    assert refused(lambda: bounds.spend("openings", BEN))[0] == "bound/openings-address"
    bounds.spend("openings", FAR)
    assert refused(lambda: bounds.spend("openings", FAR))[0] == "bound/openings-server"
    # what was refused has taken nothing
    clock.advance(3600 * 25 / 24)
    for asker in (ANN, ANN, BEN, FAR):
        bounds.spend("openings", asker)


def test_what_people_start_together_counts_once_for_each_of_them_their_address_and_in_all() -> None:
    openings, starts = Rates(Rate(9, 60), Rate(9, 60), Rate(9, 60)), Rates(Rate(2, 60), Rate(3, 60), Rate(4, 60))
    bounds = bounded(JumpingClock(), openings=openings, starts=starts)
    for _ in range(2):
        bounds.spend_together(["openings", "starts"], [ANN, BEN, FAR])
    assert refused(lambda: bounds.spend_together(["openings", "starts"], [FAR]))[0] == "bound/starts-person"
    cid, dan = Asker("cid", ANN.address), Asker("dan", ANN.address)
    bounds.spend("starts", cid)
    code = refused(lambda: bounds.spend_together(["openings", "starts"], [Asker("eve", "10.0.0.3"), dan]))[0]
    assert code == "bound/starts-address"
    bounds.spend("starts", Asker("eve", "10.0.0.3"))
    # what was refused has taken nothing of the other rate
    bounds.spend("openings", FAR, 7)
    assert refused(lambda: bounds.spend("openings", FAR))[0] == "bound/openings-person"


def test_who_waits_as_long_as_told_is_let_through() -> None:
    clock = JumpingClock()
    bounds = bounded(clock, talk=Rates(Rate(5, 60)))
    for _ in range(5):
        bounds.spend("talk", ANN)
        clock.advance(7)
    about = refused(lambda: bounds.spend("talk", ANN))[1]
    seconds = int(str(about["wait"]).removesuffix(" s"))
    clock.advance(seconds - 3)
    assert refused(lambda: bounds.spend("talk", ANN))[0] == "bound/talk-person"
    clock.advance(3)
    bounds.spend("talk", ANN)


@given(st.lists(st.tuples(st.floats(0, 30), st.floats(0.1, 4)), min_size=1, max_size=80))
def test_no_span_ever_has_more_than_the_rate(asked: list[tuple[float, float]]) -> None:
    window, now = RateWindow(Rate(10, 60)), 1000.0
    taken: list[tuple[float, float]] = []
    for pause, amount in asked:
        now += pause
        if window.left(now) >= amount:
            window.take(now, amount)
            taken.append((now, amount))
        assert sum(amount for at, amount in taken if now - 60 < at) <= 10 + 1e-6
        if window.left(now) < amount:
            wait = window.wait(now, amount)
            assert 0 < wait <= 60 * 25 / 24 + 1e-6


def test_a_window_of_somebody_who_took_little_is_small() -> None:
    windows = PerKey(lambda _: RateWindow(Rate(10, 3600)))
    tracemalloc.start()
    try:
        for number in range(1000):
            windows.of(str(number), 0.0).take(0.0, 1.0)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used < 700 * 1000


def test_a_charge_beyond_the_rate_is_made_good_before_anything_else() -> None:
    clock = JumpingClock()
    bounds = bounded(clock, questions=Rates(Rate(1, 60)))
    bounds.afford("questions", ANN)
    bounds.charge("questions", ANN, 5.0)
    assert refused(lambda: bounds.afford("questions", ANN))[0] == "bound/questions-person"
    bounds.afford("questions", BEN)
    clock.advance(63)
    bounds.afford("questions", ANN)


def test_one_that_is_larger_than_the_rate_passes_alone() -> None:
    bounds = bounded(JumpingClock(), replays=Rates(Rate(4, 60)))
    bounds.spend("replays", ANN, 9)
    assert refused(lambda: bounds.spend("replays", ANN, 1))[0] == "bound/replays-person"


def test_what_is_held_is_bounded_until_it_is_released() -> None:
    bounds = bounded(JumpingClock(), seats_held=HoldLimits(2, 3, 4))
    for thing, asker in (("a", ANN), ("b", ANN), ("c", BEN)):
        bounds.check("seats", asker)
        bounds.hold("seats", thing, *asker)
    assert refused(lambda: bounds.check("seats", ANN)) == ("bound/seats-person", {"most": 2})
    assert refused(lambda: bounds.check("seats", BEN)) == ("bound/seats-address", {"most": 3})
    bounds.hold("seats", "d", *FAR)
    assert refused(lambda: bounds.check("seats", FAR)) == ("bound/seats-server", {"most": 4})
    # it changes hands, and is held from where it was
    bounds.hold("seats", "a", "far")
    assert refused(lambda: bounds.check("seats", BEN))[0] == "bound/seats-address"
    for thing in ("a", "b", "c", "d", "d"):
        bounds.release("seats", thing)
    bounds.check("seats", ANN)


def test_every_bound_has_a_sentence_that_names_it_and_says_what_to_do() -> None:
    kinds: dict[str, tuple[str, ...]] = dict.fromkeys(Limits().rates(), ("{most}", "{span}", "{wait}"))
    kinds |= dict.fromkeys(Limits().held(), ("{most}",))
    for kind, blanks in kinds.items():
        for scope in ("person", "address", "server"):
            words = ENGLISH[f"problem.bound/{kind}-{scope}"]
            assert all(blank in words for blank in blanks), words
            assert words.count(". ") >= 1


def test_spans_are_rounded_up() -> None:
    assert [span_text(seconds) for seconds in (0, 59.2, 120, 7199, 9e4)] == ["1 s", "60 s", "2 min", "120 min", "25 h"]


def test_guesses_are_counted_for_each_kind_and_for_everyone_who_guesses() -> None:
    clock = JumpingClock()
    bounds = MemoryBounds(Limits(code_tries=Bucket(1 / 60, 2)), clock)
    assert [bounds.guess("seat-code", "ann", "10.0.0.1") for _ in range(3)] == [True, True, False]
    assert not bounds.guess("seat-code", "ben", "10.0.0.1")
    assert bounds.guess("password-account", "ann")
    clock.advance(60)
    assert bounds.guess("seat-code", "ann", "10.0.0.1")
