"""Further ways in which a host tries to get a part that it should not have, or to make one count that it should not.

Each test says what the host does; the docstring says what catches it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.storage.entropy_files import EntropyFiles
from engine.core.rules.errors import IllegalIntent
from protocol.errors import Unfair
from protocol.fairness.contributor import MemoryChains
from protocol.fairness.entropy_chain import LINKS
from protocol.fairness.entropy_check import EntropyCheck
from protocol.fairness.entropy_record import PERSON, Absence, EntropyRecord
from protocol.fairness.round_parts import MarkState
from protocol.fairness.signatures import is_signed
from protocol.proof.facts import AnyFact, Begun, Called, Drawn, GivenUp, Held, Tipped
from protocol.wire import from_client as say
from server.runtime.signing import HostKey
from tests.support.chosen_dice.host import ANN, BEN, BOT, FRIEND, MATCH, TABLE, Host, ShortChain, ground, mixed_with
from tests.support.chosen_dice.program import Program
from tests.support.chosen_dice.table import AtTable, at_table
from tests.support.chosen_dice.throws import CARDS, Throw
from tests.support.chosen_dice.windows import TwoWindows
from tests.support.fairness.signing import HOST


def signed(fact: Called | Begun, key: HostKey = HOST) -> AnyFact:
    """The fact with the host's signature of what it says now: a host signs whatever it likes."""
    return replace(fact, signature=key.sign_head(MATCH, fact.version, fact.head))


def last(host: Host, kind: type[AnyFact]) -> AnyFact:
    return [fact for fact in host.facts if isinstance(fact, kind)][-1]


def test_the_proof_of_another_round_does_not_open_this_one() -> None:
    """The link is right and the proof is Ann's, of the round before. Caught by the head in the proof."""
    table = at_table(1)
    given = table.ann.is_asked(table.call())
    assert given is not None
    watcher = Program(-1).follows(table.host)
    table.host.open({ANN: replace(given, proof=table.ann.parts_given[0].proof)})
    assert watcher.follows(table.host).why == "fair.proof_wrong"


def test_a_call_that_leaves_a_seat_out_is_wrong_and_gets_no_part() -> None:
    """Ann's friend Ben is not called although his chain is due. Caught by everyone: the seats follow from the facts."""
    table = at_table(1)
    table.host.throw()
    wanted = table.host.call()
    call = last(table.host, Called)
    assert isinstance(call, Called)
    for seats in ((ANN,), (FRIEND,), (), (ANN, BEN, FRIEND), (FRIEND, ANN)):
        ann = table.ann.again().follows(table.host.back_at(table.host.version - 1))
        ann.hears([signed(replace(call, seats=seats))])
        assert ann.why == "fair.call_wrong"
        assert ann.is_asked(wanted) is None


def test_there_is_no_second_call_for_a_round() -> None:
    """After the part is in, the host calls the same round again, with another head. Caught by core and program."""
    table = at_table(1)
    assert table.ann.is_asked(table.call()) is not None
    with pytest.raises(IllegalIntent, match="round/called"):
        table.host.call()
    call = last(table.host, Called)
    assert isinstance(call, Called)
    second = signed(replace(call, version=call.version + 1, head=bytes(32)))
    table.ann.hears([second])
    assert table.ann.why == "fair.call_wrong"
    assert len(table.ann.parts_given) == 2


def test_a_call_whose_tips_were_not_told_gets_no_part() -> None:
    """The friend's tip, ground, is in the record; Ann is told the call only. Caught by the seats of the call."""
    table = at_table(1)
    ben = ShortChain(table.host.origin, b"ben")
    table.host.log_tip(BEN, ben.tip)
    table.play()
    table.host.throw()
    wanted = table.host.call()
    assert table.host.called == (ANN, BEN, FRIEND)
    ann = Program(ANN, table.ann.chains)
    ann.hears(fact for fact in table.host.facts if not (isinstance(fact, Tipped) and fact.seat == BEN))
    assert ann.is_wrong
    assert ann.is_asked(wanted) is None


