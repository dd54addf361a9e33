"""An honest host is never accused, whatever its players do with their links, their answers and their receipts."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgpack
import pytest

from client.fairness.dice_round_check import Verdict
from client.fairness.receipts import Receipts, Record, read
from client.fairness.replay_check import ReplayCase, ReplayFinding, check_replay
from client.fairness.verify_command import check_file
from client.input.prompt_driver import UNDO
from protocol.ids import MatchId
from protocol.proof.dice import joined, u64
from protocol.proof.signed_texts import said_digest, sign_receipts
from protocol.scene.nodes import WAITS_NODE, Waits
from server.runtime.signing import HostKey
from tests.support.clients.people import Person, duellists, rest_to_the_end
from tests.support.clients.wire import running
from tests.support.faults.hostile.forger import FORGER

pytestmark = pytest.mark.waits

MIXES = 25


class Evening(NamedTuple):
    """Records of a match with an honest host: its replay, its key, and the receipts of both players."""

    replay: bytes
    key: HostKey
    kept: tuple[Receipts, Receipts]


def file_of(receipts: Receipts) -> bytes:
    head = {"receipts": 1, "match": receipts.match, "key": receipts.key, "seat": receipts.seat}
    return b"".join(map(msgpack.packb, (head, *receipts.records)))


async def changed_unheard(ann: Person, ben: Person) -> None:
    """Finding 2: a sealed answer is changed, the link breaks before the acknowledgement, the question closes."""
    await ann.act("strike", target=["seat/1"])
    await ben.act("yes")
    # a program of before, which lets its person change the answer
    await ben.said_unheard("no")
    await ann.let_pass(3, lambda: turn_seen_by(ann) == 1)
    await ben.come_back()


async def unheard(ann: Person, ben: Person) -> None:
    """An answer is given, the link breaks before the acknowledgement, the question closes."""
    await ben.act("strike", target=["seat/0"])
    await ann.said_unheard("yes")
    await ben.let_pass(3, lambda: turn_seen_by(ben) == 0)
    await ann.come_back()


def turn_seen_by(person: Person) -> int:
    """Whose turn it is, -1 while something else is waited for."""
    scene = person.session.conversation.scene
    node = scene.nodes.get(WAITS_NODE) if scene is not None else None
    return node.seats[0] if isinstance(node, Waits) and node.window == "turn" and node.seats else -1


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return asyncio.run(play(tmp_path_factory.mktemp("evening")))


async def play(folder: Path) -> Evening:
    """Play a match with all that can be signed: acts, an act taken back, answers with and without receipts,
    expiries."""
    async with running(folder) as run, duellists(run, folder, reaction_seconds=3) as (ann, ben):
        await changed_unheard(ann, ben)
        await unheard(ann, ben)
        await ann.act("focus")
        await ann.act(UNDO)
        await ann.act("strike", target=["seat/1"])
        await ben.until(lambda: ben.offers("yes"))
        await ben.let_pass(60, lambda: ben.offers("rest"))
        await ben.let_pass(60, lambda: ann.offers("rest"))
        await ann.said_unheard("focus")
        await ann.come_back()
        await rest_to_the_end(ann, ben)
        for person in (ann, ben):
            await person.checked()
            assert person.session.table_check.verdict is Verdict.CHECKED, person.session.table_check.why
            after = person.session.replays.finished_check
            assert after is not None
            assert after.verdict is Verdict.CHECKED
    [file] = (folder / "replays").iterdir()
    first, second = (read(path.read_bytes()) for path in sorted(folder.glob("*/*/*.receipts")))
    return Evening(file.read_bytes(), HostKey.at(folder / "host.ed25519"), (first, second))


def judged(evening: Evening, *named: Receipts) -> ReplayFinding:
    return check_replay(ReplayCase(evening.replay, evening.key.public, [file_of(one) for one in named], []))


async def test_an_honest_players_receipts_do_not_accuse_an_honest_host(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(tmp_path) as run, duellists(run, tmp_path, reaction_seconds=3) as (ann, ben):
        await changed_unheard(ann, ben)
        await rest_to_the_end(ann, ben)
        await ben.checked()
        assert ben.session.table_check.verdict is Verdict.CHECKED
    [file] = (tmp_path / "replays").iterdir()
    assert check_file(file, [*tmp_path.glob("ben/*/*.receipts")]) == 0, capsys.readouterr().out


async def test_a_player_cannot_frame_an_honest_host_by_deleting_the_receipt_of_a_change(tmp_path: Path) -> None:
    async with running(tmp_path) as run, duellists(run, tmp_path, reaction_seconds=3) as (ann, ben):
        await ann.act("strike", target=["seat/1"])
        await ben.act("yes")
        with pytest.raises(AssertionError, match="Your answer stands"):
            await ben.act("no")
        await ben.let_pass(3, lambda: ben.offers("rest"))
        await rest_to_the_end(ann, ben)
    [file] = (tmp_path / "replays").iterdir()
    [kept] = tmp_path.glob("ben/*/*.receipts")
    receipts = read(kept.read_bytes())
    for place in range(len(receipts.records)):
        kept.write_bytes(file_of(receipts._replace(records=_without(receipts.records, place))))
        assert check_file(file, [kept]) == 0


def test_the_evening_holds_all_that_a_host_signs(evening: Evening) -> None:
    """The match covers every kind of signature, and every durable act was acknowledged with a receipt."""
    kinds = [record[0] for one in evening.kept for record in one.records]
    assert set(kinds) == {"head", "ack2", "expired", "fact"}
    assert kinds.count("expired") == 2
    answers = [record[4] for one in evening.kept for record in one.records if record[0] == "ack2"]
    assert {0, 1} <= set(answers)
    assert answers.count(-1) > 5
    assert judged(evening, *evening.kept).kind == "holds"


def test_leaving_out_any_receipt_accuses_nobody(evening: Evening) -> None:
    for one in evening.kept:
        for place in range(len(one.records)):
            assert judged(evening, one._replace(records=_without(one.records, place))).kind == "holds"


def test_receipts_in_any_choice_order_and_number_and_those_of_other_seats_accuse_nobody(evening: Evening) -> None:
    chance = random.Random(17)
    every = [record for one in evening.kept for record in one.records]
    signed = [record for record in every if record[0] != "fact"]
    for _ in range(MIXES):
        one = chance.choice(evening.kept)
        pile = chance.choice((one.records, signed, every))
        mixed = one._replace(
            records=chance.choices(pile, k=chance.randrange(2 * len(pile))), seat=chance.randrange(-1, 4)
        )
        assert judged(evening, mixed, chance.choice(evening.kept)).kind == "holds"


def test_receipts_that_were_edited_prove_nothing(evening: Evening) -> None:
    """Whatever is changed in what the host has signed: the file is named, and nobody is accused."""
    for one in evening.kept:
        for place, record in enumerate(one.records):
            if record[0] == "fact" or not (place % 9 == 0 or record[0] == "expired"):
                continue
            for other in _edited(record):
                finding = judged(
                    evening, one._replace(records=[*one.records[:place], other, *one.records[place + 1 :]])
                )
                assert (finding.kind, finding.place) == ("receipts", 0), other
                assert "prove nothing" in finding.said[0]


def test_edited_facts_of_somebody_else_are_told_and_accuse_nobody(evening: Evening) -> None:
    """Only the host's word is signed, and facts are not: they count only from a person's own program."""
    one = evening.kept[0]
    place, fact = next((p, r) for p, r in enumerate(one.records) if r[0] == "fact" and r[2]["f"] == "roll")
    others = [7 - face for face in fact[2]["faces"]]
    for number, told in ((fact[1], fact[2] | {"faces": others}), (9999, fact[2]), (-1, fact[2])):
        edited = one._replace(records=[*one.records[:place], ["fact", number, told], *one.records[place + 1 :]])
        finding = judged(evening, edited)
        assert finding.kind == "holds"
        assert any("proves nothing" in said for said in finding.said)
        assert check_replay(ReplayCase(evening.replay, b"", [], [file_of(edited)])).kind == "wrong"


def test_files_of_another_match_or_host_prove_nothing(evening: Evening) -> None:
    one = evening.kept[0]
    for other in (one._replace(match=MatchId("another")), one._replace(key=FORGER.public), one._replace(key=b"short")):
        assert judged(evening, other).kind == "receipts"
        assert judged(evening, other._replace(records=[])).kind == "receipts"


def test_receipts_of_a_made_up_key_prove_nothing_about_the_host(evening: Evening) -> None:
    """Two histories, signed by the player's own key, with the host's in the head of the file."""
    heads = [bytes([n]) * 32 for n in (1, 2)]
    text = [joined(b"eschaton/sign-v1/head", evening.kept[0].match.encode(), u64(5), head) for head in heads]
    records: list[Record] = [["head", 5, head, FORGER.sign(t)] for head, t in zip(heads, text, strict=True)]
    for key in (evening.key.public, FORGER.public):
        assert (
            judged(evening, evening.kept[0]._replace(records=records, key=key)).kind != "wrong"
            or key != evening.key.public
        )


def layout_1(evening: Evening, id: bytes, choice: str, question: int, version: int, head: bytes) -> Record:
    """Return a receipt as hosts signed it when answers could be replaced."""
    match, said = evening.kept[0].match, said_digest(choice, {})
    parts = (match.encode(), id, said, u64(question + 1), u64(version), head)
    [proof] = sign_receipts([joined(b"eschaton/sign-v1/receipt", *parts)], evening.key)
    return ["ack", id, said, question, version, head, *proof]


def test_receipts_of_the_first_layout_are_read_and_replaced_answers_are_told_and_not_accused(evening: Evening) -> None:
    one = evening.kept[1]
    answer = next(record for record in one.records if record[0] == "ack2" and record[4] >= 0)
    question, version, head = answer[4:7]
    counted = layout_1(evening, b"1" * 16, "yes", question, version, head)
    replaced = layout_1(evening, b"2" * 16, "no", question, version, head)
    for records, is_told in (
        ([counted], False),
        ([replaced], True),
        ([replaced, counted], True),
        ([counted, replaced], True),
    ):
        finding = judged(evening, one._replace(records=records))
        assert finding.kind == "holds"
        assert any("could still be changed" in said for said in finding.said) is is_told


def test_an_act_of_the_first_layout_that_the_log_lacks_is_still_proof(evening: Evening) -> None:
    one = evening.kept[1]
    version, head = next(record[5:7] for record in one.records if record[0] == "ack2" and record[4] < 0)
    done = next(record for record in one.records if record[0] == "ack2" and record[4] < 0)
    assert (
        judged(evening, one._replace(records=[layout_1(evening, done[2], "rest", -1, version, head)])).kind == "holds"
    )
    lacks = judged(evening, one._replace(records=[layout_1(evening, b"?" * 16, "rest", -1, version, head)]))
    assert lacks.kind == "wrong"
    assert "the log lacks it" in lacks.said[0]


def _without(records: list[Record], place: int) -> list[Record]:
    return [*records[:place], *records[place + 1 :]]


def _edited(record: Record) -> Iterator[Record]:
    """This record with one part changed, in each way that a part can be."""
    for place, value in enumerate(record[1:], start=1):
        changes: list[Any] = []
        if isinstance(value, bytes):
            changes = [value[:-1] + bytes([value[-1] ^ 1]) if value else b"\0" * 32, value + b"\0", b""]
        elif isinstance(value, int):
            changes = [value + 1, value - 1, -(2**40), 2**63]
        for other in changes:
            if other != value:
                yield [*record[:place], other, *record[place + 1 :]]
