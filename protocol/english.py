"""Catalogue of the protocol's own texts in English: refused frames, ended connections, unreadable replays."""

from __future__ import annotations

from typing import Final

from protocol.words import words_of

ENGLISH: Final = words_of(__package__, "english")
