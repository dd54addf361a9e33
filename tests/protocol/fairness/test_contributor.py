"""The decision on opening a link, whatever a host tells in whatever order."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from engine.core.rules.errors import IllegalIntent
from protocol.fairness.contributor import Contributor, MemoryChains, OwnEntropyChain
from protocol.fairness.entropy_chain import opening_text
from protocol.fairness.entropy_check import EntropyCheck
from protocol.fairness.signatures import is_signed
from protocol.ids import MatchId
from protocol.proof.facts import Called
from protocol.wire import from_client as say
from tests.support.chosen_dice.host import ANN, FRIEND, MATCH, Host, Parts, ShortChain
from tests.support.chosen_dice.program import Program
from tests.support.chosen_dice.table import at_table
from tests.support.chosen_dice.throws import Throw
from tests.support.fairness.signing import HOST


class Fuzzed:
    """Host with several histories, and one program that is told parts of them and is started anew now and then."""

    def __init__(self) -> None:
        self.histories = [Host.begun()]
        self.host = self.histories[0]
        self.program = Program(ANN)
        self.programs = [self.program]
        self.moves: list[Callable[[int], object]] = [
            self.tell,
            self.tell,
            self.tell,
            self.tell_some,
            self.ask,
            self.ask,
            self.ask_for,
            self.log_tip,
            self.log_tip,
            self.throw_and_call,
            self.throw_and_call,
            self.open,
            self.open,
            self.go_back,
            self.turn_to,
            self.start_anew,
            self.cut,
            self.pass_seat,
            self.play,
            self.play,
            self.play,
            self.play_otherwise,
            self.play_otherwise,
        ]
        # most histories share a chain that is in their log
        self.tell(0)
        self.log_tip(1)

    def tell(self, _: int) -> None:
        self.program.follows(self.host)

    def tell_some(self, number: int) -> None:
        count = self.program.check.count
        self.program.hears(self.host.facts[count : count + number % 4], more=number % 2 == 1)

    def ask(self, _: int) -> None:
        self.program.is_asked(self.host.wanted())

    def ask_for(self, number: int) -> None:
        self.program.is_asked(self.host.asking(number % 6))

    def log_tip(self, number: int) -> None:
        if number % 3:
            if self.program.tips_said:
                self.host.log_tip(ANN, self.program.tip)
        else:
            self.host.log_tip(FRIEND, ShortChain(self.host.origin, b"%d" % number).tip)

    def throw_and_call(self, number: int) -> None:
        if not self.host.match.wants_round:
            self.host.throw(Throw(1 + number % 3))
        self.host.call()

    def open(self, number: int) -> None:
        if not self.host.called:
            return
        known = {part.round: part for program in self.programs for part in program.parts_given}
        part = known.get(self.host.round + 1)
        parts: Parts = {ANN: part} if part is not None and number % 3 else {}
        self.host.open(parts)

    def play(self, number: int) -> None:
        """Do what an honest host does, in the history that it is at."""
        if not self.host.called:
            self.throw_and_call(number)
        self.tell(number)
        self.ask(number)

    def play_otherwise(self, number: int) -> None:
        """Go back, call anew, and ask the program of the same profile."""
        self.go_back(number)
        self.start_anew(number)
        self.play(number)

    def go_back(self, number: int) -> None:
        self.host = self.host.back_at(max(2, self.host.version - number % 5))
        self.histories.append(self.host)

    def turn_to(self, number: int) -> None:
        self.host = self.histories[number % len(self.histories)]

    def start_anew(self, number: int) -> None:
        self.program = self.program.again(str(number))
        self.programs.append(self.program)

    def cut(self, _: int) -> None:
        self.program.reconnects()

    def pass_seat(self, number: int) -> None:
        if number % 4 == 0:
            self.host.hold(ANN, ("bot", "person")[number // 4 % 2])

    def check(self) -> None:
        """Check that there is one opening for a round of a chain, each for one call that was told, and nothing drawn
        before H_1."""
        tips = {said.key: said.tip for program in self.programs for said in program.tips_said}
        facts = [fact for host in self.histories for fact in host.facts]
        calls = {(fact.round, fact.version, fact.head) for fact in facts if isinstance(fact, Called)}
        opened: dict[tuple[bytes, int], say.Entropy] = {}
        for program in self.programs:
            assert program.check.parts.bound is not None or not program.drawn
            for part in program.parts_given:
                [key] = [key for key in tips for call in calls if is_for(part, key, *call)]
                assert opened.setdefault((tips[key], part.round), part) == part


def is_for(part: say.Entropy, key: bytes, round: int, version: int, head: bytes) -> bool:
    words = opening_text(MATCH, round, version, head, part.link)
    return part.round == round and is_signed(key, words, part.proof)


moves = st.lists(st.tuples(st.integers(0, 22), st.integers(0, 60)), min_size=10, max_size=50)


@settings(max_examples=40, deadline=None)
@given(moves)
def test_whatever_it_is_told_it_gives_one_opening_a_round(happening: list[tuple[int, int]]) -> None:
    fuzzed = Fuzzed()
    for move, number in happening:
        try:
            fuzzed.moves[move](number)
        except IllegalIntent:  # what no host could log
            continue
    fuzzed.check()


def test_openings_are_really_tried_for() -> None:
    """The moves above lead to openings and to refusals: a call of one history, then one of another for that round."""
    fuzzed = Fuzzed()
    fuzzed.play(1)
    fuzzed.play_otherwise(2)
    assert fuzzed.program.check.parts.call_open is not None
    assert [len(program.parts_given) for program in fuzzed.programs] == [1, 0]
    fuzzed.check()


def test_the_tip_is_said_once_a_connection_and_anew_when_the_chain_has_ended() -> None:
    host, follower, drawn = Host.begun(), EntropyCheck(MATCH, HOST.public), iter(range(1, 100))
    program = Contributor(follower, ANN, MemoryChains(), lambda: bytes([next(drawn)]) * 32)
    assert program.tip() is None
    for fact in host.facts:
        follower.take(fact)
    first = program.tip()
    assert first is not None
    assert program.tip() is None
    program.connected()
    assert program.tip() == first
    told = len(host.facts)
    host.log_tip(ANN, first)
    host.hold(ANN, "bot")
    for fact in host.facts[told:]:
        follower.take(fact)
    # while a bot sits there, nothing is said
    assert program.tip() is None
    told = len(host.facts)
    host.hold(ANN, "person")
    for fact in host.facts[told:]:
        follower.take(fact)
    second = program.tip()
    assert second is not None
    assert second.tip != first.tip
    assert program.tip() is None
    assert program.is_own(first.tip)
    assert program.is_own(second.tip)
    assert not program.is_own(bytes(32))


@pytest.mark.parametrize("seat", [-1, 4])
def test_a_spectator_says_nothing(seat: int) -> None:
    host = Host.begun()
    follower = EntropyCheck(MATCH, HOST.public)
    program = Contributor(follower, seat, MemoryChains(), lambda: bytes(32))
    for fact in host.facts:
        follower.take(fact)
    assert program.tip() is None
    assert program.opening() is None


class FullDisk(MemoryChains):
    """Store that keeps so many changes, and then no more."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def save(self, host: bytes, chain: OwnEntropyChain, before: OwnEntropyChain | None) -> bool:
        if not self.room:
            raise OSError(28, "No space left on device")
        self.room -= 1
        return super().save(host, chain, before)


def test_what_cannot_be_kept_is_neither_said_nor_opened() -> None:
    table = at_table()
    ann = Program(ANN, FullDisk(0)).follows(table.host)
    assert not ann.tips_said
    assert ann.problem == "No space left on device"
    host = Host.begun()
    ann = Program(ANN, FullDisk(1)).follows(host)
    host.log_tip(ANN, ann.tip)
    host.throw()
    assert ann.is_called(host) is None
    assert ann.problem == "No space left on device"


def test_secrets_are_not_shown_in_logs() -> None:
    assert repr(OwnEntropyChain(MatchId("m"), b"o", b"seed", b"key", 3)) == "OwnChain('m', round=3)"
