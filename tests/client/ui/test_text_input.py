"""Text field: caret, typing, deleting, selection, words, and the part in sight."""

from __future__ import annotations

from hypothesis import given, strategies as st

from client.ui.text_input import TextInput


def wide(text: str) -> float:
    return 10.0 * len(text)


def test_a_text_field() -> None:
    entered: list[str] = []
    box = TextInput(most=6, enter=lambda: entered.append(box.text))
    box.type("abc\x00d")
    box.go(1)
    box.type("XYZ")
    assert box.text == "aXYbcd"
    box.rub_out()
    box.rub_out(forwards=True)
    assert box.text == "aXcd"
    shown, caret = box.window(wide, 20)
    assert len(shown) == 2
    assert 0 <= caret <= 20


def test_what_is_typed_or_rubbed_out_takes_the_place_of_the_selection() -> None:
    changes: list[str] = []
    box = TextInput("hold the mill", changed=lambda: changes.append(box.text))
    box.go(5)
    box.go(8, select=True)
    assert (box.selection, box.selected) == ((5, 8), "the")
    box.type("a")
    assert (box.text, box.caret, box.selected) == ("hold a mill", 6, "")
    box.go(4, select=True)
    box.rub_out()
    assert box.text == "hold mill"
    box.select_all()
    box.step(1)
    assert (box.caret, box.selected) == (9, "")
    box.select_all()
    box.step(-1)
    assert (box.caret, box.selected) == (0, "")
    assert changes == ["hold a mill", "hold mill"]


def test_a_full_field_takes_as_much_as_the_selection_frees() -> None:
    box = TextInput("abcd", most=4)
    box.go(1)
    box.go(3, select=True)
    box.type("xyz")
    assert box.text == "axyd"


def test_the_caret_goes_by_words() -> None:
    box = TextInput("hold  the mill")
    stops = []
    while box.caret:
        box.go(box.word(forwards=False))
        stops.append(box.caret)
    assert stops == [10, 6, 0]
    for stop in (6, 10, 14):
        box.go(box.word(forwards=True))
        assert box.caret == stop
    box.rub_out(word=True)
    box.go(0)
    box.rub_out(word=True, forwards=True)
    assert box.text == "the "


def test_hidden_text_is_one_word_and_does_not_come_to_the_clipboard() -> None:
    box = TextInput("open sesame", hidden=True)
    assert box.word(forwards=False) == 0
    box.select_all()
    assert box.selected == ""
    box.type("x")
    assert box.text == "x"


@given(st.text("ab ", max_size=12), st.integers(-2, 14), st.integers(-2, 14), st.integers(0, 130), st.integers(1, 8))
def test_the_selection_lies_in_sight_and_a_place_is_found_again(
    text: str, anchor: int, caret: int, x: int, letters: int
) -> None:
    box, room = TextInput(text), letters * 10
    box.go(anchor)
    box.go(caret, select=True)
    shown, at = box.window(wide, room)
    start, end = box.selected_span(wide, room)
    assert 0 <= start <= end <= room
    assert wide(shown) <= room
    assert at in (start, end) or at == room
    assert box.first <= box.place_at(x, wide) <= len(text)
    assert box.place_at(at, wide) == box.caret
