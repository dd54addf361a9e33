"""A host that owns its secret, its log and its friend tries to choose the dice of a round (issue's attacks A to J).

Each attack works as far as the arithmetic goes: the host gets the dice that it wants in a history of its own. What is
held is that no program reads that history as its own fair dice.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from client.storage.entropy_files import EntropyFiles
from engine.core.rules.errors import IllegalIntent
from protocol.fairness.entropy_chain import opening_text
from protocol.fairness.round_parts import MarkState, RoundMark
from protocol.fairness.signatures import is_signed
from protocol.ids import MatchId
from protocol.proof.facts import GivenUp, Tipped
from protocol.wire.from_server import EntropyWanted
from tests.support.chosen_dice.host import (
    ANN,
    BEN,
    FRIEND,
    MATCH,
    WANTED,
    Host,
    Parts,
    ShortChain,
    ground,
    mixed_with,
)
from tests.support.chosen_dice.program import Program
from tests.support.chosen_dice.table import AtTable, at_table
from tests.support.chosen_dice.throws import Throw
from tests.support.fairness.signing import HOST


def test_nobody_could_choose_where_everybody_does_as_they_should() -> None:
    table = at_table(3)
    assert [table.ann.mark(round).whose for round in (1, 2, 3)] == [MarkState.YOURS] * 3
    assert table.ann.mark(0).whose is MarkState.NOT
    assert not table.ann.is_wrong


# A: the part first, then the friend's tip, ground for the dice that are wanted


def ground_afterwards(table: AtTable, version: int) -> tuple[Host, ShortChain]:
    """The part of Ann's program is known: back to before the friend's tip, and on with one that gives 6, 6, 6."""
    known = table.ann.parts_given[-1]
    other = table.host.back_at(version)

    def pleases(chain: ShortChain) -> bool:
        return other.foretold({ANN: known.link, FRIEND: chain.link(known.round)}) == WANTED

    friend = ground(other.origin, pleases)
    other.log_tip(FRIEND, friend.tip)
    return other, friend


def chosen_in_round_1() -> tuple[AtTable, Host, ShortChain]:
    host = Host.begun()
    ann = Program(ANN).follows(host)
    host.log_tip(ANN, ann.tip)
    before = host.version
    table = AtTable(host, ann.follows(host), ShortChain(host.origin, b"friend"))
    wanted = table.call()
    assert ann.is_asked(wanted) is not None
    other, friend = ground_afterwards(table, before)
    other.throw()
    return table, other, friend


def test_a_a_part_that_was_opened_for_one_history_has_no_proof_in_another() -> None:
    """Caught by the proof: it is over the head of the call, which names the friend's tip by then or never."""
    table, other, friend = chosen_in_round_1()
    wanted = other.call()
    assert other.open({ANN: table.ann.parts_given[-1], FRIEND: friend.part(wanted)}) == WANTED
    for viewer in (Program(-1), Program(BEN), table.ann.again("elsewhere")):
        assert viewer.follows(other).why == "fair.proof_wrong"


def test_a_the_program_gives_no_second_part_for_the_same_round() -> None:
    """Caught by the program's file, which names another call of round 1; without the part the host has to say so."""
    table, other, friend = chosen_in_round_1()
    wanted = other.call()
    again = table.ann.again().follows(other)
    assert again.is_asked(wanted) is None
    other.open({FRIEND: friend.part(wanted)})
    # told both histories, the program knows that there were two
    table.ann.hears(other.facts[table.ann.check.count - 1 :])
    assert table.ann.is_wrong
    # one that has forgotten the first reads that the dice rest on somebody else
    assert again.follows(other).mark(1).whose is MarkState.NOT


def test_a_no_request_without_a_call_is_answered() -> None:
    """Whatever head the host signs: before a call that was told there is nothing to open a link for."""
    table = at_table()
    table.host.throw()
    table.ann.follows(table.host)
    for round in range(4):
        assert table.ann.is_asked(table.host.asking(round)) is None
    assert not table.ann.parts_given


# B: the same in a later round, with the honest programs cut off


def test_b_a_program_that_comes_back_opens_nothing_before_it_has_taken_every_fact() -> None:
    """Caught by the order: the request waits until the facts lead to its call, and their tips are logged by then."""
    table = at_table(2)
    host, ann = table.host, table.ann
    host.throw()
    wanted = host.call()
    ann.cut()
    assert ann.is_asked(wanted) is None
    fresh = host.facts[ann.check.count :]
    ann.hears(fresh[:-1], more=True)
    assert not [part for part in ann.parts_given if part.round == 3]
    ann.hears(fresh[-1:])
    assert [part.round for part in ann.parts_given] == [1, 2, 3]


