"""Test 43: a host that cheats is found out by the clients at its table, at once or when the match is over, or the
match reads unproven. Each server here really plays, with real clients, over real sockets."""

from __future__ import annotations

import shutil
from copy import deepcopy
from pathlib import Path

import pytest

from client.fairness import receipts_check, verify
from client.fairness.dice_round_check import Verdict
from client.fairness.receipts import read
from client.storage.profile import UserProfile, profile_path
from protocol.fairness.round_parts import MarkState
from protocol.ids import TableId, table_of
from protocol.wire import from_client as say
from server.match.entropy import WAIT_SECONDS
from tests.support.clients.people import Person, duellists, mark, rest_to_the_end, strike, visitor
from tests.support.clients.wire import Running, running
from tests.support.doubles.clock import ImpatientClock
from tests.support.faults.hostile import cheats

Patch = pytest.MonkeyPatch


async def a_round(ann: Person, ben: Person) -> None:
    """Two blows and two cards; then the second round begins."""
    await ann.act("draw")
    await strike(ann, ben, 1)
    await strike(ben, ann, 0)


def hurried() -> ImpatientClock:
    """A clock for programs that find their host out: they add to no round any more, and each would wait for them."""
    return ImpatientClock(WAIT_SECONDS)


EVERYONE = ("ann", "ben", "eve")


async def live(folder: Path, why: str, verdict: Verdict, by: tuple[str, ...] = EVERYONE, rounds: int = 1) -> None:
    """Both players and a spectator find out for themselves once so many rounds have ended."""
    async with (
        running(folder) as run,
        duellists(run, folder) as (ann, ben),
        visitor(run, folder, table_of(ann.check.match)) as eve,
    ):
        for _ in range(rounds):
            await a_round(ann, ben)
        people = {"ann": ann, "ben": ben, "eve": eve}
        for name in by:
            person = people[name]
            await person.until(lambda person=person: person.verdict is verdict)  # type: ignore[misc]  # a default has no type
            assert person.check.why.k == why
            assert verdict is not Verdict.WRONG or any("WRONG" in line for line in person.log)


async def test_a_roll_that_is_rolled_again_is_found_when_its_round_ends(tmp_path: Path, monkeypatch: Patch) -> None:
    cheats.with_dice(cheats.ReRolling)(monkeypatch)
    await live(tmp_path, "fair.roll_wrong", Verdict.WRONG)


async def test_a_number_that_is_used_again_is_found_at_once(tmp_path: Path, monkeypatch: Patch) -> None:
    cheats.reusing_numbers(monkeypatch)
    await live(tmp_path, "fair.roll_order", Verdict.WRONG)


async def test_a_swapped_card_is_found_at_once(tmp_path: Path, monkeypatch: Patch) -> None:
    cheats.with_dice(cheats.SwappingCards)(monkeypatch)
    await live(tmp_path, "fair.card_wrong", Verdict.WRONG)


async def test_a_round_whose_seed_is_withheld_reads_unproven(tmp_path: Path, monkeypatch: Patch) -> None:
    cheats.with_dice(cheats.Withholding)(monkeypatch)
    await live(tmp_path, "fair.withheld", Verdict.UNPROVEN)


