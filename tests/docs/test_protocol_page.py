"""docs/protocol.md holds: a client that was written from it alone plays, and its tables say what the program does."""

from __future__ import annotations

import ast
import asyncio
import json
import random
import re
from collections.abc import Iterator
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, Final

import msgpack
import msgspec
import pytest
from msgspec import inspect
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from engine.core.view.texts import ENGLISH as OF_THE_CORE
from protocol.canonical import canonical
from protocol.english import ENGLISH as OF_THE_PROTOCOL
from protocol.limits import MOST_FILLED, Bucket, Limits
from protocol.proof import signed_texts
from protocol.scene import delta
from protocol.scene.nodes import Cue
from protocol.scene.template_filling import TemplateFilling
from protocol.text import Text
from protocol.text_format import format_text
from protocol.version import DEFAULT_PORT, SUBPROTOCOL, VERSION
from protocol.wire import from_client as said
from protocol.wire.client_conversation import STAY_AWAY
from server.content.systems import find_systems, load
from server.runtime.signing import HostKey
from server.runtime.texts import ENGLISH as OF_THE_SERVER
from tests.support.clients.foreign import client as foreign, scene as foreign_scene
from tests.support.clients.foreign.client import Foreign
from tests.support.clients.foreign.player import play
from tests.support.clients.programs import ROOT
from tests.support.clients.wire import Running, running
from tests.support.examples import worked_conversation as worked
from tests.support.examples.wire_tables import listed, made, read, type_word
from tests.support.servers.limits import FREE
from tests.support.systems.gamblers import GAMBLERS

PAGE: Final = (ROOT / "docs" / "protocol.md").read_text("utf-8")
LIMITS: Final = Limits()
RAISED: Final = {"Refused", "IllegalIntent", "refusal", "BadFrame", "Problem"}
"""What takes a code as its first argument."""
INTERNAL: Final = {
    "answer/sealed",
    "concede/stays",
    "round/not-called",
    "round/not-wanted",
    "seats/no-person",
    "seats/unchanged",
    "session/drifting",
    "start/already",
    "void/nothing-waits",
}
"""Codes that no client is ever told: of causes that only the server makes, and of our own client."""
SKELETON: Final = ROOT / "server" / "cli" / "skeleton"
"""Of it a new rule system is made, whose codes are its own, as those of engine/rulesets are."""
MANY_CODES: Final = 50
"""Fewer are found only where what takes a code has another name."""
KEY: Final = bytes(range(32))
ROUNDS: Final = 10
MANY: Final = Bucket(100_000, 100_000)
UNPACED: Final = Limits(**FREE, intents=MANY, details=MANY, frames=MANY, arrivals=MANY)


async def seated(run: Running, system: str, scenario: str, count: int, *, strict: bool = False) -> list[Foreign]:
    """So many foreign clients at a table that has started; nobody waits longer than for the last answer."""
    players = [Foreign(f"ws://127.0.0.1:{run.port}", f"Player {n}", adds=True) for n in range(count)]
    for player in players:
        await player.connect()
    owner = players[0]
    await owner.say("create", system=system, scenario=scenario, name="Far away")
    await owner.until(lambda: bool(owner.table))
    await owner.say("change", reaction_seconds=0, strict=strict)
    for player in players[1:]:
        await player.say("join", code=owner.table["code"])
        await player.until(lambda player=player: bool(player.table))  # type: ignore[misc]  # a default has no type
        await player.say("ready", ready=True)
        await player.ping(1)
    await owner.say("start")
    for player in players:
        await player.until(lambda player=player: "waits" in player.scene.nodes)  # type: ignore[misc]
    return players


