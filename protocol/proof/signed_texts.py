"""Texts that a host signs (Ed25519, RFC 8032), byte for byte.

a head     joined("eschaton/sign-v1/head", match, u64(version), head)
a receipt  joined("eschaton/sign-v2/receipt", match, u64(seat), id, said, u64(question + 1), u64(version), head): the
           act of this seat and id (16 bytes) is durable, and the log's head is the one after step `version`.
           `question` is that of an answer under seal: it is final, and counts when the question closes, or has
           counted if it has closed by that step. Of a step, which is at `version` or before it, it is -1.
           `said` is SHA-256 over the canonical msgpack of [choice, fields] (keys sorted by bytes, shortest integers).
           Layout 1, which older hosts signed, was the same without the seat, and began "eschaton/sign-v1/receipt";
           there an answer could be replaced until its question closed, so that none proves which one was to count
receipts   joined("eschaton/sign-v1/receipts", root): one signature for all receipts that are made together. `root` is
           that of the tree (protocol/proof/leaves.py) over SHA-256 of each receipt in the order they were made, filled
           up with leaves of 32 zero bytes to a power of two, so that place and path lead to the root without the number
           of receipts. A receipt by itself is its own root, at place 0 with no path. None is signed in another way
expired    joined("eschaton/sign-v2/expired", match, u64(seat), u64(question + 1), u64(version), head), told to this
           seat alone: at step `version`, after which the log has this head, time ran out for it, at this question or
           (-1) in its turn. It binds the host to what it claims. That the seat had said nothing, it does not prove
a replay   joined("eschaton/sign-v1/replay", SHA-256 of all its bytes before the section "sign")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from protocol.canonical import packed
from protocol.ids import MatchId
from protocol.proof.dice import joined, u64
from protocol.proof.leaves import Tree, root_of

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
DIGEST_BYTES: Final = 32
MOST_LEVELS: Final = 32
"""Levels of the tree over receipts; a longer path leads nowhere."""
_RECEIPT_FIRST: Final = joined(b"eschaton/sign-v2/receipt")


class Signer(Protocol):
    """Key of a host."""

    @property
    def public(self) -> bytes:
        """Public key, by which others know the host (32 bytes)."""

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message (64 bytes)."""


def head_text(match: MatchId, version: int, head: bytes) -> bytes:
    """Return the text to sign for a head."""
    return joined(b"eschaton/sign-v1/head", match.encode(), u64(version), head)


def said_digest(choice: str, fields: Mapping[str, object]) -> bytes:
    """Return the digest (32 bytes) by which a receipt names an act's content, as it stood in a decoded message: plain
    values."""
    return sha256(packed([choice, fields])).digest()


def receipt_text(match: MatchId, seat: int, id: bytes, said: bytes, question: int, version: int, head: bytes) -> bytes:
    """Return the text of the receipt for an act or a sealed answer, a leaf of what is signed. Raises OverflowError for
    numbers that no match has."""
    return _RECEIPT_FIRST + joined(match.encode(), u64(seat), id, said, u64(question + 1), u64(version), head)


def expired_text(match: MatchId, seat: int, question: int, version: int, head: bytes) -> bytes:
    """Return the text to sign where time has run out for a seat. Raises OverflowError for numbers that no match has."""
    return joined(b"eschaton/sign-v2/expired", match.encode(), u64(seat), u64(question + 1), u64(version), head)


def receipts_text(root: bytes) -> bytes:
    """Return the text to sign for all receipts under this root."""
    return joined(b"eschaton/sign-v1/receipts", root)


class Signed(NamedTuple):
    """Proof of one receipt: the signature of the root, the receipt's place under it, and the neighbours on its way
    there from below, 32 bytes each, one after another."""

    signature: bytes
    place: int
    path: bytes


def sign_receipts(receipts: Sequence[bytes], signer: Signer) -> list[Signed]:
    """Sign all these receipts (at least one) at once, and return the proof of each."""
    levels = (len(receipts) - 1).bit_length()
    leaves = [sha256(receipt).digest() for receipt in receipts]
    tree = Tree(leaves + [bytes(DIGEST_BYTES)] * ((1 << levels) - len(leaves)))
    signature = signer.sign(receipts_text(tree.root))
    return [Signed(signature, place, b"".join(tree.path(place))) for place in range(len(leaves))]


def receipts_root(receipt: bytes, place: int, path: bytes) -> bytes | None:
    """Return the root that a receipt leads to; None where there is no such place or path."""
    levels, odd = divmod(len(path), DIGEST_BYTES)
    if odd or levels > MOST_LEVELS or not 0 <= place < 1 << levels:
        return None
    neighbours = [path[start : start + DIGEST_BYTES] for start in range(0, len(path), DIGEST_BYTES)]
    return root_of(sha256(receipt).digest(), place, 1 << levels, neighbours)


def replay_text(digest: bytes) -> bytes:
    """Return the text to sign for a replay."""
    return joined(b"eschaton/sign-v1/replay", digest)
