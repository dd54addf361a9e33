"""Published vectors: what the program makes of them, and what the checker, which shares nothing with it, makes."""

from __future__ import annotations

import hmac
import json
from pathlib import Path
from typing import Any

import msgpack
import pytest

from client.fairness import verify
from client.fairness.verify_dice1 import Links
from engine.core.match.hash_chain import LOG, first_head, next_head, proof_of
from engine.core.rules.dice import MatchDice, Pool
from protocol.proof import dice
from protocol.proof.signed_texts import head_text
from server.runtime.signing import HostKey
from tests.support.clients.dice.links_of_dice1 import LinkChain

FILE = Path(__file__).parents[2] / "vectors" / "dice-v1.json"
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text()) if FILE.exists() else []
LOGS = Path(__file__).parents[2] / "vectors" / "log.json"
LEAVES: list[dict[str, Any]] = json.loads(LOGS.read_text()) if LOGS.exists() else []
STEP: list[Any] = [
    {"c": "intent", "seat": 1},
    [{"e": "x.told"}, {"e": "x.dark"}, {"e": "core.answers", "question": 3, "answers": [{"seat": 1}]}],
    None,
    {1: [1]},
]
"""What the leaves of log.json are of, at a table of two: the second entry is known to seat 1 alone."""
MATCHES = ("m1", "Friday, über", "", "t-0123456789abcdef")
LINKS: tuple[tuple[bytes, ...], ...] = ((), (b"l" * 32, b"", b"k" * 32))


def cards(size: int) -> tuple[str, ...]:
    return tuple(f"c{n:03}" for n in range(size))


def made(given: dict[str, Any]) -> dict[str, Any]:
    """Compute the program's results for the given part of a vector."""
    match, links = given.get("match", ""), tuple(map(bytes.fromhex, given.get("links", ())))
    secret = bytes.fromhex(given.get("secret", ""))
    if given["kind"] == "link":
        chain = LinkChain(secret, match)
        link = chain.tip
        for _ in range(given["opened"]):
            link = chain.after(link) or b""
        return {"link": link.hex()}
    if given["kind"] == "head":
        host = HostKey(bytes.fromhex(given["seed"]))
        signed = host.sign(head_text(match, given["version"], bytes.fromhex(given["head"])))
        return {"public": host.public.hex(), "signature": signed.hex()}
    source, inner = MatchDice(secret, match), dice.dice_secret(secret)
    match given["kind"]:
        case "secrets":
            z = dice.salt_secret(secret)
            return {"dice": inner.hex(), "salts": z.hex(), "commitment": source.commitment.hex()}
        case "seed":
            return {"seed": source.seed(given["round"]).hex()}
        case "faces":
            chain_secret = dice.hidden_secret(inner) if given["hidden"] else inner
            seed = dice.SeedChain(chain_secret, match).seed(given["round"])
            key = dice.round_key(seed, match, given["round"], links)
            found = source.faces(given["round"], links, given["n"], Pool(8, given["sides"]), hidden=given["hidden"])
            return {"key": key.hex(), "faces": list(found)}
        case "order":
            return {"order": list(source.order(given["round"], links, given["n"], given["size"]))}
        case "deck":
            place = given["deck"], given["epoch"], links
            tree = source.tree(*place, cards(given["size"]))
            return {"order": list(source.deck(*place, given["size"])), "root": tree.root.hex()}
        case "leaves":
            stored = msgpack.packb([given["version"], *STEP])
            proof = proof_of(stored, 2, {1: (1,)}, source, given["log"])
            head = next_head(first_head(match), given["version"], proof)
            return {"leaves": [leaf.hex() for leaf in (proof.cause, *proof.leaves)], "head": head.hex()}
        case _:
            return {"salt": source.salt(given["label"]).hex()}