async def test_the_foreign_client_plays_a_duel_to_its_end_and_adds_to_every_round(tmp_path: Path) -> None:
    async with running(tmp_path, limits=UNPACED) as run:
        ann, ben = players = await seated(run, "duel", "two", 2)
        assert await play(players, random.Random(7), lambda: ann.table["state"] == "finished") == []
        for player in players:
            await player.until(lambda player=player: bool(player.table.get("replay")))  # type: ignore[misc]
            assert player.scene.nodes["result"]["k"] == "result"
            assert player.drifts == []
            assert player.scene.checked > 10
            assert len(player.receipts) == len(player.done) > 2
            assert player.dice is not None
            assert player.dice.counted == [1, 2, 3]
            assert player.dice.cards > 0
        dice = ann.dice
        assert dice is not None
        assert ann.scene.parts["public"].nodes == ben.scene.parts["public"].nodes
        last = {place for place in dice.rolls if place[0] == dice.round}
        assert dice.checked == dice.rolls.keys() - last != set()
        shown = [cue["dice"] for cue in ann.scene.cues if "dice" in cue]
        assert {(die["round"], die["n"]): die["faces"] for die in shown} == {
            place: roll["faces"] for place, roll in dice.rolls.items()
        }
        await ann.say("replay", table=ann.table["id"])
        part = await ann.hear(lambda message: message["t"] == "file" and message["part"] == message["parts"] - 1)
        assert ann.files[part["name"]].startswith(b"eschaton replay\n")
        for player in players:
            await player.close()


async def test_the_foreign_client_adds_to_what_is_put_off_at_a_strict_table(tmp_path: Path) -> None:
    async with running(tmp_path, limits=UNPACED, systems=GAMBLERS) as run:
        ann, ben = players = await seated(run, "duel", "two", 2, strict=True)
        refused = await play(players, random.Random(11), lambda: ann.table["state"] == "finished")
        assert set(refused) <= {"rules/fault"}
        assert ann.dice is not None
        assert ann.dice.opened == (ben.dice.opened if ben.dice is not None else [])
        # what somebody does has the part of the other one, what closes a question those of both
        assert {tuple(seats) for seats in ann.dice.opened} <= {(0,), (1,), (0, 1)}
        assert len(ann.dice.opened) > 2
        last = {place for place in ann.dice.rolls if place[0] == ann.dice.round}
        assert ann.dice.checked == ann.dice.rolls.keys() - last != set()
        for player in players:
            await player.close()


async def test_the_foreign_client_plays_rounds_of_action_cards_by_what_the_prompts_offer(tmp_path: Path) -> None:
    async with running(tmp_path, limits=UNPACED, systems=load(find_systems(["action_cards"]).values())) as run:
        players = await seated(run, "action_cards", "salt_road", 4)
        first = players[0]

        def is_played() -> bool:
            return "result" in first.scene.nodes or first.scene.nodes.get("row", {}).get("turn", 0) > ROUNDS

        refused = await play(players, random.Random(3), is_played)
        assert "stale" not in refused
        assert not [code for code in refused if code.startswith(("reply/", "frame/"))]
        for player in players:
            assert player.drifts == []
            assert player.scene.checked > 10
            assert player.scene.cues
            assert player.dice is not None
            assert player.dice.counted[:2] == [1, 2]
            assert len(player.receipts) == len(player.done)
        done = {choice for player in players for choice in player.done}
        assert len(done) >= 3
        await first.ping(2)
        told = [cue["text"] for cue in first.scene.cues]
        assert [text["k"] for text in told if text["k"] not in first.entries] == []
        for player in players:
            await player.close()


async def test_the_foreign_client_comes_back_with_the_numbers_that_it_has(tmp_path: Path) -> None:
    async with running(tmp_path, limits=UNPACED) as run:
        ann = (players := await seated(run, "duel", "two", 2))[0]
        await ann.until(lambda: bool(ann.prompt.get("choices")))
        public, private = ann.scene.numbers
        shown = len(ann.frames)
        await ann.close()
        await ann.connect(table=ann.table["id"], stream=ann.scene.stream, public=public, private=private)
        await ann.until(lambda: bool(ann.prompt.get("choices")))
        assert not [data for direction, data in ann.frames[shown:] if direction == "<" and b"snapshot" in data[:16]]
        assert await play(players, random.Random(7), lambda: ann.table["state"] == "finished") == []
        assert ann.drifts == []
        for player in players:
            await player.close()


# What the page says is what the program does


