"""The pages of results, ratings and leaders, as people ask for them."""

from __future__ import annotations

from typing import Final

from msgspec.structs import astuple, replace

from protocol.ids import table_of
from protocol.wire import from_client as said
from protocol.wire.results import Leader, Leaders, PlayedView, RatingView, ResultRow, Results, ResultSeat
from server.accounts.current_names import CurrentNames
from server.accounts.display_names import own_table_name
from server.accounts.identities import Identities
from server.content.systems import scenario_in, scenario_name
from server.lobby.services import Services
from server.lobby.sessions import Session
from server.lobby.table.table_record import code_works
from server.lobby.table.views import may_see
from server.results.match_result import MatchResult, PlayerResult
from server.results.rating import Rating
from server.results.result_book import ResultBook
from server.runtime.refusals import Refused

PAGE_ROWS: Final = 20


class ResultPages:
    """Methods, one for each message, called for the session that has sent it (protocol/wire/from_client.py). Each
    raises StoreError."""

    def __init__(self, services: Services, book: ResultBook, identities: Identities) -> None:
        self._services = services
        self._book = book
        self._identities = identities

    async def show(self, session: Session, asked: said.GetResults) -> None:
        who, names = asked.who or session.who, CurrentNames(self._identities)
        page = await self._book.page_of(who, asked.before, PAGE_ROWS)
        seen = [result for result in page if not result.private or session.who in result.people]
        rows = [await self._row(session.who, result, names) for result in seen]
        ratings = [rating_view(rating) for rating in await self._book.ratings_of(who)]
        older = page[-1].number if len(page) == PAGE_ROWS else 0
        career = await self._book.career_of(who)
        played = [PlayedView(system, *astuple(counts)) for system, counts in sorted(career.played.items())]
        answer = Results(who, await names.of(who), tuple(ratings), tuple(rows), older, tuple(played))
        session.say(replace(answer, begun=len(career.stayed), stayed=sum(career.stayed)))

    async def leaders(self, session: Session, asked: said.GetLeaders) -> None:
        """Raise Refused for a system that is not installed."""
        if asked.system not in self._services.systems:
            raise Refused("table/unknown-system")
        names = CurrentNames(self._identities)
        found = await self._book.leaders(asked.system, self._services.clock.wall())
        rows = [Leader(rating.who, await names.of(rating.who), rating_view(rating)) for rating in found]
        session.say(Leaders(asked.system, tuple(rows)))

    async def _row(self, viewer: str, result: MatchResult, names: CurrentNames) -> ResultRow:
        table = self._services.directory.record(table_of(result.match))
        owner = await names.of(table.owner) if table is not None and table.owner else ""
        scenario = scenario_in(self._services.systems, result.system, result.scenario)
        if table is not None and (not table.replay or table.replay_dropped or not may_see(table, viewer)):
            table = None
        has_link = table is not None and code_works(table, self._services.clock.wall())
        return ResultRow(
            number=result.number,
            table=table_of(result.match),
            name=result.table or own_table_name(owner),
            system=result.system,
            scenario=scenario_name(scenario, result.scenario),
            when=result.ended,
            why=result.why,
            seats=tuple([await self._seat(player, names) for player in result.players]),
            rounds=result.rounds,
            bare=result.bare,
            unrated=result.unrated,
            ranked=result.ranked,
            replay=table is not None,
            code=table.code if table is not None and has_link else "",
        )

    async def _seat(self, player: PlayerResult, names: CurrentNames) -> ResultSeat:
        name = await names.of(player.who) if player.who else player.name
        before, after = player.before, player.after
        change = after.points - before.points if before is not None and after is not None else None
        return ResultSeat(player.who, name, player.side, player.won, player.score, player.gone, change)


def rating_view(rating: Rating) -> RatingView:
    """Return a rating as it is told."""
    return RatingView(rating.system, rating.skill.points, rating.skill.spread, rating.matches, rating.is_new)
