"""Receipts are signed together: one signature for all that are made in one turn of the event loop.

What a commit has made durable wakes its matches in the same turn, so that a commit costs one signature. Two receipts of
one match never share it: how long the path of one is must not tell that somebody else at the table was answered, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from protocol.proof.signed_texts import Signed, Signer, sign_receipts

if TYPE_CHECKING:
    from server.runtime.logs import Log

Tell = Callable[[Signed], None]


class ReceiptSigner:
    """Signs receipts for the whole server. Everything here happens in the event loop's thread."""

    def __init__(self, signer: Signer, log: Log) -> None:
        self._signer = signer
        self._log = log
        self._waiting: dict[str, tuple[bytes, Tell]] = {}

    def add(self, match: str, receipt: bytes, tell: Tell) -> None:
        """`tell` is called in the next turn of the loop, after those that came before, with what proves this receipt
        (`receipt_text`). Whoever adds it may be cancelled meanwhile."""
        if match in self._waiting:
            self.press()
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.press)
        self._waiting[match] = receipt, tell

    def press(self) -> None:
        """Sign and tell all that waits now. One who cannot be told does not keep the others from it."""
        waiting, self._waiting = list(self._waiting.values()), {}
        if not waiting:
            return
        signed = sign_receipts([receipt for receipt, _ in waiting], self._signer)
        for (_, tell), proof in zip(waiting, signed, strict=True):
            try:
                tell(proof)
            except Exception as problem:  # noqa: BLE001 - one listener's fault is not to keep proofs from the others
                self._log.error("receipt", problem=f"{type(problem).__name__}: {problem}", exc_info=problem)