def test_every_message_node_and_field_is_on_the_page_with_its_types_and_defaults_and_no_other() -> None:
    page, program = read(PAGE), made()
    for heading, tables in program.items():
        assert page[heading].keys() == tables.keys(), heading
        for name, rows in tables.items():
            assert page[heading][name] == rows, f"{heading}: {name}"


def test_the_values_of_fields_are_bounded_as_the_page_says() -> None:
    assert f"`values` is `{type_word(inspect.type_info(said.Fields))}`" in PAGE


def codes_on_the_page() -> dict[str, str]:
    """What follows on each code, by code."""
    return {row[0].strip("`"): row[1] for row in listed(PAGE, "Refusals")}


def known_codes() -> Iterator[str]:
    """All codes that have words."""
    for key in OF_THE_PROTOCOL:
        if key.startswith(("frame.", "session.")):
            yield key.replace(".", "/").replace("_", "-")
    for key in (*OF_THE_PROTOCOL, *OF_THE_CORE, *OF_THE_SERVER):
        found = re.fullmatch(r"(?:problem|refuse)\.(.+)", key)
        if found is not None:
            yield found[1]


def raised_codes() -> Iterator[str]:
    """All codes that stand as such where something is refused by the server, not by a rule system."""
    places = ("server", "engine/core", "protocol/wire", "protocol/scene")
    files = [file for place in places for file in sorted((ROOT / place).rglob("*.py"))]
    for file in [file for file in files if SKELETON not in file.parents]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED and node.args:
                code = node.args[0]
                if isinstance(code, ast.Constant) and isinstance(code.value, str) and "/" in code.value:
                    yield code.value


def test_every_refusal_code_is_on_the_page_and_no_other() -> None:
    kinds = (*LIMITS.rates(), *LIMITS.held())
    sentence = re.search(r"The kinds are ([^;]+); the scopes are ([^.]+)\.", PAGE)
    assert sentence is not None
    assert re.findall(r"`(\w+)`", sentence[1]) == list(kinds)
    bounds = {f"bound/{kind}-{scope}" for kind in kinds for scope in re.findall(r"`(\w+)`", sentence[2])}
    on_page = set(codes_on_the_page())
    assert set(known_codes()) - INTERNAL == (on_page - {"bound/KIND-SCOPE"}) | bounds
    raised = set(raised_codes())
    assert len(raised) > MANY_CODES
    assert raised - INTERNAL <= on_page


def test_codes_after_which_one_stays_away_are_marked() -> None:
    assert {code for code, then in codes_on_the_page().items() if "stay away" in then} == STAY_AWAY


def test_every_code_that_the_page_names_is_in_its_table() -> None:
    codes = codes_on_the_page()
    words = {code.partition("/")[0] for code in codes}
    named = {name for name in re.findall(r"`([a-z-]+/[a-z*-]+)`", PAGE) if name.partition("/")[0] in words}
    kinds = {f"bound/{kind}-*" for kind in (*LIMITS.rates(), *LIMITS.held())}
    groups = {f"{word}/*" for word in words}
    assert named <= codes.keys() | kinds | groups


def test_numbers_on_the_page_are_the_limits() -> None:
    sizes = [LIMITS.inbound_bytes, LIMITS.depth, LIMITS.array, LIMITS.map, LIMITS.string]
    assert [int(row[1]) for row in listed(PAGE, "Encoding")] == sizes
    buckets = [LIMITS.intents, LIMITS.details, LIMITS.chat, LIMITS.frames]
    rows = [(float(row[1]), int(row[2])) for row in listed(PAGE, "Bounds")]
    assert rows == [(bucket.rate, bucket.burst) for bucket in buckets]
    for words in (
        f"subprotocol `{SUBPROTOCOL}`",
        f"`version` is {VERSION}.",
        f"port is {DEFAULT_PORT}",
        f"frames of up to {LIMITS.message_bytes} bytes",
        f"nested up to {LIMITS.message_depth} deep",
        f"within {LIMITS.handshake_seconds:g} seconds",
        f"more than {MOST_FILLED} values",
        f"{LIMITS.outbound_bytes} bytes or {LIMITS.outbound_messages} messages",
        f"every {LIMITS.ping_seconds:g} seconds",
        f"nothing for {LIMITS.behind_seconds:g} seconds",
        f"{LIMITS.arrivals.rate:g} WebSocket frames a second, {LIMITS.arrivals.burst} at once",
        f"{LIMITS.sockets_per_address} connections, and {LIMITS.handshakes_per_second} handshakes",
        f"a person has {LIMITS.sockets_per_account} connections",
        f"{LIMITS.questions_waiting} may wait",
    ):
        assert words in PAGE, words


