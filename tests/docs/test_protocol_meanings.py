"""docs/protocol.md: what stands beside the types of its messages is what the program does."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final, get_args

import pytest

from protocol.limits import Limits
from protocol.token_buckets import TokenBucket
from protocol.wire import from_client as said
from protocol.wire.from_server import EntropyWanted
from protocol.wire.pacing import Pace
from server.lobby.table.agreement import TERMS
from server.match.entropy import DEFERRED_SECONDS, WAIT_SECONDS
from tests.support.examples.wire_tables import RECORDS, tag_of
from tests.support.runs.pages import page

PAGE: Final = page("protocol.md")


def meaning(message: str) -> str:
    """Return the words of the page on a message."""
    found = re.search(rf"^\| \*\*`{message}`\*\* \| \| \| (.*) \|$", PAGE, re.MULTILINE)
    assert found is not None, message
    return found[1]


def field_meaning(message: str, field: str) -> str:
    """Return the words of the page on a field of a message."""
    below = PAGE.partition(f"\n| **`{message}`** |")[2].partition("\n| **")[0]
    found = re.search(rf"^\| `{field}` \| [^|]+ \| [^|]+ \| (.*) \|$", below, re.MULTILINE)
    assert found is not None, (message, field)
    return found[1]


def test_both_times_for_a_part_in_dice_are_told() -> None:
    for words in (meaning("entropy_wanted"), " ".join((EntropyWanted.__doc__ or "").split())):
        assert re.findall(r"within (\d+) seconds?", words) == [f"{WAIT_SECONDS:g}", f"{DEFERRED_SECONDS:g}"]


def taken(bucket: TokenBucket, now: float) -> int:
    """Return how many tokens the bucket gives at this time."""
    count = 0
    while bucket.take(now):
        count += 1
    return count


def test_messages_that_share_a_bucket_stand_in_one_row_with_its_numbers() -> None:
    section = PAGE.partition("\n## Bounds\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \|$", section, re.MULTILINE)
    told = {(frozenset(re.findall(r"`(\w+)`", names)), int(second), int(once)) for names, second, once in rows}
    assert len(told) == len(rows)
    pace = Pace(Limits(), 0.0)
    sharing: defaultdict[TokenBucket, set[str]] = defaultdict(set)
    for message in get_args(said.FromClient):
        sharing[pace.bucket(message)].add(tag_of(message))
    # the row of all others names none
    sharing[pace.rest].clear()
    found = {(frozenset(names), taken(bucket, 0.0), taken(bucket, 1.0)) for bucket, names in sharing.items()}
    assert told == {(names, second, once) for names, once, second in found}


@pytest.mark.parametrize("message", ["create", "change"])
def test_the_length_of_a_tables_name_is_told(message: str) -> None:
    assert f"name of the table, cut to {Limits().table_name_length} characters" in field_meaning(message, "name")


def test_the_terms_after_which_people_are_no_longer_ready_are_named() -> None:
    sentence = re.search(r"Where ([^.]*), people are no longer ready\.", meaning("change"))
    assert sentence is not None
    assert set(re.findall(r"`(\w+)`", sentence[1])) == set(TERMS)


def test_the_list_of_maps_without_a_tag_is_that_of_their_rows() -> None:
    told = PAGE.partition("\n## Records\n")[2].partition("\n## ")[0].partition(":")[2]
    named = re.findall(r"^\| \*\*([A-Z]\w*)\*\* \|", PAGE, re.MULTILINE)
    assert sorted(named) == sorted(RECORDS)
    assert re.findall(r"\w+", told) == named
