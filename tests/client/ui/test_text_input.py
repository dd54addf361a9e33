"""Text field: caret, typing, deleting, and the part in sight."""

from __future__ import annotations

from client.ui.text_input import TextInput


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
    shown, caret = box.window(lambda words: 10.0 * len(words), 20)
    assert len(shown) == 2
    assert 0 <= caret <= 20
