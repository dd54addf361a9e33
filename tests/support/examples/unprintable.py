"""Lines that hurt terminals, logs and people: controls, directions, escapes, characters of four bytes, look-alikes."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache

from protocol.text_cleaning import FORBIDDEN


@cache
def all_unprintable() -> str:
    """Return every character that no name may hold and UTF-8 can carry."""
    points = (chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000)
    return "".join(c for c in points if unicodedata.category(c) in FORBIDDEN)


def spread(characters: str, size: int) -> list[str]:
    """Return lines with `size` of them each, a letter in front and behind."""
    return [f"a{characters[start : start + size]}b" for start in range(0, len(characters), size)]


def hostile_lines() -> list[str]:
    """Return one line of each kind."""
    return [
        "\x00",
        "a\x00b",
        "\x07bell",
        "line\r\nset-cookie: x=1",
        '"}\n{"event": "listening", "level": "info"}',
        "\x1b[2J\x1b[1;31mred",
        "\x1b]0;title\x07",
        "\x9b31m",
        "\u202eevil.exe",
        "\u2066left\u2069",
        "\u200b\u200c\u200d\ufeff",
        "\u2028line\u2029paragraph",
        "\x7f\x80\x85",
        "\U0001f3b2\U0001f600" * 10,
        "\U000e0041\U000e0042",
        "Z\u0351\u036b\u0343\u036a" * 12,
        "\ufdfa" * 60,
        "\ufdd0\ufffe\U0010ffff",
        "<script>alert(1)</script>\t",
        "%s%n%x {0} {name!r} ${jndi:ldap://x}",
    ]
