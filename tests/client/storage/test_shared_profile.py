"""Two windows of one profile: neither loses the identity, nor what the other has written."""

from __future__ import annotations

import errno
from datetime import date
from pathlib import Path

import pytest

from client.errors import BadProfile
from client.net.address import Address
from client.storage.profile import UserProfile, load_profile, profile_path
from client.storage.shared_profile import SharedProfile
from protocol.text import text
from protocol.wire.from_client import CreateTable, Hello, Logout, TokenKept
from protocol.wire.from_server import Problem, Welcome
from tests.support.clients.people import Person
from tests.support.clients.sessions import ADDRESS, Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.wire import Running, running

FRIDAY = date(2026, 11, 20)
OTHER = Address("b", 1, secure=True)


def opened(folder: Path) -> SharedProfile:
    return SharedProfile(load_profile("two", folder), "two", folder)


def test_each_window_writes_what_it_has_changed_and_nothing_else(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.profile.name, first.profile.tokens = "Ann", {"a": "1", "c": "1"}
    first.profile.remember_server("a")
    first.keep()
    second = opened(tmp_path)
    second.profile.tokens["a"] = "2"
    second.profile.text_scale = 125
    second.profile.pin(OTHER, b"k" * 32, FRIDAY)
    second.profile.remember_server("b")
    del second.profile.tokens["c"]
    second.keep()
    first.profile.name = "Anne"
    first.profile.tokens["b"] = "3"
    first.keep()
    second.read_again()
    written = load_profile("two", tmp_path)
    assert first.profile == second.profile == written
    assert written.tokens == {"a": "2", "b": "3"}
    assert (written.name, written.text_scale) == ("Anne", 125)
    assert written.servers == ["b", "a"]
    assert [known.server for known in written.keys] == [OTHER.url]


def test_lessons_of_two_windows_are_remembered_side_by_side(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    first.profile.taught, first.profile.lessons = ["cards/first"], {"t1": ["move"]}
    second.profile.taught, second.profile.lessons = ["page/first"], {"t2": ["walk"]}
    first.keep()
    second.keep()
    assert load_profile("two", tmp_path).taught == ["cards/first", "page/first"]
    assert load_profile("two", tmp_path).lessons == {"t1": ["move"], "t2": ["walk"]}


def test_volumes_of_two_windows_are_kept_side_by_side(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    first.profile.volumes["dice"] = 40
    second.profile.volumes["fight"] = 20
    first.keep()
    second.keep()
    assert load_profile("two", tmp_path).volumes == {"dice": 40, "fight": 20}


@pytest.mark.parametrize("volume", ["101", "-1", "0.5", '"loud"'])
def test_a_volume_that_cannot_be_is_told(tmp_path: Path, volume: str) -> None:
    profile_path("two", tmp_path).write_text(f'{{"volumes": {{"dice": {volume}}}}}')
    with pytest.raises(BadProfile):
        opened(tmp_path)


def test_a_file_that_has_gone_is_written_whole_and_one_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    shared = SharedProfile(UserProfile("Ann", {"a": "1"}), "two", tmp_path)
    shared.keep()
    path = profile_path("two", tmp_path)
    path.unlink()
    shared.read_again()
    shared.profile.tokens["b"] = "2"
    shared.keep()
    assert load_profile("two", tmp_path).tokens == {"a": "1", "b": "2"}
    path.write_text("broken")
    for deed in (shared.read_again, shared.keep):
        with pytest.raises(BadProfile):
            deed()
    assert path.read_text() == "broken"
    assert shared.profile.tokens == {"a": "1", "b": "2"}


async def window(run: Running, folder: Path) -> Person:
    """Open another window of the profile in this folder, and connect it."""
    person = Person(run, "Ann", folder, load_profile("Ann", folder))
    await person.arrived()
    return person


async def test_what_another_window_took_over_is_taken_back_as_the_same_person(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        first = await window(run, tmp_path / "ann")
        await first.say(CreateTable(system="duel", scenario="two", name="Mine", private=False))
        await first.at_table()
        second = await window(run, tmp_path / "ann")
        await first.until(lambda: first.session.away == "session/taken-over")
        me = first.session.conversation.you
        assert second.session.conversation.you == me
        for back, other in ((first, second), (second, first), (first, second)):
            back.session.reconnect()
            await back.until(lambda back=back: back.session.status()[1])  # type: ignore[misc]
            await other.until(lambda other=other: other.session.away)  # type: ignore[misc]
            assert back.session.conversation.you == me
            assert back.session.conversation.table is not None or back is second
        await first.leave()
        await second.leave()
        again = await window(run, tmp_path / "ann")
        assert again.session.conversation.you == me
        assert [row.name for row in again.session.conversation.lobby.tables if row.mine] == ["Mine"]  # type: ignore[union-attr]
        await again.leave()


def hello(table: Table) -> Hello:
    said = table.last(Hello)
    assert isinstance(said, Hello)
    return said


def at_lobby(app: ReadableApp, folder: Path, token: str = "one") -> Table:
    """Open a window that the server has just welcomed with a token."""
    table = Table(app, folder, [])
    table.say(Welcome("me", "Bertram", token, "test", "0.1"))
    return table


def test_only_the_token_that_was_refused_is_erased(app: ReadableApp, tmp_path: Path) -> None:
    table = at_lobby(app, tmp_path)
    other = SharedProfile(load_profile("test", tmp_path), "test", tmp_path)
    other.profile.tokens[ADDRESS.key] = "two"
    other.keep()
    table.say(Problem("session/unknown-token", text("session.slow"), fatal=True))
    assert load_profile("test", tmp_path).tokens == {ADDRESS.key: "two"}
    table.break_and_mend()
    assert hello(table).token == "two"
    table.say(Problem("session/unknown-token", text("session.slow"), fatal=True))
    assert load_profile("test", tmp_path).tokens == {} == table.profile.tokens


def test_a_link_that_comes_back_says_the_token_that_another_window_was_given(app: ReadableApp, tmp_path: Path) -> None:
    table = at_lobby(app, tmp_path)
    other = SharedProfile(load_profile("test", tmp_path), "test", tmp_path)
    other.profile.tokens[ADDRESS.key] = "two"
    other.keep()
    table.break_and_mend()
    assert hello(table).token == "two"


def test_a_token_that_cannot_be_written_leaves_the_one_on_the_disk_good(
    app: ReadableApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = at_lobby(app, tmp_path)
    assert [message for message in table.said if isinstance(message, TokenKept)]
    table.break_and_mend()
    table.said.clear()

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("client.storage.profile.write_atomically", full)
    table.say(Welcome("me", "Bertram", "two", "test", "0.1"))
    assert not [message for message in table.said if isinstance(message, TokenKept)]
    assert "No space left on device" in table.session.notice
    assert table.session.status()[1]
    table.break_and_mend()
    assert hello(table).token == "one"
    table.session.say(Logout())
    assert isinstance(table.last(Logout), Logout)
