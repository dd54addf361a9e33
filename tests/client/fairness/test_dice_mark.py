"""The mark of a table's dice: its four states beside the verdicts, and the lines of the page behind it."""

from __future__ import annotations

import errno
from typing import ClassVar

import pytest
from msgspec.structs import replace

from client.fairness.dice_mark import DiceMark
from client.fairness.dice_page import ROUNDS, PageLine, table_lines
from client.fairness.dice_round_check import Verdict
from client.text.texts import Texts
from protocol.fairness.contributor import MemoryChains, OwnEntropyChain
from protocol.fairness.round_parts import MarkState
from protocol.proof.facts import Begun
from protocol.text import text
from protocol.wire.from_server import Problem
from tests.support.clients.dice.contributing import HOLDERS
from tests.support.fairness.dice_marks import seen
from tests.support.fairness.entropy_match import EntropyMatch

FIVE = ("person", "person", "bot", "person", "empty")


def words(mark: DiceMark) -> str:
    return Texts().say(mark.sentence)


def lines(mark: DiceMark) -> list[str]:
    return [Texts().say(line.words) for line in table_lines(mark)]


def loud(mark: DiceMark) -> list[str]:
    return [Texts().say(line.words) for line in table_lines(mark) if line.is_loud]


def below(mark: DiceMark, round: int) -> list[str]:
    """Return the lines below a round's own."""
    told: list[PageLine] = table_lines(mark)
    start = next(
        n for n, line in enumerate(told) if line.words.k == "fair.page.round" and line.words.a["round"] == round
    )
    end = next((n for n in range(start + 1, len(told)) if not told[n].is_below), len(told))
    return [Texts().say(line.words) for line in told[start + 1 : end]]


def match_of(*rounds: tuple[int, ...], holders: tuple[str, ...] = FIVE) -> EntropyMatch:
    """Play a match with a round for each of these, without the parts of the seats that it names, and one more that
    runs."""
    match = EntropyMatch(holders)
    match.open(rounds[0])
    for missing in (*rounds[1:], ()):
        match.round(missing)
    return match


def test_with_ones_part_in_and_nobody_missing_nobody_could_choose() -> None:
    match = match_of((), ())
    mark = seen(match, 0, match.programs[0])
    assert mark.sign is MarkState.YOURS
    assert words(mark) == "Nobody could choose these dice (round 2)."
    assert Texts().say(mark.line) == "round 2 checked: nobody could choose its dice"
    assert below(mark, 2) == ["Parts: you in, Bea in, Cyd bot, Dee in, Eve no program"]


def test_with_ones_part_in_the_host_and_those_missing_could_choose_so_far() -> None:
    match = match_of((), (1, 3))
    mark = seen(match, 0, match.programs[0])
    assert mark.sign is MarkState.BUT
    assert words(mark) == (
        "These could have, this far: the host, Bea and Dee could have chosen among 4 sets of dice (round 2)."
    )
    assert below(mark, 2)[0] == "Parts: you in, Bea missing, Cyd bot, Dee missing, Eve no program"
    assert below(mark, 3)[0] == "Parts: you in, Bea sitting out, Cyd bot, Dee sitting out, Eve no program"


def test_a_given_up_act_is_told_and_is_a_choice_of_the_host_alone() -> None:
    match = match_of(())
    match.give_up()
    match.round()
    mark = seen(match, 0, match.programs[0])
    assert mark.sign is MarkState.BUT
    assert words(mark) == "These could have, this far: the host could have chosen among 2 sets of dice (round 2)."
    assert "The host gave up an act in round 2 after a fault; its dice stay spent." in below(mark, 2)


def test_an_older_part_says_how_old_it_is_and_all_choices_since() -> None:
    match = match_of((), (0,), ())
    mark = seen(match, 0, match.programs[0])
    assert mark.sign is MarkState.OLDER
    assert words(mark) == (
        "These could have, this far: the host could have chosen among 2 sets of dice: "
        "your last part was 2 rounds ago (round 3)."
    )
    assert below(mark, 3)[0].startswith("Parts: you sitting out, ")


def test_without_a_part_the_dice_rest_on_others_by_name() -> None:
    match = match_of((), ())
    mark = seen(match, -1)
    assert mark.sign is MarkState.NOT
    assert words(mark) == (
        "These could have, this far: they rest on the programs of Ada, Bea and Dee, "
        "and with all of them the host could have chosen any dice (round 2)."
    )
    assert below(mark, 2) == [
        "Parts: Ada in, Bea in, Cyd bot, Dee in, Eve no program",
        "rests on the programs of Ada, Bea and Dee",
    ]
    alone = match_of((1, 3), (1, 3), (3,))
    assert "rests on the program of Ada" in below(seen(alone, -1), 1)
    assert "no player's program had a part" in below(seen(match_of((), holders=("bot",) * 3), -1), 1)


