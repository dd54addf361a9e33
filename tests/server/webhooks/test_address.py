"""Addresses of webhooks: https at a named host, and nothing that could lead or write anywhere else."""

from __future__ import annotations

import pytest

from server.runtime.refusals import Refused
from server.webhooks.address import WebhookAddress, is_host_name, read_address

HOSTS = ("discord.com", "hooks.slack.com")


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("https://discord.com/api/webhooks/1/a-B_c", "/api/webhooks/1/a-B_c"),
        ("https://Discord.COM:443/x?wait=true&thread_id=1", "/x?wait=true&thread_id=1"),
        ("https://discord.com/%20", "/%20"),
    ],
)
def test_an_address_at_a_named_host(words: str, path: str) -> None:
    assert read_address(words, HOSTS) == WebhookAddress("discord.com", path)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "discord.com/x",
        "http://discord.com/x",
        "HTTPS://discord.com/x",
        "ftp://discord.com/x",
        "https://discord.com",
        "https://discord.com:80/x",
        "https://discord.com:4430/x",
        "https://user@discord.com/x",
        "https://user:secret@discord.com/x",
        "https://discord.com@evil.example/x",
        "https://discord.com\\@evil.example/x",
        "https://discord.com/x#y",
        "https://discord.com/x y",
        "https://discord.com/x\r\nHost: evil",
        "https://discord.com/x\n",
        "https://discord.com/é",
        "https://discord.com/\0",
        "https://[::1]/x",
        "https://dis\u0441ord.com/x",
        " https://discord.com/x",
    ],
)
def test_what_is_no_such_address(words: str) -> None:
    with pytest.raises(Refused, match="webhook/address"):
        read_address(words, HOSTS)


@pytest.mark.parametrize(
    "host",
    [
        "discord.com.",
        "evil.discord.com",
        "discord.com.evil",
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "localhost",
        "slack.com",
    ],
)
def test_a_host_that_is_not_named_to_the_letter(host: str) -> None:
    with pytest.raises(Refused, match="webhook/host"):
        read_address(f"https://{host}/x", HOSTS)


def test_the_path_is_not_printed() -> None:
    assert "secret" not in repr(WebhookAddress("discord.com", "/secret"))


@pytest.mark.parametrize("name", ["discord.com", "hooks.slack.com", "a-1.b2.example"])
def test_names_of_hosts(name: str) -> None:
    assert is_host_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "localhost", "Discord.com", "discord.com.", ".com", "a..b", "-a.com", "a_b.com", "1.1.1.1", "1.0x7f", "a.1",
     "::1", "discord.com:443", "https://discord.com", "*.discord.com", "a." * 126 + "aa"],
)  # fmt: skip
def test_what_is_no_name_of_a_host(name: str) -> None:
    assert not is_host_name(name)
