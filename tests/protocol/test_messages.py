"""Every message has an example, documentation and survives the wire."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import get_args

import pytest
from msgspec.structs import replace

from protocol.codec import checked, decode_message, decode_request, encode, encode_request
from protocol.from_client import FromClient, Message
from protocol.from_server import FromServer, ServerMessage
from protocol.limits import Limits
from tests.support.messages import FROM_CLIENT, FROM_SERVER


def test_every_message_of_a_client_has_an_example() -> None:
    assert {type(message) for message in FROM_CLIENT} == set(get_args(FromClient))


def test_every_message_of_a_server_has_an_example() -> None:
    assert {type(message) for message in FROM_SERVER} == set(get_args(FromServer))


def test_the_messages_leave_memory_whole() -> None:
    """A pattern in a union with a list or map is let go of as what it is not: see FieldValue."""
    kept = os.environ | {"PYTHONMALLOC": "debug"}
    done = subprocess.run([sys.executable, "-c", "import protocol.codec"], env=kept, capture_output=True, check=False)
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


@pytest.mark.parametrize("message", FROM_CLIENT, ids=lambda message: type(message).__name__)
def test_every_field_of_a_client_is_bounded(message: Message) -> None:
    """A word, list or map beyond every bound is refused in whatever field it comes."""
    for name in message.__struct_fields__:
        for huge in ("x" * 3000, ["x"] * 300, {f"k{i}": "x" for i in range(70)}, 2**63):
            with pytest.raises(ValueError, match=name):
                checked(replace(message, **{name: huge}))