async def test_a_program_whose_seat_the_host_speaks_for_reads_that_the_dice_are_not_its_own(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    cheats.replacing_parts(0)(monkeypatch)
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        for round in (1, 2):
            for person in (ann, ben):
                await person.until(lambda person=person: person.check.round == round)  # type: ignore[misc]  # noqa: B023
            assert mark(ann, round).whose is MarkState.NOT
            assert 0 in mark(ann, round).chosen
            assert mark(ben, round).whose is MarkState.YOURS
            await a_round(ann, ben)


async def test_a_part_that_was_given_and_left_out_is_a_choice_that_everyone_reads(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    cheats.dropping_parts(0, 2)(monkeypatch)
    async with (
        running(tmp_path) as run,
        duellists(run, tmp_path) as (ann, ben),
        visitor(run, tmp_path, table_of(ann.check.match)) as eve,
    ):
        await a_round(ann, ben)
        for person in (ann, ben, eve):
            await person.until(lambda person=person: person.check.round == 2)  # type: ignore[misc]  # a default has no type
            assert person.check.parts.rounds[2].missing == (0,)
        assert (mark(ann, 1).whose, mark(ben, 1).whose) == (MarkState.YOURS, MarkState.YOURS)
        assert mark(ann, 2)[:3] == (MarkState.OLDER, 1, 1)
        assert mark(ben, 2)[:2] == (MarkState.BUT, 1)
        assert mark(eve, 2)[:4] == (MarkState.NOT, 0, 0, (1,))


async def test_an_act_that_was_acknowledged_and_dropped_is_found_by_its_receipt(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    cheats.dropping("focus")(monkeypatch)
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        await ann.act("focus")
        await rest_to_the_end(ann, ben)
        await ann.checked()
        await ben.checked()
        found, other = ann.session.replays.finished_check, ben.session.replays.finished_check
        assert found is not None
        assert found.verdict is Verdict.WRONG
        assert "the log lacks it" in ann.session.texts.say(found.why)
        # the replay alone is whole: without the receipt nobody could tell
        assert other is not None
        assert other.verdict is Verdict.CHECKED


async def test_a_sealed_answer_that_was_exchanged_is_found_by_its_receipt(tmp_path: Path, monkeypatch: Patch) -> None:
    cheats.exchanging_answers(1)(monkeypatch)
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        await ann.act("strike", target=["seat/1"])
        await ben.act("yes")
        await rest_to_the_end(ann, ben)
        await ben.checked()
        found = ben.session.replays.finished_check
        assert found is not None
        assert found.verdict is Verdict.WRONG
        assert "the sealed answer of seat 1" in ben.session.texts.say(found.why)


async def found_after(person: Person, *words: str) -> None:
    """The check after the match says that these words are wrong."""
    await person.checked()
    found = person.session.replays.finished_check
    assert found is not None
    assert found.verdict is Verdict.WRONG
    assert all(word in person.session.texts.say(found.why) for word in words)


async def test_an_act_that_was_exchanged_for_another_is_found_by_its_receipt(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    cheats.exchanging_acts("focus", "draw")(monkeypatch)
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        await ann.act("focus")
        await rest_to_the_end(ann, ben)
        await found_after(ann, "the act of seat 0", "another one")


async def test_an_answer_that_is_lost_as_if_time_had_run_out_is_found_live_and_by_receipts(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    cheats.losing_answers(1)(monkeypatch)
    async with running(tmp_path, clock=hurried()) as run, duellists(run, tmp_path) as (ann, ben):
        await ann.act("strike", target=["seat/1"])
        await ben.act("yes")
        await ben.let_pass(60, lambda: ben.verdict is Verdict.WRONG)
        assert ben.check.why.k == "fair.answer_expired"
        monkeypatch.undo()
        await rest_to_the_end(ann, ben)
        await found_after(ben, "two things of question 0", "proof")


async def test_one_who_is_told_of_lost_time_and_finds_an_answer_in_the_record_has_proof(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    cheats.answering_for(1, "yes")(monkeypatch)
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        await ann.act("strike", target=["seat/1"])
        await ben.until(lambda: ben.offers("yes"))
        await ben.let_pass(60, lambda: ben.offers("strike"))
        await rest_to_the_end(ann, ben)
        await found_after(ben, "time ran out for seat 1", "the log lacks it")
        await ann.checked()


async def test_a_host_that_takes_a_second_answer_has_signed_both(tmp_path: Path, monkeypatch: Patch) -> None:
    cheats.replacing_answers(monkeypatch)
    async with running(tmp_path, clock=hurried()) as run, duellists(run, tmp_path, reaction_seconds=5) as (ann, ben):
        await ann.act("strike", target=["seat/1"])
        await ben.act("yes")
        await ben.act("no")
        assert (ben.verdict, ben.check.why.k) == (Verdict.WRONG, "fair.two_answers")
        await ben.let_pass(5, lambda: ben.offers("rest"))
        await rest_to_the_end(ann, ben)
        await found_after(ben, "two things of question 0")


async def test_a_host_that_acknowledges_without_a_receipt_reads_unproven_at_once(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    cheats.signing_nothing(monkeypatch)
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, _):
        await ann.act("focus")
        assert ann.session.table_check.verdict is Verdict.UNPROVEN
        assert ann.session.table_check.why.k == "fair.no_receipts"


async def test_a_secret_that_is_never_opened_leaves_the_match_unproven(tmp_path: Path, monkeypatch: Patch) -> None:
    cheats.keeping_the_secret(monkeypatch)
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        await rest_to_the_end(ann, ben)
        for person in (ann, ben):
            await person.checked()
            after = person.session.replays.finished_check
            assert after is not None
            assert (after.verdict, after.why.k) == (Verdict.UNPROVEN, "fair.after.closed")


async def test_a_host_that_goes_back_and_plays_on_otherwise_is_found_live_and_by_receipts(tmp_path: Path) -> None:
    """The host drops Ann's blow with a copy of its data from before."""
    data, copy, table, profiles = await begun_and_copied(tmp_path)
    async with running(data) as run:
        ann, ben = await back(run, tmp_path, table, profiles)
        await strike(ann, ben, 1)
        await ann.until(lambda: bool(ann.check.rounds[1].rolls))
        await left(ann, ben)
    shutil.rmtree(data)
    copy.rename(data)
    async with running(data, clock=hurried()) as run:
        ann, ben = await back(run, tmp_path, table, profiles)
        assert ann.verdict is not Verdict.WRONG
        await ann.act("draw")
        await ann.until(lambda: ann.verdict is Verdict.WRONG)
        assert ann.check.why.k in ("fair.two_stories", "fair.two_heads")
        await rest_to_the_end(ann, ben)
        await ann.checked()
        after = ann.session.replays.finished_check
        assert after is not None
        assert after.verdict is Verdict.WRONG
        await left(ann, ben)


async def begun_and_copied(folder: Path) -> tuple[Path, Path, TableId, tuple[UserProfile, UserProfile]]:
    """A match that has begun: the host's data and a copy of it, the table, and the profiles of Ann and Ben then."""
    data, copy = folder / "data", folder / "copy"
    data.mkdir()
    async with running(data) as run, duellists(run, folder) as (ann, ben):
        table, profiles = table_of(ann.check.match), (ann.profile, ben.profile)
    shutil.copytree(data, copy)
    return data, copy, table, profiles


async def back(
    run: Running, folder: Path, table: TableId, profiles: tuple[UserProfile, UserProfile]
) -> tuple[Person, Person]:
    """Ann and Ben start their programs again, and open the table. A host with older data knows older tokens: to it
    they come with the profiles of that time."""
    people = []
    for name, profile in zip(("Ann", "Ben"), profiles, strict=True):
        place = folder / name.lower() / "default"
        profile_path(name, place).unlink(missing_ok=True)
        people.append(Person(run, name, place, deepcopy(profile)))
    for person in people:
        await person.arrived()
        await person.say(say.OpenTable(table=table))
        await person.told()
    return people[0], people[1]


async def left(*people: Person) -> None:
    for person in people:
        await person.leave()


async def test_two_people_who_were_shown_two_histories_prove_it_together(tmp_path: Path) -> None:
    """Ben was shown the blow that the host then took back; each has receipts that fit what he was shown."""
    data, copy, table, profiles = await begun_and_copied(tmp_path)
    shutil.copytree(tmp_path / "ann", tmp_path / "ann-before")
    async with running(data) as run:
        ann, ben = await back(run, tmp_path, table, profiles)
        await strike(ann, ben, 1)
        await left(ann, ben)
    shutil.rmtree(data)
    copy.rename(data)
    shutil.rmtree(tmp_path / "ann")
    (tmp_path / "ann-before").rename(tmp_path / "ann")
    async with running(data) as run:
        ann, ben = await back(run, tmp_path / "other", table, profiles)
        await ann.act("focus")
        await ann.act("focus")
        await ann.act("focus")
        await left(ann, ben)
    [shown_to_ann] = (tmp_path / "other" / "ann").glob("*/*.receipts")
    [shown_to_ben] = (tmp_path / "ben").glob("*/*.receipts")
    kept = [read(path.read_bytes()) for path in (shown_to_ann, shown_to_ben)]
    with pytest.raises(verify.VerificationFailed, match="proof against it"):
        receipts_check.check_each_other(kept)
