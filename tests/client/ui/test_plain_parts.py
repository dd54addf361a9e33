"""The parts of the client that need no window: layout, camera, shapes, texts, addresses, text fields, files."""

from __future__ import annotations

import stat
from itertools import combinations
from pathlib import Path

import pytest

from client.errors import BadAddress, BadProfile
from client.model.shapes import clamped, contains, hull, inches
from client.model.tabletop import Tabletop
from client.net.address import parse_address
from client.storage.downloads import FileDownload
from client.storage.profile import UserProfile, load_profile, save_profile
from client.text.texts import Texts
from client.ui import measure, theme
from client.ui.camera import Camera
from client.ui.layout import Rect, table_layout
from client.ui.text_input import TextInput
from client.ui.theme import SEAT_COLOURS, SEAT_SHAPES
from protocol.text import Text, text
from protocol.wire.from_server import FilePart
from tests.support import scenes


@pytest.mark.parametrize("size", [(960, 640), (1280, 800), (1920, 1080), (3840, 2160)])
@pytest.mark.parametrize("scale", [0.8, 1.0, 1.4])
@pytest.mark.parametrize("cards", [True, False])
def test_panels_fill_the_window_and_never_overlap(size: tuple[int, int], scale: float, cards: bool) -> None:
    layout = table_layout(*size, scale, cards=cards)
    panels = (layout.row, layout.seats, layout.board, layout.prompt, layout.log)
    assert not any(one.overlaps(other) for one, other in combinations(panels, 2))
    assert sum(panel.w * panel.h for panel in panels) == pytest.approx(size[0] * size[1])
    assert layout.board.w > 200
    assert layout.board.h > 200


def test_rows_and_columns_stay_inside() -> None:
    box = Rect(10, 20, 100, 90)
    rows = list(box.rows(20, 5))
    assert len(rows) == 3
    assert rows[0].top == box.top
    assert rows[-1].y >= box.y
    assert box.columns(3, 5)[2].right == pytest.approx(box.right)
    assert list(box.share(3, 20, 5)) == rows
    assert [row.h for row in box.share(6, 20, 5)] == pytest.approx([(90 + 5) / 6 - 5] * 6)


def test_the_camera_finds_its_way_back() -> None:
    camera = Camera()
    camera.look_at(Rect(200, 100, 800, 600), (7200, 4800))
    camera.zoom_at(500, 400, 2.5)
    camera.pan(30, -12)
    for point in ((0, 0), (3600, 2400), (7200, 4800)):
        assert camera.to_table(*camera.to_window(*point)) == point


def test_zooming_keeps_what_is_under_the_mouse() -> None:
    camera = Camera()
    camera.look_at(Rect(0, 0, 900, 600), (7200, 4800))
    before = camera.to_table(300, 200)
    camera.zoom_at(300, 200, 1.7)
    after = camera.to_table(300, 200)
    assert abs(after[0] - before[0]) <= 2
    assert abs(after[1] - before[1]) <= 2


def test_a_click_too_far_away_means_the_furthest_place_there() -> None:
    assert clamped((1000, 0), (0, 0), 800, ()) == (800, 0)
    assert clamped((300, 0), (0, 0), 800, ()) == (300, 0)
    square = ((100, -50), (200, -50), (200, 50), (100, 50))
    place = clamped((600, 0), (0, 0), 800, (square,))
    assert contains(square, place)
    assert place[0] > 190


def test_hull_and_distance() -> None:
    assert hull([(0, 0), (10, 0), (10, 10), (0, 10), (5, 5)]) == [(0, 0), (10, 0), (10, 10), (0, 10)]
    assert inches((0, 0), (300, 400)) == "5.0"


def test_every_palette_colour_has_its_own_shape() -> None:
    assert len(set(SEAT_COLOURS)) == len(SEAT_COLOURS) >= 6
    assert len(set(SEAT_SHAPES)) == len(SEAT_SHAPES) == len(SEAT_COLOURS)
    assert theme.seat_colour(-1) == theme.NOBODY


