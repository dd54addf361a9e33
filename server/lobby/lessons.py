"""Tables of lessons: the line-up of a lesson seated around its learner, and the acts that its bots try first."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.army_lists import lists_of
from engine.core.rules.lessons import LessonPlan, LessonSeat
from protocol.scene.nodes import Reply
from server.accounts.display_names import BOT_NAME, unique_name
from server.content.systems import Installed
from server.lobby.table.table_record import ListRecord, SeatRecord, TableRecord
from server.match.bots.bot_factory import new_seed
from server.runtime.refusals import Refused


def with_lesson(table: TableRecord, installed: Installed, lesson: str, name_length: int) -> TableRecord:
    """Return a new table with the line-up of a lesson: bots in all seats but the learner's, and no clock. Raises
    Refused where the system has no such lesson of this scenario."""
    plan = installed.lessons.get(lesson)
    if plan is None or plan.lesson.scenario != table.scenario:
        raise Refused("table/unknown-lesson")
    taken = [seat.name for seat in table.seats if seat.who]
    seats: list[SeatRecord] = []
    for seat, planned in zip(table.seats, plan.seats, strict=True):
        if planned.bot:
            name = unique_name(BOT_NAME, taken, name_length)
            taken.append(name)
            seat = SeatRecord("", name, ready=True, bot=planned.bot, seed=new_seed())
        seats.append(replace(seat, faction=planned.faction, army=_army(installed, planned)))
    return replace(table, seats=tuple(seats), lesson=lesson, mail=True, options=dict(plan.options))


def _army(installed: Installed, planned: LessonSeat) -> ListRecord | None:
    lists = lists_of(installed.system)
    if lists is None or not planned.army:
        return None
    brought = lists.read(installed.content, planned.army)
    return ListRecord(brought.code, brought.name, brought.points)


def acts_of(table: TableRecord, installed: Installed | None, seat: int) -> tuple[Reply, ...]:
    """Return what the bot of a seat tries first; nothing outside lessons."""
    plan: LessonPlan | None = installed.lessons.get(table.lesson) if installed is not None else None
    return plan.seats[seat].acts if plan is not None else ()
