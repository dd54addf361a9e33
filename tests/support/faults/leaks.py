"""Matches of the action-card game in which all hidden data is marked, and the frames of each viewer are searched for
it.

Marked are the secret conditions (their ids carry words that occur nowhere else), the cards not yet drawn, and the
match's secret with all that follows from it and is not open yet. A second match, equal but for what is hidden, must
send each viewer who may not know the very same bytes, as many frames of the same sizes, at the same steps.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.view.projection import SceneChange
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.rules.flow import SECRETS
from engine.rulesets.action_cards.state.model import Resolved
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId, NodeId
from protocol.proof.dice import SeedChain, deck_secret, dice_secret, hidden_secret, salt_secret
from protocol.wire.codec import encode
from server.match.frames import PRIVATE, PUBLIC, delta
from server.match.proof_plane import facts_in
from tests.support.fairness.signing import HOST
from tests.support.faults.interference import OtherOrder, Recorded
from tests.support.play.observed import Observed
from tests.support.systems.shipped import resolved_scenario

DECISIONS = 40
WHOLE = 1_000
"""Decisions at most of a match that is played to its end, as one in three is: it has no twin, since with other secrets
it would end otherwise."""
Viewer = Seat | None


def search(seed: int) -> dict[str, float]:
    """Play one match of each scenario with all hidden data marked, and its twin with other secrets. Raises
    AssertionError where anything shows."""
    frames = size = compared = viewers = ended = 0
    most = WHOLE if seed % 3 == 0 else DECISIONS
    for scenario in ("low_water", "harrow_cross"):
        marked, seats, words = marked_content(scenario, seed)
        secret = (seed * 2**64 + 7).to_bytes(32, "big")
        dice = MatchDice(secret, MatchId("m1"))
        recorded: Recorded[Skirmish] = Recorded(system, marked, seats)
        one = recorded.play(dice, {Seat(s): RandomBot(seed + s) for s in range(seats)}, most)
        sent = {viewer: [_bytes(viewer, change) for change in changes] for viewer, changes in one.frames.items()}
        check_words(one, sent, words)
        check_secret(one, sent, secret)
        proofs = proof_plane(one)
        check_words(one, proofs, words, in_picture=False)
        check_secret(one, proofs, secret)
        check_deck(one)
        compared += compare_twins(recorded, one, sent, dice, seed) if most == DECISIONS else 0
        ended += one.match.result is not None
        frames += sum(map(len, sent.values()))
        size += sum(len(data) for found in sent.values() for data in found)
        viewers += len(sent)
    found = {"frames": frames, "bytes": size, "streams_compared": compared}
    return {"matches": 2, "ended": ended, "viewers": viewers, **found}


def marked_content(scenario: str, seed: int) -> tuple[bytes, int, dict[str, bytes]]:
    """Return the content of a match whose secret conditions carry words of their own, as long as each other: by id."""
    resolved, seats = resolved_scenario(scenario)
    content = msgspec.msgpack.decode(resolved, type=Resolved)
    secrets = []
    words: dict[str, bytes] = {}
    for number, condition in enumerate(content.scenario.secrets):
        word = f"taint{seed:08x}{number:04x}"
        words[word] = word.encode()
        secrets.append(msgspec.structs.replace(condition, id=word, name=word))
    told = msgspec.structs.replace(content.scenario, secrets=tuple(secrets))
    return msgspec.msgpack.encode(msgspec.structs.replace(content, scenario=told)), seats, words


def _bytes(viewer: Viewer, change: SceneChange) -> bytes:
    """Return the frame as it goes over the wire."""
    return encode(delta(PUBLIC if viewer is None else PRIVATE, change))


def proof_plane(table: Observed[Skirmish]) -> dict[Viewer, list[bytes]]:
    """Return the facts of the proof plane that each viewer is told, one by one."""
    told = facts_in(table.match, table.log, HOST)
    return {viewer: [msgspec.msgpack.encode(o.fact) for o in told if o.may_know(viewer)] for viewer in table.frames}


def check_words(
    table: Observed[Skirmish], sent: dict[Viewer, list[bytes]], words: dict[str, bytes], *, in_picture: bool = True
) -> None:
    """Check that the words of secret conditions are in their owner's private frames, if anywhere."""
    state = table.match.state
    projector = table.play.projector
    pictures: dict[Viewer, bytes] = {None: msgspec.msgpack.encode(dict(projector.public.hashed.nodes))}
    for seat, view in projector.private.items():
        pictures[seat] = msgspec.msgpack.encode(dict(view.hashed.nodes))
    for viewer, frames in sent.items():
        own = set(state.seats[viewer].secrets) if viewer is not None else set()
        # the last frame of an ended match reveals all secrets to all
        hidden = (*frames, pictures[viewer]) if state.ending is None else frames[:-1]
        for word in set(words) - own:
            assert not any(words[word] in data for data in hidden), f"{viewer} was told of {word}"
        for word in own if in_picture else ():
            assert words[word] in pictures[viewer], "the marks do not mark"