def test_b_what_was_opened_cannot_be_kept_for_a_history_with_another_friend() -> None:
    """Attack like A: a friend who is to count in round 4 must be logged before the call of round 3, and so before the
    part."""
    table = at_table(2)
    before = table.host.version
    table.play()
    known = table.ann.is_asked(table.call())
    assert known is not None
    assert known.round == 4
    other = table.host.back_at(before)
    third = mixed_with(other.match.record.mix, 3, {})

    def pleases(chain: ShortChain) -> bool:
        return other.dice_with(third, 4, {ANN: known.link, FRIEND: chain.link(4)}) == WANTED

    friend = ground(other.origin, pleases)
    other.log_tip(FRIEND, friend.tip)
    again = table.ann.again().follows(other)
    other.throw()
    assert again.is_called(other) is None
    other.open({})
    other.throw()
    wanted = other.call()
    assert again.follows(other).is_asked(wanted) is None
    assert other.called == (FRIEND,)
    assert not again.parts_given
    # Ann's seat sits out after round 3: the part that the host knows has no place there, with whatever proof
    with pytest.raises(IllegalIntent, match="entropy/wrong"):
        other.open({ANN: known, FRIEND: friend.part(wanted)})
    other.open({FRIEND: friend.part(wanted)})
    marks = [again.follows(other).mark(round)[:2] for round in (3, 4)]
    assert marks == [(MarkState.OLDER, 2), (MarkState.NOT, 0)]


# C: links before the match begins, and then the match is ground


def test_c_before_the_signed_beginning_nothing_is_drawn() -> None:
    """Caught by the order: a chain is drawn when the host is bound to its dice, and not before."""
    ann, host = Program(ANN), Host.begun()
    for round in range(3):
        assert ann.is_asked(host.asking(round)) is None
    assert (ann.drawn, ann.tips_said, ann.parts_given) == (0, [], [])
    ann.hears(host.facts[:1])
    assert ann.drawn == 2
    assert len(ann.tips_said) == 1
    assert ann.is_asked(host.asking(1)) is None


def test_c_a_match_that_begins_otherwise_gets_another_chain(tmp_path: Path) -> None:
    """Caught by H_1 in the links and in the file's name: what one beginning was given says nothing about another."""
    files = EntropyFiles(tmp_path)
    said = []
    for number in range(5):
        host = Host.begun(secret=bytes([number]) * 32)
        ann = Program(ANN, files, label=str(number)).follows(host)
        host.log_tip(ANN, ann.tip)
        host.throw()
        part = ann.is_called(host)
        assert part is not None
        said.append((ann.tip.tip, ann.tip.key, part.link))
    assert len({value for values in said for value in values}) == 15


# E: a link that was dropped is asked for again


def test_e_a_part_that_the_host_drops_makes_it_a_choice_and_helps_in_no_later_round() -> None:
    """Caught by k, and by the link of round r being l_r: the one that the host knows is never asked for again."""
    table = at_table(1)
    host, ann = table.host, table.ann
    wanted = table.call()
    dropped = ann.is_asked(wanted)
    assert dropped is not None
    assert is_signed(
        ann.tip.key, opening_text(MatchId("chosen"), 2, wanted.version, wanted.head, dropped.link), dropped.proof
    )
    host.open({FRIEND: table.friend.part(wanted)})
    ann.follows(host)
    assert ann.mark(2)[:3] == (MarkState.OLDER, 1, 1)
    # for the next rounds the host grinds a friend with the link that it knows ahead
    friend = ground(host.origin, lambda chain: host.foretold({ANN: dropped.link, FRIEND: chain.link(3)}) == WANTED)
    host.log_tip(FRIEND, friend.tip)
    again = table._replace(friend=friend)
    assert ann.is_asked(host.asking(3)) is None
    again.play(3)
    assert host.match.record.round == 5
    marks = [ann.mark(round) for round in (3, 4, 5)]
    assert ann.check.parts.rounds[3].presence[ANN].value == "out"
    assert [mark.whose for mark in marks] == [MarkState.OLDER, MarkState.YOURS, MarkState.YOURS]
    assert [part.round for part in ann.parts_given] == [1, 2, 4, 5]
    # as dropped parts go into no dice, so the link that was opened again in round 2 would have been refused
    replayed = ann.parts_given[1]
    with pytest.raises(IllegalIntent):
        host.play(lambda wanted: {ANN: replayed})


# F: two histories for two programs