@pytest.mark.parametrize("seat", [0, -1])
def test_where_no_program_has_a_part_the_line_names_the_host_alone(seat: int) -> None:
    holders = ("person", "bot", "bot") if seat >= 0 else ("bot",) * 3
    match = EntropyMatch(holders, parts=False)
    match.round()
    assert Texts().say(seen(match, seat).line) == "round 1 checked: its dice are the host's alone"
    beside = match_of((0,), (0,))
    assert Texts().say(seen(beside, 0).line) == "round 2 checked, but it rests on others, not on you"


def test_a_newer_chain_at_ones_own_seat_is_told_and_its_parts_are_not_ones_own() -> None:
    match = match_of((), ())
    own = match.programs[0]
    match.tip(0)
    for _ in range(3):
        match.round()
    mark = seen(match, 0, own)
    # this program's own chain has ended: the next one is not in the record yet
    assert mark.sign is MarkState.NOT
    assert any(line.startswith("Another program speaks for your seat since round 3") for line in loud(mark))
    assert below(mark, 5)[0].startswith("Parts: your seat in, ")
    assert loud(seen(match, 0, match.programs[0]))[0].startswith("Another program, or yours before")


def test_ones_own_chain_is_no_other_program() -> None:
    match = match_of((), ())
    assert loud(seen(match, 0, match.programs[0])) == []
    assert loud(seen(match, -1)) == []


def test_what_does_not_hold_is_not_to_be_trusted() -> None:
    match = match_of((), ())
    facts = match.facts(0)
    last = max(n for n, fact in enumerate(facts) if isinstance(fact, Begun))
    begun = facts[last]
    assert isinstance(begun, Begun)
    withheld = seen(match, 0, match.programs[0], [*facts[:last], replace(begun, seed=b""), *facts[last + 1 :]])
    assert withheld.sign is Verdict.UNPROVEN
    assert words(withheld) == "Do not trust these: unproven: the host has not opened the seed of round 2"
    wrong = seen(match, 0, match.programs[0], [*facts[:last], replace(begun, seed=bytes(32)), *facts[last + 1 :]])
    assert wrong.sign is Verdict.WRONG
    assert words(wrong).startswith("Do not trust these: WRONG: ")
    running = seen(EntropyMatch(), 0, None, EntropyMatch().facts())
    assert running.sign is Verdict.RUNNING
    assert words(running) == "round 0 is running"


class FullDisk(MemoryChains):
    """Store that keeps nothing."""

    error: ClassVar = OSError(errno.ENOSPC, "No space left on device")

    def save(self, host: bytes, chain: OwnEntropyChain, before: OwnEntropyChain | None) -> bool:
        raise self.error


def test_a_part_that_cannot_be_kept_or_is_refused_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_of((), ())
    monkeypatch.setattr("tests.support.fairness.dice_marks.MemoryChains", FullDisk)
    mark = seen(match, 0)
    assert loud(mark)[0] == "Your program cannot keep its part, so it gives none: No space left on device"
    monkeypatch.undo()
    mark = seen(match, 0, match.programs[0])
    mark.table_check.hear(Problem("entropy/known", text("no")))
    assert loud(mark) == ["The host refused your program's part in round 3."]
    mark.table_check.hear(Problem("entropy/late", text("late")))
    assert loud(mark) == ["The host says that your program's part came too late in round 3."]


def test_a_table_without_parts_says_so() -> None:
    match = EntropyMatch(parts=False)
    match.round()
    mark = seen(match, 0)
    assert loud(mark) == ["Nobody's program can add to the dice of this table."]
    assert "the host could have chosen any dice" in words(mark)


def test_the_newest_word_is_a_line_to_read_aloud() -> None:
    match = match_of((), ())
    check = seen(match, 0, match.programs[0]).table_check.check
    assert check is not None
    told = lines(seen(match, 0, match.programs[0]))
    assert f"Read aloud: “My word of round 2 is {check.rounds[2].word}.”" in told
    # a spectator has the same
    assert f"Read aloud: “My word of round 2 is {check.rounds[2].word}.”" in lines(seen(match, -1))


def test_of_many_rounds_the_newest_are_listed_and_the_others_counted() -> None:
    match = match_of(*[()] * (ROUNDS + 3), holders=HOLDERS)
    told = table_lines(seen(match, 0, match.programs[0]))
    assert sum(line.words.k == "fair.page.round" for line in told) == ROUNDS
    assert "4 earlier rounds are not listed here." in [Texts().say(line.words) for line in told]


def test_seats_that_share_a_name_or_have_none_are_told_by_number() -> None:
    match = match_of((), (1, 3))
    mark = seen(match, 0, match.programs[0], names=("Ada", "Bea", "", "Bea", "", ""))
    assert (
        below(mark, 2)[0] == "Parts: you in, Bea (seat 2) missing, seat 3 bot, Bea (seat 4) missing, seat 5 no program"
    )
