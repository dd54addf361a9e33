"""Links to tables and replays: read strictly, so that nothing made to harm passes for one."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from protocol.game_links import CODE_LENGTH, CODE_LETTERS, GameLink, read_link

CODE = "ABCDEFGH23"


@pytest.mark.parametrize(
    ("words", "link"),
    [
        (f"eschaton://example.org/{CODE}", GameLink("example.org", 8440, CODE)),
        (f"eschaton://example.org:443/{CODE}/17", GameLink("example.org", 443, CODE, 17)),
        (f"eschaton://[2001:db8::1]:443/{CODE}", GameLink("2001:db8::1", 443, CODE)),
        (f"eschaton://127.0.0.1:9000/{CODE}", GameLink("127.0.0.1", 9000, CODE)),
        ("eschaton://localhost/OIS5ABCDEF", GameLink("localhost", 8440, "OIS5ABCDEF")),
    ],
)
def test_a_link_is_read_and_written_alike(words: str, link: GameLink) -> None:
    assert read_link(words) == link
    assert link.words == words


def test_the_command_beside_a_link_says_the_same() -> None:
    assert GameLink("example.org", 443, CODE, 17).command == f"eschaton play example.org:443 {CODE} 17"
    assert GameLink("2001:db8::1", 8440, CODE).command == f"eschaton play [2001:db8::1] {CODE}"


@pytest.mark.parametrize(
    "words",
    [
        "",
        f"https://example.org/{CODE}",
        f"ESCHATON://example.org/{CODE}",
        f" eschaton://example.org/{CODE}",
        f"eschaton://example.org/{CODE}\n",
        f"eschaton://example.org/{CODE}/",
        f"eschaton://example.org/{CODE}/0",
        f"eschaton://example.org/{CODE}/-1",
        f"eschaton://example.org/{CODE}/1/2",
        f"eschaton://example.org/{CODE}?profile=x",
        f"eschaton://example.org/{CODE}#x",
        f"eschaton://example.org/{CODE}%20--profile=x",
        f"eschaton://example.org/{CODE.lower()}",
        f"eschaton://example.org/{CODE}A",
        "eschaton://example.org/--profile1",
        "eschaton://example.org/../../etc0",
        f"eschaton://--profile=x/{CODE}",
        f"eschaton://-example.org/{CODE}",
        f"eschaton://example..org/{CODE}",
        f"eschaton://friend@example.org/{CODE}",
        f"eschaton://example.org:0/{CODE}",
        f"eschaton://example.org:65536/{CODE}",
        f"eschaton://example.org:08440/{CODE}",
        f"eschaton://example.org:/{CODE}",
        f"eschaton:///{CODE}",
        f"eschaton://ex\u0430mple.org/{CODE}",  # a Cyrillic letter
        f"eschaton://example.org\u202e/{CODE}",
        "eschaton://example.org/ABCDEFGH2\uff13",  # a full-width digit
        f"eschaton://example.org:\u0663/{CODE}",
        f"eschaton://2130706433/{CODE}",
        f"eschaton://0x7f.1/{CODE}",
        f"eschaton://127.1/{CODE}",
        f"eschaton://0177.0.0.1/{CODE}",
        f"eschaton://[example.org]/{CODE}",
        f"eschaton://[::1%25eth0]/{CODE}",
        f"eschaton://[:::::]/{CODE}",
        f"eschaton://{'a' * 64}.org/{CODE}",
        f"eschaton://{'a.' * 150}org/{CODE}",
        f"eschaton://example.org/{CODE}/{'9' * 10}",
        f"eschaton:// example.org/{CODE}",
        f'eschaton://example.org/{CODE}" --profile x "',
        f"eschaton://example.org;reboot/{CODE}",
    ],
)
def test_what_is_not_exactly_a_link_is_none(words: str) -> None:
    assert read_link(words) is None


@given(st.from_regex(r"eschaton://[^/]{0,40}/[^/]{0,14}(/[^/]{0,12})?", fullmatch=True))
def test_whatever_is_read_is_written_with_harmless_characters_and_read_as_the_same(words: str) -> None:
    link = read_link(words)
    if link is not None:
        assert read_link(link.words) == link
        assert not link.host.startswith("-")
        assert set(link.words) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:/[]")


def test_no_letter_of_a_code_is_read_as_another() -> None:
    assert not set(CODE_LETTERS) & set("0O1IS5")
    assert len(set(CODE_LETTERS)) == len(CODE_LETTERS) == 30
    assert read_link(f"eschaton://example.org/{CODE_LETTERS[-CODE_LENGTH:]}") is not None
