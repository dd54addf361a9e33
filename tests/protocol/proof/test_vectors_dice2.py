"""The published vectors of dice 2: what the program makes of them, and what the checker, which shares nothing with it,
makes. `python -m tests.protocol.proof.test_vectors_dice2` writes them anew, for a new scheme only."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Final

import pytest

from client.fairness import verify
from engine.core.rules.dice import MatchDice, Pool
from protocol.fairness.entropy_chain import EntropyChain, leads_to, mixed, opening_text
from protocol.fairness.entropy_record import EntropyRecord
from protocol.fairness.signatures import OpeningKey
from protocol.ids import MatchId
from protocol.proof import dice
from tests.protocol.proof.test_vectors import MATCHES, cards
from tests.support.clients.dice.contributing import Program

FILE: Final = Path(__file__).parents[2] / "vectors" / "dice-v2.json"
VECTORS: Final[list[dict[str, Any]]] = json.loads(FILE.read_text()) if FILE.exists() else []
ORIGIN: Final = bytes(32)


def made(given: dict[str, Any]) -> dict[str, Any]:
    """Compute the program's results for the given part of a vector."""
    match = given.get("match", "")
    known = {name: bytes.fromhex(value) for name, value in given.items() if name in BYTES}
    source = MatchDice(known.get("secret", b""), match)
    match given["kind"]:
        case "link":
            chain = EntropyChain(known["seed"], match, known["origin"])
            return {"tip": chain.tip.hex(), "link": chain.link(given["round"]).hex()}
        case "opening":
            key = OpeningKey(known["seed"])
            words = opening_text(match, given["round"], given["version"], known["head"], known["link"])
            return {"key": key.public.hex(), "proof": key.sign(words).hex()}
        case "mix":
            links = list(map(bytes.fromhex, given["links"]))
            return {"mix": mixed(known["before"], match, given["round"], links).hex()}
        case "faces":
            inner = dice.dice_secret(known["secret"])
            chain_secret = dice.hidden_secret(inner) if given["hidden"] else inner
            seed = dice.SeedChain(chain_secret, match).seed(given["round"])
            pool, place = Pool(8, given["sides"]), (given["round"], known["mix"], given["n"])
            found = source.faces(*place, pool, hidden=given["hidden"])
            return {"key": dice.round_key(seed, match, given["round"], known["mix"]).hex(), "faces": list(found)}
        case "order":
            return {"order": list(source.order(given["round"], known["mix"], given["n"], given["size"]))}
        case "deck":
            deck, epoch, mix, size = given["deck"], given["epoch"], known["mix"], given["size"]
            root = source.tree(deck, epoch, mix, cards(size)).root
            return {"order": list(source.deck(deck, epoch, mix, size)), "root": root.hex()}
        case _:
            return taken_part(given)


BYTES: Final = ("secret", "seed", "origin", "head", "link", "before", "mix")


def taken_part(given: dict[str, Any]) -> dict[str, Any]:
    """Return the seats called to each round, and those that sit it out."""
    record = EntropyRecord(("empty",) * given["seats"])
    called: list[list[int]] = []
    out: list[list[int]] = []
    for number, (kind, *what) in enumerate(given["events"]):
        if kind == "seat":
            record = record.with_holder(*what)
        elif kind == "tip":
            program = Program(number, ORIGIN)
            assert not record.tip_refusal(what[0], program.chain.tip, program.key.public)
            record = record.with_tip(what[0], program.chain.tip, program.key.public)
        else:
            due = record.due()
            called.append(list(due))
            out.append([seat for seat in range(given["seats"]) if record.is_out(seat, record.called + 1)])
            record = record.with_call(record.called + 1, due)
            links = [b"l" if seat in due and seat not in what[0] else b"" for seat in range(given["seats"])]
            record = record.with_round(record.called, links)
    return {"called": called, "out": out}