def checked(given: dict[str, Any]) -> dict[str, Any]:
    """Compute the checker's results for the given part of a vector."""
    match, links = given["match"], list(map(bytes.fromhex, given.get("links", ())))
    if given["kind"] == "link":
        link = hmac.digest(
            bytes.fromhex(given["secret"]), verify.joined(b"eschaton/dice-v1/link", match.encode()), "sha256"
        )
        for _ in range(verify.ROUNDS - given["opened"]):
            link = verify.digest("dice-v1/link", match.encode(), link)
        return {"link": link.hex()}
    log = verify.Log(match, bytes.fromhex(given["secret"]))
    log.round = given.get("round", 0)
    assert isinstance(log.parts, Links)
    log.parts.links = links
    match given["kind"]:
        case "secrets":
            return {"salts": log.salt_secret.hex(), "commitment": log.seeds[0].hex()}
        case "seed":
            return {"seed": log.seeds[max(given["round"], 1)].hex()}
        case "faces":
            key = log.round_key(hidden=given["hidden"])
            return {"key": key.hex(), "faces": verify.faces(key, given["n"], given["sides"], 8)}
        case "order":
            key = verify.mac(log.round_key(hidden=False), "dice-v1/order", verify.u64(given["n"]))
            return {"order": verify.permutation(key, given["size"])}
        case "deck":
            where = (match.encode(), given["deck"].encode(), verify.u64(given["epoch"]), verify.u64(len(links)), *links)
            order = verify.permutation(verify.mac(log.deck_secret, "dice-v1/epoch", *where), given["size"])
            salts = [log.salt(f"deck/{given['deck']}/{given['epoch']}/{n}") for n in range(given["size"])]
            row = [
                verify.digest("dice-v1/card", verify.u64(n), salts[n], cards(given["size"])[card].encode())
                for n, card in enumerate(order)
            ]
            return {"order": order, "root": verify.tree(row)[-1][0].hex()}
        case "leaves":
            log.log, log.seats = given["log"], 2
            log.add_to_head(given["version"], *STEP)
            secret = verify.joined(verify.u64(1), msgpack.packb(STEP[1][1]))
            leaves = log.leaves(given["version"], [msgpack.packb(STEP[0]), b"", secret, b""])
            return {"leaves": [leaf.hex() for leaf in leaves], "head": log.head.hex()}
        case _:
            return {"salt": log.salt(given["label"]).hex()}


def questions() -> list[dict[str, Any]]:
    """Return the given parts of all vectors."""
    found: list[dict[str, Any]] = []
    for number, match in enumerate(MATCHES):
        base = {"secret": bytes([number * 16 + n % 16 for n in range(32)]).hex(), "match": match}
        found.append({"kind": "secrets", **base})
        found += [{"kind": "seed", **base, "round": round} for round in (0, 1, 4096)]
        for links in LINKS:
            added = {"links": [link.hex() for link in links]}
            for sides in (2, 6, 10, 20):
                roll = {"round": number, **added, "n": sides * number, "sides": sides, "hidden": sides == 10}
                found.append({"kind": "faces", **base, **roll})
            found.append({"kind": "order", **base, "round": 1, **added, "n": number, "size": 7})
            found += [
                {"kind": "deck", **base, "deck": "cards", "epoch": number, **added, "size": size} for size in (0, 1, 54)
            ]
        found.append({"kind": "salt", **base, "label": "step/3/cause"})
        found += [{"kind": "link", **base, "opened": opened} for opened in (0, 1, 4096)]
        head = {"seed": base["secret"], "match": match, "version": number, "head": bytes([number] * 32).hex()}
        found.append({"kind": "head", **head})
    return found


def steps() -> list[dict[str, Any]]:
    """Return the given parts of the vectors of the log: each layout of the leaves, in four matches."""
    return [
        {"kind": "leaves", "secret": bytes([n * 32] * 32).hex(), "match": match, "version": 2 + 300 * n, "log": log}
        for n, match in enumerate(MATCHES)
        for log in range(1, LOG + 1)
    ]


def test_there_are_a_hundred_and_none_has_changed() -> None:
    """`python -m tests.protocol.proof.test_vectors` writes them anew, for a new version of the derivation only."""
    assert [{**given, **made(given)} for given in questions()] == VECTORS
    assert len(VECTORS) == 100
    assert [{**given, **made(given)} for given in steps()] == LEAVES
    assert len(LEAVES) == 8


@pytest.mark.parametrize(
    "vector", [v for v in [*VECTORS, *LEAVES] if v["kind"] != "head"], ids=lambda vector: vector["kind"]
)
def test_the_checker_agrees(vector: dict[str, Any]) -> None:
    found = checked(vector)
    assert {name: vector[name] for name in found} == found


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["kind"] == "head"], ids=lambda vector: vector["match"])
def test_the_checker_takes_the_signature_and_no_other(vector: dict[str, Any]) -> None:
    key, signature, head = (bytes.fromhex(vector[name]) for name in ("public", "signature", "head"))
    said = ("head", vector["match"].encode(), verify.u64(vector["version"]))
    verify.check_signature(key, signature, *said, head)
    with pytest.raises(verify.VerificationFailed):
        verify.check_signature(key, signature, *said, head[1:] + b"x")


if __name__ == "__main__":
    for file, asked in ((FILE, questions()), (LOGS, steps())):
        rows = [json.dumps({**given, **made(given)}, ensure_ascii=False) for given in asked]
        file.write_text("[\n  " + ",\n  ".join(rows) + "\n]\n")
