"""Roles of spectators in the window: the label, asking, and a seat's consent."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.app.window import SMALLEST
from protocol.wire.from_client import Consent, LookAs
from protocol.wire.from_server import Role, TableView, Watcher
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand


def view_of(table: Table) -> TableView:
    view = table.session.conversation.table
    assert view is not None
    return view


def test_a_player_is_asked_answers_and_takes_it_back(table: Table, hand: Hand) -> None:
    view = view_of(table)
    eve = Watcher("u9", "Eve", Role(wants=view.seat))
    table.say(replace(view, watchers=(eve,)))
    hand.click_on("Allow Eve")
    assert table.last(Consent) == Consent(who="u9", allow=True)
    table.say(replace(view, watchers=(replace(eve, role=Role("seat", view.seat)),)))
    assert "Allow Eve" not in table.app.labels()
    hand.press(keys.F10)
    hand.click_on("Stop Eve from seeing my seat")
    assert table.last(Consent) == Consent(who="u9", allow=False)


def test_a_spectator_asks_for_a_seat_and_is_told_what_they_see(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = at_table(app, tmp_path, seat=-1)
    view = replace(view_of(table), all_views=True, delayed_view=True)
    person = next(seat for seat in view.seats if seat.who)
    table.say(view)
    hand.press(keys.F10)
    hand.click_on(f"Ask to see what {person.name} sees")
    assert table.last(LookAs) == LookAs(sees="seat", seat=person.seat)
    hand.click_on("See all cards, late")
    assert table.last(LookAs) == LookAs(sees="all")
    assert "Spectators may see all cards, late: yes" in app.labels()
    table.say(replace(view, delayed_view=False))
    assert "Spectators may see all cards, late: no" in app.labels()
    assert "See all cards, late" not in app.labels()
    hand.press(keys.ESCAPE)
    table.say(replace(view, role=Role("seat", person.seat)))
    assert any(label.startswith(f"You see what {person.name} sees") for label in app.labels())
    table.say(replace(view, role=Role("all"), behind=135_000))
    assert "All cards, as they were 2:15 ago or longer" in app.labels()
    table.say(replace(view, role=Role("all")))
    assert any("first picture" in label for label in app.labels())


def test_a_spectator_cannot_answer_the_prompt_of_a_seat_they_look_into(
    app: ReadableApp, tmp_path: Path, hand: Hand
) -> None:
    table = at_table(app, tmp_path, seat=-1)
    scene = table.session.conversation.scene
    assert scene is not None
    assert scene.prompt is not None
    assert not [label for label in app.enabled() if label in ("Shoot", "Move a group", "End the card")]


@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_the_menu_of_a_crowded_table_fits_the_smallest_window(table: Table, hand: Hand, scale: float) -> None:
    view = view_of(table)
    crowd = tuple(Watcher(f"w{number}", f"Eve {number}", Role("seat", view.seat)) for number in range(9))
    seats = tuple(replace(seat, who=seat.who or f"p{seat.seat}", bot="") for seat in view.seats)
    table.say(replace(view, owner=table.session.conversation.you, seats=seats, watchers=crowd, code="ABCDE12345"))
    hand.press(keys.F10)
    ui, front = table.app.ui, table.app.front
    assert front is not None
    ui.scale = scale
    ui.begin(SMALLEST)
    front.build(ui)
    ui.end()
    buttons = [spot for spot in ui.hotspots[ui.modal :] if spot.act is not None]
    removed = [spot for spot in buttons if spot.label.startswith("Remove ")]
    assert buttons[-1].label == "Quit"
    assert len(removed) == len(seats) - 1
    assert not [(a.label, b.label) for a, b in combinations(buttons, 2) if a.rect.overlaps(b.rect)]
    assert all(spot.rect.y >= 0 and spot.rect.top <= SMALLEST[1] for spot in buttons)
    table.app.refresh()
