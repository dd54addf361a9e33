"""Names that people have now, whatever they were called when something was stored of them."""

from __future__ import annotations

from server.accounts.identities import Identities


class CurrentNames:
    """The names that people have now, each looked up once for a page."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities
        self._known: dict[str, str] = {}

    async def of(self, who: str) -> str:
        """Return the name of a person, empty where they are deleted. Raises StoreError."""
        if who not in self._known:
            account = await self._identities.find(who)
            self._known[who] = account.name if account is not None else ""
        return self._known[who]
