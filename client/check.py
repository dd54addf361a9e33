"""`eschaton verify`: the checker's answer about a file, and what receipts add to it."""

from __future__ import annotations

import sys
from pathlib import Path

from client import receipts
from client.files import MOST_BYTES
from client.judge import Case, Finding, checker, judged
from client.profile import profile_path
from protocol.limits import CHECKING, ChildLimits


def check_file(file: Path, named: list[Path], limits: ChildLimits = CHECKING) -> int:
    """Print what was found. 0: all holds; 1: the first thing that does not is printed; 2: something cannot be read, or
    the check did not come to its end."""
    try:
        data = _start_of(file, MOST_BYTES + 1)
        case = Case(data, b"", [_start_of(path, receipts.MOST_BYTES) for path in named], [])
    except OSError as problem:
        print(f"{problem.filename} cannot be read: {problem.strerror}.", file=sys.stderr)
        return 2
    try:
        found = judged(case, checker(limits))
        case.kept = receipts.kept_for(found.match, profile_path("default").parent / "receipts") if found.match else []
        if case.kept:
            # whose receipts those of this computer are stands in the file, which only a child reads
            found = judged(case, checker(limits))
    except OSError as problem:
        print(f"The check cannot be run here: {problem.strerror}.", file=sys.stderr)
        return 2
    return _say(found, file, named, limits)


def _start_of(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        return file.read(most)


def _say(found: Finding, file: Path, named: list[Path], limits: ChildLimits) -> int:
    match found.kind:
        case "holds":
            print("\n".join([*found.said, *([] if found.files else [NO_RECEIPTS])]))
            return 0
        case "wrong" | "closed":
            print("\n".join(found.said))
            return 1
        case "receipts":
            why = f"{named[found.place]}: {' '.join(found.said)}"
        case "memory":
            why = f"{file} could not be checked: it asks for more than {limits.memory_bytes >> 20} MiB of memory."
        case "time":
            why = f"{file} could not be checked: it asks for more than {limits.cpu_seconds} s of computing."
        case _:
            why = f"{file} could not be checked: the check broke off."
    print(why, file=sys.stderr)
    return 2


NO_RECEIPTS = "No receipts are known for this match: whether the host told you another one is not checked."
