"""Short codes of army lists: a head of letters and a version, then whole numbers, with a checksum.

    IM1-0C4M2-...    the page IM at its version 1

Behind the first dash stand numbers as bytes (a varint each, seven bits a byte, the lowest first), in Crockford's base
32. Last, three bytes of BLAKE2b over all before them. What the numbers mean is the system's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Final, NamedTuple

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
GROUP: Final = 5
CHECK: Final = 3
LONGEST: Final = 2000
"""Greatest length of a code, in characters."""
NUMBER_BYTES: Final = 2
"""Greatest length of a number of a code, in bytes."""
_HEAD: Final = re.compile(r"([A-Z]{2})([1-9][0-9]{0,2})-(.*)")
_ALIKE: Final = str.maketrans("OIL", "011", "- \n\r\t")


def looks_like_code(written: str) -> bool:
    """Tell whether a text is meant as a code, not as a file."""
    return "\n" not in written.strip() and "=" not in written


def coded(head: str, numbers: Iterable[int]) -> str:
    """Return the code of these numbers, with its checksum; they need not make a list. `head`: letters and version."""
    data = b"".join(map(_varint, numbers))
    body = _base32(data + _check(head, data))
    return "-".join((head, *(body[at : at + GROUP] for at in range(0, len(body), GROUP))))


class ListCode(NamedTuple):
    """A code that has been taken apart: the letters of the page, its version, and the rest as it is written."""

    letters: str
    version: int
    body: str

    def numbers(self) -> list[int]:
        """Return the numbers, one at least. Raises ValueError where the code is damaged."""
        raw = _from_base32(self.body.translate(_ALIKE))
        data, check = raw[:-CHECK], raw[-CHECK:]
        if not data or check != _check(f"{self.letters}{self.version}", data):
            raise ValueError("a wrong checksum")
        return list(_varints(data))


def taken_apart(code: str) -> ListCode | None:
    """Return the parts of a code, damaged or not; None where a text has not the form of one."""
    found = _HEAD.fullmatch(code.strip().upper()) if len(code) <= LONGEST else None
    return found and ListCode(found[1], int(found[2]), found[3])


def bounded(number: int, least: int, most: int) -> int:
    """Return the number. Raises ValueError where it is out of bounds."""
    if not least <= number <= most:
        raise ValueError("a number out of bounds")
    return number


def _check(head: str, data: bytes) -> bytes:
    return blake2b(head.encode() + b"-" + data, digest_size=CHECK).digest()


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes((*found, number))


def _varints(data: bytes) -> Iterator[int]:
    """Yield the numbers of a code. Raises ValueError where one is longer than NUMBER_BYTES, or has no end."""
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
        elif shift == 7 * NUMBER_BYTES:
            raise ValueError("a number that is too long")
    if shift:
        raise ValueError("a number without an end")


def _base32(data: bytes) -> str:
    bits = len(data) * 8
    number, padded = int.from_bytes(data, "big"), -(-bits // 5) * 5
    number <<= padded - bits
    return "".join(ALPHABET[number >> shift & 31] for shift in range(padded - 5, -1, -5))


def _from_base32(letters: str) -> bytes:
    """Return the bytes of a code; empty where there is a letter that no code has."""
    number = 0
    for letter in letters:
        value = ALPHABET.find(letter)
        if value < 0:
            return b""
        number = number << 5 | value
    length = len(letters) * 5 // 8
    return (number >> (len(letters) * 5 - length * 8)).to_bytes(length, "big")
