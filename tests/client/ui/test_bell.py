"""The bell: rung at once, also where there is no sound."""

from client.ui import bell


def test_the_bell_is_rung_at_once_also_where_there_is_no_sound() -> None:
    bell.ring()
