"""A host's record: each match counts once, whatever comes between; the host's claim stands beside it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from client.fairness.dice_round_check import Verdict
from client.fairness.host_book import HostBook
from client.fairness.host_record import (
    ABANDONED,
    BOTS,
    ENDED,
    MOST_CLAIMED,
    MOST_HOSTS,
    MOST_MATCHES,
    HostRecord,
    MatchCounts,
)
from client.views.lobby.host_line import details, summary
from protocol.ids import MatchId
from protocol.wire.host_claim import HostClaim

MATCH = MatchId("m1")
MATCH_2 = MatchId("m2")

KEY, OTHER = b"a" * 32, b"b" * 32
DAY = date(2026, 11, 22)


def today() -> date:
    return DAY


def test_a_match_counts_once_however_often_it_is_seen() -> None:
    record = HostRecord()
    assert record.begin(MATCH)
    assert not record.begin(MATCH)
    assert record.counts == MatchCounts(begun=1)
    assert record.counts.unseen == 1
    assert record.end(MATCH, ENDED)
    assert not record.end(MATCH, ABANDONED)
    assert not record.begin(MATCH)
    assert record.counts == MatchCounts(begun=1, ended=1)
    assert record.counts.unseen == 0


def test_a_match_that_was_never_seen_live_does_not_count() -> None:
    record = HostRecord()
    assert not any((record.end(MATCH, ENDED), record.give_up(MATCH), record.note_verdict(MATCH, Verdict.WRONG)))
    assert record.counts == MatchCounts()


def test_each_end_and_each_finding_has_its_own_count() -> None:
    record = HostRecord()
    for number, how in enumerate((ENDED, ABANDONED, BOTS, ""), start=1):
        id = MatchId(f"m{number}")
        record.begin(id)
        if how:
            record.end(id, how)
    record.note_verdict(MATCH, Verdict.UNPROVEN)
    record.note_verdict(MATCH_2, Verdict.WRONG)
    record.note_verdict(MatchId("m3"), Verdict.CHECKED)
    assert record.give_up(MatchId("m4"))
    assert not record.give_up(MatchId("m4"))
    assert record.counts == MatchCounts(4, 1, 1, 1, 1, 1, 1)
    assert summary(record) == (
        "Seen of this host: 4 matches, 1 played to the end, 1 abandoned, 1 left to bots, 1 not seen to the end, "
        "1 with an act given up, 1 unproven, 1 WRONG."
    )


def test_a_proof_comes_late_but_wrong_stays_wrong() -> None:
    record = HostRecord()
    record.begin(MATCH)
    assert record.note_verdict(MATCH, Verdict.UNPROVEN)
    assert record.note_verdict(MATCH, Verdict.CHECKED)
    assert record.counts == MatchCounts(begun=1)
    record.note_verdict(MATCH, Verdict.WRONG)
    assert not record.note_verdict(MATCH, Verdict.CHECKED)
    assert record.counts == MatchCounts(begun=1, wrong=1)


def test_matches_beyond_those_known_one_by_one_stay_in_the_sums() -> None:
    record = HostRecord()
    for number in range(2 * MOST_MATCHES):
        record.begin(MatchId(f"m{number}"))
        record.end(MatchId(f"m{number}"), ENDED)
    assert len(record.matches) == MOST_MATCHES
    assert record.counts == MatchCounts(begun=2 * MOST_MATCHES, ended=2 * MOST_MATCHES)


def test_a_claim_that_falls_is_said_until_it_is_up_again() -> None:
    record = HostRecord()
    assert not record.note_claim(None)
    assert record.note_claim(HostClaim(begun=10, ended=7, abandoned=2))
    assert not record.note_claim(HostClaim(begun=10, ended=7, abandoned=2))
    assert record.fallen == []
    record.note_claim(HostClaim(begun=11, ended=9, abandoned=1))
    assert record.fallen == [("abandoned", 2, 1)]
    assert summary(record).startswith("This host's claim has fallen.")
    assert "Its claim has fallen: matches abandoned are 1 now, and were 2 once." in details(record, KEY)
    record.note_claim(HostClaim(begun=12, ended=9, abandoned=2))
    assert record.fallen == []
    assert record.highest == HostClaim(begun=12, ended=9, abandoned=2)
    record.note_claim(None)
    assert [name for name, _, _ in record.fallen] == ["begun", "ended", "abandoned"]


def test_numbers_that_no_host_has_are_bounded() -> None:
    record = HostRecord()
    record.note_claim(HostClaim(begun=2**62, ended=-5))
    assert record.claim == HostClaim(begun=MOST_CLAIMED)


def test_the_book_is_the_same_after_the_program_was_closed(tmp_path: Path) -> None:
    book = HostBook(tmp_path / "hosts-default.json", today)
    assert book.of(KEY).counts == MatchCounts()
    book.note(KEY, lambda record: record.begin(MATCH))
    book.note(KEY, lambda record: record.note_claim(HostClaim(3)))
    book.note(OTHER, lambda record: record.begin(MATCH))
    again = HostBook(tmp_path / "hosts-default.json", today)
    assert again.of(KEY) == book.of(KEY)
    assert (again.of(KEY).since, again.of(KEY).claim, again.of(OTHER).counts) == (
        "2026-11-22",
        HostClaim(3),
        MatchCounts(1),
    )
    assert [path.name for path in tmp_path.iterdir()] == ["hosts-default.json"]


def test_two_windows_with_one_profile_lose_nothing(tmp_path: Path) -> None:
    one, other = HostBook(tmp_path / "hosts.json", today), HostBook(tmp_path / "hosts.json", today)
    one.note(KEY, lambda record: record.begin(MATCH))
    other.note(KEY, lambda record: record.begin(MATCH_2))
    one.note(KEY, lambda record: record.end(MATCH, ENDED))
    assert HostBook(tmp_path / "hosts.json", today).of(KEY).counts == MatchCounts(begun=2, ended=1)


def test_of_many_hosts_those_met_last_are_kept(tmp_path: Path) -> None:
    book = HostBook(None, today)
    for number in range(MOST_HOSTS):
        book.note(number.to_bytes(32, "big"), lambda record: record.begin(MATCH))
    book.note(bytes(32), lambda record: record.begin(MATCH_2))
    book.note(KEY, lambda record: record.begin(MATCH))
    assert book.of(bytes(32)).counts == MatchCounts(begun=2)
    assert book.of((1).to_bytes(32, "big")).counts == MatchCounts()
    assert book.of(KEY).counts == MatchCounts(begun=1)


@pytest.mark.parametrize("damage", [b"", b"{", b'{"x": 5}', b"\xff\xfe"])
def test_a_damaged_book_is_put_aside(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "hosts-default.json"
    path.write_bytes(damage)
    book = HostBook(path, today)
    book.note(KEY, lambda record: record.begin(MATCH))
    assert path.with_suffix(".old").read_bytes() == damage
    assert HostBook(path, today).of(KEY).counts == MatchCounts(begun=1)


def test_a_book_that_cannot_be_written_says_why_and_harms_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    book = HostBook(tmp_path / "file" / "hosts.json", today)
    book.note(KEY, lambda record: record.begin(MATCH))
    assert book.problem
    book.note(KEY, lambda record: record.end(MATCH, ENDED))
    assert book.of(KEY).counts == MatchCounts(begun=1, ended=1)
