"""Exceptions of the client. Each carries a sentence for people, which says why and what to do.

EschatonError (protocol/errors.py)
|-- RefusedError (asked for something that may not be; nothing changed)
|   |-- BadAddress        words that are no address of a server
|   `-- BadProfile        a profile whose name or file cannot be used
|-- DamageError (bytes that cannot be read or trusted)
|   |-- BadReceipts       a file that is not one of receipts
|   `-- CannotPlay        a replay that cannot be shown
|-- NoLocalServer         no server on this computer, and none could be started
`-- NoWindow              no window could be opened

Apart from these stands VerificationFailed with its branch NoProof (client/fairness/verify.py and promises.py): the
checker imports nothing of Eschaton, so that it can be read and run alone.
"""

from __future__ import annotations

from protocol.errors import DamageError, EschatonError, RefusedError


class BadAddress(RefusedError):
    """Words that are no address of a server; the message says what one looks like."""


class BadProfile(RefusedError):
    """A profile whose name or file cannot be used; the message says why."""


class BadReceipts(DamageError):
    """A file that is not one of receipts; the message says which."""


class CannotPlay(DamageError):
    """A replay that cannot be shown; the message says why and what to do."""


class NoLocalServer(EschatonError):
    """No server runs on this computer and none could be started; the message says why."""


class NoWindow(EschatonError):
    """No window can be opened; the message says why."""
