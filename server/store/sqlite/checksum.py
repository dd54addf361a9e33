"""Checksums of rows: disks and memory do flip bits, and SQLite would not notice."""

import zlib


def checksum(*values: bytes | str | int) -> int:
    """Return the CRC-32 of these values, one after another; numbers as decimal digits."""
    found = 0
    for value in values:
        found = zlib.crc32(value if isinstance(value, bytes) else str(value).encode(), found)
    return found
