"""Checker: honest matches hold, and every forgery is named, though the forger seals their file again."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from client.fairness import verify, verify_dice1, verify_hashes, verify_parts, verify_report, verify_strict
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start, Void
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice, card_salt, tree_of
from engine.core.rules.system import Setup
from protocol.fairness.replay import Header, Replay, SeatHeader, write
from protocol.ids import BEGINNING, MatchId
from protocol.proof import dice
from protocol.wire.from_server import Snapshot
from server.match.playback import shown
from tests.support.clients.dice.links_of_dice1 import LinkChain
from tests.support.fairness.sealing import packed, replay_of
from tests.support.fairness.signing import HOST
from tests.support.systems.haggle import HAGGLE, Act, Buy, Ledger, Market

MATCH = MatchId("m1")

pytestmark = pytest.mark.waits

SECRET = bytes(range(32))
HEADER = Header("haggle", "fair", MATCH, "here", "0.1", tuple(SeatHeader(name, "") for name in ("Ada", "Bea", "Cyd")))
EMPTY = {"public": (Snapshot("public", "s", BEGINNING, {}, 0),)}
Step = list[Any]


def streams_of(log: Iterable[bytes]) -> dict[str, Any]:
    def fold(match: Match[Any], data: bytes) -> Any:
        step = match.replay(data)
        match.resume()
        return step

    return shown(Match(HAGGLE, MATCH, MatchDice(SECRET, MATCH)), log, fold)


def played(seed: int) -> Replay:
    """Play a whole match of three random players."""
    log: list[bytes] = []
    play: SelfPlay[Market] = SelfPlay(
        Match(HAGGLE, MATCH, MatchDice(SECRET, MATCH)), lambda step, _: log.append(step.data)
    )
    play.begin(Start(MATCH, 3, HAGGLE.setup(None, Setup("fair", ("", "", "")))))
    play.play({Seat(s): RandomBot(seed + s) for s in range(3)}, most=150)
    return replay_of(HEADER, SECRET, log, streams_of(log))


def hand_made() -> list[Step]:
    """Make a log with all that is derived from the secret: links, open and hidden rolls, an order, two epochs of a
    deck."""
    source, secret = MatchDice(SECRET, MATCH), dice.dice_secret(SECRET)
    chain, hidden = dice.SeedChain(secret, MATCH), dice.SeedChain(dice.hidden_secret(secret), MATCH)
    programs = {seat: LinkChain(bytes([seat]) * 32, MATCH) for seat in (0, 2)}
    tips = [{"e": "core.tip", "seat": seat, "tip": program.tip} for seat, program in programs.items()]
    links = tuple(programs[s].after(programs[s].tip) or b"" if s in programs else b"" for s in range(3))
    open_key = dice.round_key(chain.seed(1), MATCH, 1, links)
    hidden_key = dice.round_key(hidden.seed(1), MATCH, 1, links)
    cards = sorted(f"card-{n}" for n in range(12))
    orders = [dice.order(dice.deck_secret(secret), MATCH, "cards", epoch, links, len(cards)) for epoch in (0, 1)]
    trees = [tree_of(source, "cards", epoch, links, tuple(cards)) for epoch in (0, 1)]

    def draw(epoch: int, n: int) -> dict[str, Any]:
        opening = {"salt": card_salt(source, "cards", epoch, n), "path": trees[epoch].path(n)}
        card = cards[orders[epoch][n]]
        return {"e": "core.card", "deck": "cards", "epoch": epoch, "index": n, "card": card} | opening

    drawn = [draw(0, n) for n in (0, 1)]
    deck = {"e": "core.deck", "deck": "cards", "epoch": 0, "round": 1, "cards": cards, "root": trees[0].root}
    roll = {"e": "core.dice", "round": 1, "purpose": "shooting", "seat": 0, "sides": 6}
    started = {"e": "core.started", "match": "m1", "system": "x", "rules": 1, "seats": 3, "resolved": b""}
    return [
        [1, {"c": "start"}, [started | {"commitment": chain.commitment}, *tips], "round", {}],
        [
            2,
            {"c": "round", "links": links},
            [{"e": "core.round", "round": 1, "links": links}, deck, drawn[0]],
            None,
            {},
        ],
        [
            3,
            {"c": "intent", "seat": 0},
            [
                roll | {"n": 0, "faces": dice.faces(open_key, 0, 6, 8)},
                roll | {"n": 0, "sides": 10, "faces": dice.faces(hidden_key, 0, 10, 2), "to": {"seats": [1]}},
                {"e": "core.order", "round": 1, "n": 1, "purpose": "turns", "order": dice.shuffled(open_key, 1, 5)},
                {"e": "sample.moved", "counts": {1: 2}},
            ],
            None,
            {1: [1]},
        ],
        [4, {"c": "intent", "seat": 1}, [roll | {"n": 2, "faces": dice.faces(open_key, 2, 6, 1)}, drawn[1]], ["q"], {}],
        [5, {"c": "void", "error": "e1"}, [{"e": "core.voided", "error": "e1"}], None, {}],
        [6, {"c": "intent", "seat": 1}, [roll | {"n": 3, "faces": dice.faces(open_key, 3, 6, 1)}, drawn[1]], None, {}],
        [7, {"c": "aside", "seat": 1}, [{"e": "core.settings", "seat": 1, "settings": {}}], None, {0: [1]}],
        [
            8,
            {"c": "expiry"},
            [
                deck | {"epoch": 1, "root": trees[1].root},
                draw(1, 0),
            ],
            None,
            {},
        ],
    ]


def sealed(steps: list[Step], streams: dict[str, Any] = EMPTY) -> bytes:
    """Return a file of these steps with head and hash as they should be."""
    return write(replay_of(HEADER, SECRET, [packed(step) for step in steps], streams), HOST)


def refusal(data: bytes) -> str:
    with pytest.raises(verify.VerificationFailed) as caught:
        verify.check(data)
    return str(caught.value)


@pytest.mark.parametrize("seed", range(3))
def test_a_played_match_holds(seed: int) -> None:
    replay = played(seed)
    report = verify.check(write(replay, HOST))
    assert report[0].startswith(f"Everything holds: {len(replay.log)} steps, ")
    assert " 0 rolls" not in report[0]
    assert "4 streams" in report[0]


def test_a_match_with_all_kinds_of_chance_holds_and_what_was_given_up_is_listed() -> None:
    report = verify.check(sealed(hand_made()))
    assert "8 steps, 5 rolls, 2 shuffled decks, 4 cards" in report[0]
    assert report[3] == "At step 5 the host gave up what was being resolved, after an error."
    assert report[-1] == verify_dice1.NOT_PROVEN


def test_a_match_with_a_real_void_holds() -> None:
    ledger = Ledger(MatchDice(SECRET, MATCH))
    ledger.act(0, Buy("bread"))
    ledger.act(0, Act("draw"))
    ledger.act(0, Act("chain"))  # draws another card, then asks
    ledger.do(Void("e1"))
    ledger.act(0, Act("draw"))
    ledger.act(0, Act("gamble"))
    streams = streams_of(ledger.steps)
    report = verify.check(write(replay_of(HEADER, SECRET, ledger.steps, streams), HOST))
    assert any("gave up" in line for line in report)


def entry(steps: list[Step], step: int, place: int) -> dict[str, Any]:
    found = steps[step - 1][2][place]
    assert isinstance(found, dict)
    return found


def other_link(holder: dict[str, Any]) -> object:
    links = holder["links"] = (*holder["links"][:2], bytes(32))
    return links


FORGERIES: list[tuple[str, Callable[[list[Step]], object]]] = [
    ("Step 3: roll 0 of round 1 (for 'shooting')", lambda s: entry(s, 3, 0).update(faces=[6] * 8)),
    ("Step 3: roll 0 of round 1 (for 'shooting')", lambda s: entry(s, 3, 1).update(faces=[10, 10])),
    ("Step 3: roll 0 of round 1 is out of order; roll 1", lambda s: (entry(s, 3, 1).pop("to"), s[2][4].clear())),
    ("Step 3: roll 5 of round 1 is out of order; roll 0 of round 1 is next.", lambda s: entry(s, 3, 0).update(n=5)),
    ("Step 3: roll 0 of round 2 is out of order", lambda s: entry(s, 3, 0).update(round=2)),
    ("Step 3: the order for 'turns'", lambda s: entry(s, 3, 2).update(order=[0, 1, 2, 3, 4])),
    ("A die of 0 sides", lambda s: entry(s, 3, 0).update(sides=0)),
    ("Step 6: roll 2 of round 1 is out of order; roll 3", lambda s: entry(s, 6, 0).update(n=2)),
    ("Step 2: 'joker' was drawn from deck 'cards', but", lambda s: entry(s, 2, 2).update(card="joker")),
    ("Step 2: card 3 of deck 'cards' was drawn, which was not", lambda s: entry(s, 2, 2).update(index=3)),
    ("Step 6: card 0 of deck 'cards' was drawn, which was not", lambda s: s[5][2].__setitem__(1, entry(s, 2, 2))),
    ("Step 2: card 0 of deck 'other'", lambda s: entry(s, 2, 2).update(deck="other")),
    ("Step 2: the cards of deck 'cards' were not sorted", lambda s: entry(s, 2, 1)["cards"].reverse()),
    ("Step 2: deck 'cards' was shuffled for the wrong time", lambda s: entry(s, 2, 1).update(epoch=1)),
    ("Step 8: deck 'cards' was shuffled for the wrong time", lambda s: entry(s, 8, 0).update(epoch=2)),
    ("Step 2: the root told for deck", lambda s: entry(s, 2, 1)["cards"].append("trump")),
    ("Step 2 opens round 2 where round 1", lambda s: entry(s, 2, 0).update(round=2)),
    ("Step 2 opens a round with other links", lambda s: entry(s, 2, 0).update(links=[b"mine"])),
    ("Step 2: ", lambda s: (entry(s, 2, 0).update(links=[]), s[1][1].update(links=[]))),
    ("The log is that of another match", lambda s: entry(s, 1, 0).update(match="m2")),
    ("The secret that was opened is not the one", lambda s: entry(s, 1, 0).update(commitment=bytes(32))),
    ("Step 2 of the log is missing.", lambda s: s.pop(1)),
    ("Step 3 has no beginning, or a second one", lambda s: s[2][2].append(entry(s, 1, 0))),
    ("Step 1 has no beginning", lambda s: s[0][2].insert(0, {"e": "x"})),
    ("Step 3 does not begin the match where", lambda s: s[2][1].update(c="start")),
    (
        "Step 3 has an entry that this checker does not know: 'core.gift'",
        lambda s: entry(s, 3, 0).update(e="core.gift"),
    ),
    ("Step 3 of the log is not in the form", lambda s: entry(s, 3, 0).pop("faces")),
    ("Step 3 of the log is not in the form", lambda s: s.__setitem__(2, [3])),
    ("Step 3 tells a roll or a card to others", lambda s: entry(s, 3, 1).pop("to")),
    ("Step 2: the link of seat 0 does not follow", lambda s: entry(s, 1, 1).update(tip=bytes(32))),
    ("Step 2: the link of seat 0 does not follow", lambda s: entry(s, 1, 1).update(seat=1)),
    ("Step 2: the link of seat 2 does not follow", lambda s: (other_link(entry(s, 2, 0)), other_link(s[1][1]))),
    ("Step 2 tells a wrong seed of round 0", lambda s: entry(s, 2, 0).update(seed=bytes(32))),
    ("Step 3 tells a roll or a card to others", lambda s: s[2][4].update({1: [2]})),
    ("Step 2: the root told for deck 'cards'", lambda s: entry(s, 2, 1).update(root=bytes(32))),
    ("Step 2: the opening of card 0", lambda s: entry(s, 2, 2).update(salt=bytes(16))),
    ("Step 4: the opening of card 1", lambda s: entry(s, 6, 1).update(path=entry(s, 2, 2)["path"])),
    ("Step 8: 'joker' was drawn", lambda s: entry(s, 8, 1).update(card="joker")),
]


@pytest.mark.parametrize(("sentence", "forge"), FORGERIES)
def test_a_forged_log_is_named_by_its_step(sentence: str, forge: Callable[[list[Step]], object]) -> None:
    steps = hand_made()
    forge(steps)
    assert refusal(sealed(steps)).startswith(sentence)


def test_another_secret_or_none_does_not_hold() -> None:
    good = played(1)
    assert "does not give the commitment" in refusal(write(good._replace(secret=bytes(32)), HOST))
    assert "unproven" in refusal(write(good._replace(secret=b""), HOST))
    other = MatchDice(bytes(32), MATCH).commitment
    assert "not the one" in refusal(write(good._replace(secret=bytes(32), commitment=other), HOST))


def test_streams_must_lead_where_they_say() -> None:
    good = played(1)

    def with_public(change: Callable[[list[Any]], object]) -> str:
        frames = list(good.streams["public"])
        change(frames)
        return refusal(write(good._replace(streams={**good.streams, "public": tuple(frames)}), HOST))

    assert "'public' has a gap after number 2" in with_public(lambda frames: frames.pop(3))
    assert "number 1 does not lead" in with_public(
        lambda f: f.__setitem__(1, type(f[1])(**{**fields(f[1]), "patch": {}}))
    )
    streams = {name: frames for name, frames in good.streams.items() if name != "public"}
    assert "lacks the public stream" in refusal(write(good._replace(streams=streams), HOST))
    early = tuple(good.streams["public"][:2])
    assert "belongs to another picture" in refusal(
        write(good._replace(streams={**good.streams, "public": early}), HOST)
    )


def fields(frame: Any) -> dict[str, Any]:
    return {name: getattr(frame, name) for name in frame.__struct_fields__}


GOOD = sealed(hand_made())


@settings(max_examples=200)
@given(st.integers(0, len(GOOD) * 8 - 1), st.integers(0, len(GOOD) - 1))
def test_any_flipped_bit_and_any_truncation_is_noticed(bit: int, length: int) -> None:
    data = bytearray(GOOD)
    data[bit // 8] ^= 1 << bit % 8
    refusal(bytes(data))
    refusal(GOOD[:length])


def test_it_says_what_it_found_by_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "good.replay"
    file.write_bytes(GOOD)
    assert verify.main([str(file)]) == 0
    file.write_bytes(GOOD[:-1])
    assert verify.main([str(file)]) == 1
    assert verify.main([str(tmp_path / "none")]) == 2
    assert verify.main([]) == 2
    out, err = capsys.readouterr()
    assert "ends too early" in out.splitlines()[-1]
    assert "cannot be read" in err


def test_it_stands_alone_and_can_be_read_in_one_sitting(tmp_path: Path) -> None:
    source = Path(inspect.getfile(verify)).read_text()
    assert len(source.splitlines()) <= 600
    modules = (verify_dice1, verify_hashes, verify_parts, verify_report, verify_strict)
    beside = [Path(inspect.getfile(module)) for module in modules]
    assert all(len(path.read_text().splitlines()) <= 200 for path in beside)
    assert imported(source) == {"msgpack", "client"}
    assert all(imported(path.read_text()) <= {"cryptography", "client"} for path in beside)
    folder, file = tmp_path / "client", tmp_path / "good.replay"
    folder.mkdir()
    for path in (Path(inspect.getfile(verify)), *beside):
        (folder / path.name).write_text(path.read_text())
    file.write_bytes(GOOD)
    command = [sys.executable, "-E", "-s", "-m", "client.fairness.verify", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout[:16]) == (0, "Everything holds")


def imported(source: str) -> set[str]:
    """Return the names that a module imports beside the standard library."""
    found = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in ([a.name for a in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", "")])
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return found - set(sys.stdlib_module_names)
