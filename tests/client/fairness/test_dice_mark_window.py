"""The mark of the live check in the window: found by its label, told apart by its shape, explained by a page."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace
from PIL import Image

from client.app.picture import save_picture
from client.app.window import SMALLEST
from client.draw.fairness.mark import draw_mark
from client.fairness.dice_mark import DiceMark, Sign
from client.fairness.dice_round_check import Verdict
from client.fairness.receipts import read
from client.storage.downloads import save
from client.text.phrases import phrase
from client.text.texts import Texts
from client.ui.frame import Ui
from client.views.screen import Screen
from client.views.table.table_screen import TableScreen
from protocol.fairness.round_parts import MarkState
from protocol.ids import TableId
from protocol.proof.facts import AnyFact, Begun, Bound
from protocol.text import text
from protocol.wire.from_server import Proof
from tests.client.fairness.test_dice_round_check import honest
from tests.support.clients.dice.contributing import HOLDERS
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.fairness.dice_marks import chains_of, frames, told
from tests.support.fairness.entropy_match import EntropyMatch
from tests.support.fairness.signing import HOST
from tests.support.systems.hand import Hand

TABLE = TableId("m1")


def played(rounds: int = 3) -> EntropyMatch:
    match = EntropyMatch()
    for _ in range(rounds):
        match.round()
    return match


def at(app: ReadableApp, folder: Path, match: EntropyMatch, seat: int, facts: list[AnyFact] | None = None) -> Table:
    """Open the window at the table of a match, which its host has told."""
    app.front = None
    app.before_tick.clear()
    chains = chains_of(match.programs[seat] if seat >= 0 else None)
    table = Table(app, folder, frames(seat), chains, folder / "receipts" / "default")
    table.navigator.replay_folder = lambda: folder / "replays"  # type: ignore[method-assign]  # of this computer's user
    table.say(told(match, seat, facts))
    return table


@pytest.fixture
def watched(app: ReadableApp, tmp_path: Path) -> Table:
    """Open a spectator's window at a table whose host has told nothing yet."""
    return Table(app, tmp_path, frames(-1))


def test_the_mark_says_how_the_dice_stand(watched: Table, app: ReadableApp, hand: Hand) -> None:
    check = watched.session.table_check.check
    assert check is not None
    assert phrase("fairness.mark") in app.labels()
    watched.say(Proof(TABLE, 0, tuple(honest())))
    assert check.verdict is Verdict.CHECKED
    hand.press(keys.F2)
    watched.settle()
    assert "Back to the table" in app.labels()
    hand.press(keys.ESCAPE)
    watched.settle()
    assert "Back to the table" not in app.labels()


def test_a_click_on_the_mark_opens_the_page(watched: Table, app: ReadableApp, hand: Hand) -> None:
    watched.say(Proof(TABLE, 0, tuple(honest())))
    hand.click_on(phrase("fairness.mark"))
    watched.settle()
    assert "Back to the table" in app.labels()
    hand.click_on("Back to the table")
    watched.settle()
    assert "Back to the table" not in app.labels()


def test_the_page_begins_with_the_sentence_and_lists_the_seats_of_each_round(
    app: ReadableApp, hand: Hand, tmp_path: Path
) -> None:
    table = at(app, tmp_path, played(), 0)
    hand.press(keys.F2)
    table.settle()
    assert {"Nobody could choose these dice (round 3).", "Parts: you in, Bea bot, Cyd in"} <= app.labels().keys()
    table = at(app, tmp_path, played(), -1)
    hand.press(keys.F2)
    table.settle()
    assert any(line.startswith("These could have, this far: they rest on the programs of Ada") for line in app.labels())