def test_f_a_part_for_one_history_is_worthless_in_the_other() -> None:
    """Caught by the proof; without it, by the seat that is missing, and by the word that the two compare aloud."""
    host = Host.begun()
    ann, ben = Program(ANN).follows(host), Program(BEN).follows(host)
    host.log_tip(ANN, ann.tip)
    host.log_tip(BEN, ben.tip)
    one, two = host.back_at(host.version), host
    one.log_tip(FRIEND, ShortChain(host.origin, b"one").tip)
    two.log_tip(FRIEND, ShortChain(host.origin, b"two").tip)
    one.throw()
    two.throw()
    given, also = ann.is_called(one), ben.is_called(two)
    assert given is not None
    assert also is not None
    both = two.back_at(two.version)
    both.open({ANN: given, BEN: also})
    assert Program(-1).follows(both).why == "fair.proof_wrong"
    two.open({BEN: also})
    one.open({ANN: given})
    ann.follows(one)
    ben.follows(two)
    assert ann.mark(1)[:2] == ben.mark(1)[:2] == (MarkState.BUT, 2)
    for history in (one, two):
        history.play(lambda _: {})
    assert ann.follows(one).check.rounds[1].word != ben.follows(two).check.rounds[1].word


# G: a chain that has ended is said again


def test_g_a_chain_that_has_ended_never_counts_again() -> None:
    """Caught by core and program alike: no tip or key comes twice in a match."""
    table = at_table(1)
    host, ann = table.host, table.ann
    old = ann.tip
    elsewhere = Program(ANN, label="another device").follows(host)
    host.log_tip(ANN, elsewhere.tip)
    with pytest.raises(IllegalIntent, match="entropy/known"):
        host.log_tip(ANN, old)
    # the first device, back again, knows that its chain is over, and draws anew
    back = ann.again("device 1").follows(host)
    assert back.tip.tip not in (old.tip, elsewhere.tip.tip)
    fact = Tipped(ANN, old.tip, old.key)
    assert Program(-1).follows(host).check.broken is None
    told = Program(-1).follows(host)
    told.hears([fact])
    assert told.why == "fair.tip_wrong"


# H: all honest programs are cut, and the friend's tip is ground for a later round


@pytest.mark.parametrize("target", [3, 4, 5])
def test_h_dice_ground_while_everyone_was_cut_are_not_yours(target: int) -> None:
    """Caught by the tip: it was logged after the last part of Ann's, so that her part says nothing of these dice."""
    table = at_table(1)
    host, ann = table.host, table.ann

    def pleases(chain: ShortChain) -> bool:
        mix = mixed_with(host.match.record.mix, 2, {})
        for round in range(3, target):
            mix = mixed_with(mix, round, {FRIEND: chain.link(round)})
        return host.dice_with(mix, target, {FRIEND: chain.link(target)}) == WANTED

    friend = ground(host.origin, pleases)
    host.log_tip(FRIEND, friend.tip)
    dice = [host.play(partial(friends_alone, host, friend)) for _ in range(2, target + 1)]
    assert dice[-1] == WANTED
    ann.follows(host)
    assert not ann.is_wrong
    assert [ann.mark(round)[:3] for round in (1, 2)] == [(MarkState.YOURS, 0, 0), (MarkState.OLDER, 2, 1)]
    for round in range(3, target + 1):
        assert ann.mark(round) == RoundMark(MarkState.NOT, seats=(FRIEND,), chosen=(FRIEND,))


def friends_alone(host: Host, friend: ShortChain, wanted: EntropyWanted) -> Parts:
    """The friend's part, where it is called."""
    return {FRIEND: friend.part(wanted)} if FRIEND in host.called else {}


# I: Void after the parts are in


def test_i_a_round_that_is_given_up_when_its_dice_are_known_is_counted() -> None:
    """Caught by k: two throws were there to choose from, and each side of the choice says so."""
    table = at_table(1)
    host, ann = table.host, table.ann
    wanted = table.call()
    parts = table.parts(wanted)
    host.void(parts)
    ann.follows(host)
    assert host.round == 2
    assert ann.mark(2)[:2] == (MarkState.BUT, 1)
    table.play(2)
    assert [ann.mark(round)[:2] for round in (3, 4)] == [(MarkState.BUT, 1), (MarkState.YOURS, 0)]


def test_i_a_throw_that_is_given_up_again_and_again_counts_each_time() -> None:
    """Caught by k, which goes on growing: whoever gives three rounds up before one pleases has chosen among four."""
    table = at_table(1)
    host, ann = table.host, table.ann
    for _ in range(3):
        host.void(table.parts(table.call()))
    table.play(2)
    assert [ann.mark(round)[:2] for round in (2, 3, 4, 5)] == [
        (MarkState.BUT, 1),
        (MarkState.BUT, 2),
        (MarkState.BUT, 3),
        (MarkState.BUT, 3),
    ]
    assert ann.mark(6).whose is MarkState.YOURS


