"""Names that their owners keep with a password: registering one, and signing in with it on any device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.accounts.display_names import can_be_kept, name_key
from server.accounts.passwords import Passwords
from server.runtime.bounds import Asker
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire.from_client import KeepName
    from server.accounts.identities import Account, Identities, Login
    from server.lobby.services import Services
    from server.lobby.sessions import Session


class RegisteredNames:
    """Registration and sign-in.

    A sign-in gets one answer whether the name is unknown, the password is wrong, or there were too many failures.
    """

    def __init__(self, services: Services, identities: Identities) -> None:
        self._identities = identities
        self._log, self._outcomes = services.log, services.metrics.sign_ins
        self._bounds = services.bounds
        self._passwords = Passwords(services.limits)

    async def sign_in(self, name: str, password: str, address: str) -> Login:
        """Return a new token for the person who keeps this name with this password. Raises Refused, StoreError.

        It counts as a login at this address before a hash is made, and as one of the person's when they have proven who
        they are: whoever guesses uses up nothing of theirs.
        """
        account = await self._identities.keeper(name)
        stored = account.password if account is not None else ""
        if account is not None:
            self._bounds.spend("logins", Asker("", address))
            self._bounds.afford_own("logins", account.id)
        await self._prove(name, stored, password, address)
        if account is None:
            raise Refused("session/not-signed-in")
        self._bounds.spend_own("logins", account.id)
        fresh = await self._passwords.hash(password) if self._passwords.is_outdated(stored) else stored
        return await self._identities.let_in(account.id, stored, fresh)

    async def keep(self, session: Session, asked: KeepName) -> Account:
        """Make the person's name their own by this password; of their devices only this one keeps a good token.

        Raises Refused, StoreError.
        """
        guess = self._bounds.guess
        if not (guess("password-account", session.who) and guess("password-address", session.address)):
            raise Refused("password/tries")
        account = await self._identities.account(session.who)
        if not can_be_kept(account.name):
            raise Refused("password/no-name")
        await self._passwords.check(asked.password, account.name)
        if account.password:
            await self._prove(account.name, account.password, asked.old or "", session.address)
        else:
            await self._identities.check_free(account)
            self._bounds.spend("names", session.asker)
        fresh = await self._passwords.hash(asked.password)
        kept = await self._identities.keep_name(account, session.device, fresh)
        self._log.info("name-kept", who=session.who, changed=bool(account.password))
        return kept

    async def prove(self, session: Session, password: str) -> None:
        """Check that a person who keeps their name knows its password; of a guest nothing is asked. Raises Refused,
        StoreError."""
        account = await self._identities.account(session.who)
        if account.password:
            await self._prove(account.name, account.password, password, session.address)

    def close(self) -> None:
        """Begin no more hashes."""
        self._passwords.close()

    async def _prove(self, name: str, stored: str, password: str, address: str) -> None:
        """Raise Refused, unless this is the password of the hash and may be tried."""
        key = name_key(name)
        if not self._bounds.may_sign_in(key, address):
            raise self._refused("locked", key, address)
        self._bounds.sign_in_begun(key, address)
        try:
            is_good = await self._passwords.verify(stored, password)
        except Refused:
            self._outcomes.add("busy")
            is_good = None
        if is_good is False:
            raise self._refused("wrong", key, address)
        self._bounds.sign_in_good(key, address)
        if is_good is None:
            raise Refused("session/sign-in-busy")
        self._outcomes.add("good")

    def _refused(self, outcome: str, key: str, address: str) -> Refused:
        self._outcomes.add(outcome)
        self._log.warning("sign-in-refused", who=key, address=address, outcome=outcome)
        return Refused("session/not-signed-in")
