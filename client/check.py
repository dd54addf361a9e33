"""`eschaton verify`: the checker's answer about a file, and what receipts add to it."""

from __future__ import annotations

import sys
from pathlib import Path

import msgpack

from client import compare, verify
from client.profile import profile_path
from client.receipts import BadReceipts, Receipts, kept_for, read


def check_file(file: Path, named: list[Path]) -> int:
    """Print what was found. 0: all holds; 1: the first thing that does not is printed; 2: something cannot be read."""
    try:
        data = file.read_bytes()
        kept = [_read(path) for path in named]
    except OSError as problem:
        print(f"{problem.filename} cannot be read: {problem.strerror}.", file=sys.stderr)
        return 2
    except BadReceipts as problem:
        print(problem, file=sys.stderr)
        return 2
    try:
        found = verify.check(data)
        kept += [receipts for receipts in _own(data) if receipts not in kept]
        found += compare.compare(data, kept) if kept else [NO_RECEIPTS]
    except verify.DoesNotHold as problem:
        print(problem)
        return 1
    print("\n".join(found))
    return 0


NO_RECEIPTS = "No receipts are known for this match: whether the host told you another one is not checked."


def _read(path: Path) -> Receipts:
    try:
        return read(path.read_bytes())
    except BadReceipts as bad:
        raise BadReceipts(f"{path}: {bad}") from bad


def _own(data: bytes) -> list[Receipts]:
    """Those that any profile here has kept for this match."""
    match = msgpack.unpackb(verify.read_sections(data)["head"][0])["match"]
    return kept_for(match, profile_path("default").parent / "receipts")
