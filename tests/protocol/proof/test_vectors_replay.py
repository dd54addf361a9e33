"""The published vectors of replay files: what the program makes of them, and what the checker, which shares nothing
with it, reads. `python -m tests.protocol.proof.test_vectors_replay` writes them anew, for a new version only."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgpack
import pytest

from client.fairness import verify
from protocol.fairness.replay import Names, names_section, read
from protocol.fairness.replay_sections import SIGN_SECTION, section, signed_bytes, signed_file
from protocol.limits import Limits
from server.runtime.signing import HostKey

FILE: Final = Path(__file__).parents[2] / "vectors" / "replay.json"
VECTORS: Final[list[dict[str, Any]]] = json.loads(FILE.read_text()) if FILE.exists() else []
ALIKE: Final = {"system": "duel", "scenario": "two", "match": "m1", "host": "here", "version": "1"}
FIRST: Final = {"head": {**ALIKE, "table": "Friday", "seats": [{"name": "Ada", "faction": "a"}]}, "names": None}
PEOPLE: Final = [{"faction": "a", "person": "000102030405060708090a0b0c0d0e0f"}, {"faction": "b", "bot": "level1"}]
SECOND: Final = {"head": {**ALIKE, "seats": PEOPLE}}


def sections_of(given: dict[str, Any]) -> list[bytes]:
    """Return the signed sections: of the match itself only sizes matter here."""
    seats = [
        {**seat, "person": bytes.fromhex(seat["person"])} if "person" in seat else seat
        for seat in given["head"]["seats"]
    ]
    head = msgpack.packb({**given["head"], "seats": seats})
    return [section(b"head", head), section(b"seal", bytes(160)), section(b"tlog", b"\0\0\0\x01s")]


def made(given: dict[str, Any]) -> dict[str, Any]:
    """Compute the program's results for the given part of a vector."""
    names = (
        b"" if given["names"] is None else names_section(Names(given["names"]["table"], tuple(given["names"]["seats"])))
    )
    data = signed_file(given["version"], sections_of(given), HostKey(bytes.fromhex(given["seed"])), names)
    return {"signed": sha256(signed_bytes(data)).hexdigest(), "file": data.hex()}


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_the_program_makes_the_files(vector: dict[str, Any]) -> None:
    given = {name: value for name, value in vector.items() if name not in ("signed", "file")}
    assert {**given, **made(given)} == vector
    header = read(bytes.fromhex(vector["file"]), Limits()).header
    assert [seat.name for seat in header.seats] == seats_named(vector)


def seats_named(vector: dict[str, Any]) -> list[str]:
    """Return the names that a reader of the file is to show."""
    names, seats = vector["names"], vector["head"]["seats"]
    return names["seats"] if names is not None else [seat.get("name", "") for seat in seats]


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_the_checker_reads_the_files(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["file"])
    found = verify.read_sections(data)
    assert verify.names_in(found, msgpack.unpackb(found["head"][0])) == seats_named(vector)
    end = data.index(b"sign\0\0\0\x60")
    assert sha256(data[:end]).hexdigest() == vector["signed"]
    assert len(data[end:]) >= SIGN_SECTION


def test_there_are_vectors_of_both_versions_with_names_and_without() -> None:
    assert {(vector["version"], vector["names"] is None) for vector in VECTORS} == {(1, True), (2, True), (2, False)}


if __name__ == "__main__":
    GIVEN: Final[list[dict[str, Any]]] = [
        {"version": 1, **FIRST},
        {"version": 2, **SECOND, "names": None},
        {"version": 2, **SECOND, "names": {"table": "Friday", "seats": ["Ada", "Bot"]}},
    ]
    seeded = [{"seed": bytes(range(32)).hex(), **given} for given in GIVEN]
    lines = [json.dumps({**given, **made(given)}) for given in seeded]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")
