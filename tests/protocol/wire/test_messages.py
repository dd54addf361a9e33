"""Every message has an example, documentation and survives the wire."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import get_args

import pytest
from msgspec.structs import asdict, replace

from protocol.limits import Limits
from protocol.wire.codec import checked, decode_message, decode_request, encode, encode_request
from protocol.wire.from_client import FromClient, Message
from protocol.wire.from_server import FromServer
from protocol.wire.server_message import ServerMessage
from tests.support.examples.messages import FROM_CLIENT, FROM_SERVER

pytestmark = pytest.mark.waits

SECRETS = (
    ("Hello", "secret"),
    ("Hello", "correct horse"),
    ("KeepName", "correct horse"),
    ("KeepName", "battery staple"),
    ("UseSeatCode", "ABCDE12345"),
    ("JoinTable", "ABCDE12345"),
    ("WatchTable", "ABC"),
    ("Welcome", "secret"),
    ("SeatCode", "ABCDE12345"),
    ("TableView", "ABC"),
)


def test_every_message_of_a_client_has_an_example() -> None:
    assert {type(message) for message in FROM_CLIENT} == set(get_args(FromClient))


def test_every_message_of_a_server_has_an_example() -> None:
    assert {type(message) for message in FROM_SERVER} == set(get_args(FromServer))


def test_the_messages_leave_memory_whole() -> None:
    """A pattern in a union with a list or map is let go of as what it is not: see FieldValue."""
    kept = os.environ | {"PYTHONMALLOC": "debug"}
    done = subprocess.run(
        [sys.executable, "-c", "import protocol.wire.codec"], env=kept, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("message", FROM_CLIENT, ids=lambda message: type(message).__name__)
def test_a_message_of_a_client_comes_back_whole(message: Message) -> None:
    frame = encode_request(message)
    assert decode_request(frame, Limits()) == message
    assert type(message).__doc__
    assert len(frame) < 1024


@pytest.mark.parametrize("message", FROM_SERVER, ids=lambda message: type(message).__name__)
def test_a_message_of_a_server_comes_back_whole(message: ServerMessage) -> None:
    assert decode_message(encode(message), Limits()) == message
    assert type(message).__doc__


def test_no_secret_is_in_what_is_printed_of_a_message() -> None:
    """Tokens, passwords and codes of tables and seats: what is printed ends in logs and in reports of faults."""
    for name, secret in SECRETS:
        message = next(one for one in (*FROM_CLIENT, *FROM_SERVER) if type(one).__name__ == name)
        assert secret in str(asdict(message)), f"the example of {name} has no secret"
        assert secret not in repr(message)
        assert repr(message).startswith(f"{name}(")


@pytest.mark.parametrize("message", FROM_CLIENT, ids=lambda message: type(message).__name__)
def test_every_field_of_a_client_is_bounded(message: Message) -> None:
    """A word, list or map beyond every bound is refused in whatever field it comes."""
    for name in message.__struct_fields__:
        for huge in ("x" * 3000, ["x"] * 300, {f"k{i}": "x" for i in range(70)}, 2**63):
            with pytest.raises(ValueError, match=name):
                checked(replace(message, **{name: huge}))
