"""Command `eschaton verify`: the checker's answer about a file, and what receipts and known keys add to it."""

from __future__ import annotations

import sys
from pathlib import Path

from client.fairness import receipts
from client.fairness.replay_check import ReplayCase, ReplayFinding, check_in_child, check_process
from client.storage.downloads import MOST_BYTES
from client.storage.profile import KnownKey, all_profiles, profile_path
from protocol.ids import MatchId
from protocol.limits import CHECKING, ChildLimits

HOLDS, WRONG, UNREADABLE, OTHER_KEY = range(4)
"""Exit codes of the command."""


def check_file(file: Path, named: list[Path], limits: ChildLimits = CHECKING, key: bytes = b"") -> int:
    """Print what was found, and return the exit code. `key`: the host's, where the person has named one (else empty).

    HOLDS; WRONG: the first thing that does not hold is printed; UNREADABLE: something cannot be read, or the check did
    not come to its end; OTHER_KEY: the file holds, but the host that signed it is not the one of the receipts, or not
    that of `key`.
    """
    try:
        data = _start_of(file, MOST_BYTES + 1)
        case = ReplayCase(data, b"", [_start_of(path, receipts.MOST_BYTES) for path in named], [])
    except OSError as problem:
        print(f"{problem.filename} cannot be read: {problem.strerror}.", file=sys.stderr)
        return UNREADABLE
    try:
        found = check_in_child(case, check_process(limits))
        case.kept = _receipts_here(found.match) if found.match else []
        if case.kept:
            # the match whose receipts are looked for stands in the file, which only a child reads
            found = check_in_child(case, check_process(limits))
    except OSError as problem:
        print(f"The check cannot be run here: {problem.strerror}.", file=sys.stderr)
        return UNREADABLE
    return _say(found, key, file, named, limits)


def _start_of(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        return file.read(most)


def _receipts_here(match: MatchId) -> list[bytes]:
    """Return the receipts of a match on this computer, also those under a key that the host had before."""
    folder = profile_path("default").parent / "receipts"
    return receipts.receipt_files(match, folder) + receipts.receipt_files(match, folder, receipts.PUT_ASIDE)


def _say(found: ReplayFinding, key: bytes, file: Path, named: list[Path], limits: ChildLimits) -> int:
    match found.kind:
        case "holds" if key in (b"", found.key):
            known = [NAMED_KEY] if key else _known(found.key) or [UNKNOWN_KEY]
            print("\n".join([*found.said, *known, *([] if found.files else [NO_RECEIPTS])]))
            return HOLDS
        case "holds":
            print(f"The file holds, but not under the key that you have named. {_keys(found.key, 'That one', key)}")
            return OTHER_KEY
        case "other":
            print(f"{OTHER_RECEIPTS} {_keys(found.key, 'The receipts', found.other)}")
            return OTHER_KEY
        case "wrong" | "closed":
            print("\n".join(found.said))
            return WRONG
        case "receipts":
            which = str(named[found.place]) if found.place >= 0 else "The receipts kept on this computer"
            why = f"{which}: {' '.join(found.said)}"
        case "memory":
            why = f"{file} could not be checked: it asks for more than {limits.memory_bytes >> 20} MiB of memory."
        case "time":
            why = f"{file} could not be checked: it asks for more than {limits.cpu_seconds} s of computing."
        case _:
            why = f"{file} could not be checked: the check broke off."
    print(why, file=sys.stderr)
    return UNREADABLE


def _keys(signed: bytes, what: str, other: bytes) -> str:
    """Return two keys that should be one, with where each is known from, in sentences."""
    first, second = _known(signed), _known(other)
    return "\n".join([f"The file: {signed.hex()}.", *first, f"{what}: {other.hex()}.", *second])


def _known(key: bytes) -> list[str]:
    """Return sentences that name the places from which a key is known."""
    return [_sentence(name, known) for name, profile in all_profiles() for known in profile.known_as(key)]


def _sentence(profile: str, known: KnownKey) -> str:
    if known.until:
        span = f"from {known.since} to {known.until}" if known.since else f"until {known.until}"
        return f"Signed by the host of {known.server}, as profile {profile} knew it {span}: its key is another one now."
    since = f" since {known.since}" if known.since else ""
    return f"Signed by the host of {known.server}, known to profile {profile}{since}."


NO_RECEIPTS = "No receipts are known for this match: whether the host told you another one is not checked."
NAMED_KEY = "Signed with the key that you have named."
UNKNOWN_KEY = "No profile of this computer knows the key: whether it is that of the host you mean is not checked."
OTHER_RECEIPTS = "The file holds, but it is not from the host whose receipts of this match are kept."
