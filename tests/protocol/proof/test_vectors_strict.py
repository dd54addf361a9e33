"""The published vectors of strict tables: what the program makes of them, and what the checkers, which share nothing
with it, make. `python -m tests.protocol.proof.test_vectors_strict` writes them anew, for a new scheme only."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Final

import pytest

from client.fairness import verify
from client.fairness.verify_strict import Deferrals
from engine.core.rules.dice import MatchDice, Pool
from protocol.fairness.entropy_chain import mixed
from protocol.fairness.entropy_record import EntropyRecord
from protocol.proof import dice
from tests.protocol.proof.test_vectors import MATCHES
from tests.protocol.proof.test_vectors_dice2 import ORIGIN
from tests.support.clients.dice.contributing import Program
from tests.support.reference.second_strict import PutOff

FILE: Final = Path(__file__).parents[2] / "vectors" / "strict.json"
VECTORS: Final[list[dict[str, Any]]] = json.loads(FILE.read_text()) if FILE.exists() else []


def made(given: dict[str, Any]) -> dict[str, Any]:
    """Compute the program's results for the given part of a vector; of the order of steps, the second checker's."""
    match given["kind"]:
        case "outcome":
            return made_outcome(given)
        case "calls":
            return made_calls(given)
        case _:
            put_off = PutOff(strict=True)
            found = (
                put_off.problem(cause, entries, [entry["e"] for entry in entries]) for cause, entries in steps(given)
            )
            return {"refused": next((place for place, problem in enumerate(found) if problem), -1)}


def made_outcome(given: dict[str, Any]) -> dict[str, Any]:
    secret, before = bytes.fromhex(given["secret"]), bytes.fromhex(given["before"])
    match, round = given["match"], given["round"]
    mix = mixed(before, match, given["call"], list(map(bytes.fromhex, given["links"])))
    inner = dice.dice_secret(secret)
    seed = dice.SeedChain(dice.hidden_secret(inner) if given["hidden"] else inner, match).seed(round)
    pool = Pool(8, given["sides"])
    found = MatchDice(secret, match).faces(round, mix, given["n"], pool, hidden=given["hidden"])
    return {"mix": mix.hex(), "key": dice.round_key(seed, match, round, mix).hex(), "faces": list(found)}


def made_calls(given: dict[str, Any]) -> dict[str, Any]:
    """Return number, round and seats of each call, and the seats that sit out the round that runs after it."""
    record = EntropyRecord(("empty",) * given["seats"])
    calls: list[list[Any]] = []
    out: list[list[int]] = []
    for number, (kind, *what) in enumerate(given["events"]):
        if kind == "seat":
            record = record.with_holder(*what)
        elif kind == "tip":
            program = Program(number, ORIGIN)
            record = record.with_tip(what[0], program.chain.tip, program.key.public)
        else:
            due = record.due() if kind == "round" else record.due_deferred(what[0])
            record = record if kind == "round" else record.with_deferral()
            record = record.with_call(record.called + 1, due)
            links = [b"l" if seat in due and seat not in what[-1] else b"" for seat in range(given["seats"])]
            record = record.with_round(record.called, links)
            calls.append([record.called, record.round, list(due)])
            out.append([seat for seat in range(given["seats"]) if record.is_out(seat, record.round)])
    return {"calls": calls, "out": out}


def checked(given: dict[str, Any]) -> dict[str, Any]:
    """Compute the checker's results for the given part of a vector."""
    match given["kind"]:
        case "outcome":
            match_id, links = given["match"].encode(), map(bytes.fromhex, given["links"])
            before = bytes.fromhex(given["before"])
            mix = verify.digest("dice-v2/mix", match_id, verify.u64(given["call"]), before, *links)
            log = verify.Log(given["match"], bytes.fromhex(given["secret"]))
            log.parts = verify.EntropyParts(given["match"], len(given["links"]), allowed=True, strict=True)
            log.parts.entropy, log.round = [mix], given["round"]
            key = log.round_key(hidden=given["hidden"])
            return {"mix": mix.hex(), "key": key.hex(), "faces": verify.faces(key, given["n"], given["sides"], 8)}
        case "calls":
            return checked_calls(given)
        case _:
            return {"refused": first_refused(given)}


