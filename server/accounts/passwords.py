"""Passwords: the rules for new ones, and their hashes by argon2id, in threads of their own."""

from __future__ import annotations

import asyncio
import unicodedata
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from protocol.limits import Limits
from server.accounts.display_names import name_key
from server.accounts.password_strength import weakness
from server.runtime.refusals import Refused

T = TypeVar("T")
MOST_THREADS: Final = 4
SALT_BYTES: Final = 16
HASH_BYTES: Final = 32


class Passwords:
    """A hasher and weigher outside the event loop: so many at once, so many waiting, and a refusal beyond that."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._hasher = PasswordHasher(
            limits.password_passes, limits.password_kib, 1, HASH_BYTES, SALT_BYTES, type=Type.ID
        )
        threads = min(limits.password_threads, MOST_THREADS)
        self._most = threads + limits.password_queue
        self._pool = ThreadPoolExecutor(threads, "passwords")
        self._asked = 0
        self._nobodys = nobodys_hash(limits)

    async def check(self, password: str, name: str) -> None:
        """Check that the person of this name may have this password. Raises Refused."""
        password = normal(password)
        if len(password) < self._limits.password_least:
            raise Refused("password/short", least=self._limits.password_least)
        if len(password) > self._limits.password_most:
            raise Refused("password/long", most=self._limits.password_most)
        own_words = (normal(name), name_key(name), *normal(name).split())
        reason = await self._run(partial(weakness, password, own_words))
        if reason:
            raise Refused(f"password/{reason}")

    async def hash(self, password: str) -> str:
        """Return the hash with its salt and cost, to be stored. Raises Refused("session/sign-in-busy")."""
        return await self._run(partial(self._hasher.hash, normal(password)))

    async def verify(self, stored: str, password: str) -> bool:
        """Return True where this is the password of the hash. Without a hash it is not, which takes as long to find
        out.

        Raises Refused("session/sign-in-busy"). When cancelled, the thread goes on until it is done.
        """
        return await self._run(partial(self._matches, stored or self._nobodys, normal(password)))

    def is_outdated(self, stored: str) -> bool:
        """Return True where the hash was made at another cost than hashes are now."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """Begin no more hashes."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _matches(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._asked >= self._most:
            raise Refused("session/sign-in-busy")
        self._asked += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        future.add_done_callback(self._done)
        return await asyncio.shield(future)  # a cancelled caller must not make room before the thread is done

    def _done(self, _: object) -> None:
        self._asked -= 1


def nobodys_hash(limits: Limits) -> str:
    """Return a hash that costs as much to compare with as any other, and belongs to no password."""
    salt, key = (b64encode(bytes(size)).decode().rstrip("=") for size in (SALT_BYTES, HASH_BYTES))
    return f"$argon2id$v=19$m={limits.password_kib},t={limits.password_passes},p=1${salt}${key}"


def normal(password: str) -> str:
    """Return the same characters however they were typed (NFKC, NIST SP 800-63B 5.1.1.2)."""
    return unicodedata.normalize("NFKC", password)
