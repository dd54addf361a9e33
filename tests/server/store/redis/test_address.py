"""Addresses of Redis behind Sentinels: what they name, and what is told of those that cannot be read."""

from __future__ import annotations

import pytest

from server.store.redis.address import parse_address


def test_sentinels_service_database_and_password_are_read() -> None:
    address = parse_address("redis+sentinel://host:hun%2Fter2@10.0.0.1:26380,10.0.0.2,[::1]:5/my%20master/3")
    assert address.sentinels == (("10.0.0.1", 26380), ("10.0.0.2", 26379), ("::1", 5))
    assert address.service == "my master"
    assert address.options == {"username": "host", "password": "hun/ter2", "db": 3, "ssl": False}
    assert "ter2" not in address.label
    assert "my master" in address.label


def test_neither_user_nor_password_nor_database_is_needed() -> None:
    address = parse_address("rediss+sentinel://10.0.0.1/service")
    assert address.options == {"username": None, "password": None, "db": 0, "ssl": True}


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis+sentinel://10.0.0.1:26379", "cannot be read"),
        ("redis+sentinel:///service", "cannot be read"),
        ("redis+sentinel://10.0.0.1:port/service", "cannot be read"),
        ("redis+sentinel://host:12/34@10.0.0.1/service", "cannot be read"),
        ("unix+sentinel://10.0.0.1/service", "cannot be read"),
        ("redis+sentinel://10.0.0.1/service/zero", "is no number of a database"),
        ("redis+sentinel://10.0.0.1/service?db=1", "takes no options"),
    ],
)
def test_an_address_of_sentinels_that_cannot_be_read_is_told_with_the_form(url: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_address(url)