def test_a_request_under_another_key_or_with_other_words_is_not_answered() -> None:
    """Whoever stands between host and program asks for a link. Caught by the signature, which is the host's own."""
    table = at_table(1)
    wanted = table.call()
    stranger = HostKey(bytes(32)).sign_head(MATCH, wanted.version, wanted.head)
    for other in (
        replace(wanted, signature=stranger),
        replace(wanted, signature=b""),
        replace(wanted, signature=wanted.signature[::-1]),
        replace(wanted, table="other"),
        replace(wanted, version=wanted.version - 1),
        replace(wanted, head=bytes(32)),
        replace(wanted, round=1),
        replace(wanted, round=3),
    ):
        assert table.ann.is_asked(other) is None
    assert table.ann.is_asked(wanted) is not None


def test_a_request_for_a_later_round_is_not_answered_even_if_it_is_signed() -> None:
    """The host signs a head that it calls round 3 while round 2 waits. Caught by the call, which is for round 2."""
    table = at_table(1)
    table.call()
    for round in (1, 3, 4, LINKS, LINKS + 1):
        assert table.ann.is_asked(table.host.asking(round)) is None


def test_who_was_led_on_to_later_rounds_opens_no_earlier_one() -> None:
    """In a history for Ann alone the host plays ahead to round 5, and so knows her links up to that. In the real one
    it calls round 2. Caught by the file: it names a later round, and earlier ones are closed for good."""
    table = at_table(1)
    ahead = table.host.back_at(table.host.version)
    table._replace(host=ahead).play(4)
    assert [part.round for part in table.ann.parts_given] == [1, 2, 3, 4, 5]
    ann = table.ann.again()
    real = table._replace(ann=ann)
    real.play(6)
    assert [part.round for part in ann.parts_given] == [7]
    marks = [ann.mark(round).whose for round in range(1, 8)]
    assert marks == [MarkState.YOURS, *[MarkState.OLDER] * 5, MarkState.YOURS]
    assert ann.mark(6).choices >= 2


@pytest.mark.parametrize("is_kept", [True, False])
def test_two_windows_of_one_profile_do_not_open_two_histories_at_once(is_kept: bool, tmp_path: Path) -> None:
    """The host shows each window another history, and asks both at the same moment. Caught by the store: the second
    finds that something else is kept than what it looked at (a hole when the scheme was first built)."""
    files = EntropyFiles(tmp_path) if is_kept else MemoryChains()
    windows = TwoWindows(files)
    host = Host.begun()
    one = Program(ANN, windows.first).follows(host)
    two = Program(ANN, windows.second).follows(host)
    assert two.tip == one.tip
    host.log_tip(ANN, one.tip)
    other = host.back_at(host.version)
    other.log_tip(FRIEND, ShortChain(host.origin, b"friend").tip)
    host.throw()
    other.throw()
    one.follows(host)
    windows.meanwhile(lambda: two.is_called(other))
    one.is_called(host)
    assert windows.both_looked
    assert len(one.parts_given) + len(two.parts_given) == 1


def test_a_tip_or_key_that_is_anothers_is_refused() -> None:
    """The friend says Ann's tip, her key, or both, as its own: to mirror her, or to let her proofs count for it.
    Caught by core and program: no tip or key comes twice, whoever's it is."""
    table = at_table(1)
    own, anns = ShortChain(table.host.origin, b"other").tip, table.ann.tip
    for tip, key in (
        (anns.tip, anns.key),
        (anns.tip, own.key),
        (own.tip, anns.key),
        (anns.key, own.key),
        (own.tip, b""),
    ):
        with pytest.raises(IllegalIntent, match="entropy/known"):
            table.host.log_tip(BEN, say.Tip(table=TABLE, tip=tip, key=key))
        watcher = Program(-1).follows(table.host)
        watcher.hears([Tipped(BEN, tip, key)])
        assert watcher.why == "fair.tip_wrong"
    for seat in (BOT, -1, 4):
        watcher = Program(-1).follows(table.host)
        watcher.hears([Tipped(seat, own.tip, own.key)])
        assert watcher.why == "fair.tip_wrong"


