"""Facts that a host tells of a match's log, so that chance can be checked while it is played.

A fact is a part of a log's entry that its audience may know: enough to check chance, and no more (of a deck's epoch the
number of its cards, not their names). What is signed in one stands in protocol/proof/signed_texts.py.
"""

from __future__ import annotations

import msgspec

from protocol.ids import MatchId


class Fact(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="f"):
    """Base of all facts."""


class Bound(Fact, frozen=True, tag="bound"):
    """Beginning of the match: the host is bound to s_0, by its signature of the head of the first step. `dice`: the
    scheme (docs/dice.md); `parts`: programs may add to the dice; `strict`: each step that rolls has its own
    call."""

    match: MatchId
    seats: int
    commitment: bytes
    head: bytes
    signature: bytes
    dice: int = 1
    parts: bool = False
    strict: bool = False


class Held(Fact, frozen=True, tag="seat"):
    """Holder of a seat from now on: "person", "bot" or "empty". `person`: the id of the person in this match alone,
    empty for others and in matches of before."""

    seat: int
    by: str
    person: bytes = b""


class Tipped(Fact, frozen=True, tag="tip"):
    """Tip of a seat's entropy chain, with the key that its program signs openings by (empty in dice 1)."""

    seat: int
    tip: bytes
    key: bytes = b""


class Called(Fact, frozen=True, tag="call"):
    """Call of the programs of these seats to add to a round. `signature` is that of the log's head after step
    `version`, the call's own. `round`: at a strict table the number of the call; there `deferred` marks the call of a
    step that rolls, and `actor` is the seat whose act that is (-1: several seats', or nobody's)."""

    round: int
    seats: tuple[int, ...]
    version: int
    head: bytes
    signature: bytes
    deferred: bool = False
    actor: int = -1


class Begun(Fact, frozen=True, tag="round"):
    """Beginning of a round, with the links opened for it, the programs' signatures of them (none in dice 1), and the
    seed of the round that ended (empty: none did, or the host withholds it). `signature` is that of the log's head
    after step `version`, the one in which the round began."""

    round: int
    links: tuple[bytes, ...]
    seed: bytes
    version: int
    head: bytes
    signature: bytes
    proofs: tuple[bytes, ...] = ()


class Opened(Fact, frozen=True, tag="opened"):
    """Opening of the parts called for a deferred step, as of Begun. `call`: the number of their call."""

    call: int
    links: tuple[bytes, ...]
    proofs: tuple[bytes, ...]
    version: int
    head: bytes
    signature: bytes


class GivenUp(Fact, frozen=True, tag="void"):
    """End of what was being resolved, given up by the host in step `version`; the dice rolled for it stay spent."""

    version: int


class Rolled(Fact, frozen=True, tag="roll"):
    """Roll `n` of a round, open to all."""

    round: int
    n: int
    seat: int
    sides: int
    faces: tuple[int, ...]


class Ordered(Fact, frozen=True, tag="order"):
    """Order that everyone sees, as roll `n` of a round."""

    round: int
    n: int
    order: tuple[int, ...]


class Shuffled(Fact, frozen=True, tag="deck"):
    """Epoch of a deck: how many cards, and the root over them."""

    deck: str
    epoch: int
    round: int
    cards: int
    root: bytes


class Drawn(Fact, frozen=True, tag="card"):
    """Card drawn from a deck, with what opens its leaf. `private`: told to its drawer only."""

    deck: str
    epoch: int
    index: int
    card: str
    salt: bytes
    path: tuple[bytes, ...]
    private: bool = False


AnyFact = Bound | Held | Tipped | Called | Begun | Opened | GivenUp | Rolled | Ordered | Shuffled | Drawn
