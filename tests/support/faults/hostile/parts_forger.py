"""Forgeries of the parts that programs add to dice: by a host who knows its secret and signs at will, with programs
that open any link and sign it for the host's history. So only the rules of the scheme can find them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgpack

from protocol.fairness.entropy_chain import opening_text
from protocol.ids import MatchId
from tests.support.clients.dice.contributing import HEADER, Contributed, Program
from tests.support.fairness.sealing import heads_of, packed, replay_of, sealed
from tests.support.faults.hostile.forger import Log, Step, renumbered
from tests.support.systems.haggle import Act

STRANGERS: Final = range(90, 93)
"""Numbers of programs that the honest match has not met."""


def honest() -> Contributed:
    """Return a match of three seats, the second a bot's: seat 2 is missing in round 3 and sits out round 4; the opening
    of round 5 is given up, with a card drawn before it; seat 2 has another program after that."""
    played = Contributed()
    played.chain()
    played.chain(missing=(2,))
    played.chain()
    played.chain(is_failing=True)
    played.tip(2)
    played.chain()
    played.act(0, Act("gamble"))
    return played


def forged(played: Contributed, forge: Callable[[Log], object], later: Callable[[Log], object] | None = None) -> bytes:
    """Return the file of this match after `forge`, with all proofs signed anew, and after `later`, with heads made
    right."""
    log: Log = [msgpack.unpackb(step, strict_map_key=False) for step in played.log]
    forge(log)
    _sign(log, played, [Program(number, played.match.origin) for number in (1, 2, 3, *STRANGERS)])
    if later is not None:
        later(log)
    return sealed(replay_of(HEADER, played.secret, [packed(step) for step in log], played.replay().streams))


def _sign(log: Log, played: Contributed, programs: Iterable[Program]) -> None:
    links = {(r, p.chain.link(r)): p for p in programs for r in range(1, 12)}
    for number, step in enumerate(log, start=1):
        if step[1].get("proofs"):
            head = heads_of(MatchId("m1"), played.secret, [packed(before) for before in log[: number - 1]], 3)[-1]
            proofs = [_signed(links, link, step, number, head) for link in step[1]["links"]]
            step[1]["proofs"] = step[2][0]["proofs"] = proofs


def _signed(links: dict[tuple[int, bytes], Program], link: bytes, step: Step, number: int, head: bytes) -> bytes:
    opened = step[2][0]["round"]
    program = next((program for (_, known), program in links.items() if known == link), None)
    return program.key.sign(opening_text(MatchId("m1"), opened, number - 1, head, link)) if program is not None else b""


def place(log: Log, kind: str, nth: int = 0) -> int:
    """Return the place in the log of the nth step with this cause."""
    return [number for number, step in enumerate(log) if step[1]["c"] == kind][nth]


def opening(log: Log, round: int) -> int:
    """Return the place in the log of the step that opens a round."""
    return next(n for n, step in enumerate(log) if step[2] and step[2][0].get("round") == round and "proofs" in step[1])


def insert(log: Log, at: int, cause: dict[str, Any], *entries: dict[str, Any]) -> None:
    """Insert a step of the host's own before the one at this place; a waiting procedure goes on waiting."""
    log.insert(at, [0, cause, list(entries), log[at - 1][3], {}])
    renumbered(log)


def tip(log: Log, at: int, seat: int, tip: bytes, key: bytes) -> None:
    """Return a tip like that of a program."""
    said = {"seat": seat, "tip": tip, "key": key}
    insert(log, at, {"c": "tip", **said}, {"e": "core.tip", **said})


def stranger(number: int = 0) -> tuple[bytes, bytes]:
    """Return tip and key of a program that the match has not met."""
    program = Program(STRANGERS[number], bytes(32))
    return program.chain.tip, program.key.public


def link(log: Log, round: int, seat: int, found: bytes) -> None:
    """Put another link into a round, in cause and entry."""
    step = log[opening(log, round)]
    for holder in (step[1], step[2][0]):
        holder["links"] = [*holder["links"][:seat], found, *holder["links"][seat + 1 :]]


def proof(log: Log, round: int, seat: int, found: bytes) -> None:
    """Put another proof into a round, in cause and entry."""
    step = log[opening(log, round)]
    for holder in (step[1], step[2][0]):
        holder["proofs"] = [*holder["proofs"][:seat], found, *holder["proofs"][seat + 1 :]]


def called(log: Log, nth: int, **changed: Any) -> None:
    """Put other words into the nth call."""
    log[place(log, "call", nth)][2][0].update(changed)


def drop(log: Log, at: int) -> None:
    """Leave out a step."""
    del log[at]
    renumbered(log)