def checked(given: dict[str, Any]) -> dict[str, Any]:
    """Compute the checker's results for the given part of a vector."""
    match = given.get("match", "")
    known = {name: bytes.fromhex(value) for name, value in given.items() if name in BYTES}
    if given["kind"] == "link":
        return {"tip": tip_of(bytes.fromhex(given["expected"]), match, known["origin"], given["round"]).hex()}
    if given["kind"] == "mix":
        links = list(map(bytes.fromhex, given["links"]))
        mix = verify.digest("dice-v2/mix", match.encode(), verify.u64(given["round"]), known["before"], *links)
        return {"mix": mix.hex()}
    if given["kind"] == "participation":
        return checked_part(given)
    log = verify.Log(match, known["secret"])
    log.parts = verify.EntropyParts(match, 2, allowed=True)
    log.parts.entropy, log.round = [known["mix"]], given.get("round", 0)
    match given["kind"]:
        case "faces":
            key = log.round_key(hidden=given["hidden"])
            return {"key": key.hex(), "faces": verify.faces(key, given["n"], given["sides"], 8)}
        case "order":
            key = verify.mac(log.round_key(hidden=False), "dice-v1/order", verify.u64(given["n"]))
            return {"order": verify.permutation(key, given["size"])}
        case _:
            entry = {"deck": given["deck"], "epoch": given["epoch"], "round": 0, "cards": list(cards(given["size"]))}
            log.epochs[given["deck"]] = given["epoch"] - 1
            log.check_deck(1, {}, {**entry, "root": bytes.fromhex(given["root"])})
            places = {card: place for place, card in enumerate(cards(given["size"]))}
            return {"order": [places[card] for card in log.decks[given["deck"]].cards]}


def tip_of(link: bytes, match: MatchId, origin: bytes, round: int) -> bytes:
    for _ in range(round):
        link = verify.digest("dice-v2/link", match.encode(), origin, link)
    return link


def checked_part(given: dict[str, Any]) -> dict[str, Any]:
    parts = verify.EntropyParts("m1", given["seats"], allowed=True)
    parts.origin = ORIGIN
    programs: dict[int, Program] = {}
    called: list[list[int]] = []
    out: list[list[int]] = []
    for number, (kind, *what) in enumerate(given["events"]):
        step = 2 * number + 1
        if kind == "seat":
            parts.check_seat(step, {}, {"seat": what[0], "by": what[1]})
        elif kind == "tip":
            program = programs[what[0]] = Program(number, ORIGIN)
            tip = {"seat": what[0], "tip": program.chain.tip, "key": program.key.public}
            parts.check_shape(step, {"c": "tip", **tip}, [{"e": "core.tip", **tip}])
            parts.check_tip(step, {}, tip)
        else:
            due = parts.due(len(parts.rounds))
            called.append(due)
            out.append([seat for seat, until in enumerate(parts.out_until) if until > parts.called])
            parts.check_call(step, {"c": "call"}, {"round": parts.called + 1, "seats": due})
            given_ = {seat: programs[seat].part(parts.called, step, ORIGIN) for seat in due if seat not in what[0]}
            links, proofs = map(list, zip(*(given_.get(s, (b"", b"")) for s in range(given["seats"])), strict=True))
            parts.open(step + 1, {"c": "round"}, links, proofs, ORIGIN)
    return {"called": called, "out": out}


def rounds(*missing: list[int]) -> list[list[Any]]:
    """Return rounds, each with the seats that give no part where they are called."""
    return [["round", seats] for seats in missing]


NOBODY: Final[list[int]] = []
FIRST: Final = [["seat", 0, "person"], ["tip", 0]]
SECOND: Final = [["seat", 1, "person"], ["tip", 1]]
PASSED: Final = [["seat", 0, "bot"], ["seat", 0, "person"], ["seat", 0, "empty"]]
HAND_MADE: Final[tuple[list[list[list[Any]]], ...]] = (
    # a tip after the first call counts from the third round on
    [FIRST, rounds(NOBODY), SECOND, rounds(NOBODY, NOBODY, NOBODY)],
    # the first absence costs a round, the second two, then four, eight
    [FIRST, SECOND, rounds([1], NOBODY, [1], NOBODY, NOBODY, [1], *[NOBODY] * 4, [0, 1], *[NOBODY] * 9)],
    # a seat that passes to a bot, or to another chain, is absent; without a chain it is not
    [FIRST, rounds(NOBODY, NOBODY), PASSED, FIRST, rounds(NOBODY, NOBODY, NOBODY), [["tip", 0]], rounds(*[NOBODY] * 4)],
    # another chain before the first round, and a call of nobody
    [rounds(NOBODY), [["seat", 2, "person"], ["tip", 2], ["tip", 2]], rounds(*[NOBODY] * 4)],
    [FIRST, [["tip", 0]], rounds(*[[0]] * 8)],
    # a chain that ends while its seat sits out: the later end counts
    [FIRST, rounds([0], NOBODY, [0]), [["tip", 0]], rounds(*[NOBODY] * 6)],
)


