"""The signing of receipts: one signature for all that are made in one turn of the event loop.

What a commit has made durable wakes its matches in the same turn, so that a commit costs one signature. Two receipts of
one match never share it: the length of a receipt's path must not tell that another seat was answered, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from protocol.ids import MatchId
from protocol.proof.signed_texts import Signed, Signer, sign_receipts
from server.runtime.logs import Log

Tell = Callable[[Signed], None]


class ReceiptSigner:
    """Signer of receipts for the whole server, in the event loop's thread."""

    def __init__(self, signer: Signer, log: Log) -> None:
        self._signer = signer
        self._log = log
        self._waiting: dict[MatchId, tuple[bytes, Tell]] = {}

    def add(self, match: MatchId, receipt: bytes, tell: Tell) -> None:
        """Have a receipt (`receipt_text`) signed; `tell` gets the proof in the next turn of the loop, after those that
        came before. The caller may be cancelled meanwhile."""
        if match in self._waiting:
            self.sign_now()
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.sign_now)
        self._waiting[match] = receipt, tell

    def sign_now(self) -> None:
        """Sign and tell all that waits now. A `tell` that raises does not keep the others from their proof."""
        waiting, self._waiting = list(self._waiting.values()), {}
        if not waiting:
            return
        signed = sign_receipts([receipt for receipt, _ in waiting], self._signer)
        for (_, tell), proof in zip(waiting, signed, strict=True):
            try:
                tell(proof)
            except Exception as problem:  # noqa: BLE001 - one listener's fault is not to keep proofs from the others
                self._log.error("receipt", problem=f"{type(problem).__name__}: {problem}", exc_info=problem)
