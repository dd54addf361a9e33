"""Passwords of tables: whoever comes without a code says it, unless they were let in before.

Friends share one, and it guards one evening: it is sealed by the host's key as the secrets of matches are, and compared
at no more cost than a code, so that nobody can make the server hash by guessing.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Final

from server.accounts.passwords import normal
from server.runtime.errors import SealDamaged
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.table_record import TableRecord

LABEL: Final = b"eschaton/table-password/"


def count_guess(services: Services, session: Session) -> None:
    """Count a guess at the code or the password of a table. Raises Refused where there were too many."""
    guess = services.bounds.guess
    if not (guess("invite-account", session.who) and guess("invite-address", session.address)):
        raise Refused("table/code-tries")


class TablePasswords:
    """The passwords of all tables of one server."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def sealed(self, password: str) -> bytes:
        """Return a password as the record of a table keeps it, nothing for none. The next table of the same people has
        the same record of it."""
        return self._services.sealing_key.seal(normal(password).encode(), "", LABEL) if password else b""

    def check(self, session: Session, table: TableRecord, password: str | None) -> None:
        """Raise Refused where this person may not come without a code, by this password. A wrong one counts as a guess
        at a code."""
        if not table.is_guarded or session.who in table.let_in:
            return
        if not table.password:
            raise Refused("table/private")
        if password is None:
            raise Refused("table/password")
        count_guess(self._services, session)
        if not self._is_right(table, password):
            raise Refused("table/wrong-password")

    def _is_right(self, table: TableRecord, password: str) -> bool:
        try:
            kept = self._services.sealing_key.open(table.password, "", LABEL)
        except SealDamaged:
            # without its key the table can be come to by its code alone
            return False
        return hmac.compare_digest(kept, normal(password).encode())