def checked_calls(given: dict[str, Any]) -> dict[str, Any]:
    parts = verify.EntropyParts("m1", given["seats"], allowed=True, strict=True)
    parts.origin = ORIGIN
    programs: dict[int, Program] = {}
    calls: list[list[Any]] = []
    out: list[list[int]] = []
    for number, (kind, *what) in enumerate(given["events"]):
        step = 2 * number + 1
        if kind == "seat":
            parts.check_seat(step, {}, {"seat": what[0], "by": what[1]})
        elif kind == "tip":
            program = programs[what[0]] = Program(number, ORIGIN)
            parts.check_tip(step, {}, {"seat": what[0], "tip": program.chain.tip, "key": program.key.public})
        else:
            is_round = kind == "round"
            running = len(parts.rounds) - (0 if is_round else 1)
            due = [seat for seat in parts.due(running) if is_round or seat != what[0]]
            parts.check_call(step, {"c": "call" if is_round else "deferred"}, {"round": parts.called + 1, "seats": due})
            given_ = {seat: programs[seat].part(parts.called, step, ORIGIN) for seat in due if seat not in what[-1]}
            links, proofs = map(list, zip(*(given_.get(s, (b"", b"")) for s in range(given["seats"])), strict=True))
            if is_round:
                parts.open(step + 1, {"c": "round"}, links, proofs, ORIGIN)
            else:
                parts.open_deferred(step + 1, {"links": links, "proofs": proofs}, ORIGIN)
            now = len(parts.rounds) - 1
            calls.append([parts.called, now, due])
            out.append([seat for seat, until in enumerate(parts.out_until) if until >= now])
    return {"calls": calls, "out": out}


def first_refused(given: dict[str, Any]) -> int:
    """Return the place of the first step that verify refuses, -1 where it takes all."""
    deferrals = Deferrals(verify.refuse, strict=True)
    for place, (cause, entries) in enumerate(steps(given)):
        try:
            deferrals.check_step(place + 1, cause, entries)
        except verify.VerificationFailed:
            return place
    return -1


