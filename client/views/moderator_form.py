"""Form by which a moderator acts, with a reason: on a person, a table, or a ban or mute that holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from client.model.session import ClientSession
from client.text.phrases import phrase, yes_or_no
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.text_input import TextInput
from protocol.ids import TableId
from protocol.limits import Limits
from protocol.wire.client_message import Message
from protocol.wire.order_requests import (
    MOST_REASON,
    CloseTable,
    Included,
    LiftSanction,
    RemovePerson,
    RenamePerson,
    Sanction,
)

OrderAct = Literal["mute", "remove", "ban", "rename", "close", "lift"]
ON_PERSON: Final[tuple[OrderAct, ...]] = ("mute", "remove", "ban", "rename")
MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
SPANS: Final[dict[OrderAct, dict[str, int]]] = {
    "mute": {"minutes": 5 * MINUTE, "hour": HOUR, "day": DAY, "week": 7 * DAY, "month": 30 * DAY},
    "ban": {"hour": HOUR, "day": DAY, "week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY, "ever": 0},
}
"""Seconds of the spans for which each holds, by their names."""
USUAL: Final = "day"
INCLUDED: Final[tuple[Included, ...]] = ("name", "address", "network")
WIDTH, HEIGHT, ROW, GAP = 760, 312, 32, 4


@dataclass(frozen=True)
class Subject:
    """Person, table, or ban or mute, by its `id` and the `name` that is shown, and what can be done about it."""

    acts: tuple[OrderAct, ...]
    id: str
    name: str


class ModeratorForm:
    """Form above the page that opens it; it closes when the server has carried the act out."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.reason = TextInput(most=MOST_REASON, enter=self._send)
        self.name = TextInput(most=Limits().name_length, enter=self._send)
        self._subject: Subject | None = None
        self._act: OrderAct = ON_PERSON[0]
        self._span = USUAL
        self._also: set[Included] = set()
        self._done = 0

    @property
    def is_open(self) -> bool:
        moderation = self.session.moderation
        return self._subject is not None and moderation.moderates and moderation.done == self._done

    def open(self, subject: Subject) -> None:
        """Open the form about this."""
        self._subject, self._done, self.session.notice = subject, self.session.moderation.done, ""
        self._also.clear()
        self.reason.set("")
        self.name.set("")
        self._choose(subject.acts[0])

    def close(self) -> None:
        self._subject = None

    def draw(self, ui: Ui) -> None:
        subject = self._subject
        if subject is None:
            return
        inside = ui.popup(ui.px(WIDTH), ui.px(HEIGHT), phrase(f"order.form.{subject.acts[0]}", name=subject.name))
        foot, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        note, inside = inside.cut_bottom(ui.px(20), ui.px(GAP))
        ui.line(self.session.notice, note, colour=theme.WARN, size=theme.SMALL)
        rows = inside.share(6, ui.px(ROW), ui.px(GAP))
        if len(subject.acts) > 1:
            for box, act in zip(next(rows).columns(len(subject.acts), 8), subject.acts, strict=True):
                words = phrase(f"order.act.{act}")
                ui.button(box, words, partial(self._choose, act), chosen=act == self._act, listed=True)
        self._draw_choices(ui, rows)
        ui.input(next(rows), self.reason, phrase("order.reason"))
        top, bottom = next(rows), next(rows)
        about = Rect(top.x, bottom.y, top.w, top.top - bottom.y)
        ui.lines(phrase(f"order.about.{self._act}"), about, colour=theme.MUTED, size=theme.SMALL)
        send, back = foot.columns(2, 8)
        why_not = self._why_not()
        words = phrase(f"order.send.{self._act}", name=subject.name)
        ui.button(send, words, None if why_not else self._send, primary=not why_not, tip=why_not)
        ui.button(back, phrase("order.back"), self.close, key=ui.keys.shown("back"))

    def _draw_choices(self, ui: Ui, rows: Iterator[Rect]) -> None:
        """Draw what the chosen act needs beside its reason."""
        spans = SPANS.get(self._act, {})
        if spans:
            for box, span in zip(next(rows).columns(len(spans), 8), spans, strict=True):
                chosen, act = span == self._span, partial(self._choose_span, span)
                ui.button(box, phrase(f"order.span.{span}"), act, chosen=chosen, listed=True)
        if self._act == "ban":
            for box, part in zip(next(rows).columns(len(INCLUDED), 8), INCLUDED, strict=True):
                words = phrase(f"order.also.{part}", included=yes_or_no(is_so=part in self._also))
                tip, name = phrase(f"order.also.{part}.tip"), phrase(f"order.also.{part}.name")
                ui.button(box, words, partial(self._flip, part), tip=tip, name=name, listed=True)
        elif self._act == "rename":
            ui.input(next(rows), self.name, phrase("order.new_name"))

    def _choose(self, act: OrderAct) -> None:
        self._act = act
        if self._span not in SPANS.get(act, {}):
            self._span = USUAL

    def _choose_span(self, span: str) -> None:
        self._span = span

    def _flip(self, part: Included) -> None:
        self._also ^= {part}

    def _why_not(self) -> str:
        """Return the reason why the act cannot be sent yet, empty where it can."""
        if self._act == "rename" and not self.name.text.strip():
            return phrase("order.name_first")
        return "" if self.reason.text.strip() else phrase("order.reason_first")

    def _send(self) -> None:
        if self._subject is not None and not self._why_not():
            self.session.notice = ""
            self.session.moderation.say(self._message(self._subject.id, self.reason.text.strip()))

    def _message(self, id: str, reason: str) -> Message:
        match self._act:
            case "mute":
                return Sanction(who=id, what="mute", reason=reason, seconds=SPANS["mute"][self._span])
            case "ban":
                seconds, also = SPANS["ban"][self._span], [part for part in INCLUDED if part in self._also]
                return Sanction(who=id, what="ban", reason=reason, seconds=seconds, also=also)
            case "remove":
                return RemovePerson(who=id, reason=reason)
            case "rename":
                return RenamePerson(who=id, name=self.name.text.strip(), reason=reason)
            case "close":
                return CloseTable(table=TableId(id), reason=reason)
            case "lift":
                return LiftSanction(id=id, reason=reason)


def on_person(who: str, name: str) -> Subject:
    """Return a person as the subject of a form."""
    return Subject(ON_PERSON, who, name)
