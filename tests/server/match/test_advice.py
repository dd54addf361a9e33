"""Surveys and proposals over real sockets: answered in slices, from one seat's own prompt, and refused like details."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.ids import PromptId
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Detail, Proposed, Reject, Surveyed
from server.content.systems import find_systems, load
from tests.support.clients.programs import PLUGINS
from tests.support.clients.wire import Client, Running, running
from tests.support.proving.state import GRID

UNIT = "piece/u00"


@pytest.fixture(autouse=True)
def proving_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PLUGINS)


async def acting(run: Running) -> Client:
    """Ann, whose turn it is in the proving game against bots."""
    ann = await run.client("Ann")
    await ann.say(say.CreateTable(system="proving", scenario="crossing", name="Ground", private=False))
    await ann.arrived()
    await ann.say(say.ChangeTable(reaction_seconds=0))
    for seat in (1, 2):
        await ann.say(say.AddBot(kind="random", seat=seat))
    await ann.until(lambda: all(s.bot or s.who for s in ann.talk.table.seats) if ann.talk.table else False)
    await ann.ready()
    await ann.say(say.StartMatch())
    await ann.until(lambda: ann.offers("hide"))
    await ann.intend("hide", cell=[1, 1])
    await ann.until(lambda: ann.offers("advance"))
    return ann


async def surveys(ann: Client, subject: str, prompt: str | None = None) -> list[Surveyed]:
    """The answers to a survey."""
    shown = ann.prompt
    assert shown is not None
    await ann.say(say.Survey(id=7, prompt=shown.id if prompt is None else PromptId(prompt), subject=subject))
    found = [await ann.hear(Surveyed)]
    while found[-1].more:
        found.append(await ann.hear(Surveyed))
    return found


async def test_each_choice_of_a_thing_is_answered_by_itself(tmp_path: Path) -> None:
    async with running(tmp_path, systems=load(find_systems(["proving"]).values())) as run:
        ann = await acting(run)
        found = await surveys(ann, UNIT)
        assert [(answer.choice, answer.more) for answer in found] == [
            ("advance", True),
            ("march", True),
            ("watch", False),
        ]
        assert found[1].reach[0].cost == 1
        assert await surveys(ann, "piece/u10") == [Surveyed(7)]
        (stale,) = await surveys(ann, UNIT, "old")
        assert stale.code == "stale"


async def test_a_proposal_is_taken_as_it_is(tmp_path: Path) -> None:
    async with running(tmp_path, systems=load(find_systems(["proving"]).values())) as run:
        ann = await acting(run)
        assert ann.prompt is not None
        await ann.say(say.Propose(id=8, prompt=ann.prompt.id, choice="flags"))
        found = await ann.hear(Proposed)
        assert len(found.ghosts) == 6
        assert found.more
        assert not (await ann.hear(Proposed)).more
        assert await ann.intend("flags", **found.fields) == ""


async def march_asked(ann: Client, id: int) -> Proposed:
    """Ask for a march, and return the first answer."""
    assert ann.prompt is not None
    await ann.say(say.Propose(id=id, prompt=ann.prompt.id, choice="march", fields={"unit": [UNIT]}))
    return await ann.hear(Proposed)


async def test_a_forecast_beyond_the_answers_of_others_is_sampled_in_another_process(tmp_path: Path) -> None:
    async with running(tmp_path, systems=load(find_systems(["proving"]).values())) as run:
        ann = await acting(run)
        host = run.server.lobby.tables()[0].host
        assert host is not None
        before = host.match.head
        first = await march_asked(ann, 8)
        assert first.more
        assert first.forecast is None
        answers = [await ann.hear(Proposed)]
        while answers[-1].more:
            answers.append(await ann.hear(Proposed))
        forecast = answers[-1].forecast
        assert forecast is not None
        assert forecast.sure == "about"
        # nothing of the match has moved, and it is kept as long as that is so
        assert host.match.head == before
        assert (await march_asked(ann, 9)).forecast == forecast
        assert await ann.intend("march", **first.fields) == ""


async def test_a_newer_proposal_ends_an_older_one(tmp_path: Path) -> None:
    async with running(tmp_path, systems=load(find_systems(["proving"]).values())) as run:
        ann = await acting(run)
        assert ann.prompt is not None
        for id in (1, 2):
            await ann.say(say.Propose(id=id, prompt=ann.prompt.id, choice="march", fields={"unit": [UNIT]}))
        ended: dict[int, Proposed] = {}
        while len(ended) < 2:
            answer = await ann.hear(Proposed)
            if not answer.more:
                ended[answer.id] = answer
        assert ended[1].forecast is None
        assert ended[2].forecast is not None


async def test_a_refusal_names_what_is_at_fault(tmp_path: Path) -> None:
    async with running(tmp_path, systems=load(find_systems(["proving"]).values())) as run:
        ann = await acting(run)
        assert ann.prompt is not None
        await ann.say(say.Propose(id=9, prompt=ann.prompt.id, choice="march", fields={"unit": [UNIT], "way": [8, 6]}))
        refused = await ann.hear(Proposed)
        assert (refused.code, refused.at, refused.by) == ("way/none", GRID.centre((8, 6)), UNIT)
        assert refused.fields == {}
        await ann.say(say.Propose(id=10, prompt=ann.prompt.id, choice="watch", fields={"unit": ["piece/none"]}))
        assert (await ann.hear(Proposed)).at == "piece/none"  # the rules name no place: what was given last
        id = ann.talk.intend(Reply("march", {"unit": [UNIT], "way": [8, 6]}), bytes(15) + b"1")
        await ann.flush()
        rejected = await ann.hear(Reject)
        assert (rejected.id, rejected.at, rejected.by) == (id, refused.at, UNIT)


async def test_who_has_no_seat_is_told_so_in_the_form_that_they_wait_for(tmp_path: Path) -> None:
    async with running(tmp_path, systems=load(find_systems(["proving"]).values())) as run:
        ann = await run.client("Ann")
        await ann.say(say.Survey(id=1, prompt=PromptId(""), subject="group/1"))
        assert (await ann.hear(Surveyed)).code == "match/none"
        await ann.say(say.Propose(id=2, prompt=PromptId(""), choice="march"))
        assert (await ann.hear(Proposed)).code == "match/none"
        await ann.say(say.DetailRequest(id=3, prompt=PromptId(""), choice="march"))
        assert (await ann.hear(Detail)).code == "match/none"
