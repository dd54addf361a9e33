"""Pages of factions over the wire: for anybody, by hash, made once, bounded, and refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.limits import Limits, Rate, Rates
from protocol.text_format import format_text
from protocol.wire.faction_pages import FactionShown, GetFaction
from server.lobby.finding import factions
from tests.support.clients.wire import Client, duel, running, two_players

pytestmark = pytest.mark.waits
AMBER = GetFaction(system="duel", faction="amber")


async def asked(client: Client, message: GetFaction) -> FactionShown:
    await client.say(message)
    return await client.hear(FactionShown)


async def test_anybody_reads_of_a_faction_and_who_has_the_page_is_not_sent_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    make = factions._made

    def noted(installed: object, faction: str) -> FactionShown:
        made.append(faction)
        return make(installed, faction)  # type: ignore[arg-type]

    monkeypatch.setattr(factions, "_made", noted)
    async with running(tmp_path) as run:
        eve, fay = await run.client("Eve"), await run.client("Fay")
        assert eve.talk.welcome is not None
        assert eve.talk.welcome.factions
        first = await asked(eve, AMBER)
        assert first.sheet is not None
        assert (first.system, first.faction, first.code, first.sheet.name.k) == ("duel", "amber", "", "duel.amber")
        again = await asked(fay, GetFaction(system="duel", faction="amber", known=first.hash))
        assert (again.hash, again.sheet) == (first.hash, None)
        other = await asked(fay, GetFaction(system="duel", faction="birch", known=first.hash))
        assert other.sheet is not None
        assert other.hash != first.hash
    assert made == ["amber", "birch"]


@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        (GetFaction(system="chess", faction="white"), "table/unknown-system", "not installed"),
        (GetFaction(system="duel", faction="white"), "table/unknown-faction", "no such faction"),
    ],
)
async def test_what_there_is_not_is_refused_in_words(
    tmp_path: Path, message: GetFaction, code: str, words: str
) -> None:
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        refused = await asked(eve, message)
        assert (refused.system, refused.faction, refused.code) == (message.system, message.faction, code)
        assert (refused.hash, refused.sheet) == ("", None)
        assert refused.text is not None
        assert words in format_text(refused.text, duel()["duel"].catalogue("en").entries)


async def test_making_is_charged_as_a_question_and_what_is_kept_is_not(tmp_path: Path) -> None:
    limits = Limits(questions=Rates(Rate(1e-6, 60), None, None), handshakes_per_second=1000)
    async with running(tmp_path, limits=limits) as run:
        eve, fay = await run.client("Eve"), await run.client("Fay")
        assert (await asked(eve, AMBER)).hash
        assert (await asked(eve, GetFaction(system="duel", faction="birch"))).code == "bound/questions-person"
        assert (await asked(eve, AMBER)).hash
        assert (await asked(fay, GetFaction(system="duel", faction="birch"))).hash


async def test_players_ask_in_a_match_too(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        assert (await asked(ann, AMBER)).hash
