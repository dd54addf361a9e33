"""A host key for tests."""

from __future__ import annotations

from typing import Final

from server.runtime.signing import HostKey

HOST: Final = HostKey(bytes(range(32, 64)))
