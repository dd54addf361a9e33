"""Words of a vote: what is asked, and by whom. Needs no window."""

from __future__ import annotations

from client.model.table.view_model import ViewModel
from client.text.phrases import named, phrase
from protocol.wire.from_server import TableView, VoteView


def name_in_vote(model: ViewModel, seat: int) -> str:
    """Return the name of who holds a seat, or the seat's own."""
    view = model.seat_view(seat)
    return view.name if view is not None else model.seat_name(seat)


def vote_question(model: ViewModel, view: TableView, vote: VoteView) -> str:
    """Return in words what is voted on."""
    if vote.what == "bot":
        about = view.seats[vote.seat].name if 0 <= vote.seat < len(view.seats) else phrase("vote.absent")
        return phrase("vote.bot", name=about)
    who = name_in_vote(model, vote.by) if vote.by >= 0 else phrase("vote.table")
    return phrase("vote.asks", who=who, what=named("vote.what", vote.what))