def test_i_dice_of_a_round_that_are_given_up_one_by_one_count_each_time() -> None:
    """The host asks something after each roll, and gives the act up where the roll does not please."""
    table = at_table(1)
    host, ann = table.host, table.ann
    for given_up in range(1, 4):
        host.throw(Throw(1, is_round=False, asks=True))
        host.void()
        assert ann.follows(host).mark(1)[:2] == (MarkState.BUT, given_up)
    # the numbers are spent: the next roll is another one
    assert host.rolled() == host.dice_with(bytes(32), 1, ann_and_friend(table), 6)


def ann_and_friend(table: AtTable) -> dict[int, bytes]:
    return {ANN: table.ann.parts_given[0].link, FRIEND: table.friend.link(1)}


def test_i_what_a_host_does_not_tell_of_a_void_its_record_says() -> None:
    """Not caught live: the facts of this history hold together. The record has the Void; the program's file of facts
    shows after the match that it was told otherwise (client/fairness/receipts_check.py)."""
    table = at_table(1)
    host, ann = table.host, table.ann
    wanted = table.call()
    host.void(table.parts(wanted))
    ann.hears(fact for fact in host.facts[ann.check.count :] if not isinstance(fact, GivenUp))
    assert ann.mark(2).whose is MarkState.YOURS
    assert Program(-1).follows(host).check.parts.rounds[2].voids == 1


# J: between request and opening the host starts anew, its data is older, or the profile's file is lost


def test_j_after_a_restart_the_same_call_is_asked_again_and_gets_the_same_bytes() -> None:
    table = at_table(1)
    wanted = table.call()
    given = table.ann.is_asked(wanted)
    restarted = table.host.back_at(table.host.version)
    again = table.ann.again().follows(restarted)
    assert restarted.wanted() == wanted
    assert again.is_asked(restarted.wanted()) == given
    table.ann.reconnects()
    assert table.ann.is_asked(wanted) == given
    assert given is not None
    restarted.open({ANN: given, FRIEND: table.friend.part(wanted)})
    assert table.ann.follows(restarted).mark(2).whose is MarkState.YOURS


def test_j_a_host_whose_data_is_older_gets_nothing_for_another_call_of_the_same_round() -> None:
    """Caught by the file: it names the call of the history that was lost, whoever lost it."""
    table = at_table(1)
    before = table.host.version
    given = table.ann.is_asked(table.call())
    restored = table.host.back_at(before)
    restored.throw(Throw(4))
    again = table.ann.again()
    assert given is not None
    assert again.is_called(restored) is None
    kept = table.ann.chains.load(HOST.public, MATCH, restored.origin)
    assert kept is not None
    assert (kept.round, kept.version, kept.head) == (2, before + 2, table.host.match.head)
    restored.open({})
    # the round after is another one, of which nobody knows anything: there the program is in again
    own = table._replace(host=restored, ann=again)
    own.play(2)
    assert [again.mark(round).whose for round in (2, 3, 4)] == [MarkState.OLDER, MarkState.OLDER, MarkState.YOURS]
    # under the host's signature the program has another head of that step than the record will have
    assert table.ann.check.parts.heads[before + 2] != restored.back_at(before + 2).match.head


def test_j_a_program_whose_file_is_lost_opens_nothing_and_begins_anew(tmp_path: Path) -> None:
    """Caught by the file again: no file, no part. The new chain counts from the round after the next."""
    files = EntropyFiles(tmp_path)
    host = Host.begun()
    ann = Program(ANN, files).follows(host)
    host.log_tip(ANN, ann.tip)
    host.play(lambda wanted: {ANN: given} if (given := ann.follows(host).is_asked(wanted)) else {})
    table = AtTable(host, ann, ShortChain(host.origin, b"none"))
    wanted = table.call()
    for path in tmp_path.iterdir():
        path.unlink()
    assert ann.is_asked(wanted) is None
    host.open({})
    ann.follows(host)
    ann.reconnects()
    assert len(ann.tips_said) == 2
    assert ann.mark(2)[:2] == (MarkState.OLDER, 1)
    host.log_tip(ANN, ann.tip)
    table.play(3)
    assert [ann.mark(round).whose for round in range(3, 6)] == [MarkState.OLDER, MarkState.OLDER, MarkState.YOURS]