# Vectors: the program and the foreign client make the same of them


def vectors(heading: str) -> list[list[Any]]:
    """The rows of a table of vectors; what stands between back quotes is JSON where it can be."""
    return [[_value(cell) for cell in row] for row in listed(PAGE, heading)]


def _value(cell: str) -> Any:
    plain = cell.replace("\\|", "|").strip("`")
    try:
        return json.loads(plain)
    except ValueError:
        return plain


def test_vectors_of_merge_patches() -> None:
    for before, patch, after in vectors("Merge patches"):
        assert delta.apply(before, patch) == foreign_scene.merged(before, patch) == after


def test_vectors_of_canonical_bytes() -> None:
    for value, data in vectors("Canonical bytes"):
        assert canonical(value).hex() == foreign_scene.canonical(value).hex() == str(data)


def test_vectors_of_hashes() -> None:
    rows = vectors("Hashes")
    for id, node, found in rows:
        assert delta.node_hash(id, node) == foreign_scene.node_hash(id, node) == found
    nodes = {id: node for id, node, _ in rows}
    assert delta.nodes_hash(nodes) == foreign_scene.part_hash(nodes)
    assert f"The hash of a part with these nodes is `{delta.nodes_hash(nodes)}`" in PAGE


def text_of(found: dict[str, Any]) -> Text:
    return Text(found["k"], {name: text_of(a) if isinstance(a, dict) else a for name, a in found.get("a", {}).items()})


def test_vectors_of_texts() -> None:
    for entry, arguments, shown in vectors("Texts"):
        entries, text = {"entry": entry, "unit": "the Guard"}, {"k": "entry", "a": arguments}
        assert format_text(text_of(text), entries) == foreign_scene.words(text, entries) == shown


def test_vectors_of_cue_templates() -> None:
    # the first table below the heading is that of the blanks
    below = PAGE.split("### Cue templates\n")[1].split("| id | template |")[1]
    for row in listed(f"# here\n| id | template |{below}", "here"):
        id, template, arguments, nodes, cues = map(_value, row)
        assert int.from_bytes(blake2b(canonical(template), digest_size=4).digest(), "big") == id
        filled = TemplateFilling({id: template}, (nodes,)).cues([(id, *arguments)])
        assert list(filled) == msgspec.convert(cues, list[Cue])
        assert foreign_scene.Filler((nodes,)).fill(template, arguments) == cues


def test_vectors_of_receipts() -> None:
    rows = {row[0]: row[1].strip("`") for row in listed(PAGE, "Receipts and heads")}
    host = HostKey(KEY)
    match, seat, question, version = json.loads(rows["match, seat, question, version"])
    choice, fields = json.loads(rows["choice, fields"])
    id, head = bytes.fromhex(rows["id"]), bytes.fromhex(rows["head"])
    place, path = int(rows["place, path"].split(", ")[0]), bytes.fromhex(rows["place, path"].split(", ")[1])
    digest = signed_texts.said_digest(choice, fields)
    receipt = signed_texts.receipt_text(match, seat, id, digest, question, version, head)
    root = signed_texts.receipts_root(receipt, place, path)
    assert root is not None
    assert {
        "host's key": host.public.hex(),
        "canonical bytes of [choice, fields]": canonical([choice, fields]).hex(),
        "said": digest.hex(),
        "receipt": receipt.hex(),
        "SHA-256(receipt)": sha256(receipt).hexdigest(),
        "root": root.hex(),
        "signature": host.sign(signed_texts.receipts_text(root)).hex(),
        "signature of expired, question 7": host.sign(signed_texts.expired_text(match, seat, 7, version, head)).hex(),
        "signature of the head": host.sign_head(match, version, head).hex(),
    }.items() <= rows.items()
    ack = {"question": question, "version": version, "head": head}
    made_abroad = foreign.receipt_of(match, seat, {"id": id, "choice": choice, "fields": fields}, ack)
    assert made_abroad == receipt
    assert foreign.receipts_root(made_abroad, place, path) == root


