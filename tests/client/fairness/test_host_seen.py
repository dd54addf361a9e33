"""A host's record over real sockets: what the program counts of a real server, and what that server claims."""

from __future__ import annotations

from pathlib import Path

from client.fairness.dice_round_check import Verdict
from client.fairness.host_record import MatchCounts
from protocol.wire import from_client as say
from protocol.wire.host_claim import HostClaim
from tests.support.clients.people import Person, duellists, rest_to_the_end, visitor
from tests.support.clients.wire import Running, duel, running


async def back(run: Running, before: Person) -> Person:
    """Start the program of the same person anew."""
    person = Person(run, before.profile.name, before.folder, before.profile)
    await person.arrived()
    return person


async def end_by_vote(ann: Person, ben: Person) -> None:
    """Have both vote to end the match, until it is over."""
    await ann.say(say.CallVote(what="end"))
    await ben.until(lambda: (view := ben.session.conversation.table) is not None and view.vote is not None)
    await ben.say(say.CastVote(yes=True))
    for person in (ann, ben):
        await person.checked()


def counts(person: Person) -> MatchCounts:
    return person.session.hosts.record.counts


async def test_a_match_played_to_its_end_counts_once_over_a_restart_of_the_program(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        async with duellists(run, tmp_path) as (ann, ben):
            assert counts(ann) == counts(ben) == MatchCounts(begun=1)
            assert ann.session.hosts.record.claim == HostClaim()
            await rest_to_the_end(ann, ben)
            await ann.checked()
            assert counts(ann) == MatchCounts(begun=1, ended=1)
            view = ann.session.conversation.table
            assert view is not None
        run.clock.advance(5)  # what Ann may say in one instant has been said
        again = await back(run, ann)
        assert counts(again) == MatchCounts(begun=1, ended=1)
        assert again.session.hosts.record.claim == HostClaim(begun=1, ended=1)
        await again.say(say.OpenTable(table=view.id))
        await again.checked()
        assert again.session.replays.finished_check is not None
        assert again.session.replays.finished_check.verdict is Verdict.CHECKED
        assert counts(again) == MatchCounts(begun=1, ended=1)
        await again.leave()


async def test_a_match_that_was_given_up_and_ended_by_vote_counts_as_both(tmp_path: Path) -> None:
    async with running(tmp_path, systems=duel(faulty=True)) as run, duellists(run, tmp_path) as (ann, ben):
        await ann.act("trip")
        await ann.until(lambda: ann.offers("yes"))
        run.clock.advance(700)
        await ann.until(lambda: counts(ann).given_up == 1)
        view = ann.session.conversation.table
        assert view is not None
        async with visitor(run, tmp_path, view.id) as eve:
            assert counts(eve) == MatchCounts(begun=1), "it was before they came"
            await end_by_vote(ann, ben)
            await eve.checked()
            assert counts(eve) == MatchCounts(begun=1, abandoned=1, given_up=1), "the record of the match tells"
        assert counts(ann) == counts(ben) == MatchCounts(begun=1, abandoned=1, given_up=1)


async def test_a_host_that_has_lost_its_matches_is_told_so(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    async with running(data) as run, duellists(run, tmp_path) as (ann, ben):
        await end_by_vote(ann, ben)
        again = await back(run, ann)
        assert again.session.hosts.record.claim == HostClaim(begun=1, abandoned=1)
        assert again.session.hosts.record.fallen == []
        await again.leave()
    for file in data.glob("eschaton.db*"):
        file.unlink()
    async with running(data) as run:
        ann.profile.tokens.clear()
        ann.file.keep()
        later = await back(run, ann)
        assert later.session.hosts.record.fallen == [("begun", 1, 0), ("abandoned", 1, 0)]
        assert counts(later) == MatchCounts(begun=1, abandoned=1)
        await later.leave()