def test_a_chain_of_another_match_leads_nowhere() -> None:
    """A link that was opened in one match is put into another, under a tip made for it. Caught by H_1 in each link."""
    table, other = at_table(2), Host.begun(secret=b"other match" + bytes(21))
    chain = ShortChain(table.host.origin, b"of the other match")
    other.log_tip(FRIEND, chain.tip)
    other.throw()
    wanted = other.call()
    with pytest.raises(IllegalIntent, match="entropy/wrong"):
        other.open({FRIEND: chain.part(wanted)})


def test_a_seat_that_passes_to_a_bot_and_back_has_lost_its_chain_and_k_says_so() -> None:
    """The host takes Ann's seat for a moment, so that her chain need not count. Caught by k, and she begins anew."""
    table = at_table(2)
    host, ann = table.host, table.ann
    host.hold(ANN, "bot")
    host.hold(ANN, "person")
    old = ann.tip
    ann.follows(host)
    assert ann.tip != old
    host.log_tip(ANN, ann.tip)
    table.play(3)
    assert [ann.mark(round)[:2] for round in (3, 4, 5)] == [
        (MarkState.OLDER, 1),
        (MarkState.YOURS, 0),
        (MarkState.YOURS, 0),
    ]
    assert ann.mark(2).whose is MarkState.YOURS
    assert Program(ANN, label="other").follows(host).mark(2).whose is MarkState.NOT


def test_between_call_and_opening_there_is_nothing() -> None:
    """A tip, a passing seat or any other step between the two, to make use of the parts. Caught by core and program."""
    table = at_table(1)
    tip = ShortChain(table.host.origin, b"late").tip
    table.call()
    with pytest.raises(IllegalIntent, match="round/called"):
        table.host.log_tip(BEN, tip)
    with pytest.raises(IllegalIntent, match="round/called"):
        table.host.hold(FRIEND, "bot")
    for fact, why in ((Tipped(BEN, tip.tip, tip.key), "fair.tip_wrong"), (Held(FRIEND, "bot"), "fair.holder_wrong")):
        watcher = Program(-1).follows(table.host)
        watcher.hears([fact])
        assert watcher.why == why
    # a step that no fact tells of shows in the version of the opening
    watcher = Program(-1).follows(table.host)
    table.host.open({})
    begun = last(table.host, Begun)
    assert isinstance(begun, Begun)
    watcher.hears([signed(replace(begun, version=begun.version + 1))])
    assert watcher.why == "fair.opening_wrong"


def test_a_void_that_does_not_hold_the_round_that_was_called_is_wrong_or_counted() -> None:
    """With the parts in, the host gives up without opening the round, to call it once more. Caught by the core, which
    puts the round into the Void; and by the program, for which the call stands until it is opened."""
    table = at_table(1)
    wanted = table.call()
    assert table.ann.is_asked(wanted) is not None
    call = last(table.host, Called)
    assert isinstance(call, Called)
    table.ann.hears([GivenUp(wanted.version + 1), signed(replace(call, version=call.version + 2, head=bytes(32)))])
    assert table.ann.why == "fair.call_wrong"
    table.host.void({})
    assert table.host.round == 2
    assert last(table.host, Begun) in table.host.facts[-3:]


def test_one_program_that_is_told_otherwise_than_another_has_another_word() -> None:
    """Ann is told that Ben's seat is a bot's. Not caught by her program, whose facts hold together. Caught aloud, by
    the word of the round that both read; and after the match, by her file of facts."""
    host = Host.begun()
    ann, ben, lied_to = Program(ANN).follows(host), Program(BEN).follows(host), Program(ANN)
    host.log_tip(ANN, ann.tip)
    for _ in range(2):
        host.throw()
        given = ann.is_called(host)
        assert given is not None
        host.open({ANN: given})
    lied_to.hears([*host.facts[:5], Held(BEN, "bot"), *host.facts[5:]])
    for program in (ann, ben):
        assert not program.follows(host).is_wrong
    assert not lied_to.is_wrong
    assert ann.check.rounds[1].word == ben.check.rounds[1].word != lied_to.check.rounds[1].word


