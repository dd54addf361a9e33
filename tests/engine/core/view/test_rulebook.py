"""A rulebook as entries of a catalogue."""

from __future__ import annotations

from engine.core.view.diagrams import Layout
from engine.core.view.rulebook import BookSection, BookText, Paragraph, entries
from protocol.scene.diagrams import packed

ACT, THEN_PASS = Paragraph("Act.", ("R-2", "R-1")), Paragraph("Then pass.", ("R-1", "R-3"))
TURNS = BookSection("turns", "Turns", (ACT, THEN_PASS), ("pass",))
TRADE = BookSection("trade", "Trade", (Paragraph("Buy.", ("R-3",)),), ("buy", "sell"), ("market", "Two stalls."))


def market() -> Layout:
    layout = Layout({0: "Ann"})
    layout.house(0, 0, 10, 10)
    return layout


TEXT = BookText((TURNS, TRADE), {"sell": "turns.2", "draw": "turns.1"})
BOOK = entries("hg", TEXT, {"market": market().diagram})


def test_sections_and_paragraphs_are_told_in_their_order() -> None:
    assert BOOK["book.hg"] == "turns,trade"
    assert (BOOK["book.hg.turns"], BOOK["book.hg.trade"]) == ("Turns|2", "Trade|1")
    assert [BOOK[f"book.hg.{place}"] for place in ("turns.1", "turns.2", "trade.1")] == ["Act.", "Then pass.", "Buy."]


def test_a_picture_stands_with_its_caption_where_there_is_one() -> None:
    assert BOOK["book.hg.trade.picture"] == packed(market().diagram)
    assert BOOK["book.hg.trade.caption"] == "Two stalls."
    assert "book.hg.turns.picture" not in BOOK


def test_a_choice_is_told_by_its_sections_first_paragraph_unless_another_is_named() -> None:
    told = {choice: BOOK[f"book.hg.choice/{choice}"] for choice in ("pass", "buy", "sell", "draw")}
    assert told == {"pass": "turns.1", "buy": "trade.1", "sell": "turns.2", "draw": "turns.1"}


def test_a_rule_is_told_where_it_stands_first_of_all_else_where_it_stands_at_all() -> None:
    told = {rule: BOOK[f"book.hg.rule/{rule}"] for rule in ("R-1", "R-2", "R-3")}
    assert told == {"R-1": "turns.2", "R-2": "turns.1", "R-3": "trade.1"}


def test_nothing_else_is_in_a_book() -> None:
    assert len(BOOK) == 1 + 2 + 3 + 2 + 4 + 3
    assert entries("hg", BookText(()), {}) == {"book.hg": ""}
