"""Previews of scenarios over the wire: for anybody, by options and hash, kept, bounded, and refused in words."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from engine.rulesets.action_cards import system as action_cards
from protocol.limits import Limits, Rate, Rates
from protocol.scene.delta import typed
from protocol.scene.nodes import Feature, SeatNode, Table, Zone
from protocol.text_format import format_text
from protocol.wire import from_client as say
from protocol.wire.previews import GetPreview, Preview
from server.content.systems import install, texts_of
from server.lobby.finding import previews
from tests.support.clients.wire import Client, Running, duel, running, two_players

pytestmark = pytest.mark.waits
BRIDGE = GetPreview(system="action_cards", scenario="dyke_end")


def shipped(folder: Path) -> AbstractAsyncContextManager[Running]:
    return running(folder, systems={"action_cards": install(action_cards, texts_of(action_cards))})


async def asked(client: Client, message: GetPreview) -> Preview:
    await client.say(message)
    return await client.hear(Preview)


def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the scenario of each preview is added that is made."""
    found: list[str] = []
    make = previews._made

    def noted(installed: object, setup: object) -> Preview:
        preview = make(installed, setup)  # type: ignore[arg-type]
        found.append(preview.scenario)
        return preview

    monkeypatch.setattr(previews, "_made", noted)
    return found


async def test_anybody_in_the_lobby_sees_the_table_of_a_scenario(tmp_path: Path) -> None:
    async with shipped(tmp_path) as run:
        eve = await run.client("Eve")
        assert eve.talk.welcome is not None
        assert eve.talk.welcome.previews
        preview = await asked(eve, BRIDGE)
        assert (preview.system, preview.scenario, preview.code, preview.left_out) == (
            "action_cards",
            "dyke_end",
            "",
            17,
        )
        nodes = [typed(node) for node in preview.nodes.values()]
        assert {type(node) for node in nodes} == {Table, Feature, Zone, SeatNode}
        assert sum(isinstance(node, SeatNode) for node in nodes) == 4


async def test_it_is_made_once_for_each_choice_of_options_and_not_sent_to_who_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = made(monkeypatch)
    async with shipped(tmp_path) as run:
        eve, fay = await run.client("Eve"), await run.client("Fay")
        first = await asked(eve, BRIDGE)
        usual = await asked(
            fay, GetPreview(system="action_cards", scenario="dyke_end", options={"special_events": True})
        )
        assert (usual.hash, usual.nodes, usual.options) == (first.hash, first.nodes, {"special_events": True})
        assert len(times) == 1
        again = await asked(eve, GetPreview(system="action_cards", scenario="dyke_end", known=first.hash))
        assert (again.hash, again.nodes, again.left_out) == (first.hash, {}, 17)
        off = await asked(
            eve, GetPreview(system="action_cards", scenario="dyke_end", options={"special_events": False})
        )
        assert off.hash == first.hash
        assert len(times) == 2
        other = await asked(eve, GetPreview(system="action_cards", scenario="dyke_end:3", known=first.hash))
        assert other.hash != first.hash
        assert other.nodes


async def test_the_oldest_goes_where_many_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = made(monkeypatch)
    monkeypatch.setattr(previews, "MOST_KEPT", 2)
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        for scenario in ("two", "three", "two", "six", "two", "three"):
            await asked(eve, GetPreview(system="duel", scenario=scenario))
    assert times == ["two", "three", "six", "three"]


@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        (GetPreview(system="chess", scenario="two"), "table/unknown-system", "not installed"),
        (GetPreview(system="duel", scenario="nine"), "table/unknown-scenario", "no such scenario"),
        (GetPreview(system="duel", scenario="two", options={"fog": True}), "table/option", "no option fog"),
    ],
)
async def test_what_there_is_not_is_refused_in_words(
    tmp_path: Path, message: GetPreview, code: str, words: str
) -> None:
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        refused = await asked(eve, message)
        assert (refused.system, refused.scenario, refused.code) == (message.system, message.scenario, code)
        assert (refused.hash, refused.nodes) == ("", {})
        assert refused.text is not None
        assert words in format_text(refused.text, duel()["duel"].catalogue("en").entries)


async def test_making_is_charged_as_a_question_and_what_is_kept_is_not(tmp_path: Path) -> None:
    limits = Limits(questions=Rates(Rate(1e-6, 60), None, None), handshakes_per_second=1000)
    async with running(tmp_path, limits=limits) as run:
        eve, fay = await run.client("Eve"), await run.client("Fay")
        assert (await asked(eve, GetPreview(system="duel", scenario="two"))).hash
        assert (await asked(eve, GetPreview(system="duel", scenario="six"))).code == "bound/questions-person"
        assert (await asked(eve, GetPreview(system="duel", scenario="two"))).hash
        assert (await asked(fay, GetPreview(system="duel", scenario="six"))).hash


async def test_players_ask_in_a_match_too(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        assert (await asked(ann, GetPreview(system="duel", scenario="six"))).hash
        await ann.say(say.Ping(n=5))
        await ann.pinged()