def test_the_page_scrolls_by_wheel_and_keys(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    table = at(app, tmp_path, played(30), 0)
    hand.press(keys.F2)
    table.settle()

    def rounds() -> list[int]:
        return [int(label.split()[1].rstrip(":")) for label in app.labels() if label.startswith("Round ")]

    assert rounds()[0] == 31
    assert 1 not in rounds()
    hand.press(keys.PAGEDOWN)
    table.settle()
    assert 31 not in rounds()
    for _ in range(12):
        hand.press(keys.PAGEDOWN)
        table.settle()
    assert rounds()[-1] == 1
    x, y = app.find("Round 2: one roll (0 seen here), one card")
    app.dispatch_event("on_mouse_scroll", round(x), round(y), 0, 200)
    app.dispatch_events()
    table.settle()
    assert rounds()[0] == 31
    hand.press(keys.UP)
    table.settle()
    assert rounds()[0] == 31


def test_the_proof_is_saved_beside_the_replays_under_a_name_of_its_own(
    app: ReadableApp, hand: Hand, tmp_path: Path
) -> None:
    table = at(app, tmp_path, played(), 0)
    hand.press(keys.F2)
    table.settle()
    folder = tmp_path / "replays"
    save(folder, "m1-0", b"of another host", ".receipts")
    for _ in range(2):  # the same proof is not kept twice
        hand.click_on("Save the proof")
        table.settle()
        assert {path.name for path in folder.glob("*.receipts")} == {"m1-0.receipts", "m1-0-2.receipts"}
        name = "m1-0-2.receipts"
        path = folder / name
        assert f"Saved your proof as {name} in {tmp_path / 'replays'}" in app.labels()
        kept = read(path.read_bytes())
        assert (kept.match, kept.key, kept.seat) == ("m1", HOST.public, 0)
        assert {record[0] for record in kept.records} == {"head", "fact"}
        plain = save(tmp_path / "replays", "plain", b"")
        assert path.stat().st_mode == plain.stat().st_mode
    # of another viewer at this computer nothing is given away
    other = at(app, tmp_path, played(), -1)
    assert [record[0] for record in read(other.session.table_check.receipts()).records].count("fact") == len(
        played().facts()
    )


def test_where_nothing_is_kept_or_can_be_saved_the_page_says_so(
    app: ReadableApp, hand: Hand, tmp_path: Path, watched: Table
) -> None:
    watched.say(Proof(TABLE, 0, tuple(honest())))
    hand.press(keys.F2)
    watched.settle()
    hand.click_on("Save the proof")
    watched.settle()
    assert "There is nothing to save: no receipts are kept on this computer." in app.labels()
    table = at(app, tmp_path, played(), 0)
    (tmp_path / "replays").write_text("not a folder")
    hand.press(keys.F2)
    table.settle()
    hand.click_on("Save the proof")
    table.settle()
    assert any(label.startswith("The proof cannot be saved: ") for label in app.labels())


def test_a_cheat_is_in_the_log_and_stays_on_the_mark(watched: Table) -> None:
    facts = honest()
    second = [n for n, fact in enumerate(facts) if isinstance(fact, Begun)][1]
    begun = facts[second]
    assert isinstance(begun, Begun)
    assert isinstance(facts[0], Bound)
    watched.say(Proof(TABLE, 0, (*facts[:second], replace(begun, seed=bytes(32)), *facts[second + 1 :])))
    assert watched.session.table_check.check is not None
    assert watched.session.table_check.check.verdict is Verdict.WRONG
    assert DiceMark(watched.session.table_check).sign is Verdict.WRONG
    assert any("WRONG" in line.text for line in watched.session.feed.log)


class Marks(Screen):
    """View of all marks, side by side."""

    SIGNS: tuple[Sign, ...] = (*Verdict, *MarkState)

    def build(self, ui: Ui) -> None:
        for number, sign in enumerate(self.SIGNS):
            draw_mark(ui, 20 + 40 * number, 20, 12, sign)


def test_marks_are_told_apart_without_colour(app: ReadableApp, tmp_path: Path) -> None:
    app.show(Marks(app))
    save_picture(app, tmp_path / "marks.png")
    with Image.open(tmp_path / "marks.png") as image:
        grey = image.convert("L").point(lambda level: 255 if level > 90 else 0)
        shapes = {
            sign: grey.crop((40 * n, image.height - 40, 40 * n + 40, image.height)).tobytes()
            for n, sign in enumerate(Marks.SIGNS)
        }
    for one, other in combinations(Marks.SIGNS, 2):
        differing = sum(a != b for a, b in zip(shapes[one], shapes[other], strict=True))
        assert differing > 40 or {one, other} == {Verdict.CHECKED, MarkState.YOURS}, (one, other, differing)


def test_the_mark_below_the_dice_is_that_of_ones_own_part(app: ReadableApp, tmp_path: Path) -> None:
    table = at(app, tmp_path, played(), 0)
    assert isinstance(app.front, TableScreen)
    mark = DiceMark(table.session.table_check)
    assert mark.sign is MarkState.YOURS
    spot = app.hot_at(*app.find(phrase("fairness.mark")))
    assert spot is not None
    assert spot.tip.startswith("Nobody could choose these dice (round 3).")
    missing = EntropyMatch(HOLDERS)
    missing.round()
    missing.round(missing=(2,))
    missing.round()
    table = at(app, tmp_path / "other", missing, 0)
    assert DiceMark(table.session.table_check).sign is MarkState.BUT
    assert SMALLEST[0] < app.width


def test_no_catalogue_of_a_server_changes_what_the_check_says() -> None:
    texts = Texts()
    texts.learn({"fair.no_proof": "all is well", "fair.nobody": "trust me"})
    assert texts.say(text("fair.no_proof")).startswith("unproven")
    assert texts.say(text("fair.nobody", round=1)).startswith("Nobody could choose")