def sequences() -> list[list[list[Any]]]:
    """Return events of a table of three seats."""
    chance = random.Random(2)
    found = [[event for part in parts for event in part] for parts in HAND_MADE]
    for _ in range(12):
        holders = ["person"] * 3
        events: list[list[Any]] = [
            [kind, seat, *by] for seat in range(3) for kind, *by in (("seat", "person"), ("tip",))
        ]
        for _ in range(24):
            seat = chance.randrange(3)
            kind = chance.choice(["seat", "tip", *["round"] * 5])
            if kind == "seat":
                holders[seat] = chance.choice([by for by in ("person", "bot", "empty") if by != holders[seat]])
                events.append(["seat", seat, holders[seat]])
            elif kind == "round":
                events.append(["round", [s for s in range(3) if chance.random() < 0.2]])
            elif holders[seat] == "person":
                events.append(["tip", seat])
        found.append(events)
    return found


def questions() -> list[dict[str, Any]]:
    """Return the given parts of all vectors."""
    found: list[dict[str, Any]] = []
    for number, match in enumerate(MATCHES):
        secret, mix = (
            bytes([number * 16 + n % 16 for n in range(32)]).hex(),
            bytes([n ^ number for n in range(32)]).hex(),
        )
        head = bytes([number + 1] * 32).hex()
        found += [
            {"kind": "link", "seed": secret, "match": match, "origin": head, "round": round} for round in (1, 2, 4096)
        ]
        opened = {"match": match, "round": number + 1, "version": 300 * number + 5, "head": head, "link": mix}
        found.append({"kind": "opening", "seed": secret, **opened})
        for links in ([], ["", ""], [mix, ""], [secret, "", mix]):
            found.append({"kind": "mix", "match": match, "round": number + 1, "before": head, "links": links})
        base = {"secret": secret, "match": match, "mix": mix}
        for sides in (2, 6, 10, 256):
            roll = {"round": number, "n": sides * number, "sides": sides, "hidden": sides == 10}
            found.append({"kind": "faces", **base, **roll})
        found.append({"kind": "order", **base, "round": 1, "n": number, "size": 7})
        found += [{"kind": "deck", **base, "deck": "cards", "epoch": number, "size": size} for size in (0, 1, 54)]
    return found + [{"kind": "participation", "seats": 3, "events": events} for events in sequences()]


@pytest.mark.slow
def test_none_has_changed() -> None:
    assert [{**given, **made(given)} for given in questions()] == VECTORS


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["kind"] != "opening"], ids=lambda vector: vector["kind"])
def test_the_checker_agrees(vector: dict[str, Any]) -> None:
    found = checked({**vector, "expected": vector.get("link", "")})
    assert {name: vector[name] for name in found} == found


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["kind"] == "opening"], ids=lambda vector: vector["match"])
def test_the_checker_takes_the_proof_for_this_call_and_no_other(vector: dict[str, Any]) -> None:
    key, proof, head, link = (bytes.fromhex(vector[name]) for name in ("key", "proof", "head", "link"))
    place = (vector["match"].encode(), verify.u64(vector["round"]), verify.u64(vector["version"]))
    words = verify.joined(b"eschaton/dice-v2/open", *place, head, link)
    assert verify.is_signed(key, words, proof)
    assert not verify.is_signed(key, words.replace(head, bytes(32)), proof)


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["kind"] == "link"], ids=lambda vector: vector["match"])
def test_a_link_leads_to_the_tip_in_as_many_steps_as_its_round(vector: dict[str, Any]) -> None:
    origin, link, tip = (bytes.fromhex(vector[name]) for name in ("origin", "link", "tip"))
    assert leads_to(vector["match"], origin, link, tip, vector["round"])
    assert not leads_to(vector["match"], origin, link, tip, vector["round"] + 1)


if __name__ == "__main__":
    rows = [json.dumps({**given, **made(given)}, ensure_ascii=False) for given in questions()]
    FILE.write_text("[\n  " + ",\n  ".join(rows) + "\n]\n")