def test_links_that_change_seats_are_wrong() -> None:
    """Both parts are in, and the host writes them down the other way round: other dice. Caught by the chains."""
    table = at_table(1)
    wanted = table.call()
    parts = table.parts(wanted)
    with pytest.raises(IllegalIntent, match="entropy/wrong"):
        table.host.open({ANN: parts[FRIEND], FRIEND: parts[ANN]})
    ann = table.ann.follows(table.host)
    table.host.open(parts)
    begun = last(table.host, Begun)
    assert isinstance(begun, Begun)
    turned = replace(begun, links=begun.links[::-1], proofs=begun.proofs[::-1])
    ann.hears([signed(turned)])
    assert ann.why == "fair.link_wrong"


def test_a_weak_key_lets_a_friend_prove_anything_and_gains_it_nothing() -> None:
    """The friend's key is the neutral point: one signature holds for every text. No choice follows: proofs enter no
    dice, and the link is bound by the tip."""
    neutral, anything = b"\x01" + bytes(31), b"\x01" + bytes(63)
    table = at_table()
    host = table.host
    weak = ShortChain(host.origin, b"weak")
    host.log_tip(BEN, replace(weak.tip, key=neutral))
    for other in (b"one text", b"another"):
        if not is_signed(neutral, other, anything):
            pytest.skip("this library refuses the key")
    wanted = table.call()
    parts = {**table.parts(wanted), BEN: replace(weak.part(wanted), proof=anything)}
    forecast = host.foretold({seat: part.link for seat, part in parts.items()})
    assert host.open(parts) == forecast
    assert table.ann.follows(host).mark(1).whose is MarkState.YOURS


def test_a_chain_that_the_host_puts_in_the_place_of_a_connected_person_s_is_not_theirs() -> None:
    """The host speaks for Ann's seat with a chain of its own, of which it knows all links. Caught by her own program:
    the rounds of that chain read *not yours*, and it says its own chain again at the next connection."""
    table = at_table(2)
    hosts = ShortChain(table.host.origin, b"host")
    table.host.log_tip(ANN, hosts.tip)
    for _ in range(3):
        table.host.play(lambda wanted: {ANN: hosts.part(wanted)} if ANN in table.host.called else {})
    ann = table.ann.follows(table.host)
    assert [ann.mark(round).whose for round in (2, 3)] == [MarkState.YOURS, MarkState.OLDER]
    assert ann.mark(5).whose is MarkState.NOT
    ann.reconnects()
    assert ann.tip.tip != hosts.tip.tip
    assert len(ann.tips_said) == 2


def test_a_record_with_a_gap_is_wrong() -> None:
    """A round, or its call, is left out of what is told. Caught by the numbers of the rounds."""
    table = at_table(3)
    facts = table.host.facts
    for kind, number in ((Begun, 2), (Called, 2), (Begun, 1), (Called, 3)):
        watcher = Program(-1)
        watcher.hears(f for f in facts if not (isinstance(f, kind) and f.round == number))
        assert watcher.why in ("fair.round_order", "fair.call_wrong", "fair.opening_wrong", "fair.roll_order")
    watcher = Program(-1)
    watcher.hears(facts[1:])
    assert watcher.why == "fair.no_beginning"


def test_a_host_that_never_opens_gets_nothing_more() -> None:
    """The host has Ann's part, does not like the dice, and asks for something else. The file shows it; the host can
    only end the match, which all see."""
    table = at_table(1)
    wanted = table.call()
    given = table.ann.is_asked(wanted)
    assert given is not None
    for dice in range(4, 8):
        other = table.host.back_at(table.host.version - 2)
        other.throw(Throw(dice))
        assert table.ann.again().is_called(other) is None
    assert table.ann.is_asked(wanted) == given


