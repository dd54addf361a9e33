"""Real servers that try to choose the dice of a round: a host has all of its keys, and may do so."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from engine.core.match.causes import EntropyCall, EntropyTip, RoundOpened
from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from protocol.fairness.entropy_chain import mixed
from protocol.ids import NO_TABLE, table_of
from protocol.proof import facts
from protocol.wire.codec import encode
from protocol.wire.from_client import Entropy as Part
from protocol.wire.from_server import EntropyWanted, Proof
from server.match.entropy import EntropyCollector
from server.match.news import PartWanted
from server.match.step import Stepper
from tests.support.clients.dice.linking import HandMade
from tests.support.runs.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

VICTIM, FRIEND = Seat(0), Seat(1)
WISHES: Final = ((6, 6), (5, 5))
"""Faces that the host may want of the first two dice of the round: the second where its friend's first chain gives the
first, so that it has to choose."""
MOST_TRIES: Final = 400


class Chooser:
    """Server that calls round `round` of the victim's program in a history of its own, takes the part, and then grinds
    the friend's chain. `tries`: the number of chains made; `wished`: the faces that it wants; `tells`: the program is
    told of the false call."""

    def __init__(self, round: int, *, tells: bool = True) -> None:
        self.round = round
        self.tells = tells
        self.tries = 0
        self.wished = WISHES[0]
        self.part: Part | None = None
        self.has_cheated = self.has_asked = False
        self._came = asyncio.Event()

    def apply(self, patch: pytest.MonkeyPatch) -> None:
        """Make all servers of this process cheat so."""
        honest, given = Stepper._open_round, EntropyCollector.give
        chooser = self

        async def open_round(stepper: Stepper) -> None:
            if stepper.match.record.round + 1 == chooser.round and not chooser.has_cheated:
                chooser.has_cheated = True
                await chooser.choose(stepper)
            else:
                await honest(stepper)

        def give(entropy: EntropyCollector, seat: Seat, round: int, link: bytes, proof: bytes) -> str:
            if seat == VICTIM and round == chooser.round and chooser.part is None and chooser.has_cheated:
                chooser.part = Part(table=NO_TABLE, round=round, link=link, proof=proof)
                chooser._came.set()
                return ""
            return given(entropy, seat, round, link, proof)

        patch.setattr(Stepper, "_open_round", open_round)
        patch.setattr(EntropyCollector, "give", give)

    async def choose(self, stepper: Stepper) -> None:
        """Take the victim's part for a call that no log has, and open the round with the wanted dice."""
        await stepper.journal.proofs.load(stepper.journal.stored.steps)
        await stepper.entropy.introduced()
        for tip in stepper.entropy.new_tips():
            if tip.seat == VICTIM:
                await stepper.journal.commit(tip)
        self.ask(stepper)
        async with asyncio.timeout(PATIENCE):
            await self._came.wait()
        assert self.part is not None
        friend = self.ground(stepper, self.part.link)
        said = friend.tip()
        await stepper.journal.commit(EntropyTip(FRIEND, said.tip, said.key))
        await stepper.journal.commit(EntropyCall())
        match = stepper.match
        links, proofs = [self.part.link, b""], [self.part.proof, b""]
        if FRIEND in (match.record.call or ()):
            wanted = EntropyWanted(table_of(match.id), self.round, match.version, match.head, b"")
            also = friend.part(wanted)
            links[FRIEND], proofs[FRIEND] = also.link, also.proof
        await stepper.journal.commit(RoundOpened(tuple(links), tuple(proofs)))

    def ask(self, stepper: Stepper) -> None:
        """Ask for the part, under a signed head that commits to nothing."""
        match, key = stepper.match, stepper.journal.proofs.key
        version, head = match.version + 1, sha256(b"a call that no log has").digest()
        signature = key.sign_head(match.id, version, head)
        if self.tells:
            call = facts.Called(self.round, match.record.participation.due(), version, head, signature)
            self.tell(stepper, call)
        wanted = EntropyWanted(table_of(match.id), self.round, version, head, signature)
        stepper._table.tell(PartWanted(VICTIM, wanted))
        self.has_asked = True

    def tell(self, stepper: Stepper, call: facts.Called) -> None:
        """Tell the victim of a call, as the next fact."""
        plane = stepper.journal.proofs
        for viewer in list(plane._hearers):
            view = stepper.journal.channels.view_of(viewer)
            if view is not None and view.seat == VICTIM:
                first = sum(told.may_know(VICTIM) for told in plane._told or ())
                viewer.offer(encode(Proof(table_of(stepper.match.id), first, (call,), seat=VICTIM)))

    def ground(self, stepper: Stepper, link: bytes) -> HandMade:
        """Return a chain of the friend's that gives the wanted dice."""
        match = stepper.match
        for self.tries in range(1, MOST_TRIES):
            friend = HandMade(match.id, match.origin, seed=sha256(b"%d" % self.tries).digest())
            links = (link, friend.links.link(self.round))
            mix = mixed(match.record.mix, match.id, self.round, links)
            faces = match.dice.faces(self.round, mix, 0, Pool(2), hidden=False)
            if self.tries == 1:
                self.wished = next(wish for wish in WISHES if wish != faces)
            if faces == self.wished:
                return friend
        raise AssertionError("no chain gives these dice")


def asking_again(round: int, seat: Seat) -> Callable[[pytest.MonkeyPatch], None]:
    """Drop this seat's part of a round, and ask for it once more in the round after, as if it had been called."""
    honest, asked = EntropyCollector.give, EntropyCollector.collect

    def give(entropy: EntropyCollector, its_seat: Seat, its_round: int, link: bytes, proof: bytes) -> str:
        if (its_seat, its_round) != (seat, round):
            return honest(entropy, its_seat, its_round, link, proof)
        entropy._wanted.pop(seat, None)
        entropy._changed.set()
        return ""

    async def collect(entropy: EntropyCollector, *, is_new: bool) -> object:
        match = entropy._match
        if match.record.round == round:
            signature = entropy._key.sign_head(match.id, match.version, match.head)
            for wanted in (round, round + 1):
                message = EntropyWanted(table_of(match.id), wanted, match.version, match.head, signature)
                entropy._table.tell(PartWanted(seat, message))
        return await asked(entropy, is_new=is_new)

    def apply(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(EntropyCollector, "give", give)
        patch.setattr(EntropyCollector, "collect", collect)

    return apply