# Conversations


async def said_to(run: Running, frames: list[bytes]) -> tuple[list[dict[str, Any]], int]:
    """What a server answers to these frames, and the status with which it closes (0: it does not)."""
    url = f"ws://127.0.0.1:{run.port}/"
    async with connect(url, subprotocols=[foreign.SUBPROTOCOL], compression=None) as socket:
        for frame in (*frames, msgpack.packb({"t": "ping", "n": 99})):
            await socket.send(frame)
        heard: list[dict[str, Any]] = []
        try:
            async with asyncio.timeout(120):
                while heard[-1:] != [{"t": "pong", "n": 99}]:
                    heard.append(msgpack.unpackb(await socket.recv()))
        except ConnectionClosed:
            return heard, socket.close_code or 0
        return heard[:-1], 0


async def test_frames_that_cannot_be_taken_are_answered_as_the_page_says(tmp_path: Path) -> None:
    hello = msgpack.packb({"t": "hello", "version": VERSION, "name": "Ann"})
    async with running(tmp_path) as run:
        for what, frame, code, status in listed(PAGE, "Frames that cannot be taken"):
            sent = bytes.fromhex(frame.strip("`"))
            heard, closed = await said_to(run, [sent] if "(*first*)" in what else [hello, sent])
            last = heard[-1]
            assert (last.get("code", last["t"]), closed) == (code.strip("`"), int(status or 0)), what
            assert last.get("fatal", False) is bool(status)


async def test_the_conversation_on_the_page_is_held_to_the_byte(tmp_path: Path) -> None:
    shown = PAGE.split(worked.BEGIN)[1].split(worked.END)[0]
    assert worked.written(await worked.held(tmp_path)) == shown, (
        "python -m tests.support.examples.worked_conversation writes it anew"
    )


@pytest.mark.parametrize("name", ["client", "dice", "player", "scene"])
def test_the_foreign_client_knows_nothing_of_the_program(name: str) -> None:
    tree = ast.parse((ROOT / "tests" / "support" / "clients" / "foreign" / f"{name}.py").read_text("utf-8"))
    found = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    found += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert not [module for module in found if module.partition(".")[0] in ("client", "engine", "protocol", "server")]
    ours = [module for module in found if module.startswith("tests.")]
    assert not [module for module in ours if not module.startswith("tests.support.clients.foreign")]


def test_private_frames_wait_for_their_public_number_and_a_wrong_hash_is_seen() -> None:
    scene = foreign_scene.Scene({})
    node = {"counter/turn": {"k": "counter", "name": {"k": "turn"}, "value": 1}}
    shown = {"t": "snapshot", "stream": "s", "n": 0}
    assert scene.take({**shown, "part": "public", "nodes": node, "hash": foreign_scene.part_hash(node)}) == ""
    assert scene.take({**shown, "part": "private", "nodes": {}, "hash": 0}) == ""
    secret = {"sheet/a": {"k": "sheet", "title": {"k": "x"}}}
    private = {"t": "delta", "part": "private", "n": 1, "patch": secret, "hash": foreign_scene.part_hash(secret)}
    assert scene.take({**private, "after": 1}) == ""
    assert scene.nodes == node
    patch = {"counter/turn": {"value": 2}}
    after = foreign_scene.merged(node, patch)
    public = {"t": "delta", "n": 1, "patch": patch, "hash": foreign_scene.part_hash(after)}
    assert scene.take(public) == ""
    assert scene.nodes == {**after, **secret}
    again = {**public, "n": 2}
    assert scene.take({**again, "n": 4}) == "number"
    assert scene.take(again) == ""
    assert scene.numbers == (1, 1)
    assert scene.take({**shown, "part": "public", "n": 1, "nodes": after, "hash": public["hash"]}) == ""
    assert scene.take({**again, "hash": 1}) == "hash"
    assert scene.numbers == (1, 1)
