"""Short codes of army lists: letters and version of the army page, then what is in the list, with a checksum.

    IM1-0C4M2-...    Iron Marches, page version 1

Behind the first dash stand numbers as bytes (a varint each, seven bits a byte, the lowest first), in Crockford's base
32: the limit in hundreds of points, then for each entry the number of its unit, twice the count (plus 1 where doubled),
the number of its discipline (0: none), how many upgrades, and the numbers of those. Last, three bytes of BLAKE2b over
all before them. The name of a list is not in its code. Every number has the bounds that it has in a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Final

from engine.core.rules.errors import ListRefused
from engine.rulesets.one_page.content import lists
from engine.rulesets.one_page.content.armies import Book
from engine.rulesets.one_page.state.profiles import Discipline
from protocol.text import text

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
GROUP: Final = 5
CHECK: Final = 3
HUNDREDS: Final = 100
LONGEST: Final = 2000
"""Greatest length of a code, in characters."""
NUMBER_BYTES: Final = 2
"""Greatest length of a number of a code, in bytes."""
_HEAD: Final = re.compile(r"([A-Z]{2})([1-9][0-9]{0,2})-(.*)")
_ALIKE: Final = str.maketrans("OIL", "011", "- \n\r\t")


def looks_like_code(written: str) -> bool:
    """Tell if a text is meant as a code, not as a file."""
    return "\n" not in written.strip() and "=" not in written


def encode(book: Book, listed: lists.ArmyList) -> str:
    """Return the code of a list, valid or not, of an army that is installed. Raises ListRefused where it is too
    long."""
    code = coded(f"{book.armies[listed.army].code}{listed.version}", _numbers(listed, book.disciplines))
    if len(code) > LONGEST:
        raise ListRefused([text("op.list.long-code", most=LONGEST)])
    return code


def coded(head: str, numbers: Iterable[int]) -> str:
    """Return the code of these numbers, with its checksum; they need not make a list. `head`: letters and version."""
    data = b"".join(map(_varint, numbers))
    body = _base32(data + _check(head, data))
    return "-".join((head, *(body[at : at + GROUP] for at in range(0, len(body), GROUP))))


def decode(book: Book, code: str) -> lists.ArmyList:
    """Return the list of a code. Raises ListRefused where it is damaged or of an unknown army."""
    found = _HEAD.fullmatch(code.strip().upper()) if len(code) <= LONGEST else None
    army = book.coded(found[1]) if found is not None else None
    if found is None:
        raise ListRefused([text("op.list.no-code")])
    if army is None:
        raise ListRefused([text("op.list.no-army", army=found[1])])
    head, raw = f"{found[1]}{found[2]}", _from_base32(found[3].translate(_ALIKE))
    data, check = raw[:-CHECK], raw[-CHECK:]
    if len(raw) <= CHECK or check != _check(head, data):
        raise ListRefused([text("op.list.damaged")])
    try:
        hundreds, *numbers = _varints(data)
        limit = _within(hundreds, 0, lists.MOST_LIMIT // HUNDREDS) * HUNDREDS
        entries = tuple(_entries(army.code, numbers, {known.number: known.id for known in book.disciplines.values()}))
    except (ValueError, IndexError, KeyError) as problem:
        raise ListRefused([text("op.list.damaged")]) from problem
    return lists.ArmyList(army.id, int(found[2]), limit, entries)


def _numbers(listed: lists.ArmyList, disciplines: Mapping[str, Discipline]) -> Iterator[int]:
    yield listed.limit // HUNDREDS
    for entry in listed.entries:
        yield int(entry.unit.rpartition("-")[2])
        yield 2 * entry.count + entry.doubled
        yield disciplines[entry.discipline].number if entry.discipline in disciplines else 0
        yield len(entry.upgrades)
        yield from entry.upgrades


def _entries(letters: str, numbers: Sequence[int], disciplines: Mapping[int, str]) -> Iterator[lists.ListEntry]:
    """Yield the entries of a code's numbers. Raises ValueError, IndexError or KeyError for numbers that no list has."""
    rest = list(reversed(numbers))
    for _ in range(lists.MOST_ENTRIES):
        if not rest:
            return
        unit, count, studied, bought = rest.pop(), rest.pop(), rest.pop(), rest.pop()
        upgrades = tuple(
            _within(rest.pop(), 1, lists.MOST_NUMBER) for _ in range(_within(bought, 0, lists.MOST_UPGRADES))
        )
        discipline = disciplines[studied] if studied else ""
        id = f"{letters}-{_within(unit, 1, lists.MOST_NUMBER):02}"
        yield lists.ListEntry(id, _within(count // 2, 0, lists.MOST_COUNT), upgrades, discipline, bool(count % 2))
    if rest:
        raise ValueError("more entries than a list has")


def _within(number: int, least: int, most: int) -> int:
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
