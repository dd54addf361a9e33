"""Reasons why a server could not be reached, in words that tell what to do about it."""

from __future__ import annotations

import errno
import socket
import ssl
from typing import Final

import websockets

from client.text.phrases import phrase

BAD_REQUEST: Final = 400
REFUSED: Final = (401, 403)
CROWDED: Final = 429
PROXY_WITHOUT_SERVER: Final = (502, 503, 504)
OTHER_VERSION: Final = b"expected one of eschaton."
"""Part of what a table server says to a program that speaks another version only."""
NOT_ENCRYPTED: Final = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "UNEXPECTED_MESSAGE")
"""Reasons of the library for a first answer that is not encrypted at all."""
NO_WAY: Final = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)


def why_unreached(error: Exception) -> str:
    """Return in words why no connection was made."""
    match error:
        case websockets.InvalidStatus():
            return _status(error)
        case websockets.InvalidHandshake():
            return phrase("link.other_server")
        case socket.gaierror():
            return phrase("link.no_name")
        case ssl.SSLError():
            reason = error.reason or "TLS"
            return phrase("link.other_server") if reason in NOT_ENCRYPTED else phrase("link.encryption", why=reason)
        case TimeoutError():
            return phrase("link.no_answer")
        case OSError() if error.errno in NO_WAY:
            return phrase("link.no_way")
        case ConnectionResetError() | BrokenPipeError():
            return phrase("link.other_server")
        case _:
            return phrase("link.no_server")


def _status(error: websockets.InvalidStatus) -> str:
    status, said = error.response.status_code, bytes(error.response.body or b"")
    if status == BAD_REQUEST and OTHER_VERSION in said:
        return phrase("link.other_version")
    if status in PROXY_WITHOUT_SERVER:
        return phrase("link.away")
    if status in REFUSED:
        return phrase("link.refused")
    return phrase("link.crowded" if status == CROWDED else "link.other_server")