def test_things_under_a_point() -> None:
    top = Tabletop(scenes.public_nodes())
    assert top.things_at((6500, 500)) == ("piece/13", "group/11")
    assert top.things_at((3400, 700))[-1] == "feature/0"
    assert top.things_at((1000, 3010)) == ("feature/15",)
    assert top.centre_of("group/11") == (6500, 500)


def test_texts_from_the_catalogue() -> None:
    texts = Texts((scenes.CATALOGUE,))
    assert texts.say(text("group", faction=scenes.faction(1), n=2)) == "Iron Shells 2"
    assert texts.say(None) == ""
    assert texts.say(text("unknown.key")) == "unknown.key"


def test_what_a_server_says_cannot_steer_the_screen() -> None:
    texts = Texts()
    texts.learn({"evil": "a\x1b[31m\n{b}\u202e"})
    assert texts.say(text("evil", b="\x07")) == "a [31m   "
    deep: Text = text("evil")
    for _ in range(50):
        deep = text("evil", b=deep)
    assert texts.say(deep)


def test_wrapping_breaks_what_is_too_long() -> None:
    lines = measure.wrap("a quick brown fox and aVeryLongWordThatDoesNotFitAnywhere", 14, 90)
    assert all(measure.width(line, 14) <= 90 for line in lines)
    assert "".join(lines).replace(" ", "").endswith("Anywhere")
    assert measure.width(measure.clip("a quick brown fox", 14, 60), 14) <= 60


@pytest.mark.parametrize(
    ("words", "url"),
    [
        ("localhost", "ws://localhost:8440"),
        ("127.0.0.1:9000", "ws://127.0.0.1:9000"),
        ("example.org", "wss://example.org:8440"),
        ("wss://example.org:443", "wss://example.org:443"),
        ("[::1]:9000", "ws://[::1]:9000"),
    ],
)
def test_addresses(words: str, url: str) -> None:
    assert parse_address(words).url == url


@pytest.mark.parametrize("words", ["", "ws://example.org", "http://x", "a b", "host:port", "a/path", "u@host", "[::1"])
def test_addresses_that_are_none(words: str) -> None:
    with pytest.raises(BadAddress):
        parse_address(words)


def test_a_profile_comes_back_and_is_nobody_elses(tmp_path: Path) -> None:
    profile = UserProfile("Ada", {"localhost:8440": "secret"})
    profile.remember_server("a:1")
    profile.remember_server("b:2")
    profile.remember_server("a:1")
    save_profile(profile, "main", tmp_path)
    back = load_profile("main", tmp_path)
    assert back == profile
    assert back.servers == ["a:1", "b:2"]
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_profiles_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(BadProfile):
        load_profile("../x", tmp_path)
    (tmp_path / "profile-broken.json").write_text("{")
    with pytest.raises(BadProfile, match="profile-broken"):
        load_profile("broken", tmp_path)
    assert load_profile("new", tmp_path) == UserProfile()


def test_a_text_field() -> None:
    entered: list[str] = []
    box = TextInput(most=6, enter=lambda: entered.append(box.text))
    box.type("abc\x00d")
    box.go(1)
    box.type("XYZ")
    assert box.text == "aXYbcd"
    box.rub_out()
    box.rub_out(forwards=True)
    assert box.text == "aXcd"
    shown, caret = box.window(lambda words: 10.0 * len(words), 20)
    assert len(shown) == 2
    assert 0 <= caret <= 20


def test_a_file_comes_in_parts_under_a_harmless_name(tmp_path: Path) -> None:
    download = FileDownload(tmp_path)
    assert download.take(FilePart("../../evil name.replay", 0, 2, b"one")) is None
    path = download.take(FilePart("../../evil name.replay", 1, 2, b"two"))
    assert path is not None
    assert path.parent == tmp_path
    assert path.read_bytes() == b"onetwo"
    again = FileDownload(tmp_path).take(FilePart("../../evil name.replay", 0, 1, b"x"))
    assert again != path


def test_parts_out_of_order_are_dropped(tmp_path: Path) -> None:
    download = FileDownload(tmp_path)
    download.take(FilePart("a", 0, 3, b"one"))
    assert download.take(FilePart("a", 2, 3, b"three")) is None
    assert list(tmp_path.iterdir()) == []
