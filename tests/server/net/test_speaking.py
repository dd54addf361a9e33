"""Texts of a server in the language of each person: from the greeting on, and anew when they ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.limits import MINUTE, Limits, Rate, Rates
from protocol.wire.from_server import Catalogue
from server.net.message_router import CATALOGUE_PAGES
from tests.support.clients.wire import Client, running

pytestmark = pytest.mark.waits


def heard(client: Client) -> list[str]:
    """Return the languages of the catalogues that have come, and forget them."""
    found = [message.language for message in client.heard if isinstance(message, Catalogue)]
    client.heard = [message for message in client.heard if not isinstance(message, Catalogue)]
    return found


async def test_texts_come_in_the_language_of_the_greeting_and_anew_in_another(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = Client(run.port)
        ann.talk.language = "de"
        await ann.connect()
        run.clients.append(ann)
        assert heard(ann) == ["de"]
        assert ann.talk.welcome is not None
        assert ann.talk.welcome.speaks
        ann.talk.speak("en")
        await ann.pinged()
        assert heard(ann) == ["en"]
        assert {catalogue.language for catalogue in ann.talk.catalogues.values()} == {"de", "en"}
        ann.talk.speak("tl")
        await ann.pinged()
        assert heard(ann) == ["en"], "what nobody has is English"
        await ann.connect()
        assert heard(ann) == ["en"]


async def test_it_costs_as_much_as_it_sends(tmp_path: Path) -> None:
    few = Rates(Rate(2 * CATALOGUE_PAGES, MINUTE), Rate(1000, MINUTE), Rate(1000, MINUTE))
    limits = Limits(handshakes_per_second=1000, sockets_per_address=1000, histories=few)
    async with running(tmp_path, limits=limits) as run:
        ann = await run.client()
        heard(ann)
        for language in ("de", "en", "de"):
            ann.talk.speak(language)
        await ann.pinged()
        assert heard(ann) == ["de", "en"]
        assert await ann.problem() == "bound/histories-person"
