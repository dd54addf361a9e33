"""Links that a second start of the program hands to the window that is open already."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from client.app import main
from client.app.link_handover import LinkDoor, hand_over
from protocol.game_links import GameLink
from tests.support.clients.sessions import Table

pytestmark = pytest.mark.waits

LINK = GameLink("127.0.0.9", 1, "ABCDEFGHJK", 7)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[LinkDoor]:
    door = LinkDoor(tmp_path, "test", lambda: None)
    assert door.open()
    yield door
    door.close()


def test_a_link_reaches_the_open_window_which_asks_about_the_server(
    door: LinkDoor, table: Table, tmp_path: Path
) -> None:
    table.navigator.links.listen(door)
    assert hand_over(tmp_path, "test", LINK)
    table.settle()
    question = table.app.confirmation
    assert question is not None
    assert LINK.words in question.about
    assert hand_over(tmp_path, "test", LINK._replace(host="127.0.0.8"))
    table.settle()
    assert table.app.confirmation is question, "another link took the place of an open question"


def test_one_window_of_a_profile_takes_links_and_the_next_one_after_it(door: LinkDoor, tmp_path: Path) -> None:
    second = LinkDoor(tmp_path, "test", lambda: None)
    assert not second.open()
    assert not hand_over(tmp_path, "another", LINK)
    door.close()
    assert not hand_over(tmp_path, "test", LINK)
    assert second.open()
    assert hand_over(tmp_path, "test", LINK)
    assert second.newest() == LINK
    assert second.newest() is None
    second.close()


def test_a_window_that_was_killed_leaves_nothing_that_stands_in_the_way(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    (tmp_path / "window-test.json").write_bytes(msgspec.json.encode({"port": port, "word": "old"}))
    (tmp_path / "window-test.lock").touch()
    assert not hand_over(tmp_path, "test", LINK)
    door = LinkDoor(tmp_path, "test", lambda: None)
    assert door.open()
    assert hand_over(tmp_path, "test", LINK)
    door.close()


@pytest.mark.parametrize(
    "said", ["{word} --profile=x", "wrong {link}", "{link}", "", "{word} " + "A" * 600, "{word}\n{link}"]
)
def test_what_does_not_know_the_word_or_is_no_link_is_not_taken(door: LinkDoor, tmp_path: Path, said: str) -> None:
    place = msgspec.json.decode((tmp_path / "window-test.json").read_bytes())
    assert (tmp_path / "window-test.json").stat().st_mode & 0o077 == 0
    with socket.create_connection(("127.0.0.1", place["port"]), timeout=5) as visitor:
        visitor.sendall(said.format(word=place["word"], link=LINK.words).encode() + b"\n")
        answer = b""
        with suppress(ConnectionResetError):  # the window closes with words unread
            answer = visitor.recv(100)
    assert answer == b""
    assert door.newest() is None
    assert hand_over(tmp_path, "test", LINK), "the door still works"


def test_the_command_opens_no_second_window(door: LinkDoor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_config_dir", lambda _: str(tmp_path))
    assert main.open_link(LINK.words, profile="test") == 0
    assert door.newest() == LINK
