"""Classes of durability: which settings of Redis each asks for, and what is taken on the host's word."""

from __future__ import annotations

import pytest

from server.store.port import StoreUnavailable
from server.store.redis.durability import Durability, check, promise

ALWAYS = {"appendonly": "yes", "appendfsync": "always", "no-appendfsync-on-rewrite": "no"}
EVERYSEC = ALWAYS | {"appendfsync": "everysec"}
FOLLOWED = {"min-replicas-to-write": "1", "min-replicas-max-lag": "10"}
KEEPS = {"maxmemory-policy": "noeviction"}


@pytest.mark.parametrize(
    ("durability", "settings"), [("disk", ALWAYS), ("second", ALWAYS), ("second", EVERYSEC), ("replica", FOLLOWED)]
)
def test_settings_that_a_class_asks_for_are_good(durability: Durability, settings: dict[str, str]) -> None:
    assert check("Redis", durability, settings | KEEPS, "") == ()


@pytest.mark.parametrize(
    ("durability", "settings", "why"),
    [
        ("disk", EVERYSEC, "appendfsync is everysec"),
        ("disk", {"appendonly": "yes"}, "appendfsync is unknown"),
        ("second", ALWAYS | {"appendonly": "no"}, "appendonly is no"),
        ("replica", FOLLOWED | {"min-replicas-to-write": "0"}, "min-replicas-to-write is 0"),
        ("replica", FOLLOWED | {"min-replicas-max-lag": "0"}, "min-replicas-max-lag is 0"),
        ("replica", FOLLOWED | {"maxmemory-policy": "allkeys-lru"}, "throws out data"),
    ],
)
def test_settings_with_which_a_class_cannot_hold_are_refused(
    durability: Durability, settings: dict[str, str], why: str
) -> None:
    with pytest.raises(StoreUnavailable, match=why):
        check("Redis", durability, KEEPS | settings, "")


def test_what_redis_does_not_tell_is_taken_on_the_hosts_word_but_for_the_disk() -> None:
    on_word = check("Redis", "replica", {"min-replicas-to-write": "1"}, "")
    assert on_word == ("min-replicas-max-lag", "maxmemory-policy")
    assert promise("replica", on_word).endswith(
        "Redis does not tell min-replicas-max-lag, maxmemory-policy: taken on your word."
    )
    assert len(check("Redis", "second", {}, "NOPERM")) == 4
    with pytest.raises(StoreUnavailable, match="--durability replica"):
        check("Redis", "disk", {}, "NOPERM")


def test_only_the_disk_needs_no_word_to_the_host() -> None:
    assert promise("disk", ()) == ""
    assert "one replica" in promise("replica", ())
    assert "a second" in promise("second", ())