def check_secret(table: Observed[Skirmish], sent: dict[Viewer, list[bytes]], secret: bytes) -> None:
    """Check that no viewer is sent the secret, a seed of a round, or the source of decks and hidden rolls, in any
    encoding."""
    rolled = dice_secret(secret)
    chain, hidden = SeedChain(rolled, MatchId("m1")), SeedChain(hidden_secret(rolled), MatchId("m1"))
    # the seed of a round is revealed when the next begins
    closed = range(table.match.record.round, table.match.record.round + 4)
    kept = [secret, rolled, salt_secret(secret), deck_secret(rolled), hidden_secret(rolled)]
    kept += [chain.seed(number) for number in closed] + [hidden.seed(number) for number in range(closed.stop)]
    forms = [form for value in kept for form in _forms(value)]
    for viewer, frames in sent.items():
        everything = b"".join(frames)
        assert not any(form in everything for form in forms), f"{viewer} was sent a secret"


def _forms(value: bytes) -> Iterator[bytes]:
    yield value
    yield value.hex().encode()
    yield base64.b64encode(value).rstrip(b"=")
    yield base64.urlsafe_b64encode(value).rstrip(b"=")


def check_deck(table: Observed[Skirmish]) -> None:
    """Check that a card of the first epoch is in no viewer's picture before it has been drawn."""
    deck = table.match.record.decks[cards.DECK]
    if deck.epoch:
        return
    undrawn = {card.encode() for card in deck.undrawn()}
    nodes: list[dict[NodeId, Any]] = [dict(table.play.projector.public.hashed.nodes)]
    nodes += [dict(view.hashed.nodes) for view in table.play.projector.private.values()]
    shown = [msgspec.msgpack.encode(part) for part in nodes]
    shown += [_bytes(viewer, change) for viewer, changes in table.frames.items() for change in changes]
    for data in shown:
        found = [card for card in undrawn if _as_text(card) in data]
        assert not found, f"{found} are not drawn yet"


def _as_text(card: bytes) -> bytes:
    """Return a whole msgpack text: one card's id may begin another's."""
    return bytes([0xA0 | len(card)]) + card


def compare_twins(
    recorded: Recorded[Skirmish], one: Observed[Skirmish], sent: dict[Viewer, list[bytes]], dice: MatchDice, seed: int
) -> int:
    """Play it again with other secret conditions, and with the undrawn cards in another order; return how many viewers'
    streams were the same to the byte, which all must be that may not know."""
    if one.match.state.ending is not None:
        return 0
    turn = 1 + seed % 5
    other = recorded.again(OtherOrder(dice, SECRETS, 0, 0, turn))
    before, after = one.match.state.seats, other.match.state.seats
    blind = [viewer for viewer in sent if viewer is None or before[viewer].secrets == after[viewer].secrets]
    same = compare(other, sent, blind)
    compare_sizes(one, other, blind)
    deck = one.match.record.decks[cards.DECK]
    if deck.epoch:
        return same
    drawn = len(cards.composition(one.match.state.resolved)) - len(deck.undrawn())
    other = recorded.again(OtherOrder(dice, cards.DECK, 0, drawn, turn))
    compare_sizes(one, other, list(sent))
    return same + compare(other, sent, list(sent))


def compare_sizes(one: Observed[Skirmish], other: Observed[Skirmish], blind: list[Viewer]) -> None:
    """Compare numbers and sizes on the proof plane, where salted bytes may differ."""
    before, after = proof_plane(one), proof_plane(other)
    for viewer in blind:
        assert list(map(len, before[viewer])) == list(map(len, after[viewer])), f"a proof tells {viewer} something"


def compare(other: Observed[Skirmish], sent: dict[Viewer, list[bytes]], blind: list[Viewer]) -> int:
    """Check that these viewers were sent the same, in number, sizes and bytes."""
    for viewer in blind:
        again = [_bytes(viewer, change) for change in other.frames[viewer]]
        assert list(map(len, again)) == list(map(len, sent[viewer])), f"sizes or numbers tell {viewer} something"
        assert again == sent[viewer], f"bytes tell {viewer} something"
    return len(blind)
