"""Frames that are small to send and costly to open; each is opened in a process of its own, which reports its cost.

`python -m tests.support.faults.hostile.bombs` prints for each {"name": ..., "us": microseconds, "kb": growth of the
peak memory, "code": refusal}.
"""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from protocol.errors import BadFrame
from protocol.limits import Limits
from protocol.wire.codec import decode_message, decode_request

LIMITS: Final = Limits()


def _field(value: bytes) -> bytes:
    """Return a ping with another value in place of its number."""
    return b"\x82\xa1t\xa4ping\xa1n" + value


REQUESTS: Final[Mapping[str, bytes]] = {
    "lists 100,000 deep": _field(b"\x91" * 100_000 + b"\x90"),
    "maps 100,000 deep": _field(b"\x81\xa1t" * 100_000 + b"\x90"),
    "lists 16,000 deep": _field(b"\x91" * 16_000 + b"\x90"),
    "maps 5,000 deep": _field(b"\x81\xa1t" * 5_000 + b"\x90"),
    "list of 4 G": _field(b"\xdd\xff\xff\xff\xff"),
    "map of 4 G": _field(b"\xdf\xff\xff\xff\xff"),
    "text of 4 G": _field(b"\xdb\xff\xff\xff\xff"),
    "bytes of 4 G": _field(b"\xc6\xff\xff\xff\xff"),
    "extension of 4 G": _field(b"\xc9\xff\xff\xff\xff\x05"),
    "outer map of 4 G": b"\xdf\xff\xff\xff\xff",
    "16 KiB of empty lists": _field(b"\xdc\x3f\x00" + b"\x90" * 0x3F00),
    "16 KiB of empty maps": _field(b"\xdc\x3f\x00" + b"\x80" * 0x3F00),
    "16 KiB of different keys": b"\xde\x0f\xa0" + b"".join(b"\xa2" + b"%02x" % n + b"\xc0" for n in range(200)) * 20,
    "16 KiB of lists of lists": _field(b"\xdc\x03\xf0" + (b"\x9f" + b"\x90" * 15) * 0x3F0),
    "fields by the thousand": b"\x83\xa1t\xa6intent\xa2id\xc4\x10"
    + bytes(16)
    + b"\xa6fields\xde\x0b\x00"
    + b"".join(b"\xa3%03x\x90" % n for n in range(0xB00)),
}
MESSAGES: Final[Mapping[str, bytes]] = {
    "answer lists 100,000 deep": b"\x82\xa1t\xa4pong\xa1n" + b"\x91" * 100_000 + b"\x90",
    "answer of 4 G": b"\x82\xa1t\xa5lobby\xa6tables\xdd\xff\xff\xff\xff",
    "scene 4 G": b"\x82\xa1t\xa8snapshot\xa5nodes\xdf\xff\xff\xff\xff",
}
BOMBS: Final = {**REQUESTS, **MESSAGES}


def opened(name: str) -> dict[str, float | str]:
    """Open one; return its time, the growth of this process's peak memory, and its refusal."""
    decode = decode_request if name in REQUESTS else decode_message
    _refusal(decode, b"\x82\xa1t\xa4ping\xa1n\xc0")
    bomb = BOMBS[name]
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    before = _kb("VmHWM")
    began = time.process_time()
    code = _refusal(decode, bomb)
    took = time.process_time() - began
    return {"us": round(took * 1e6), "kb": _kb("VmHWM") - before, "code": code}


def _refusal(decode: object, data: bytes) -> str:
    assert callable(decode)
    try:
        decode(data, LIMITS)
    except BadFrame as refused:
        return refused.code
    return ""


def _kb(what: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1])


def main() -> None:
    """Open each in a process of its own."""
    for name in BOMBS:
        child = os.fork()
        if not child:
            print(json.dumps({"name": name, **opened(name)}), flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            print(json.dumps({"name": name, "status": status}), flush=True)


if __name__ == "__main__":
    main()