def test_new_chains_one_after_another_cost_an_absence_each() -> None:
    """The friend says one tip after another until one pleases. Caught by sitting out: each costs twice as many rounds
    as the one before, none counts for what was opened before it was logged, and k counts the end of each."""
    table = at_table(1)
    host, ann = table.host, table.ann
    for number in range(4):
        host.log_tip(FRIEND, ShortChain(host.origin, b"tip %d" % number).tip)
        table = table._replace(friend=ShortChain(host.origin, b"tip %d" % number))
    assert host.match.record.participation.absences[FRIEND] == Absence(times=4, until=1 + 8)
    for round in range(2, 7):
        table.play()
        assert ann.mark(round)[:2] == ((MarkState.BUT, 1) if round == 2 else (MarkState.YOURS, 0))
        assert not ann.check.parts.rounds[round].counted.get(FRIEND)


def test_after_the_last_link_no_seat_is_called() -> None:
    """A match has at most 4,096 rounds, as many as a chain has links. Caught by the call and by the round's number."""
    known = EntropyRecord((PERSON,) * 2).with_tip(0, bytes(32), b"k" * 32)
    assert replace(known, called=LINKS - 1).due() == (0,)
    assert replace(known, called=LINKS).due() == ()
    follower = EntropyCheck(MATCH, HOST.public)
    follower.round = LINKS
    with pytest.raises(Unfair):
        follower.take(signed(Begun(LINKS + 1, (), b"", 9, bytes(32), b"")))


def test_a_program_whose_table_is_opened_anew_has_not_forgotten_what_it_opened() -> None:
    """The host says that the table waits for its match again, and then that it is live, with another history. The
    program forgets what it followed. Caught by the file all the same."""
    table = at_table(1)
    before = table.host.version
    assert table.ann.is_asked(table.call()) is not None
    other = table.host.back_at(before)
    other.throw(Throw(5))
    table.ann.looks("open")
    table.ann.looks("live")
    assert table.ann.check.count == 0
    assert table.ann.is_called(other) is None


def test_a_program_that_is_shown_another_seat_opens_no_link_of_the_first() -> None:
    """The host shows Ann Ben's seat, and asks for a part in both. Caught by the record: a tip has one seat; the
    program draws a chain for the other, and the file has but one."""
    table = at_table(1)
    wanted = table.call()
    table.ann.looks("live", seat=BEN)
    assert table.ann.check.seat == BEN
    table.ann.seat = BEN
    table.ann.follows(table.host)
    assert table.ann.is_asked(wanted) is None
    assert table.ann.tip.tip != table.ann.tips_said[0].tip
    table.ann.looks("live", seat=ANN)
    table.ann.seat = ANN
    assert table.ann.follows(table.host).is_asked(wanted) is None


def test_dice_before_the_first_round_are_nobody_s() -> None:
    """Rolls before round 1 have no parts, and are marked so."""
    table = at_table()
    table.host.throw(Throw(is_round=False))
    assert table.ann.follows(table.host).mark(0).whose is MarkState.NOT


def test_cards_chosen_in_a_round_that_was_not_yours_are_not_yours_in_a_later_one() -> None:
    """A friend's chain is ground so that a card lies on top, with Ann left out; it is drawn when Ann has a part again.
    Caught by the mark: the deck's round counts for the cards drawn from it."""
    host = Host.begun()
    ann = Program(ANN).follows(host)
    host.log_tip(ANN, ann.tip)

    def pleases(chain: ShortChain) -> bool:
        mix = mixed_with(host.match.record.mix, 1, {FRIEND: chain.link(1)})
        return CARDS[host.dice.deck("cards", 0, mix, len(CARDS))[0]] == "card-07"

    friend = ground(host.origin, pleases)
    host.log_tip(FRIEND, friend.tip)
    table = AtTable(host, ann.follows(host), friend)
    host.throw(Throw(1, shuffles=True))
    host.open({FRIEND: friend.part(host.call())})
    host.play(table.parts, Throw(1))
    host.play(table.parts, Throw(1, draws=True))
    drawn = last(host, Drawn)
    assert isinstance(drawn, Drawn)
    assert drawn.card == "card-07"
    assert ann.follows(host).mark(1).whose is MarkState.NOT
    assert ann.mark(3).whose is MarkState.NOT