def steps(given: dict[str, Any]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    return [(cause, entries) for cause, entries in given["steps"]]


# The vectors

NOBODY: Final[list[int]] = []
SEATED: Final = [[kind, seat, *by] for seat in range(3) for kind, *by in (("seat", "person"), ("tip",))]
BY_HAND: Final = (
    # an act of each seat in the first round, one closing a question, then the next round
    [*SEATED, ["round", NOBODY], *[["act", seat, NOBODY] for seat in range(3)], ["act", -1, NOBODY], ["round", NOBODY]],
    # who is absent from such a call sits out this round and the next
    [
        *SEATED,
        ["round", NOBODY],
        ["act", 0, [2]],
        ["act", 0, NOBODY],
        ["round", NOBODY],
        ["act", 1, NOBODY],
        ["round", NOBODY],
    ],
    # before the first round, and a tip that is too new for the next call
    [*SEATED[:2], ["act", 1, NOBODY], *SEATED[2:], ["act", -1, NOBODY], ["act", -1, NOBODY], ["round", NOBODY]],
    # nobody but the one who acts has a program
    [*SEATED[:2], ["seat", 1, "bot"], ["round", NOBODY], ["act", 0, NOBODY], ["act", 1, [0]], ["act", 1, NOBODY]],
)


def by_chance() -> list[list[list[Any]]]:
    """Return events of a table of three seats, of rounds and of acts that roll."""
    chance = random.Random(23)
    found: list[list[list[Any]]] = []
    for _ in range(8):
        events: list[list[Any]] = [*SEATED, ["round", NOBODY]]
        for _ in range(20):
            away = [seat for seat in range(3) if chance.random() < 0.15]
            kind = chance.choice(["tip", "round", "act", "act", "act"])
            seat = chance.randrange(3)
            act = ["act", seat - (seat == 0), away]
            events.append(["tip", seat] if kind == "tip" else ["round", away] if kind == "round" else act)
        found.append(events)
    return found


ACT: Final[dict[str, Any]] = {"c": "intent", "seat": 1}
CLOSING: Final[dict[str, Any]] = {"c": "expiry", "question": 3}
ROLL: Final = {"e": "core.dice"}
CALL: Final = {"e": "core.call", "round": 2, "seats": [0]}
ANSWERS: Final = {"e": "core.answers", "question": 3, "answers": [{"seat": 1}]}
OPENED: Final = [{"c": "opened"}, [{"e": "core.opened"}]]
PUT_OFF: Final = [{"c": "deferred", "cause": ACT}, [{"e": "core.deferred", "seat": 1}, CALL]]
CLOSED: Final = [{"c": "deferred", "cause": CLOSING}, [{"e": "core.deferred"}, ANSWERS, CALL]]
ORDERS: Final[tuple[list[Any], ...]] = (
    [PUT_OFF, OPENED, [ACT, [ROLL, ROLL]]],
    [CLOSED, OPENED, [CLOSING, [ANSWERS, ROLL]]],
    [PUT_OFF, OPENED, [{"c": "void"}, [{"e": "core.voided"}]], [ACT, []]],
    [[{"c": "round"}, [{"e": "core.round"}, ROLL]], [ACT, []]],
    # dice without a call of their own
    [[ACT, [ROLL]]],
    # another cause than was put off, or other answers
    [PUT_OFF, OPENED, [{"c": "intent", "seat": 2}, [ROLL]]],
    [CLOSED, OPENED, [CLOSING, [{**ANSWERS, "answers": [{"seat": 2}]}, ROLL]]],
    # anything between them
    [PUT_OFF, [{"c": "table"}, []], OPENED],
    [PUT_OFF, [ACT, [ROLL]]],
    [PUT_OFF, OPENED, OPENED],
    [OPENED],
    # a cause that is never put off
    [[{"c": "deferred", "cause": {"c": "undo", "seat": 1}}, [{"e": "core.deferred", "seat": 1}, CALL]]],
)


def questions() -> list[dict[str, Any]]:
    """Return the given parts of all vectors."""
    found: list[dict[str, Any]] = []
    for number, match in enumerate(MATCHES):
        secret = bytes([number * 16 + n % 16 for n in range(32)]).hex()
        before, link = bytes([number + 1] * 32).hex(), bytes([n ^ number for n in range(32)]).hex()
        base = {"kind": "outcome", "secret": secret, "match": match, "round": number, "call": 5 * number + 2}
        for links in ([link, ""], ["", link, secret], ["", ""]):
            for hidden in (False, True):
                roll = {"n": 3 * number, "sides": 6 if hidden else 10, "hidden": hidden}
                found.append({**base, "before": before, "links": links, **roll})
    found += [{"kind": "calls", "seats": 3, "events": events} for events in (*BY_HAND, *by_chance())]
    return found + [{"kind": "steps", "steps": order} for order in ORDERS]


@pytest.mark.slow
def test_none_has_changed() -> None:
    assert [{**given, **made(given)} for given in questions()] == VECTORS


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["kind"])
def test_the_checker_agrees(vector: dict[str, Any]) -> None:
    found = checked(vector)
    assert {name: vector[name] for name in found} == found


if __name__ == "__main__":
    rows = [json.dumps({**given, **made(given)}, ensure_ascii=False) for given in questions()]
    FILE.write_text("[\n  " + ",\n  ".join(rows) + "\n]\n")
