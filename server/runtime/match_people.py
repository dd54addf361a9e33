"""Ids by which a match names its people: keyed hashes, each good for one match alone, so that no log, proof or replay
leads to an account, and nobody can tell that the same person played two matches."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from protocol.fairness.entropy_record import PERSON_BYTES
from protocol.ids import MatchId
from protocol.proof.dice import joined

PEOPLE_OF_MATCHES: Final = b"eschaton/people-of-matches"
"""Label under which the host's key gives the key of these ids."""


class MatchPeople:
    """Ids under one key, which no file of a match holds."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def id_of(self, match: MatchId, who: str) -> bytes:
        """Return the id of a person in a match, empty for nobody."""
        if not who:
            return b""
        return hmac.new(self._key, joined(match.encode(), who.encode()), hashlib.sha256).digest()[:PERSON_BYTES]
